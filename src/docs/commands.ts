/** The document of the commands, from the schemas that read them. */
import * as z from 'zod';
import { type CommandType, journaledCommands } from '../domain/command.ts';
import { MAX_COMMAND_ID_LENGTH } from '../domain/identity.ts';
import { bodies } from '../edge/wire/command-schema.ts';
import { docstring } from './docstring.ts';
import { code, GENERATED, page, table } from './table.ts';

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
  return page(`## ${type}`, docstring(type, 'domain/command.ts') ?? '', fields).trimEnd();
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
