/**
 * Who is meant. All ids are UUIDv7 strings made by the injected id source; a command id may be any string up to
 * 128 characters that its sender chose (contract: Wire format).
 */
export type SessionId = string;
/** A loop, within its session. */
export type LoopId = string;
/** A Turn. */
export type TurnId = string;
/** A Step. */
export type StepId = string;
/** One event. */
export type EventId = string;
/** A command, and the input that it carried; 1 to 128 characters of its sender's choice. */
export type CommandId = string;
/** One run of a tool call; a gate is answered by it. */
export type ToolExecutionId = string;

/** Who stands behind a command: it decides what an interrupt does with a queued input. */
export type Agency = 'user' | 'machine';

/** The command that an event answers, copied from the command itself. */
export interface Cause {
  commandId: CommandId;
  agency: Agency;
  loopId?: LoopId;
}

export const MAX_COMMAND_ID_LENGTH = 128;
