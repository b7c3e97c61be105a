/** What the search of the history finds. */
import type { Chat } from './chat.ts';

/** The text that stands for the query now. */
export function searchMatch(chat: Chat): string | undefined {
  if (chat.focus.kind !== 'search') return undefined;
  const query = chat.focus.query.toLowerCase();
  const found = [...new Set(chat.history.toReversed())].filter((text) => text.toLowerCase().includes(query));
  return found[Math.min(chat.focus.skip, found.length - 1)];
}
