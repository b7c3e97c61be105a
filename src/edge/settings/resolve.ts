/** From all sources to one answer: what holds, where it comes from, what is wrong with it. Pure. */
import { readHooks } from '../hooks/entry.ts';
import { PROVIDERS } from '../models/providers.ts';
import { type ChoiceResult, chooseModel, isConfigured, type ModelChoice } from './endpoint.ts';
import { oneLine } from './one-line.ts';
import {
  type Checked,
  checkText,
  checkValue,
  DEFAULTS,
  envName,
  NESTED_FIELDS,
  PROVIDER_FIELDS,
  type ProviderEntry,
  type Row,
  SCALAR_KEYS,
  SCALARS,
  type ScalarKey,
  SECTION_KEYS,
  SECTIONS,
  type Settings,
} from './schema.ts';
import { splitUserInfo } from './secrets.ts';
import { type Candidate, OPTION_NAMES, type Origin, type SettingsOptions, type Sources, setText } from './sources.ts';
import { someOf, wrongValue } from './wording.ts';

export type PlainKey = Exclude<ScalarKey, 'model' | 'provider' | 'baseUrl' | 'apiKey'>;
const PLAIN_KEYS = SCALAR_KEYS.filter(
  (key): key is PlainKey => !['model', 'provider', 'baseUrl', 'apiKey'].includes(key),
);

export interface Resolution {
  settings: Settings;
  origins: Record<PlainKey, Origin>;
  /** The model to ask; `demo` where nothing is configured. Absent with a refusal. */
  choice?: ModelChoice;
  /** Whether any source names a key, a base URL or a provider. */
  configured: boolean;
  /** Why no model can be asked: one line. */
  refusal?: string;
  /** Where nothing is missing but the name of a model: the choice with an empty one. */
  modelless?: ModelChoice;
  /** Wrong values, each one line: key, value, what is allowed. */
  problems: string[];
  warnings: string[];
  /** All that must never be shown. */
  secrets: string[];
  /** Variables of the environment that hold a key: no child process gets them. */
  secretVariables: string[];
  /** Another model in the course of a session. */
  choose(wanted: { provider?: string; model?: string }): ChoiceResult;
}

const BY_DEFAULT: Origin = { from: 'default', name: 'default' };
const UNCONFIGURED: ModelChoice = {
  provider: 'demo',
  model: 'demo',
  keyName: '',
  headers: {},
  quirks: {},
  origins: { provider: BY_DEFAULT, model: BY_DEFAULT },
};

export function resolveSettings(sources: Sources): Resolution {
  const problems: string[] = [];
  const warnings: string[] = [];
  const sections = readSections(sources, problems, warnings);
  const { providers } = sections;
  const settings: Settings = { ...DEFAULTS, ...sections };
  const origins = {} as Record<PlainKey, Origin>;
  for (const key of PLAIN_KEYS) {
    const found = strongest(key, sources, problems);
    origins[key] = found?.origin ?? BY_DEFAULT;
    if (found) Object.assign(settings, { [key]: found.value });
  }
  const configured = isConfigured(sources, providers);
  const result: ChoiceResult = configured
    ? chooseModel(sources, providers)
    : { ok: true, choice: UNCONFIGURED, warnings: [] };
  if (result.ok) warnings.push(...result.warnings);
  return {
    settings,
    origins,
    ...(result.ok ? { choice: result.choice } : { refusal: result.refusal, modelless: result.modelless }),
    configured,
    problems,
    warnings: [...warnings, ...unknownVariables(sources.env)],
    secrets: secretsOf(sources, providers),
    secretVariables: secretVariables(sources.env, providers),
    choose: (wanted) => chooseModel(sources, providers, wanted),
  };
}

/** The winning value of a scalar, checked; a wrong one is a problem and counts as not set. */
function strongest(key: PlainKey, sources: Sources, problems: string[]): Candidate | undefined {
  const { option, variable, file } = candidates(key, sources);
  const [winner] = [option, variable, file].filter((found) => found !== undefined);
  if (!winner) return fromLocale(key, sources.env);
  const { value, origin } = winner;
  const checked =
    typeof value === 'string' && winner !== file ? checkText(SCALARS[key], value) : checkValue(SCALARS[key], value);
  if (checked.ok) return { value: checked.value, origin };
  problems.push(wrongValue(key, origin, value, checked.allowed));
  return undefined;
}

function candidates(
  key: PlainKey,
  { options, env, config }: Sources,
): Record<'option' | 'variable' | 'file', Candidate | undefined> {
  const given = options[key as keyof SettingsOptions];
  const option =
    given === undefined
      ? undefined
      : { value: given, origin: originOf('option', OPTION_NAMES[key as keyof SettingsOptions]) };
  const name = envName(key);
  const text = setText(env[name]);
  let variable: Candidate | undefined =
    text === undefined ? undefined : { value: text, origin: originOf('environment', name) };
  if (key === 'color' && !variable && env.NO_COLOR)
    variable = { value: false, origin: originOf('environment', 'NO_COLOR') };
  if (key === 'screenReader' && !variable && ACCESSIBLE.test(env.ACCESSIBLE ?? ''))
    variable = { value: true, origin: originOf('environment', 'ACCESSIBLE') };
  const stored = Object.hasOwn(config.values, key) ? config.values[key] : undefined;
  const file = stored === undefined ? undefined : { value: stored, origin: originOf('config', config.path) };
  return { option, variable, file };
}

/** Set to anything but a no, as other programs read it. */
const ACCESSIBLE = /^(?!\s*(?:0|false|no|off)?\s*$)/i;

const originOf = (from: Origin['from'], name: string): Origin => ({ from, name });

