/** What can be asked of a session. Commands are imperatives; the wire form stands in the codec. */
import type { InputBlock } from './content.ts';
import type { Agency, CommandId, LoopId, ToolExecutionId } from './identity.ts';

interface CommandHeader {
  commandId: CommandId;
  agency: Agency;
}

export interface UserInput extends CommandHeader {
  type: 'UserInput';
  blocks: InputBlock[];
  /** Hold: the input waits for a Turn of its own. */
  noFold?: boolean;
  /** Default: the active loop. */
  loopId?: LoopId;
}
export interface CancelQueuedInput extends CommandHeader {
  type: 'CancelQueuedInput';
  targetCommandId: CommandId;
}
export interface Interrupt extends CommandHeader {
  type: 'Interrupt';
  /** Default: every loop. */
  loopId?: LoopId;
}
export interface ResumeQueue extends CommandHeader {
  type: 'ResumeQueue';
  /** Default: every loop. */
  loopId?: LoopId;
}
export interface MoveQueuedInput extends CommandHeader {
  type: 'MoveQueuedInput';
  targetCommandId: CommandId;
  /** Absent: to the end. */
  beforeCommandId?: CommandId;
}
export interface SetQueuedInput extends CommandHeader {
  type: 'SetQueuedInput';
  targetCommandId: CommandId;
  noFold: boolean;
}
/** Interrupts the running Turn and starts this input first; the queue goes on behind it. */
export interface SendQueuedInput extends CommandHeader {
  type: 'SendQueuedInput';
  targetCommandId: CommandId;
}
export type GrantScope = 'once' | 'session' | 'always';
export interface ApproveToolCall extends CommandHeader {
  type: 'ApproveToolCall';
  toolExecutionId: ToolExecutionId;
  scope: GrantScope;
}
export interface DenyToolCall extends CommandHeader {
  type: 'DenyToolCall';
  toolExecutionId: ToolExecutionId;
  /** Reaches the model. */
  reason?: string;
}
export interface ProvideUserInput extends CommandHeader {
  type: 'ProvideUserInput';
  toolExecutionId: ToolExecutionId;
  answer: string;
}
export interface StartLoop extends CommandHeader {
  type: 'StartLoop';
  agentName?: string;
}
export interface SetActiveLoop extends CommandHeader {
  type: 'SetActiveLoop';
  loopId: LoopId;
}
export interface SetModel extends CommandHeader {
  type: 'SetModel';
  model: string;
  provider?: string;
  loopId?: LoopId;
}
export interface Compact extends CommandHeader {
  type: 'Compact';
  loopId?: LoopId;
}
export interface RenameSession extends CommandHeader {
  type: 'RenameSession';
  name: string;
}
export interface Shutdown extends CommandHeader {
  type: 'Shutdown';
}

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
