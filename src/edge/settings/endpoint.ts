/**
 * Which model is asked, where, and with which key (contract: Where settings come from). Pure. Options, environment and
 * the user's config are one owner, the workspace's `.env` is another. The base URL is settled first, then the strongest
 * key of its owner is used, so that no file in a workspace can send the user's key to a place of its choice.
 */
import { oneLine, quoteValue } from './one-line.ts';
import { checkValue, DEFAULT_BASE_URL, DEFAULT_OPENAI_MODEL, type ProviderEntry, SCALARS } from './schema.ts';
import { splitUserInfo } from './secrets.ts';
import { type Candidate, OPTION_NAMES, type Origin, type Sources, setText } from './sources.ts';
import { wrongValue } from './wording.ts';

export interface ModelChoice {
  provider: string;
  model: string;
  /** Absent for `demo`. Without a slash at its end and without credentials. */
  baseUrl?: string;
  /** Absent: requests carry no Authorization header but one of `headers`. */
  apiKey?: string;
  headers: Record<string, string>;
  origins: { provider: Origin; model: Origin; baseUrl?: Origin; apiKey?: Origin };
}
export type ChoiceResult =
  | { ok: true; choice: ModelChoice; warnings: string[] }
  /** One line that says what is wrong and what to do. */
  | { ok: false; refusal: string };

type Part = 'model' | 'baseUrl' | 'apiKey';
/** The provider that was named, by whom, and its entry in the config. */
interface Named {
  /** Empty where what was given is no text. */
  name: string;
  given: unknown;
  origin: Origin;
  entry?: ProviderEntry;
}
interface Endpoint {
  url: string;
  /** Nobody owns the default base URL: a key of any owner may go there. */
  owner: 'user' | 'workspace' | 'nobody';
  origin: Origin;
  authorization?: string;
}

/** Neither key nor base URL nor provider from any source. */
export function isConfigured(sources: Sources, providers: Record<string, ProviderEntry>): boolean {
  const named = nameProvider(sources, providers);
  if (named.origin.from !== 'default') return true;
  return candidatesFor('baseUrl', sources, named).length > 0 || candidatesFor('apiKey', sources, named).length > 0;
}

/** The model to ask. `wanted` is a later choice, stronger than every source. */
export function chooseModel(
  sources: Sources,
  providers: Record<string, ProviderEntry>,
  wanted: { provider?: string; model?: string } = {},
): ChoiceResult {
  const asked = { ...sources, options: withWanted(sources, providers, wanted) };
  const named = nameProvider(asked, providers);
  if (named.name === 'demo') return { ok: true, choice: demoChoice(asked, named), warnings: [] };
  if (named.name !== 'openai' && !named.entry) return { ok: false, refusal: unknownProvider(named, providers) };
  const endpoint = settleBaseUrl(asked, named);
  if ('refusal' in endpoint) return { ok: false, refusal: endpoint.refusal };
  return settleKeyAndModel(asked, named, endpoint);
}

function settleKeyAndModel(sources: Sources, named: Named, endpoint: Endpoint): ChoiceResult {
  const key = keyFor(endpoint, sources, named);
  if (endpoint.owner === 'workspace' && !key) return { ok: false, refusal: keylessDotenv(endpoint) };
  const headers = { ...(endpoint.owner === 'workspace' ? {} : named.entry?.headers) };
  const authorized = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (!key && !authorized && endpoint.authorization) headers.Authorization = endpoint.authorization;
  if (!key && !authorized && !endpoint.authorization && endpoint.owner === 'nobody') {
    const refusal = `no key is set for ${endpoint.url}: set OPENAI_API_KEY, or name another server with --base-url`;
    return { ok: false, refusal };
  }
  if (key && !checkValue(SCALARS.apiKey, key.value).ok) {
    return { ok: false, refusal: wrongValue('apiKey', key.origin, '', SCALARS.apiKey.allowed, true) };
  }
  const model = modelFor(endpoint, sources, named);
  if (!model) return { ok: false, refusal: noModel(endpoint) };
  if (!checkValue(SCALARS.model, model.value).ok) {
    return { ok: false, refusal: wrongValue('model', model.origin, model.value, SCALARS.model.allowed) };
  }
  const choice: ModelChoice = {
    provider: named.name,
    model: String(model.value),
    baseUrl: endpoint.url,
    headers,
    origins: { provider: named.origin, model: model.origin, baseUrl: endpoint.origin },
  };
  if (key) {
    choice.apiKey = String(key.value);
    choice.origins.apiKey = key.origin;
  }
  return { ok: true, choice, warnings: warningsOf(sources, named, endpoint, key) };
}

