/** What can be asked of a session. Commands are imperatives; the wire form stands in the codec. */
import type { InputBlock } from './content.ts';
import type { Agency, CommandId, LoopId, ToolExecutionId } from './identity.ts';

interface CommandHeader {
  commandId: CommandId;
  agency: Agency;
}

/**
 * An input. Resolved by exactly one of TurnStarted, TurnFoldedInto, InputCancelled, TurnRejected, with an
 * InputQueued before it where it waits (contract: Commands).
 */
export interface UserInput extends CommandHeader {
  type: 'UserInput';
  blocks: InputBlock[];
  /** Hold: the input waits for a Turn of its own. */
  noFold?: boolean;
  /** Default: the active loop. */
  loopId?: LoopId;
}
/** Takes a queued input back: InputCancelled{client_retracted} if it won the race, else nothing. */
export interface CancelQueuedInput extends CommandHeader {
  type: 'CancelQueuedInput';
  targetCommandId: CommandId;
}
/** Stops the running Turn. Ack: `cancelled`, whether one was told to stop. */
export interface Interrupt extends CommandHeader {
  type: 'Interrupt';
  /** Default: every loop. */
  loopId?: LoopId;
}
/** A paused queue starts its first entry. No answer of its own. */
export interface ResumeQueue extends CommandHeader {
  type: 'ResumeQueue';
  /** Default: every loop. */
  loopId?: LoopId;
}
/** Puts a queued input before another one, or to the end. Ack: `moved`. */
export interface MoveQueuedInput extends CommandHeader {
  type: 'MoveQueuedInput';
  targetCommandId: CommandId;
  /** Absent: to the end. */
  beforeCommandId?: CommandId;
}
/** Whether a queued input may fold. Ack: `changed`. */
export interface SetQueuedInput extends CommandHeader {
  type: 'SetQueuedInput';
  targetCommandId: CommandId;
  noFold: boolean;
}
/**
 * Interrupts the running Turn and starts this input first; the queue goes on behind it. Ack: `sent`, whether it starts
 * as soon as nothing runs, and `reason`.
 */
export interface SendQueuedInput extends CommandHeader {
  type: 'SendQueuedInput';
  targetCommandId: CommandId;
}
/** How far an approval goes: this call, such calls of this session, such calls of this workspace for good. */
export type GrantScope = 'once' | 'session' | 'always';
/** Lets a call run that waits for an answer: PermissionDecided. Where the question is no longer open, nothing. */
export interface ApproveToolCall extends CommandHeader {
  type: 'ApproveToolCall';
  toolExecutionId: ToolExecutionId;
  scope: GrantScope;
}
/** Refuses such a call: PermissionDecided, and an error result for the model. */
export interface DenyToolCall extends CommandHeader {
  type: 'DenyToolCall';
  toolExecutionId: ToolExecutionId;
  /** Reaches the model. */
  reason?: string;
}
/** Answers a question of the model; the answer is the result of its call. */
export interface ProvideUserInput extends CommandHeader {
  type: 'ProvideUserInput';
  toolExecutionId: ToolExecutionId;
  answer: string;
}
/** Another loop beside those there are: LoopStarted. */
export interface StartLoop extends CommandHeader {
  type: 'StartLoop';
  agentName?: string;
}
/** Where inputs go that name no loop: ActiveLoopChanged. */
export interface SetActiveLoop extends CommandHeader {
  type: 'SetActiveLoop';
  loopId: LoopId;
}
/** Which model the next Turn asks: ModelChanged. */
export interface SetModel extends CommandHeader {
  type: 'SetModel';
  model: string;
  provider?: string;
  loopId?: LoopId;
}
/** Summarises the history for the model: HistoryCompacted, or an ack {`compacted`: false, `reason`}. */
export interface Compact extends CommandHeader {
  type: 'Compact';
  loopId?: LoopId;
}
/** Names the session: SessionRenamed. */
export interface RenameSession extends CommandHeader {
  type: 'RenameSession';
  name: string;
}
/** Interrupts, returns what is queued, stops. Ack when all is over; `stdio` then ends with 0. */
export interface Shutdown extends CommandHeader {
  type: 'Shutdown';
}

/** Any command; told apart by `type`. */
export type Command =
  | UserInput
  | CancelQueuedInput
  | Interrupt
  | ResumeQueue
  | MoveQueuedInput
  | SetQueuedInput
  | SendQueuedInput
  | ApproveToolCall
  | DenyToolCall
  | ProvideUserInput
  | StartLoop
  | SetActiveLoop
  | SetModel
  | Compact
  | RenameSession
  | Shutdown;
/** The names of the commands. */
export type CommandType = Command['type'];

/**
 * Which commands are journaled: accepted inputs and what changes a queue while it waits, so that both survive a crash.
 * All others leave their trace in events.
 */
export const journaledCommands = {
  UserInput: true,
  CancelQueuedInput: false,
  Interrupt: false,
  ResumeQueue: false,
  MoveQueuedInput: true,
  SetQueuedInput: true,
  // its move to the front is journaled as one
  SendQueuedInput: false,
  ApproveToolCall: false,
  DenyToolCall: false,
  ProvideUserInput: false,
  StartLoop: false,
  SetActiveLoop: false,
  SetModel: false,
  Compact: false,
  RenameSession: false,
  Shutdown: false,
} as const satisfies Record<CommandType, boolean>;

/** The commands that are on disk before they are answered. */
export type JournaledCommand = UserInput | MoveQueuedInput | SetQueuedInput;

/** The answer of commands that have one (contract: Wire format, commands). */
export interface Ack {
  commandId: CommandId;
  /** Interrupt: whether a running Turn was told to stop. */
  cancelled?: boolean;
  /** MoveQueuedInput. */
  moved?: boolean;
  /** SetQueuedInput. */
  changed?: boolean;
  /** SendQueuedInput: whether it starts as soon as nothing runs. */
  sent?: boolean;
  /** Compact that was not done. */
  compacted?: boolean;
  /** Why not, where the answer is false and there is something to say. */
  reason?: string;
}
