/** The document of the commands, from the schemas that read them. */
import * as z from 'zod';
import { type CommandType, journaledCommands } from '../domain/command.ts';
import { MAX_COMMAND_ID_LENGTH } from '../domain/identity.ts';
import { bodies } from '../edge/wire/command-codec.ts';
import { code, GENERATED, page, table } from './table.ts';

const ANSWERS: Record<CommandType, string> = {
  UserInput:
    'An input for the active loop, or the one that is named. Resolved by exactly one of TurnStarted, TurnFoldedInto, InputCancelled, TurnRejected; InputQueued before it where it waits. With `no_fold` it waits for a Turn of its own.',
  CancelQueuedInput: 'Takes a queued input back: InputCancelled{client_retracted} if it won the race, else nothing.',
  Interrupt: 'Stops the running Turn of a loop, or of all. ack {`cancelled`: whether a Turn was told to stop}.',
  ResumeQueue: 'A paused queue starts its first entry. No answer of its own.',
  MoveQueuedInput: 'Before another queued input, or to the end. ack {`moved`}.',
  SetQueuedInput: 'Whether a queued input may fold. ack {`changed`}.',
  SendQueuedInput:
    'Interrupts the running Turn and starts this input first; the queue goes on behind it. ack {`sent`: whether it starts as soon as nothing runs, `reason`}.',
  ApproveToolCall: 'PermissionDecided; where the question is no longer open, nothing.',
  DenyToolCall: 'PermissionDecided; the reason reaches the model.',
  ProvideUserInput: 'Answers a question of the model; the answer is the result of its call.',
  StartLoop: 'LoopStarted.',
  SetActiveLoop: 'ActiveLoopChanged.',
  SetModel: 'ModelChanged, for the next Turn.',
  Compact: 'HistoryCompacted, or an ack {`compacted`: false, `reason`}.',
  RenameSession: 'SessionRenamed.',
  Shutdown: 'ack when all is over, then the program ends with 0.',
};

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minLength?: number;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

const schemaOf = (type: z.ZodType): Schema => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;

export function commandsPage(): string {
  const types = Object.keys(bodies) as CommandType[];
  const journaled = types.filter((type) => journaledCommands[type]);
  return page(
    '# Commands',
    GENERATED,
    `\`harness-chat stdio\` reads one JSON object a line. Every command has \`type\` and may have \`command_id\` (any string up to
${MAX_COMMAND_ID_LENGTH} characters, made up if missing; one that was used already is refused as \`duplicate_command\`) and \`agency\`
("user" or "machine", the default): an interrupt keeps the queued inputs of users and returns those of machines. Fields that
are not known are ignored; an empty id is as good as none.`,
    `Answers are lines as well: \`{"ack":{"command_id":…,…}}\` always with its answer, also where that is false, and
\`{"error":{"kind":"invalid_command","message":…,"line":N}}\` for a line that is no command; the program goes on. The end of
standard input drains: what runs and waits is finished, questions are refused, then the program ends. On disk before they are
answered: ${journaled.join(', ')}.`,
    ...types.map(section),
  );
}

function section(type: CommandType): string {
  const { properties = {}, required = [] } = schemaOf(bodies[type]);
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    wording(schema),
    required.includes(name) ? 'needed' : schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
  ]);
  const fields = rows.length === 0 ? '' : table(['field', 'is', 'default'], rows);
  return page(`## ${type}`, ANSWERS[type], fields).trimEnd();
}

function wording(schema: Schema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ');
  const among = schema.oneOf ?? schema.anyOf;
  if (among) return among.map(wording).join(' or ');
  if (schema.items) return `list of ${wording(schema.items)}`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => `\`${name}\` ${wording(field)}`);
    return `{${fields.join(', ')}}`;
  }
  return `${schema.type ?? 'value'}${schema.minLength ? ', not empty' : ''}`;
}
