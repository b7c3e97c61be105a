/** Events of inputs, Turns and Steps: the mission's own set (S). There is no StepStarted, StepFailed, TurnCompleted, TurnCanceled. */
import type { AssistantMessage, Chunk, ToolMessage, Usage, UserMessage } from './content.ts';
import type { Failure } from './failure.ts';
import type { Cause, LoopId, StepId, TurnId } from './identity.ts';

interface OfLoop {
  loopId: LoopId;
}
interface OfTurn extends OfLoop {
  turnId: TurnId;
}
export interface OfStep extends OfTurn {
  stepId: StepId;
}

/** The inbox took the input; live only. */
export interface InputQueued extends OfLoop {
  type: 'InputQueued';
  cause: Cause;
}
/** The input began a Turn of its own. */
export interface TurnStarted extends OfTurn {
  type: 'TurnStarted';
  cause: Cause;
  turnIndex: number;
  message: UserMessage;
}
/** The input joined the running Turn behind a tool Step. */
export interface TurnFoldedInto extends OfTurn {
  type: 'TurnFoldedInto';
  cause: Cause;
  turnIndex: number;
  message: UserMessage;
}
export const CANCEL_REASONS = ['client_retracted', 'turn_interrupted', 'turn_failed'] as const;
/** Why an input left the queue without a Turn. */
export type CancelReason = (typeof CANCEL_REASONS)[number];
/** The input left the queue and will not be used. */
export interface InputCancelled extends OfLoop {
  type: 'InputCancelled';
  cause: Cause;
  /** Only where a Turn caused it, and then with its index. */
  turnId?: TurnId;
  turnIndex?: number;
  reason: CancelReason;
  message: UserMessage;
}
export const REJECT_REASONS = ['queue_full', 'shutting_down', 'internal'] as const;
/** Why an input was not taken. */
export type RejectReason = (typeof REJECT_REASONS)[number];
/** The input was not taken. */
export interface TurnRejected extends OfLoop {
  type: 'TurnRejected';
  cause: Cause;
  reason: RejectReason;
}
/** A piece of the answer, as the model sent it. */
export interface TokenDelta extends OfStep {
  type: 'TokenDelta';
  turnIndex: number;
  chunk: Chunk;
}
/** One assistant message, then one tool message for each of its tool uses, in call order. */
export interface StepDone extends OfStep {
  type: 'StepDone';
  messages: [AssistantMessage, ...ToolMessage[]];
}
/** The Turn ended with an answer. */
export interface TurnDone extends OfTurn {
  type: 'TurnDone';
  turnIndex: number;
  message: AssistantMessage;
  /** The checked sum of the Turn's Steps; never added to a total. */
  usage: Usage;
}
/** The Turn ended with an error. */
export interface TurnFailed extends OfTurn {
  type: 'TurnFailed';
  turnIndex: number;
  /**
   * In memory the very error that was thrown; never serialised.
   * `failure` is its durable projection.
   */
  err: Error;
  failure: Failure;
}
/** The Turn was stopped. */
export interface TurnInterrupted extends OfTurn {
  type: 'TurnInterrupted';
  turnIndex: number;
}

/** Events of inputs, Turns and Steps. */
export type TurnEvent =
  | InputQueued
  | TurnStarted
  | TurnFoldedInto
  | InputCancelled
  | TurnRejected
  | TokenDelta
  | StepDone
  | TurnDone
  | TurnFailed
  | TurnInterrupted;

/** The five answers to a submitted input (S). */
export type Reply = InputQueued | TurnStarted | TurnFoldedInto | InputCancelled | TurnRejected;
/** What resolves an input, exactly once (S). */
export type Resolution = Exclude<Reply, InputQueued>;
/** What ends a Turn, exactly once. */
export type Terminal = TurnDone | TurnFailed | TurnInterrupted;
