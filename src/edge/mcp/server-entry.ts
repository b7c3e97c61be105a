/** Entries of `mcpServers`, in the form that other programs use: checked, and filled in from the environment. */
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { childEnvironment } from '../process/environment.ts';
import { oneLine, quoteValue } from '../settings/one-line.ts';

export interface StdioEntry {
  transport: 'stdio';
  command: string;
  args: string[];
  /** What the child is given beside the ordinary variables. */
  env: Record<string, string>;
  /** Absolute. */
  cwd: string;
  /** Values that are never shown. */
  secrets: string[];
}
export interface HttpEntry {
  /** `either`: none was named; the streaming form is tried first, then the older one. */
  transport: 'http' | 'sse' | 'either';
  url: string;
  headers: Record<string, string>;
  /** Values that are never shown. */
  secrets: string[];
}
export type ServerEntry = StdioEntry | HttpEntry;

export type CheckedEntry =
  | { ok: true; value: ServerEntry }
  /** It says `disabled: true`. */
  | { ok: true; value: undefined }
  /** One line that names the key and says what to do. */
  | { ok: false; message: string };

export interface EntrySurroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold secrets, beside those that look like it. */
  secretVariables?: readonly string[];
  /** The workspace: where a relative `cwd` begins, and the default. */
  cwd: string;
}

const text = z.string().regex(/^[^\0]*$/);
const header = z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/);
/** What other programs write into an entry beside these is left alone. */
const FIELDS = {
  command: [text.min(1), 'a text: the program to start'],
  args: [z.array(text), 'a list of texts'],
  env: [z.record(z.string().regex(/^[^=\0]+$/), text), 'an object of variables and their texts'],
  cwd: [text.min(1), 'a text: the folder to start it in'],
  url: [z.string().min(1), 'a text: an http:// or https:// address'],
  headers: [
    z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), header),
    'an object of header names and their texts (ASCII, one line each)',
  ],
  type: [
    z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp']),
    '"stdio" (with command), "http" or "sse" (with url)',
  ],
  disabled: [z.boolean(), 'true or false'],
} as const;
interface Fields {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  type?: 'stdio' | 'http' | 'sse' | 'streamable-http' | 'streamableHttp';
  disabled?: boolean;
}

/** A wrong entry: the message goes behind the name of its key. */
class EntryFault extends Error {
  constructor(key: string, message: string) {
    super(`${key} ${message}`);
  }
}

export function checkServerEntry(name: string, entry: unknown, surroundings: EntrySurroundings): CheckedEntry {
  try {
    const fields = fieldsOf(entry);
    if (fields.disabled) return { ok: true, value: undefined };
    const { command, url } = fields;
    if (command !== undefined && url !== undefined)
      throw new EntryFault('', 'has a command and a url: keep one of them');
    if (command !== undefined) return { ok: true, value: stdioEntry(command, fields, surroundings) };
    if (url !== undefined) return { ok: true, value: httpEntry(url, fields, surroundings) };
    throw new EntryFault('', 'needs a command (a program to start) or a url');
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    return { ok: false, message: oneLine(`mcpServers.${oneLine(name, 60)}${error.message}`) };
  }
}

function fieldsOf(entry: unknown): Fields {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new EntryFault('', 'must be an object with a command (a program to start) or a url');
  }
  const given = new Map(Object.entries(entry));
  const fields: Record<string, unknown> = {};
  for (const [key, [schema, allowed]] of Object.entries(FIELDS)) {
    const value = given.get(key);
    if (value === undefined || value === null) continue;
    if (!schema.safeParse(value).success) throw new EntryFault(`.${key}`, `must be ${allowed}`);
    fields[key] = value;
  }
  return fields as Fields;
}

function stdioEntry(
  command: string,
  { args = [], env = {}, cwd, type }: Fields,
  around: EntrySurroundings,
): StdioEntry {
  if (type !== undefined && type !== 'stdio')
    throw new EntryFault('.type', `is ${quoteValue(type)}, which needs a url`);
  const fill = createFilling(around);
  const folder = fill.text('.cwd', cwd ?? around.cwd);
  const variables = fill.record('.env', env);
  for (const [name, value] of Object.entries(variables)) if (isSecret(name, around)) fill.secrets.push(value);
  return {
    transport: 'stdio',
    command: fill.text('.command', command),
    args: args.map((arg, index) => fill.text(`.args[${index}]`, arg)),
    env: variables,
    cwd: isAbsolute(folder) ? folder : resolve(around.cwd, folder),
    secrets: fill.secrets,
  };
}

function httpEntry(url: string, { headers = {}, type }: Fields, around: EntrySurroundings): HttpEntry {
  if (type === 'stdio') throw new EntryFault('.type', 'is "stdio", which needs a command');
  const fill = createFilling(around);
  const address = URL.canParse(fill.text('.url', url)) ? new URL(fill.text('.url', url)) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) throw new EntryFault('.url', `must be ${FIELDS.url[1]}`);
  if (address.username || address.password) {
    throw new EntryFault('.url', 'holds a user name or a password: say who you are in headers');
  }
  // keys are also handed over in addresses
  fill.secrets.push(...address.searchParams.values());
  const filled = fill.record('.headers', headers);
  for (const [name, value] of Object.entries(filled)) {
    if (!header.safeParse(value).success) throw new EntryFault(`.headers.${name}`, 'holds what no header can carry');
    fill.secrets.push(value, ...value.split(/\s+/).slice(1));
  }
  const transport = type === undefined ? 'either' : type === 'sse' ? 'sse' : 'http';
  return { transport, url: address.href, headers: filled, secrets: fill.secrets };
}

const isSecret = (name: string, { secretVariables = [] }: EntrySurroundings): boolean =>
  childEnvironment({ [name]: '' }, { variables: secretVariables })[name] === undefined;

/** `${NAME}` is the variable of that name, `${NAME:-text}` the text where it is unset or empty. */
function createFilling(around: EntrySurroundings) {
  const secrets: string[] = [];
  const filled = (key: string, value: string): string =>
    value.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
      const found = (Object.hasOwn(around.env, name) && around.env[name]) || otherwise || '';
      if (found === '' && otherwise === undefined && around.env[name] === undefined) {
        throw new EntryFault(key, `names the variable ${name}, which is not set: set it, or write \${${name}:-}`);
      }
      if (isSecret(name, around)) secrets.push(found);
      return found;
    });
  return {
    secrets,
    text: filled,
    record: (key: string, values: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(`${key}.${name}`, value)])),
  };
}
