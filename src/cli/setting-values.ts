/** The settings as values to show and to change: what holds and by whom, what may be written, and what is never shown. */
import { reasonOf } from '../edge/journal/disk-reason.ts';
import { readConfig } from '../edge/settings/config-file.ts';
import { type ConfigKey, getAt, isObject, parseKey, setAt, unsetAt } from '../edge/settings/config-key.ts';
import { updateConfig } from '../edge/settings/config-store.ts';
import { hideUserInfo, oneLine, quoteValue } from '../edge/settings/one-line.ts';
import { resolveSettings } from '../edge/settings/resolve.ts';
import { checkText, checkValue, SCALAR_KEYS, SECTION_KEYS } from '../edge/settings/schema.ts';
import { maskKey } from '../edge/settings/secrets.ts';
import type { Origin } from '../edge/settings/sources.ts';
import { buildKeymap } from '../view/keymap.ts';
import type { readSettings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

export interface Entry {
  key: string;
  value: unknown;
  origin: Origin;
}

export type Read = Awaited<ReturnType<typeof readSettings>>;

/** Everything that holds, in the order of the schema; a key that nobody sets and that has no default is left out. */
export function effective({ choice, settings, origins, config }: Read): Entry[] {
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

export function knownKey(name: string): ConfigKey {
  const key = parseKey(name);
  if (key) return key;
  const keys = [...SCALAR_KEYS, ...SECTION_KEYS.map((section) => `${section}.…`)].join(', ');
  throw new UsageError(`there is no key '${oneLine(name, 60)}'; there are: ${keys}`);
}

/** Writes one value, checked, or throws a UsageError of one line and changes nothing. The answer is what must be told. */
export async function storeSetting(path: string, name: string, text: string): Promise<string[]> {
  const key = knownKey(name);
  const value = parsed(name, key, text);
  return change(path, (values) => {
    const next = setAt(values, key.path, value);
    const before = problemsOf(values);
    const problem = problemsOf(next).find((line) => !before.includes(line));
    if (problem !== undefined) throw new UsageError(problem);
    return next;
  });
}

/** Undefined: it was not set. */
export async function dropSetting(path: string, name: string): Promise<string[] | undefined> {
  const key = knownKey(name);
  const { config, warnings } = await readConfig(path);
  if (getAt(config.values, key.path) === undefined) return undefined;
  return [...warnings, ...(await change(path, (values) => unsetAt(values, key.path)))];
}

type Values = Record<string, unknown>;

async function change(path: string, by: (values: Values) => Values): Promise<string[]> {
  try {
    return await updateConfig(path, by);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be written: ${reasonOf(error)}`);
  }
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
function problemsOf(values: Values): string[] {
  const { problems, settings } = resolveSettings({ options: {}, env: {}, config: { path: 'the config', values } });
  const { error } = buildKeymap(settings.keys);
  return error === undefined ? problems : [...problems, error];
}

/** Sections of a server's entry that may hold what must not be seen. */
const HIDDEN = /^mcpServers\..*\.(?:env|headers)\./;

/** A command that is run: what it is given may be secret anywhere, so what goes to others tells only that it is set. */
export const isRun = (key: string): boolean => /^(?:mcpServers|hooks)\b|\.apiKeyCommand$/.test(key);

/** No key is ever shown whole, wherever in the value it stands. */
export function masked(key: string, value: unknown): unknown {
  if (typeof value === 'string')
    return parseKey(key)?.secret || HIDDEN.test(key) ? maskKey(value) : hideUserInfo(value);
  if (Array.isArray(value)) return value.map((entry) => masked(key, entry));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([step, at]) => [step, masked(`${key}.${step}`, at)]));
}
