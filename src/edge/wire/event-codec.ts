/** Events on the wire: one table, a row for each type (contract: Wire format). Nothing else knows the wire's names. */

import { type Event, type EventBody, type EventStamp, type EventType, isEventType } from '../../domain/event.ts';
import { FAILURE_KINDS, type Failure, type FailureKind, RestoredError } from '../../domain/failure.ts';
import type { Cause } from '../../domain/identity.ts';
import type { GrantOffer, PermissionRequest } from '../../domain/runtime-event.ts';
import { CANCEL_REASONS, REJECT_REASONS, type StepDone } from '../../domain/turn-event.ts';
import { validateEvent } from '../../domain/validation.ts';
import { assistantMessage, chunk, message, usage, userMessage } from './content-codec.ts';
import {
  asObject,
  boolean,
  count,
  type Field,
  type Fields,
  list,
  milliseconds,
  named,
  oneOf,
  optional,
  present,
  shape,
  string,
  WireError,
  type WireObject,
} from './field.ts';

export const failure = shape<Failure>({
  // kinds are only ever added: one that this program does not know yet reads as unknown
  kind: {
    encode: (kind) => kind,
    decode(wire) {
      const kind = present(string).decode(wire);
      return FAILURE_KINDS.includes(kind as FailureKind) ? (kind as FailureKind) : 'unknown';
    },
    form: { is: 'choice', values: FAILURE_KINDS },
  },
  message: string,
});
export const cause = shape<Cause>({
  commandId: present(string),
  agency: oneOf('user', 'machine'),
  loopId: optional(string),
});
const id = string; // that it is there is checked by validateEvent, with the event's name

const grantScope = oneOf('once', 'session', 'always');
export const request = shape<PermissionRequest>({
  toolName: string,
  summary: string,
  detail: string,
  scopes: list(shape<GrantOffer>({ scope: grantScope, covers: string })),
});

/** In the order in which they are printed. */
const ofLoop = { loopId: id };
const ofTurn = { ...ofLoop, turnId: id };
const ofStep = { ...ofTurn, stepId: id };
const ofCall = { ...ofStep, toolExecutionId: id, toolUseId: string };
const terminal = { ...ofTurn, turnIndex: count };
const admission = { ...ofTurn, cause, turnIndex: count, message: userMessage };
const caused = { cause: optional(cause) };

type BodyOf<K extends EventType> = EventBody extends infer B
  ? B extends { type: infer T }
    ? K extends T
      ? B
      : never
    : never
  : never;
/** `err` of a TurnFailed is the live error and never serialised; its projection takes the name on the wire. */
type Row<K extends EventType> = Omit<Fields<BodyOf<K>>, 'type' | (K extends 'TurnFailed' ? 'err' : never)>;

const rows: { [K in EventType]: Row<K> } = {
  SessionStarted: {
    model: string,
    provider: string,
    cwd: string,
    appVersion: string,
    forkedFrom: optional(string),
    forkedAtSeq: optional(count),
  },
  SessionActive: {},
  SessionIdle: {},
  SessionStopped: {},
  SessionRenamed: { ...caused, name: string },
  RestoreStarted: {},
  RestoreDone: {},
  RestoreErrored: { err: failure },
  LoopStarted: { ...ofLoop, ...caused, agentName: string, model: string },
  LoopIdle: ofLoop,
  ActiveLoopChanged: { ...ofLoop, ...caused, previousLoopId: string, activeLoopId: string },
  ModelChanged: { ...ofLoop, ...caused, model: string, provider: string },
  HistoryCompacted: { ...ofLoop, ...caused, summary: string, keptFromStepId: optional(string), usage },
  InputQueued: { ...ofLoop, cause },
  TurnStarted: admission,
  TurnFoldedInto: admission,
  InputCancelled: {
    ...ofLoop,
    turnId: optional(string),
    cause,
    turnIndex: optional(count),
    reason: oneOf(...CANCEL_REASONS),
    message: userMessage,
  },
  TurnRejected: { ...ofLoop, cause, reason: oneOf(...REJECT_REASONS) },
  TokenDelta: { ...ofStep, turnIndex: count, chunk },
  ToolCallStarted: { ...ofCall, toolName: string, summary: string },
  ToolCallCompleted: {
    ...ofCall,
    toolName: string,
    summary: string,
    isError: boolean,
    resultPreview: string,
    durationMs: milliseconds,
  },
  InferenceRetrying: {
    ...ofLoop,
    turnId: optional(string),
    stepId: optional(string),
    attempt: count,
    maxAttempts: count,
    waitMs: milliseconds,
    err: failure,
  },
  PermissionRequested: { ...ofCall, request },
  PermissionDecided: {
    ...ofCall,
    ...caused,
    effect: oneOf('approve', 'deny'),
    source: oneOf('user', 'policy', 'abandoned'),
    scope: optional(grantScope),
    reason: optional(string),
  },
  UserInputRequested: { ...ofCall, question: string, choices: list(string) },
  StepDone: { ...ofStep, messages: list(message) as Field<StepDone['messages']> },
  TurnDone: { ...terminal, message: assistantMessage, usage },
  TurnFailed: { ...terminal, failure: named('err', failure) },
  TurnInterrupted: terminal,
};

const stamp: Omit<Fields<EventStamp>, 'v' | 'agentName'> = { sessionId: id, eventId: id, createdAt: string };

const version: Field<1> = {
  encode: (v) => v,
  decode(wire) {
    if (wire === 1) return 1;
    if (typeof wire === 'number' && wire > 1) throw new WireError(`${wire} is newer than this program, which knows 1`);
    throw new WireError(wire === undefined ? 'is missing' : 'is no version');
  },
  form: { is: 'choice', values: [1] },
};

/** By type, with the stamp and all coordinates. */
export const eventFields = Object.fromEntries(
  (Object.keys(rows) as EventType[]).map((type) => {
    const fields = { type: oneOf(type), v: version, ...stamp, agentName: optional(string), ...rows[type] };
    return [type, shape(fields as unknown as Fields<Event>)];
  }),
) as Record<EventType, Field<Event>>;

/** The wire form of any event, ephemeral ones too. Not validated. */
export const encodeEvent = (event: Event): WireObject => eventFields[event.type].encode(event) as WireObject;

/**
 * The event of a wire object. Throws a WireError that names an unknown type, a newer version or the field that is
 * wrong, or what validateEvent throws. Fields that are not known are ignored: they are additions within a version.
 */
export function decodeEvent(wire: unknown): Event {
  const object = asObject(wire);
  if (typeof object.v === 'number' && object.v > 1) version.decode(object.v);
  const { type } = object;
  if (typeof type !== 'string' || !isEventType(type)) {
    throw new WireError(type === undefined ? 'has no type' : `has the unknown type ${JSON.stringify(type)}`, 'event');
  }
  let event: Event;
  try {
    event = eventFields[type].decode(object);
  } catch (error) {
    throw error instanceof WireError ? new WireError(error.message, `${type}:`) : error;
  }
  if (event.type === 'TurnFailed') event.err = new RestoredError(event.failure.kind, event.failure.message);
  validateEvent(event);
  return event;
}
