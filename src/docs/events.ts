/** The document of the events. */
import { type EventType, eventTraits } from '../domain/event.ts';
import { FAILURE_KINDS, type FailureKind } from '../domain/failure.ts';
import { eventFields } from '../edge/wire/event-codec.ts';
import { fieldsOf, shapes } from './form.ts';
import { code, GENERATED, page, table } from './table.ts';

const WHEN: Record<EventType, string> = {
  SessionStarted: 'The first record of a session.',
  SessionActive: 'The first of its loops became busy.',
  SessionIdle: 'The last of its loops came to rest.',
  SessionStopped: 'The last event of a session that was shut down.',
  SessionRenamed: 'The session has a name.',
  RestoreStarted:
    'A journal is being read; what stands between this and RestoreDone was made to close what a crash left open.',
  RestoreDone: 'The session goes on; the queue that survived is announced next.',
  RestoreErrored: 'The journal cannot be read; nothing of it was changed.',
  LoopStarted: 'A loop is there.',
  LoopIdle: 'Once after the Turns of a loop, when it will start nothing by itself.',
  ActiveLoopChanged: 'Inputs without a loop go to another one from now on.',
  ModelChanged: 'The next Turn of the loop asks this model.',
  HistoryCompacted: 'What was said before a Step was summarised for the model; the journal keeps all of it.',
  InputQueued: 'The loop is busy or paused: the input waits.',
  TurnStarted: 'The input began a Turn of its own.',
  TurnFoldedInto: 'The input joined the running Turn behind a tool Step.',
  InputCancelled: 'The input left the queue and will not be used.',
  TurnRejected: 'The input was not taken.',
  TokenDelta: 'A piece of the answer, as the model sent it.',
  ToolCallStarted: 'A tool call of the Step begins.',
  ToolCallCompleted: 'It ended, well or not.',
  InferenceRetrying: 'A request failed before anything was shown, and is made again after a wait.',
  PermissionRequested: 'A tool call waits for an answer.',
  PermissionDecided: 'A gated call was allowed or refused, by whomever.',
  UserInputRequested: 'The model asks the person something.',
  StepDone: 'A Step is committed, whole: one answer and, in call order, the result of each of its calls.',
  TurnDone: 'The Turn ended with an answer.',
  TurnFailed: 'The Turn ended with an error.',
  TurnInterrupted: 'The Turn was stopped.',
};

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
    WHEN[type],
    `*${kind}*${endsTurn ? ', ends the Turn' : ''} · carries ${at}`,
    rows.length === 0 ? '' : table(['field', 'is', 'printed'], rows),
  ).trimEnd();
}
