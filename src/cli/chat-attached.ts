/** Files that a person attaches to an input; what cannot be attached is said on the screen. */
import type { ChatStore } from '../ui/store.ts';
import type { AttachedBlocks } from '../view/attachment.ts';
import { refused } from '../view/told.ts';
import { attachFiles } from './chat-files.ts';
import type { Live } from './chat-stage.ts';

/** The model that is asked next, where the configuration says that it takes no images. */
export function blindModel(live: Live | undefined): string | undefined {
  if (!live) return undefined;
  const { session, loaded } = live;
  const { activeLoopId, loops } = session.snapshot();
  // a session that was opened just now has no loop yet: it begins with what was chosen
  const { provider, model } = loops.find(({ loopId }) => loopId === activeLoopId) ?? loaded.choice;
  const chosen = loaded.choose({ provider, model });
  return chosen.ok && chosen.choice.quirks.images === false ? model : undefined;
}

export async function attached(
  paths: readonly string[],
  live: Live | undefined,
  cwd: string,
  store: ChatStore,
): Promise<AttachedBlocks> {
  const { blocks, words } = await attachFiles(paths, cwd);
  const blind = blocks.some(({ type }) => type === 'image') ? blindModel(live) : undefined;
  if (blind !== undefined)
    return { refusal: `not sent: ${blind} takes no images. Choose another with /model, or leave the image out.` };
  if (words.length > 0) store.change((chat, now) => refused(chat, words.join('; '), { now }));
  return { blocks };
}
