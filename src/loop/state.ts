/** What is true of a session and its loops. Values, never mutated; built by `evolve` alone. */
import type { Usage, UserMessage } from '../domain/content.ts';
import type {
  Agency,
  Cause,
  CommandId,
  LoopId,
  SessionId,
  StepId,
  ToolExecutionId,
  TurnId,
} from '../domain/identity.ts';
import type { GrantOffer } from '../domain/runtime-event.ts';
import type { History } from './history.ts';

/** An accepted input that is not yet resolved. It leaves the inbox only when its resolution event is evolved. */
export interface InboxEntry {
  commandId: CommandId;
  agency: Agency;
  message: UserMessage;
  /** Hold: it waits for a Turn of its own. */
  noFold: boolean;
}

/** A question that a tool call waits on. */
export interface OpenGate {
  kind: 'permission' | 'question';
  stepId: StepId;
  toolExecutionId: ToolExecutionId;
  toolUseId: string;
  toolName: string;
  scopes: readonly GrantOffer[];
}

export interface TurnState {
  id: TurnId;
  index: number;
  /** Those of its start: a change holds for the next Turn. */
  model: string;
  provider: string;
  /** The sum over its committed Steps. */
  usage: Usage;
  toolSteps: number;
  toolCalls: number;
  /** Refused or failed calls in a row with the same name and arguments. */
  repeat: { key: string; count: number };
  lastCommit: 'none' | 'tool' | 'final';
  gate?: OpenGate;
  /** Told to stop; live only, since a restore closes every open Turn. */
  stopping: boolean;
  /** A queued input that was asked to start when this Turn is interrupted; live only. */
  sendNow?: CommandId;
}

/** Between Turns a history may be summarised: wanted as soon as no Turn runs, or under way. */
export interface CompactionState {
  is: 'none' | 'due' | 'running';
  /** Of the Compact that asked for it. */
  cause?: Cause;
  /** A person let a paused queue go on meanwhile. */
  release?: boolean;
  /** The Turn after which the last one failed: none begins by itself before another Turn has run. */
  failedAfter?: number;
}

export interface LoopState {
  id: LoopId;
  agentName: string;
  model: string;
  provider: string;
  history: History | undefined;
  inbox: readonly InboxEntry[];
  /** Set by an interrupt while the inbox is not empty: the queue is paused. */
  held: boolean;
  turn: TurnState | undefined;
  /** The index of the last Turn, 0 before the first. */
  turnIndex: number;
  /** A Turn ran since the last LoopIdle. */
  worked: boolean;
  /** The last Turn ended badly and its returns may still be due (a crash in the middle of them). */
  owed: { reason: 'turn_failed' | 'turn_interrupted'; turnId: TurnId; turnIndex: number } | undefined;
  /** Over all committed Steps. */
  usage: Usage;
  /**
   * What the last measured request and its answer held, of it the thought behind the answer, and what the history was
   * estimated at then. `upTo`: what stands in the history up to that total was in it; nothing is, after a compaction.
   */
  measured: { tokens: number; thought: number; total: number; upTo: number };
  /** Live only. */
  compaction: CompactionState;
}

/** What a person granted in this process: it ends with it. */
export interface Grant {
  toolName: string;
  covers: string;
}

export interface SessionState {
  sessionId: SessionId;
  phase: 'new' | 'running' | 'stopped';
  /** The session is being ended: by a shutdown (stop everything) or a drain (finish everything). Live only. */
  closing: 'shutdown' | 'drain' | undefined;
  name: string | undefined;
  model: string;
  provider: string;
  cwd: string;
  loops: ReadonlyMap<LoopId, LoopState>;
  activeLoopId: LoopId;
  /** SessionActive was the last of the two marks. */
  active: boolean;
  grants: readonly Grant[];
}

export const newSession = (sessionId: SessionId): SessionState => ({
  sessionId,
  phase: 'new',
  closing: undefined,
  name: undefined,
  model: '',
  provider: '',
  cwd: '',
  loops: new Map(),
  activeLoopId: '',
  active: false,
  grants: [],
});

/** The queue starts nothing until the person says so. A queue without entries is not paused. */
export const isPaused = (loop: LoopState): boolean => loop.held && loop.inbox.length > 0;
