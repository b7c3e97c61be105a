/** The face of a running session: what the chat, stdio, exec and library users hold. */
import type { Ack, Command } from '../domain/command.ts';
import type { InputBlock } from '../domain/content.ts';
import type { Delivery } from '../domain/event.ts';
import type { Agency, CommandId, LoopId, SessionId } from '../domain/identity.ts';
import type { ContextKind, ContextPart, ContextReport } from '../loop/context-parts.ts';
import type { ApprovalMode } from '../loop/permission.ts';

/** Which loops' events a subscriber gets, by class. A class left out gives none of it; session events always pass. */
export interface EventFilter {
  enduring?: 'all' | ReadonlySet<LoopId>;
  ephemeral?: 'all' | ReadonlySet<LoopId>;
}

/** Deliveries in order, from the moment of the subscription on; no replay. */
export interface Subscription extends AsyncIterable<Delivery> {
  /** Why it ended, where it did not end by close() or with the session: a SubscriptionLossError. */
  readonly err: Error | undefined;
  close(): void;
}

/** What came of a command beside its events. */
export type Answer =
  | { ok: true; ack?: Ack }
  | {
      ok: false;
      kind: 'invalid_command' | 'duplicate_command' | 'session_faulted' | 'session_stopped';
      message: string;
    };

export type { ApprovalMode, ContextKind, ContextPart };

/** What is true now; a value, never updated. */
export interface SessionSnapshot {
  sessionId: SessionId;
  name?: string;
  activeLoopId: LoopId;
  approval: ApprovalMode;
  loops: readonly LoopSnapshot[];
}
/** One loop; `queue` in the order in which it will start. */
export interface LoopSnapshot {
  loopId: LoopId;
  agentName: string;
  /** What the next Turn asks. */
  model: string;
  provider: string;
  /** A Turn runs. */
  busy: boolean;
  /** The queue starts nothing until the person says so. */
  paused: boolean;
  queue: readonly { commandId: CommandId; agency: Agency; noFold: boolean; blocks: readonly InputBlock[] }[];
}

/** What the next request of a loop will hold, by part; measured by the last usage, estimated since. */
export interface LoopContext extends ContextReport {
  loopId: LoopId;
  model: string;
  provider: string;
  /** `window` is what a refused request has taught. */
  learned: boolean;
}

/** How an input is submitted. */
export interface SubmitOptions {
  /** The input waits for a Turn of its own. Default: false. */
  noFold?: boolean;
  /** Stops only the delivery of the command; an input that is on disk is the loop's. */
  signal?: AbortSignal;
  loopId?: LoopId;
  /** Default: user. */
  agency?: Agency;
  /** Default: a new id. */
  commandId?: CommandId;
}

/** One conversation: what is asked of it goes in as commands, what happens comes out as events. */
export interface Session {
  readonly id: SessionId;
  /**
   * Writes and delivers the session's first records: who subscribed before sees them. Once, before any command. Resolves
   * with why the session could not begin, where it could not.
   */
  begin(): Promise<Error | undefined>;
  /** Resolves with the command id when the command is on disk, rejects where it is refused without an event. */
  submit(blocks: InputBlock[], options?: SubmitOptions): Promise<CommandId>;
  /** Fire and forget: InputCancelled{client_retracted} if it won the race, else nothing. */
  cancelQueuedInput(target: CommandId): void;
  /** Whether a running Turn was told to stop. Default: every loop. */
  interrupt(loopId?: LoopId): Promise<boolean>;
  /** Any command; resolves when it was handled (Shutdown: when all is over). Never rejects. */
  execute(command: Command): Promise<Answer>;
  /** Resolves when all is over and the journal is closed. */
  shutdown(): Promise<void>;
  /** Finishes what is queued and running, denies gates, returns a paused queue, then stops. */
  drain(): Promise<void>;
  /** Acts on the next call, never on an open question. */
  setApproval(mode: ApprovalMode): void;
  /** What is true when it is called. */
  snapshot(): SessionSnapshot;
  /** Asks for the system prompt as a Turn's start does. Default: the active loop; a RangeError where there is no such loop. */
  context(loopId?: LoopId): Promise<LoopContext>;
  /** Enduring events from the journal, those with a journalSeq above `after`. */
  readEvents(options?: { after?: number }): AsyncIterable<Delivery>;
  /** Registered when the call returns. */
  subscribeEvents(filter: EventFilter): Subscription;
  /** Settles when the session is over: undefined after a stop, the error where the journal failed for good. */
  readonly ended: Promise<Error | undefined>;
}
