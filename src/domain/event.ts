/** The event: its envelope, its traits, and what makes one valid. Bodies stand in turn-event and runtime-event. */
import type { Cause, EventId, LoopId, SessionId, StepId, TurnId } from './identity.ts';
import type { RuntimeEvent } from './runtime-event.ts';
import type { Reply, Terminal, TurnEvent } from './turn-event.ts';

/** What happened, before it is stamped. */
export type EventBody = TurnEvent | RuntimeEvent;
/** The names of the events. */
export type EventType = EventBody['type'];

/** What the shell adds. */
export interface EventStamp {
  v: 1;
  sessionId: SessionId;
  eventId: EventId;
  /** RFC 3339, milliseconds, UTC. */
  createdAt: string;
  agentName?: string;
}
/** A stamped event, as it is delivered and journaled; told apart by `type`. */
export type Event<B extends EventBody = EventBody> = B & EventStamp;

/** An event as it is handed out. `journalSeq` is its record's number, 0 for an ephemeral one. */
export interface Delivery {
  event: Event;
  journalSeq: number;
  /** How many ephemeral events this subscriber lost before this one. */
  dropped?: number;
}

/** What holds of every event of a type. */
export interface EventTraits {
  class: 'enduring' | 'ephemeral';
  scope: 'session' | 'loop';
  visibility: 'public';
  endsTurn: boolean;
  /** The coordinates that it must carry beside the session's. */
  coordinates: readonly ('loopId' | 'turnId' | 'stepId')[];
}

const traits = (
  eventClass: EventTraits['class'],
  coordinates: EventTraits['coordinates'],
  endsTurn = false,
): EventTraits =>
  Object.freeze({
    class: eventClass,
    scope: coordinates.length === 0 ? 'session' : 'loop',
    visibility: 'public',
    endsTurn,
    coordinates,
  });
const SESSION = [] as const;
const LOOP = ['loopId'] as const;
const TURN = ['loopId', 'turnId'] as const;
const STEP = ['loopId', 'turnId', 'stepId'] as const;

/** Class, scope, visibility and endsTurn of every event (S). */
export const eventTraits = {
  SessionStarted: traits('enduring', SESSION),
  SessionActive: traits('enduring', SESSION),
  SessionIdle: traits('enduring', SESSION),
  SessionStopped: traits('enduring', SESSION),
  SessionRenamed: traits('enduring', SESSION),
  RestoreStarted: traits('enduring', SESSION),
  RestoreDone: traits('enduring', SESSION),
  RestoreErrored: traits('ephemeral', SESSION),
  LoopStarted: traits('enduring', LOOP),
  LoopIdle: traits('enduring', LOOP),
  ActiveLoopChanged: traits('enduring', LOOP),
  ModelChanged: traits('enduring', LOOP),
  HistoryCompacted: traits('enduring', LOOP),
  InputQueued: traits('ephemeral', LOOP),
  TurnStarted: traits('enduring', TURN),
  TurnFoldedInto: traits('enduring', TURN),
  InputCancelled: traits('enduring', LOOP),
  TurnRejected: traits('enduring', LOOP),
  TokenDelta: traits('ephemeral', STEP),
  ToolCallStarted: traits('ephemeral', STEP),
  ToolCallCompleted: traits('ephemeral', STEP),
  InferenceRetrying: traits('ephemeral', LOOP),
  PermissionRequested: traits('enduring', STEP),
  PermissionDecided: traits('enduring', STEP),
  UserInputRequested: traits('enduring', STEP),
  StepDone: traits('enduring', STEP),
  TurnDone: traits('enduring', TURN, true),
  TurnFailed: traits('enduring', TURN, true),
  TurnInterrupted: traits('enduring', TURN, true),
} as const satisfies Record<EventType, EventTraits>;

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTraits, type);
/** Whether it is journaled before anybody sees it; others are live only. */
export const isEnduring = (event: { type: EventType }): boolean => eventTraits[event.type].class === 'enduring';
/** Whether it ends its Turn: TurnDone, TurnFailed or TurnInterrupted. */
export const isTerminal = <B extends EventBody>(event: B): event is B & Terminal => eventTraits[event.type].endsTurn;

const REPLIES = new Set<EventType>(['InputQueued', 'TurnStarted', 'TurnFoldedInto', 'InputCancelled', 'TurnRejected']);
/** Exactly the five replies to a submitted input (S). */
export const isReply = <B extends EventBody>(event: B): event is B & Reply => REPLIES.has(event.type);
/** The id of the command that a reply answers. */
export const replyTo = (event: Reply): string => event.cause.commandId;

interface Coordinates {
  loopId?: LoopId;
  turnId?: TurnId;
  stepId?: StepId;
  cause?: Cause;
}
/** The coordinates of any event, present or not. */
export const coordinatesOf = (event: EventBody): Coordinates => event as Coordinates;