function settleBaseUrl(sources: Sources, named: Named): Endpoint | { refusal: string } {
  const strongest = candidatesFor('baseUrl', sources, named)[0];
  if (!strongest) return { url: DEFAULT_BASE_URL, owner: 'nobody', origin: { from: 'default', name: 'default' } };
  const { value, origin } = strongest;
  const checked = checkValue(SCALARS.baseUrl, value);
  if (!checked.ok) return { refusal: wrongValue('baseUrl', origin, value, checked.allowed) };
  const { baseUrl, authorization } = splitUserInfo(String(value));
  const url = baseUrl.replace(/\/+$/, '');
  const owner = url === DEFAULT_BASE_URL ? 'nobody' : origin.from === '.env' ? 'workspace' : 'user';
  return { url, owner, origin, authorization };
}

function keyFor(endpoint: Endpoint, sources: Sources, named: Named): Candidate | undefined {
  const ownUrl = endpoint.origin.name === entryName(named, 'baseUrl');
  const keys = candidatesFor('apiKey', sources, named, ownUrl).filter(
    ({ origin }) => endpoint.owner === 'nobody' || (origin.from === '.env') === (endpoint.owner === 'workspace'),
  );
  // an entry that names its variable wants that key and no other: a general one belongs to another server
  const missing = ownUrl && named.entry?.apiKeyEnv !== undefined && !entryKey(sources, named);
  return missing ? keys.find(({ origin }) => origin.name === 'HARNESS_CHAT_API_KEY') : keys[0];
}

function modelFor(endpoint: Endpoint, sources: Sources, named: Named): Candidate | undefined {
  const strongest = candidatesFor('model', sources, named)[0];
  if (strongest || endpoint.owner !== 'nobody') return strongest;
  return { value: DEFAULT_OPENAI_MODEL, origin: { from: 'default', name: 'default' } };
}

/**
 * All that say something, strongest first. What a provider's entry says has the rank of whoever named the provider,
 * but for the variables of this program alone (HARNESS_CHAT_*) and for its key where its own base URL is used.
 */
function candidatesFor(part: Part, sources: Sources, named: Named, ownUrl = false): Candidate[] {
  const { options, env, dotenv, config } = sources;
  const own = `HARNESS_CHAT_${SPELLING[part]}`;
  const general = `OPENAI_${SPELLING[part]}`;
  const option: Candidate[] =
    part === 'apiKey' ? [] : said(options[part], { from: 'option', name: OPTION_NAMES[part] });
  const variable = (name: string) => said(setText(env[name]), { from: 'environment', name });
  const dotenvVariable = (name: string) =>
    said(setText(dotenv?.values[name]), { from: '.env', name: `${name} in ${dotenv?.path}` });
  const entry = entryCandidate(part, sources, named);
  const top = said(unlessEmpty(config.values[part]), { from: 'config', name: `${part} in ${config.path}` });
  const rank = named.origin.from;
  return [
    ...option,
    ...(rank === 'option' ? entry : []),
    ...variable(own),
    ...(rank === 'environment' || (ownUrl && rank !== 'option') ? entry : []),
    ...variable(general),
    ...dotenvVariable(own),
    ...dotenvVariable(general),
    ...(part === 'model' ? [...top, ...entry] : [...entry, ...top]),
  ];
}
const SPELLING: Record<Part, string> = { model: 'MODEL', baseUrl: 'BASE_URL', apiKey: 'API_KEY' };

