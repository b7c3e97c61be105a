/** The inbox: accepted inputs in order, and which of them may go where. */
import type { CommandId } from '../domain/identity.ts';
import type { InboxEntry } from './state.ts';

type Inbox = readonly InboxEntry[];

export const find = (inbox: Inbox, id: CommandId): InboxEntry | undefined =>
  inbox.find((entry) => entry.commandId === id);

export const without = (inbox: Inbox, id: CommandId): Inbox => inbox.filter((entry) => entry.commandId !== id);

/** The leading entries that fold: the first that is held stops the drain, and everything behind it waits (S). */
export function foldable(inbox: Inbox): Inbox {
  const boundary = inbox.findIndex((entry) => entry.noFold);
  return boundary === -1 ? inbox : inbox.slice(0, boundary);
}

/**
 * The inbox with one entry moved before another (absent: to the end), or undefined where either is not there or an
 * entry would move before itself.
 */
export function moved(inbox: Inbox, id: CommandId, before?: CommandId): Inbox | undefined {
  const entry = find(inbox, id);
  if (!entry) return undefined;
  const rest = without(inbox, id);
  if (before === undefined) return [...rest, entry];
  const at = rest.findIndex((other) => other.commandId === before);
  return at === -1 ? undefined : [...rest.slice(0, at), entry, ...rest.slice(at)];
}

/** The inbox with one entry's hold set, or undefined where it is not there. */
export function held(inbox: Inbox, id: CommandId, noFold: boolean): Inbox | undefined {
  if (!find(inbox, id)) return undefined;
  return inbox.map((entry) => (entry.commandId === id ? { ...entry, noFold } : entry));
}
