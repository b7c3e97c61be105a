/** What a running session is made of, and how it begins. */
import type { SessionId } from '../domain/identity.ts';
import type { Input, Rules } from '../loop/decide.ts';
import type { ModelFacts } from './context-budget.ts';
import type { Fork } from './fork.ts';
import type { Journal } from './ports.ts';
import type { Restored } from './restore.ts';
import type { ApprovalMode } from './session.ts';
import type { TurnParts } from './turn-scope.ts';

/** How the session begins: anew, or where the journal left off. */
export type Beginning =
  | { type: 'new'; input: Extract<Input, { type: 'start' }> }
  | ({ type: 'restored' } & Restored)
  /** The records are in the journal already; `opening` is what is delivered of them. */
  | ({ type: 'forked'; seq: number } & Omit<Fork, 'records'>);

export interface SessionParts extends Omit<TurnParts, 'approval' | 'budget'> {
  sessionId: SessionId;
  journal: Journal;
  rules: Omit<Rules, 'limitsOf'>;
  /** Default: nothing is known. */
  factsOf?: (provider: string, model: string) => ModelFacts;
  approval: ApprovalMode;
  beginning: Beginning;
  /** Another model than the one that the session had: told by a ModelChanged, for the next Turn. */
  adopt?: { provider: string; model: string };
}
