/** Files that a person attaches to an input; what cannot be attached is said on the screen. */
import type { InputBlock } from '../domain/content.ts';
import type { ChatStore } from '../ui/store.ts';
import { refused } from '../view/told.ts';
import { attachFiles } from './chat-files.ts';

export async function attached(paths: readonly string[], cwd: string, store: ChatStore): Promise<InputBlock[]> {
  const { blocks, words } = await attachFiles(paths, cwd);
  if (words.length > 0) store.change((chat, now) => refused(chat, words.join('; '), { now }));
  return blocks;
}
