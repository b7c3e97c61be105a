/** `config path|list|get|set|unset`: the settings that are kept, and what holds here and now. */
import type { Readable } from 'node:stream';
import { readConfig } from '../edge/settings/config-file.ts';
import { type ConfigKey, getAt, isObject, parseKey, setAt, unsetAt } from '../edge/settings/config-key.ts';
import { updateConfig } from '../edge/settings/config-store.ts';
import { hideUserInfo, oneLine, quoteValue } from '../edge/settings/one-line.ts';
import { resolveSettings } from '../edge/settings/resolve.ts';
import { checkText, checkValue, SCALAR_KEYS, SECTION_KEYS } from '../edge/settings/schema.ts';
import { maskKey } from '../edge/settings/secrets.ts';
import { describeOrigin, type Origin } from '../edge/settings/sources.ts';
import { type ConfigCommand, EXIT, type Invocation } from './invocation.ts';
import { readSettings, reportWarnings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

interface Entry {
  key: string;
  value: unknown;
  origin: Origin;
}

export async function runConfig(invocation: Invocation, sub: ConfigCommand, args: string[]): Promise<number> {
  const [key = '', value = ''] = args;
  if (sub === 'path') return print(invocation, invocation.paths.config);
  if (sub === 'list') return list(invocation);
  if (sub === 'get') return get(invocation, key);
  return sub === 'set' ? set(invocation, key, value) : unset(invocation, key);
}

async function list(invocation: Invocation): Promise<number> {
  const read = await readSettings(invocation);
  reportWarnings(invocation, [...read.warnings, ...read.problems, ...(read.refusal ? [read.refusal] : [])]);
  for (const { key, value, origin } of effective(read)) {
    const safe = masked(key, value);
    const from = describeOrigin(origin);
    const text = typeof safe === 'string' ? safe : JSON.stringify(safe);
    print(
      invocation,
      invocation.options.json
        ? JSON.stringify({ key, value: safe, origin: from })
        : `${oneLine(key)} = ${oneLine(text)}  (${oneLine(from)})`,
    );
  }
  return EXIT.done;
}

type Read = Awaited<ReturnType<typeof readSettings>>;

/** Everything that holds, in the order of the schema; a key that nobody sets and that has no default is left out. */
function effective({ choice, settings, origins, config }: Read): Entry[] {
  const entries: Entry[] = [];
  for (const key of SCALAR_KEYS) {
    const parted = key === 'model' || key === 'provider' || key === 'baseUrl' || key === 'apiKey';
    const value = parted ? choice?.[key] : settings[key];
    const origin = parted ? choice?.origins[key] : origins[key];
    if (value !== undefined && origin) entries.push({ key, value, origin });
  }
  const origin: Origin = { from: 'config', name: config.path };
  for (const section of SECTION_KEYS) {
    const list = config.values[section];
    if (Array.isArray(list)) entries.push({ key: section, value: list, origin });
    for (const [name, value] of Object.entries(isObject(config.values[section]) ? config.values[section] : {})) {
      const fields = section === 'providers' && isObject(value) ? Object.entries(value) : undefined;
      if (!fields) entries.push({ key: `${section}.${name}`, value, origin });
      else entries.push(...fields.map(([field, at]) => ({ key: `${section}.${name}.${field}`, value: at, origin })));
    }
  }
  return entries;
}

/** What the file says; else what holds without it. The demo that stands in for a model is no value of a key. */
async function get(invocation: Invocation, name: string): Promise<number> {
  const key = known(name);
  const read = await readSettings(invocation);
  reportWarnings(invocation, read.warnings);
  const stored = getAt(read.config.values, key.path);
  const held = effective(read).find(
    (entry) => entry.key === name && !(read.choice?.provider === 'demo' && name in read.choice),
  );
  const value = stored ?? held?.value;
  if (value === undefined) {
    reportWarnings(invocation, [`${oneLine(name)} is not set`]);
    return EXIT.failed;
  }
  const safe = masked(name, value);
  return print(invocation, typeof safe === 'string' && !invocation.options.json ? safe : JSON.stringify(safe));
}

async function set(invocation: Invocation, name: string, given: string): Promise<number> {
  const key = known(name);
  const text = given === '-' ? await readAll(invocation.streams.stdin) : given;
  const value = parsed(name, key, text);
  return change(invocation, `${oneLine(name)} is set`, (values) => {
    const next = setAt(values, key.path, value);
    const before = problemsOf(values);
    const problem = problemsOf(next).find((line) => !before.includes(line));
    if (problem !== undefined) throw new UsageError(problem);
    return next;
  });
}

async function unset(invocation: Invocation, name: string): Promise<number> {
  const key = known(name);
  const { config, warnings } = await readConfig(invocation.paths.config);
  reportWarnings(invocation, warnings);
  if (getAt(config.values, key.path) === undefined) {
    reportWarnings(invocation, [`${oneLine(name)} was not set`]);
    return EXIT.done;
  }
  return change(invocation, `${oneLine(name)} is no longer set`, (values) => unsetAt(values, key.path));
}

async function change(
  invocation: Invocation,
  done: string,
  by: (values: Record<string, unknown>) => Record<string, unknown>,
): Promise<number> {
  const path = invocation.paths.config;
  try {
    reportWarnings(invocation, await updateConfig(path, by));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be written: ${code ?? message}`);
  }
  reportWarnings(invocation, [`${done} in ${oneLine(path)}`]);
  return EXIT.done;
}

function known(name: string): ConfigKey {
  const key = parseKey(name);
  if (key) return key;
  const keys = [...SCALAR_KEYS, ...SECTION_KEYS.map((section) => `${section}.…`)].join(', ');
  throw new UsageError(`there is no key '${oneLine(name, 60)}'; there are: ${keys}`);
}

/** A text stands for itself, a number or a switch as usual; what lies in a section is JSON, or else a text. */
function parsed(name: string, key: ConfigKey, text: string): unknown {
  if (!key.row) return key.form === 'text' ? text : (fromJson(text) ?? text);
  const checked = key.form === 'text' ? checkText(key.row, text) : checkValue(key.row, fromJson(text));
  if (checked.ok) return checked.value;
  const shown = key.secret ? 'not usable (not shown)' : quoteValue(text);
  throw new UsageError(`${name} is ${shown}; allowed: ${checked.allowed}${key.form === 'json' ? ', as JSON' : ''}`);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong in a config by itself, whatever the environment says. */
function problemsOf(values: Record<string, unknown>): string[] {
  return resolveSettings({ options: {}, env: {}, config: { path: 'the config', values } }).problems;
}

/** No key is ever shown whole, wherever in the value it stands. */
function masked(key: string, value: unknown): unknown {
  if (typeof value === 'string') return parseKey(key)?.secret ? maskKey(value) : hideUserInfo(value);
  if (Array.isArray(value)) return value.map((entry) => masked(key, entry));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([step, at]) => [step, masked(`${key}.${step}`, at)]));
}

function print(invocation: Invocation, line: string): number {
  invocation.streams.stdout.write(`${line}\n`);
  return EXIT.done;
}

/** Standard input to its end, without the line end that `echo` adds. */
async function readAll(stdin: Readable): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
