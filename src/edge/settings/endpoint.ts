/**
 * Which model is asked, where, and with which key (contract: Where settings come from). Pure. Options, environment and
 * the user's config are one owner, the workspace's `.env` is another. The base URL is settled first, then the strongest
 * key of its owner is used, so that no file in a workspace can send the user's key to a place of its choice.
 */
import { OPENAI, type ProviderQuirks, quirksAt } from '../models/providers.ts';
import { keylessDotenv, noKey, noModel, unknownProvider, warningsOf } from './choice-wording.ts';
import {
  commandName,
  entryName,
  fromEntry,
  fromReady,
  isKnown,
  keyVariable,
  type Named,
  nameProvider,
  ownKey,
  type Part,
  said,
  unlessEmpty,
  wantsOwnKey,
} from './named-provider.ts';
import { checkValue, type Price, type ProviderEntry, SCALARS } from './schema.ts';
import { splitUserInfo } from './secrets.ts';
import { type Candidate, OPTION_NAMES, type Origin, type Sources, setText } from './sources.ts';
import { wrongValue } from './wording.ts';

export interface ModelChoice {
  provider: string;
  model: string;
  /** Absent for `demo`. Without a slash at its end and without credentials. */
  baseUrl?: string;
  /** Absent, also with no command: requests carry no Authorization header but one of `headers`. */
  apiKey?: string;
  /** In place of a key: the command line that prints it. */
  apiKeyCommand?: string;
  /** Where the person sets the key, as messages name it. */
  keyName: string;
  headers: Record<string, string>;
  quirks: ProviderQuirks;
  /** Tokens that the model can read, where that is known. */
  window?: number;
  price?: Price;
  origins: { provider: Origin; model: Origin; baseUrl?: Origin; apiKey?: Origin };
}
export type ChoiceResult =
  | { ok: true; choice: ModelChoice; warnings: string[] }
  /** One line that says what is wrong and what to do. `modelless`: nothing but a model's name is missing; `keyless`: a key in that variable. */
  | { ok: false; refusal: string; modelless?: ModelChoice; keyless?: string };

export interface Endpoint {
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
  if (!isKnown(named)) return { ok: false, refusal: unknownProvider(named, providers) };
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
  if (!key && !authorized && !endpoint.authorization && wantsKey(endpoint, named, headers)) {
    return { ok: false, refusal: noKey(endpoint, named), keyless: keyVariable(named) };
  }
  const isCommand = key?.origin.name === commandName(named);
  if (key && !isCommand && !checkValue(SCALARS.apiKey, key.value).ok) {
    return { ok: false, refusal: wrongValue('apiKey', key.origin, '', SCALARS.apiKey.allowed, true) };
  }
  const model = modelFor(endpoint, sources, named);
  if (model && !checkValue(SCALARS.model, model.value).ok) {
    return { ok: false, refusal: wrongValue('model', model.origin, model.value, SCALARS.model.allowed) };
  }
  const name = model ? String(model.value) : '';
  const choice: ModelChoice = {
    provider: named.name,
    model: name,
    baseUrl: endpoint.url,
    ...(key && { [isCommand ? 'apiKeyCommand' : 'apiKey']: String(key.value) }),
    keyName: key?.origin.name ?? keyVariable(named),
    headers,
    quirks: { ...quirksAt(new URL(endpoint.url)), ...named.ready?.quirks, ...named.entry?.quirks },
    ...knownOf(name, named),
    origins: {
      provider: named.origin,
      model: model?.origin ?? { from: 'default', name: 'default' },
      baseUrl: endpoint.origin,
      ...(key && { apiKey: key.origin }),
    },
  };
  if (!model) return { ok: false, refusal: noModel(endpoint), modelless: choice };
  return { ok: true, choice, warnings: warningsOf(sources, named, endpoint, key) };
}

