/** What a running Turn is given: its identity, its signal, and the only ways in which it may act on the world. */
import type { EventBody } from '../domain/event.ts';
import type { LoopId, SessionId, StepId, TurnId } from '../domain/identity.ts';
import type { Tool, ToolSpec } from '../domain/tool.ts';
import type { RequestFrame } from '../loop/context-parts.ts';
import type { Input, Reply } from '../loop/decide.ts';
import type { TurnLimits } from '../loop/limits.ts';
import type { ApprovalMode } from '../loop/permission.ts';
import type { Grant, LoopState, TurnState } from '../loop/state.ts';
import type { GateDecision } from '../loop/transition.ts';
import type { ContextBudget } from './context-budget.ts';
import type { HookRunner } from './hook-runner.ts';
import type { Notices } from './notices.ts';
import type { Clock, IdSource, Log, Model, ModelRegistry, RuleBook } from './ports.ts';

/** The same for every Turn of a session. */
export interface TurnParts {
  sessionId: SessionId;
  cwd: string;
  models: ModelRegistry;
  /** Asked at each Turn's start. */
  tools: () => readonly Tool[];
  /** The system prompt; asked once at each Turn's start. */
  system: () => Promise<string>;
  limits: () => TurnLimits;
  /** Milliseconds that a tool call may take where the tool names no other limit. */
  toolTimeoutMs: () => number;
  approval: () => ApprovalMode;
  /** Somebody is there who can answer a gate. */
  attended: () => boolean;
  ruleBook: RuleBook;
  /** What happened beside the Turn and the model should know, each told once: a background process that ended. */
  takeNotices: () => readonly string[];
  hooks: HookRunner;
  budget: ContextBudget;
  clock: Clock;
  newId: IdSource;
  log: Log;
}

export interface TurnScope extends Omit<TurnParts, 'tools' | 'takeNotices'> {
  notices: Notices;
  /** Those of the Turn's start. */
  tools: readonly Tool[];
  loopId: LoopId;
  turnId: TurnId;
  turnIndex: number;
  /** Aborted by an interrupt, a shutdown, or a Turn that was ended for it. */
  signal: AbortSignal;
  /** The loop as it is on disk. */
  loop(): LoopState;
  post(input: Input): Promise<Reply | { type: 'faulted' }>;
  /** Live events of this Turn; silent once the Turn is over, so that nothing of a dead Turn is shown. */
  publish(event: EventBody): void;
  /** Settles when the gate of that call is answered; rejects with the signal. */
  gate(toolExecutionId: string): Promise<GateDecision>;
  /** What the person granted in this process. */
  sessionGrants(): readonly Grant[];
  /** A tool call id that is unique within the loop: the wanted one where it is free. */
  uniqueId(wanted: string): string;
}

/** What stays the same from a Turn's start to its end. */
export interface TurnSetting {
  model: Model;
  modelName: string;
  system: string;
  specs: readonly ToolSpec[];
  /** What these two weigh. */
  frame: RequestFrame;
  limits: TurnLimits;
}

export interface StepScope extends TurnScope {
  told: ReturnType<Notices['forStep']>;
  stepId: StepId;
  index: number;
}

/** The Turn that runs, or the error of one that was stopped. */
export function runningTurn(scope: TurnScope): TurnState {
  const { turn } = scope.loop();
  if (turn?.id !== scope.turnId) throw new StoppedError();
  return turn;
}

/** The Turn was told to stop, or is over. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Carries what a model or another part from outside threw past the runtime's own code: `cause` is the very value. */
export class ModelThrew extends Error {
  override readonly name = 'ModelThrew';
  constructor(cause: unknown) {
    super('the model threw', { cause });
  }
}
