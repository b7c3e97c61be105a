/** Events of the session, its loops, its tools and its gates. */
import type { GrantScope } from './command.ts';
import type { Usage } from './content.ts';
import type { Failure } from './failure.ts';
import type { Cause, LoopId, SessionId, StepId, ToolExecutionId, TurnId } from './identity.ts';
import type { OfStep } from './turn-event.ts';

/** The first record of a session. */
export interface SessionStarted {
  type: 'SessionStarted';
  model: string;
  provider: string;
  cwd: string;
  appVersion: string;
  /** The session that this one began with the history of, up to and with that sequence number. */
  forkedFrom?: SessionId;
  forkedAtSeq?: number;
}
/** The session became busy, came to rest, stopped; a journal is being read, was read. */
export interface SessionMark {
  type: 'SessionActive' | 'SessionIdle' | 'SessionStopped' | 'RestoreStarted' | 'RestoreDone';
}
/** The session has a name. */
export interface SessionRenamed {
  type: 'SessionRenamed';
  name: string;
  cause?: Cause;
}
/** The journal cannot be read; nothing of it was changed. */
export interface RestoreErrored {
  type: 'RestoreErrored';
  err: Failure;
}
/** A loop is there. */
export interface LoopStarted {
  type: 'LoopStarted';
  loopId: LoopId;
  agentName: string;
  model: string;
  cause?: Cause;
}
/** Once after a loop's Turns, when it will start nothing by itself. */
export interface LoopIdle {
  type: 'LoopIdle';
  loopId: LoopId;
}
/** Inputs without a loop go to another one from now on. */
export interface ActiveLoopChanged {
  type: 'ActiveLoopChanged';
  loopId: LoopId;
  previousLoopId: LoopId;
  activeLoopId: LoopId;
  cause?: Cause;
}
/** The next Turn of the loop asks this model. */
export interface ModelChanged {
  type: 'ModelChanged';
  loopId: LoopId;
  model: string;
  provider: string;
  cause?: Cause;
}
/** What was said before a Step was summarised for the model; the journal keeps all of it. */
export interface HistoryCompacted {
  type: 'HistoryCompacted';
  loopId: LoopId;
  summary: string;
  /** The first Step whose messages stay as they are; absent: none do. */
  keptFromStepId?: StepId;
  usage: Usage;
  cause?: Cause;
}

interface OfCall extends OfStep {
  toolExecutionId: ToolExecutionId;
  toolUseId: string;
}
/** A tool call of the Step begins. */
export interface ToolCallStarted extends OfCall {
  type: 'ToolCallStarted';
  toolName: string;
  summary: string;
}
/** It ended, well or not; `durationMs` in milliseconds. */
export interface ToolCallCompleted extends OfCall {
  type: 'ToolCallCompleted';
  toolName: string;
  summary: string;
  isError: boolean;
  /** At most 2 KiB and 20 lines, cut visibly. */
  resultPreview: string;
  durationMs: number;
}
/**
 * A wait before another attempt is never silent. `attempt` counts the failed request, from 1. The request of a summary
 * runs between Turns: it has neither Turn nor Step.
 */
export interface InferenceRetrying {
  type: 'InferenceRetrying';
  loopId: LoopId;
  turnId?: TurnId;
  stepId?: StepId;
  attempt: number;
  maxAttempts: number;
  waitMs: number;
  err: Failure;
}
/** What a gate shows, and literally what a grant would cover. */
export interface PermissionRequest {
  toolName: string;
  /** One line. */
  summary: string;
  /** All of it: a whole command, a diff, the real path. */
  detail: string;
  scopes: GrantOffer[];
}
/** A grant that may be given: `covers` says literally what it would let through. */
export interface GrantOffer {
  scope: GrantScope;
  covers: string;
}
/** A tool call waits for an answer. */
export interface PermissionRequested extends OfCall {
  type: 'PermissionRequested';
  request: PermissionRequest;
}
/** A gated call was allowed or refused, by whomever. */
export interface PermissionDecided extends OfCall {
  type: 'PermissionDecided';
  effect: 'approve' | 'deny';
  source: 'user' | 'policy' | 'abandoned';
  scope?: GrantScope;
  reason?: string;
  cause?: Cause;
}
/** The model asks the person something. */
export interface UserInputRequested extends OfCall {
  type: 'UserInputRequested';
  question: string;
  choices: string[];
}

/** Events of the session, its loops, its tools and its gates. */
export type RuntimeEvent =
  | SessionStarted
  | SessionMark
  | SessionRenamed
  | RestoreErrored
  | LoopStarted
  | LoopIdle
  | ActiveLoopChanged
  | ModelChanged
  | HistoryCompacted
  | ToolCallStarted
  | ToolCallCompleted
  | InferenceRetrying
  | PermissionRequested
  | PermissionDecided
  | UserInputRequested;
