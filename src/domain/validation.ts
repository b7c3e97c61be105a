/** What an event must be to be journaled or restored (S: coordinates, a Step's id, usage). */
import { type AssistantMessage, type Message, toolUsesOf, type Usage, usageFault } from './content.ts';
import { coordinatesOf, type Event, type EventBody, eventTraits, isReply } from './event.ts';
import { CANCEL_REASONS, REJECT_REASONS, type StepDone } from './turn-event.ts';

/** An event that may not be journaled; the message names the event and the fault. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
}

const stepFault = ({ messages }: StepDone): string | undefined => {
  const [first, ...rest] = messages as Message[];
  if (first?.role !== 'assistant') return 'does not begin with an assistant message';
  const uses = toolUsesOf(first);
  if (new Set(uses.map((use) => use.id)).size !== uses.length) return 'has two tool uses with one id';
  if (rest.length !== uses.length) return `has ${uses.length} tool uses and ${rest.length} tool messages`;
  for (const [i, message] of rest.entries()) {
    if (message.role !== 'tool' || message.blocks.length !== 1)
      return 'has a message after the first that is no tool message';
    if (message.blocks[0].toolUseId !== uses[i]?.id) return 'answers its tool uses out of order';
  }
  return assistantFault(first);
};

const assistantFault = (message: AssistantMessage): string | undefined =>
  message.blocks.length === 0 ? 'has an empty assistant message' : usageFaultOf(message.usage);

const usageFaultOf = (usage: Usage | undefined): string | undefined => {
  const fault = usage && usageFault(usage);
  return fault && `has a usage in which ${fault}`;
};

const turnIndexFault = (turnIndex: number): string | undefined =>
  Number.isSafeInteger(turnIndex) && turnIndex >= 1 ? undefined : `has turn_index ${String(turnIndex)}`;

const bodyFault = (event: EventBody): string | undefined => {
  switch (event.type) {
    case 'StepDone':
      return stepFault(event);
    case 'TurnDone':
      return turnIndexFault(event.turnIndex) ?? assistantFault(event.message) ?? usageFaultOf(event.usage);
    case 'TurnStarted':
    case 'TurnFoldedInto':
      if (event.message.role !== 'user') return 'carries no user message';
      return turnIndexFault(event.turnIndex);
    case 'TokenDelta':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return turnIndexFault(event.turnIndex);
    case 'InputCancelled':
      if (!CANCEL_REASONS.includes(event.reason)) return `has the reason ${String(event.reason)}`;
      if (event.reason === 'client_retracted' && event.turnId) return 'is a retract and has a turn';
      if (event.turnId) return turnIndexFault(event.turnIndex ?? 0);
      return undefined;
    case 'TurnRejected':
      return REJECT_REASONS.includes(event.reason) ? undefined : `has the reason ${String(event.reason)}`;
    case 'HistoryCompacted':
      return usageFaultOf(event.usage);
    default:
      return undefined;
  }
};

/** Throws an InvalidEventError where the event lacks a coordinate, a reply its command, or its content is impossible. */
export function validateEvent(event: Event): void {
  const refuse = (fault: string): never => {
    throw new InvalidEventError(`${event.type} ${fault}`);
  };
  const missing = (['sessionId', 'eventId', 'createdAt'] as const).find((field) => !event[field]);
  if (missing) refuse(`has no ${missing}`);
  if (event.v !== 1) refuse(`has version ${String(event.v)}, this program knows 1`);
  const at = coordinatesOf(event);
  const absent = eventTraits[event.type].coordinates.find((coordinate) => !at[coordinate]);
  if (absent) refuse(`has no ${absent}`);
  if (isReply(event) && !event.cause?.commandId) refuse('names no command in its cause');
  const fault = bodyFault(event);
  if (fault) refuse(fault);
}