function nameProvider(sources: Sources, providers: Record<string, ProviderEntry>): Named {
  const { options, env, config } = sources;
  const [strongest] = [
    ...said(options.provider, { from: 'option', name: OPTION_NAMES.provider }),
    ...said(setText(env.HARNESS_CHAT_PROVIDER), { from: 'environment', name: 'HARNESS_CHAT_PROVIDER' }),
    ...said(unlessEmpty(config.values.provider), { from: 'config', name: `provider in ${config.path}` }),
    { value: 'openai', origin: { from: 'default', name: 'default' } } satisfies Candidate,
  ];
  const given: unknown = strongest!.value;
  const name = typeof given === 'string' ? given : '';
  const entry = name !== 'demo' && Object.hasOwn(providers, name) ? providers[name] : undefined;
  return { name, given, origin: strongest!.origin, entry };
}

function entryCandidate(part: Part, sources: Sources, named: Named): Candidate[] {
  if (part === 'apiKey') {
    const key = entryKey(sources, named);
    return key ? [key] : [];
  }
  return said(named.entry?.[part], { from: 'config', name: entryName(named, part) });
}

function entryKey(sources: Sources, named: Named): Candidate | undefined {
  const variable = named.entry?.apiKeyEnv;
  const [key] = [
    ...(variable ? said(setText(sources.env[variable]), { from: 'environment', name: variable }) : []),
    ...said(named.entry?.apiKey, { from: 'config', name: entryName(named, 'apiKey') }),
  ];
  return key;
}

const entryName = (named: Named, part: Part) => `providers.${named.name}.${part}`;
const unlessEmpty = (value: unknown) => (value === '' ? undefined : value);

function said(value: unknown, origin: Origin): Candidate[] {
  return value === undefined || value === '' ? [] : [{ value, origin }];
}

function withWanted(
  sources: Sources,
  providers: Record<string, ProviderEntry>,
  wanted: { provider?: string; model?: string },
): Sources['options'] {
  const { options } = sources;
  const moved = wanted.provider !== undefined && wanted.provider !== nameProvider(sources, providers).name;
  // another provider brings its own address and its own model: those of the start were meant for the first one
  if (moved) return { provider: wanted.provider, model: wanted.model };
  return { ...options, model: wanted.model ?? options.model };
}

function demoChoice(sources: Sources, named: Named): ModelChoice {
  const model = sources.options.model;
  const origin: Origin = model ? { from: 'option', name: OPTION_NAMES.model } : { from: 'default', name: 'default' };
  return { provider: 'demo', model: model ?? 'demo', headers: {}, origins: { provider: named.origin, model: origin } };
}

function unknownProvider(named: Named, providers: Record<string, ProviderEntry>): string {
  const names = new Set(['openai', 'demo', ...Object.keys(providers)]);
  return wrongValue('provider', named.origin, named.given, oneLine([...names].join(', ')));
}

function keylessDotenv(endpoint: Endpoint): string {
  return (
    `${oneLine(endpoint.origin.name)} sets the base URL ${quoteValue(endpoint.url)} but .env has no key of its own, ` +
    'and yours is not sent there: give --base-url to use a server of your choice'
  );
}

function noModel(endpoint: Endpoint): string {
  return (
    `no model is set for ${oneLine(endpoint.url)}: choose one with --model NAME, OPENAI_MODEL, ` +
    'or "harness-chat config set model NAME"'
  );
}

function warningsOf(sources: Sources, named: Named, endpoint: Endpoint, key: Candidate | undefined): string[] {
  const warnings: string[] = [];
  const url = oneLine(endpoint.url);
  if (endpoint.owner === 'workspace') warnings.push(`the base URL is that of the workspace's .env: ${url}`);
  const dotenvKey =
    setText(sources.dotenv?.values.HARNESS_CHAT_API_KEY) ?? setText(sources.dotenv?.values.OPENAI_API_KEY);
  if (dotenvKey && !key && endpoint.owner === 'user')
    warnings.push(`the key in .env is not sent to ${url}: the address is not .env's`);
  const variable = named.entry?.apiKeyEnv;
  if (variable && !key) warnings.push(`${variable} is not set: provider ${oneLine(named.name)} is used without a key`);
  return warnings;
}
