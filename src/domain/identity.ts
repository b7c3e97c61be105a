/**
 * Who is meant. All ids are UUIDv7 strings made by the injected id source; a command id may be any string up to
 * 128 characters that its sender chose (contract: Wire format).
 */
export type SessionId = string;
export type LoopId = string;
export type TurnId = string;
export type StepId = string;
export type EventId = string;
export type CommandId = string;
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
