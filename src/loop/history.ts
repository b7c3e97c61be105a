/** The committed history: a list from the newest back, so that a commit costs the same in a long session as in a short one. */
import type { Message } from '../domain/content.ts';
import type { StepId } from '../domain/identity.ts';
import { tokensOfMessage } from './tokens.ts';

export interface History {
  message: Message;
  /** The Turn it belongs to; 0 for a summary. */
  turnIndex: number;
  stepId?: StepId;
  /** It joined a running Turn. */
  folded?: boolean;
  /** Estimated, of this message and of all up to it. */
  tokens: number;
  total: number;
  before: History | undefined;
}

export function extended(
  before: History | undefined,
  message: Message,
  { turnIndex, stepId, folded }: Pick<History, 'turnIndex' | 'stepId' | 'folded'>,
): History {
  const tokens = tokensOfMessage(message);
  const at = { turnIndex, ...(stepId !== undefined && { stepId }), ...(folded && { folded }) };
  return { message, ...at, tokens, total: (before?.total ?? 0) + tokens, before };
}

/** Oldest first. */
export function entriesOf(history: History | undefined): History[] {
  const entries: History[] = [];
  for (let at = history; at; at = at.before) entries.push(at);
  return entries.reverse();
}

/** Oldest first. */
export const messagesOf = (history: History | undefined): Message[] => entriesOf(history).map(({ message }) => message);