/** A locale that says it is no UTF-8 asks for plain signs; one that says nothing does not. */
function fromLocale(key: PlainKey, env: Sources['env']): Candidate | undefined {
  if (key !== 'ascii') return undefined;
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => env[variable]);
  if (!name || /utf-?8/i.test(env[name] ?? '')) return undefined;
  return { value: true, origin: originOf('environment', name) };
}

type Sections = Pick<Settings, 'providers' | 'rules' | 'mcpServers' | 'hooks' | 'keys'>;

function readSections({ config }: Sources, problems: string[], warnings: string[]): Sections {
  const sections: Record<string, unknown> = {};
  const origin = originOf('config', config.path);
  for (const key of SECTION_KEYS) {
    const value = Object.hasOwn(config.values, key) ? config.values[key] : undefined;
    const checked: Checked =
      value === undefined ? { ok: true, value: DEFAULTS[key] } : checkValue(SECTIONS[key], value);
    sections[key] = checked.ok ? checked.value : DEFAULTS[key];
    if (!checked.ok) problems.push(wrongValue(key, origin, value, checked.allowed));
  }
  const hooks = readHooks(sections.hooks);
  if (!hooks.ok) problems.push(`${oneLine(origin.name)}: ${hooks.fault}`);
  sections.hooks = hooks.ok ? hooks.entries : [];
  const known = new Set<string>([...SCALAR_KEYS, ...SECTION_KEYS]);
  const unknown = Object.keys(config.values).filter((key) => !known.has(key));
  if (unknown.length > 0) warnings.push(`unknown in ${oneLine(config.path)}, ignored: ${someOf(unknown)}`);
  sections.providers = readProviders(
    sections.providers as Record<string, Record<string, unknown>>,
    origin,
    problems,
    warnings,
  );
  return sections as unknown as Sections;
}

function readProviders(
  stored: Record<string, Record<string, unknown>>,
  origin: Origin,
  problems: string[],
  warnings: string[],
): Record<string, ProviderEntry> {
  const providers: [string, ProviderEntry][] = [];
  for (const [name, values] of Object.entries(stored)) {
    if (name === 'demo') {
      warnings.push(`providers.demo in ${oneLine(origin.name)} is ignored: demo is built in`);
      continue;
    }
    const read = (
      rows: Record<string, Row>,
      fields: Record<string, unknown>,
      path: string,
    ): Record<string, unknown> => {
      const entry: Record<string, unknown> = {};
      for (const [field, value] of Object.entries(fields)) {
        const key = `${path}.${oneLine(field, 60)}`;
        const row = Object.hasOwn(rows, field) ? rows[field] : undefined;
        if (!row) warnings.push(`unknown in ${oneLine(origin.name)}, ignored: ${key}`);
        if (!row || value === '') continue;
        const checked = checkValue(row, value);
        if (!checked.ok) problems.push(wrongValue(key, origin, value, checked.allowed, row.secret));
        else if (rows !== PROVIDER_FIELDS || !isNested(field)) entry[field] = checked.value;
        else entry[field] = read(NESTED_FIELDS[field], checked.value as Record<string, unknown>, key);
      }
      return entry;
    };
    providers.push([name, read(PROVIDER_FIELDS, values, `providers.${oneLine(name, 60)}`)]);
  }
  return Object.fromEntries(providers);
}

const isNested = (field: string): field is keyof typeof NESTED_FIELDS => Object.hasOwn(NESTED_FIELDS, field);

/** Variables of this program that are no keys of the configuration. */
const OTHER_VARIABLES = new Set(['HARNESS_CHAT_HOME']);

function unknownVariables(env: Sources['env']): string[] {
  const known = new Set(SCALAR_KEYS.map(envName));
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('HARNESS_CHAT_') && !known.has(name) && !OTHER_VARIABLES.has(name),
  );
  return unknown.length > 0 ? [`unknown in the environment, ignored: ${someOf(unknown.sort())}`] : [];
}

function secretVariables(env: Sources['env'], providers: Record<string, ProviderEntry>): string[] {
  const own = [
    ...PROVIDERS.map(({ keyVariable }) => keyVariable),
    ...Object.values(providers).flatMap((entry) => entry.apiKeyEnv ?? []),
  ];
  const withPassword = ['OPENAI_BASE_URL', 'HARNESS_CHAT_BASE_URL'].filter((name) => env[name]?.includes('@'));
  return [...new Set(['OPENAI_API_KEY', 'HARNESS_CHAT_API_KEY', ...own, ...withPassword])];
}

function secretsOf({ options, env, dotenv, config }: Sources, providers: Record<string, ProviderEntry>): string[] {
  const keys = [
    ...secretVariables({}, providers).map((name) => env[name]),
    dotenv?.values.OPENAI_API_KEY,
    dotenv?.values.HARNESS_CHAT_API_KEY,
    config.values.apiKey,
    ...Object.values(providers).flatMap((entry) => [entry.apiKey, ...Object.values(entry.headers ?? {})]),
  ];
  const urls = [
    options.baseUrl,
    env.OPENAI_BASE_URL,
    env.HARNESS_CHAT_BASE_URL,
    dotenv?.values.OPENAI_BASE_URL,
    dotenv?.values.HARNESS_CHAT_BASE_URL,
    config.values.baseUrl,
    ...Object.values(providers).map((entry) => entry.baseUrl),
  ].filter((url): url is string => typeof url === 'string' && URL.canParse(url));
  const texts = keys.filter((key): key is string => typeof key === 'string').map((key) => key.trim());
  return [...new Set([...texts, ...urls.flatMap((url) => splitUserInfo(url).secrets)])].filter((text) => text !== '');
}
