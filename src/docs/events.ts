/** The document of the events. */
import { type EventType, eventTraits } from '../domain/event.ts';
import { FAILURE_KINDS, type FailureKind } from '../domain/failure.ts';
import type { SessionMark } from '../domain/runtime-event.ts';
import { eventFields } from '../edge/wire/event-codec.ts';
import { declares, docstring } from './docstring.ts';
import { fieldsOf, shapes } from './form.ts';
import { code, GENERATED, page, table } from './table.ts';

/** Their shape is one, so its comment cannot tell them apart. */
const MARKS: Record<SessionMark['type'], string> = {
  SessionActive: 'The first of its loops became busy.',
  SessionIdle: 'The last of its loops came to rest.',
  SessionStopped: 'The last event of a session that was shut down.',
  RestoreStarted:
    'A journal is being read; what stands between this and RestoreDone was made to close what a crash left open.',
  RestoreDone: 'The session goes on; the queue that survived is announced next.',
};
const isMark = (type: EventType): type is SessionMark['type'] => Object.hasOwn(MARKS, type);

function whenOf(type: EventType): string {
  if (isMark(type)) return MARKS[type];
  const file = ['domain/turn-event.ts', 'domain/runtime-event.ts'].find((name) => declares(name, type));
  return (file && docstring(type, file)) ?? '';
}

const FAILURES: Record<FailureKind, string> = {
  empty_response: 'The model answered with nothing.',
  tool_limit: 'It asked for more tool Steps or calls than a Turn may have.',
  turn_panic: 'An error in this program.',
  provider_auth: 'The key was refused, or there is none.',
  provider_not_found: 'No such model, or nothing of this kind at that address.',
  provider_rate_limit: 'Too many requests, or the credit is used up.',
  provider_context_length: 'The conversation is longer than the model can read.',
  provider_unavailable: 'The server cannot be reached, or failed.',
  provider_stalled: 'The stream stood still for too long.',
  provider_protocol: 'The server sent what is no answer of this kind.',
  provider_refused: 'The server refused the request.',
  output_limit: 'The output limit was reached before anything usable came.',
  hook_denied: 'A guard refused.',
  hook_failed: 'A guard broke, which counts as a refusal.',
  journal: 'The session could not be written to disk.',
  unknown: 'Anything else.',
};

const COORDINATES = new Set(['session_id', 'loop_id', 'turn_id', 'step_id']);
const STAMP = new Set(['type', 'v', 'event_id', 'created_at']);

export function eventsPage(): string {
  const types = Object.keys(eventTraits) as EventType[];
  return page(
    '# Events',
    GENERATED,
    `\`harness-chat stdio\` and \`exec --json\` print one delivery a line: \`{"journal_seq":12,"event":{…}}\`. \`journal_seq\` is the number of
the event's record in the journal, 0 for an ephemeral one. An *enduring* event is on disk before anybody is given it; an
*ephemeral* one is live only. A reply answers a UserInput: its \`cause.command_id\` is that command's.`,
    `Every event has \`type\`, \`v\` (1), \`session_id\`, \`event_id\`, \`created_at\` (RFC 3339, milliseconds, UTC) and, as they apply,
\`agent_name\` and its coordinates. A field that is zero, empty or false is left out, except where it says *always*;
*optional* ones are there only where they apply. In the library the names are camelCase; TurnFailed has its \`err\` as
\`failure\` there, and \`err\` is the very error.`,
    ...types.map(eventSection),
    '## Shapes',
    'A `?` marks what is optional.',
    shapes(),
    '## Kinds of failure',
    'Names are never changed, only added; one that a program does not know is to be read as `unknown`.',
    table(
      ['kind', 'what happened'],
      FAILURE_KINDS.map((kind) => [code(kind), FAILURES[kind]]),
    ),
  );
}

function eventSection(type: EventType): string {
  const { class: kind, coordinates, endsTurn } = eventTraits[type];
  const at = ['session_id', ...coordinates.map((name) => name.replace('Id', '_id'))].map(code).join(', ');
  const fields = fieldsOf(eventFields[type]);
  const own = fields.filter(({ name, presence }) => {
    if (STAMP.has(name) || (name === 'agent_name' && presence === 'optional')) return false;
    return !COORDINATES.has(name) || presence === 'optional';
  });
  const rows = own.map((field) => [code(field.name), field.type, field.presence]);
  return page(
    `## ${type}`,
    whenOf(type),
    `*${kind}*${endsTurn ? ', ends the Turn' : ''} · carries ${at}`,
    rows.length === 0 ? '' : table(['field', 'is', 'printed'], rows),
  ).trimEnd();
}