/** Window and price are those of the model that the entry names; where it names none, of whatever is asked there. */
function knownOf(model: string, { entry = {}, ready }: Named): Pick<ModelChoice, 'window' | 'price'> {
  const meant = entry.model === undefined || entry.model === model;
  const window = (meant ? entry.window : undefined) ?? (model === ready?.defaultModel ? ready.window : undefined);
  return { ...(window !== undefined && { window }), ...(meant && entry.price && { price: entry.price }) };
}

function settleBaseUrl(sources: Sources, named: Named): Endpoint | { refusal: string } {
  const strongest = candidatesFor('baseUrl', sources, named)[0];
  if (!strongest) return { url: OPENAI.baseUrl, owner: 'nobody', origin: { from: 'default', name: 'default' } };
  const { value, origin } = strongest;
  const checked = checkValue(SCALARS.baseUrl, value);
  if (!checked.ok) return { refusal: wrongValue('baseUrl', origin, value, checked.allowed) };
  const { baseUrl, authorization } = splitUserInfo(String(value));
  const url = baseUrl.replace(/\/+$/, '');
  const owner = url === OPENAI.baseUrl ? 'nobody' : origin.from === '.env' ? 'workspace' : 'user';
  return { url, owner, origin, authorization };
}

const isOwn = ({ origin, owner, url }: Endpoint, named: Named): boolean =>
  origin.name === entryName(named, 'baseUrl') || (owner === 'user' && url === named.ready?.baseUrl);

/** The default address, and those of the ready providers on the net, answer nobody who shows nothing. */
function wantsKey({ owner, url }: Endpoint, { ready }: Named, headers: Record<string, string>): boolean {
  if (owner === 'nobody') return true;
  return ready !== undefined && !ready.local && url === ready.baseUrl && Object.keys(headers).length === 0;
}

function keyFor(endpoint: Endpoint, sources: Sources, named: Named): Candidate | undefined {
  const ownUrl = isOwn(endpoint, named);
  const keys = candidatesFor('apiKey', sources, named, ownUrl).filter(
    ({ origin }) => endpoint.owner === 'nobody' || (origin.from === '.env') === (endpoint.owner === 'workspace'),
  );
  const missing = ownUrl && wantsOwnKey(sources, named);
  return missing ? keys.find(({ origin }) => origin.name === 'HARNESS_CHAT_API_KEY') : keys[0];
}

function modelFor(endpoint: Endpoint, sources: Sources, named: Named): Candidate | undefined {
  const strongest = candidatesFor('model', sources, named)[0];
  if (strongest || endpoint.owner !== 'nobody') return strongest;
  return { value: OPENAI.defaultModel, origin: { from: 'default', name: 'default' } };
}

/**
 * All that say something, strongest first. What a provider's entry says has the rank of whoever named the provider,
 * but for the variables of this program alone (HARNESS_CHAT_*) and for its key where its own base URL is used. What
 * comes along with a ready provider is weaker than all that stands in the config, unless it was named by something
 * stronger than that.
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
  const entry = part === 'apiKey' ? [ownKey(sources, named, ownUrl) ?? []].flat() : fromEntry(part, named);
  const ready = part === 'apiKey' ? [] : fromReady(part, named);
  const top = said(unlessEmpty(config.values[part]), { from: 'config', name: `${part} in ${config.path}` });
  const rank = named.origin.from;
  return [
    ...option,
    ...(rank === 'option' ? [...entry, ...ready] : []),
    ...variable(own),
    ...(rank === 'environment' ? [...entry, ...ready] : ownUrl && rank !== 'option' ? entry : []),
    ...variable(general),
    ...dotenvVariable(own),
    ...dotenvVariable(general),
    ...(part === 'model' ? [...top, ...entry] : [...entry, ...top]),
    ...ready,
  ];
}
const SPELLING: Record<Part, string> = { model: 'MODEL', baseUrl: 'BASE_URL', apiKey: 'API_KEY' };

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
  const origins = { provider: named.origin, model: origin };
  return { provider: 'demo', model: model ?? 'demo', keyName: '', headers: {}, quirks: {}, origins };
}
