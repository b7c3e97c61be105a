/** What can be watched and guarded from inside the process (contract: Hooks). Outcomes are never journaled (S). */
import type { UserMessage } from './content.ts';
import type { EventType } from './event.ts';
import type { LoopId, SessionId, StepId, ToolExecutionId, TurnId } from './identity.ts';

/** What a snapshot tells of each operation. */
export interface OperationData {
  Turn: { turnIndex: number; message: UserMessage };
  /** `index` is zero-based within its Turn (S). */
  Step: { index: number };
  Inference: { model: string; messageCount: number };
  ToolCall: { toolName: string; toolUseId: string; input: unknown };
  ToolExecution: { toolName: string; toolUseId: string; input: unknown };
  GateWait: { toolName: string; toolUseId: string };
  JournalAppend: { records: number; types: (EventType | 'command')[] };
}
/** What can be observed. They nest: Turn > Step > Inference, then ToolCall > GateWait, ToolExecution. */
export type Operation = keyof OperationData;
/** What can be refused before it begins. */
export type GuardedOperation = 'Turn' | 'Step' | 'Inference' | 'ToolCall';

/** A frozen copy: the operation, its coordinates and its data. */
export interface Snapshot<O extends Operation = Operation> {
  readonly operation: O;
  readonly sessionId: SessionId;
  readonly loopId?: LoopId;
  readonly turnId?: TurnId;
  readonly stepId?: StepId;
  readonly toolExecutionId?: ToolExecutionId;
  readonly data: Readonly<OperationData[O]>;
}

/** How an observed operation ended. */
export type Outcome = 'completed' | 'denied' | 'failed' | 'canceled';

/**
 * Begins in order; what it gives back is called exactly once at the end, in reverse order. Errors are logged and
 * change nothing.
 */
export type Observer<O extends Operation = Operation> = (
  snapshot: Snapshot<O>,
) => undefined | ((outcome: Outcome) => void | Promise<void>);

/** A denial: its reason is shown and, for a ToolCall, told to the model. */
export interface Denial {
  deny: string;
}
/** Anything else than a denial or nothing, also a throw, fails closed as a GuardError. */
export type Guard<O extends GuardedOperation = GuardedOperation> = (
  snapshot: Snapshot<O>,
  signal: AbortSignal,
) => undefined | Denial | Promise<undefined | Denial>;

/** Observers and guards, in the order in which they are asked. */
export interface Hooks {
  around?: { [O in Operation]?: Observer<O>[] };
  guards?: { [O in GuardedOperation]?: Guard<O>[] };
}
