/** Settings for a subcommand: hears all sources, refuses what cannot be used with one line. */
import { ProviderError } from '../domain/failure.ts';
import { reasonOf } from '../edge/journal/disk-reason.ts';
import type { ListedModel } from '../edge/models/listed-model.ts';
import { keyedProviders } from '../edge/models/providers.ts';
import type { ProviderSettings } from '../edge/models/registry.ts';
import { readConfig } from '../edge/settings/config-file.ts';
import { readDotenv } from '../edge/settings/dotenv.ts';
import type { ChoiceResult, ModelChoice } from '../edge/settings/endpoint.ts';
import { createKeyCommands } from '../edge/settings/key-command.ts';
import { modelField, providerNames } from '../edge/settings/named-provider.ts';
import { oneLine, quoteValue } from '../edge/settings/one-line.ts';
import type { HomePaths } from '../edge/settings/paths.ts';
import { ensureHome } from '../edge/settings/private-files.ts';
import { type Resolution, resolveSettings } from '../edge/settings/resolve.ts';
import type { ConfigSource } from '../edge/settings/sources.ts';
import { someOf } from '../edge/settings/wording.ts';
import type { Invocation } from './invocation.ts';
import { UsageError } from './usage-error.ts';

export interface LoadedSettings extends Pick<Resolution, 'settings' | 'origins' | 'configured' | 'secrets'>, Reach {
  /** The model to ask. In the chat it is `demo` where nothing is configured (`configured` is then false). */
  choice: ModelChoice;
  /** One line each, for standard error or the screen. */
  warnings: string[];
  paths: HomePaths;
  /** Variables that hold keys: take them from the environment of every child process. */
  secretVariables: string[];
  /** Another provider or model in the course of the session (SetModel, a resumed session's own). */
  choose(wanted: { provider?: string; model?: string }): ChoiceResult;
}

export interface KnownProvider {
  name: string;
  /** What it is asked for where nobody names a model; absent where one has to be chosen. */
  model?: string;
  baseUrl?: string;
  /** Why it cannot be used as things stand, in one line; `keyless`: the variable that would hold its key. */
  refusal?: string;
  keyless?: string;
}

/** How servers are reached. A key that a command prints is added to the `secrets` before it is used. */
export interface Reach {
  /** For the registry of models. Rejects with a ProviderError where the provider cannot be used. */
  settingsFor(provider: string, model: string): Promise<ProviderSettings>;
  /** What a provider's server offers, for a picker; rejects with a ProviderError. None for `demo`. */
  modelsOf(provider: string, signal?: AbortSignal): Promise<ListedModel[]>;
  /** Why a provider's model cannot be asked as things stand, in one line; the server itself is not. */
  refusalOf(provider: string, model: string): string | undefined;
  /** All that can be named, for a picker. */
  providers(): KnownProvider[];
}

/**
 * For the chat, `exec` and `stdio`. Creates the program's folders, private. A `script` with nothing configured is
 * refused: it is never answered by a demo. Throws a UsageError.
 */
export async function loadSettings(invocation: Invocation, purpose: 'chat' | 'script'): Promise<LoadedSettings> {
  const resolution = await readSettings(invocation);
  const { settings, origins, configured, problems, refusal, choice, secrets, secretVariables, choose } = resolution;
  if (problems[0] !== undefined) throw new UsageError(problems[0]);
  if (!configured && purpose === 'script') throw new UsageError(nothingConfigured(invocation, settings.providers));
  const reach = reachOf(invocation, resolution);
  if (!choice) throw new UsageError(`${refusal}${await offerWords(reach, resolution.modelless)}`);
  const warnings = [...prepareHome(invocation.paths), ...resolution.warnings];
  const { paths } = invocation;
  return { settings, origins, configured, choice, warnings, paths, secrets, secretVariables, choose, ...reach };
}

/** What the server has for somebody who must name a model; nothing where it does not say so soon. */
async function offerWords({ modelsOf }: Reach, modelless: ModelChoice | undefined): Promise<string> {
  if (!modelless) return '';
  try {
    const models = await modelsOf(modelless.provider, AbortSignal.timeout(OFFER_MS));
    return models.length > 0 ? `; it offers ${someOf(models.map(({ id }) => id))}` : '';
  } catch {
    return '';
  }
}
const OFFER_MS = 1500;

/** Everything as it stands, also what is wrong: for `doctor` and `config list`. Creates nothing. */
export async function readSettings(invocation: Invocation): Promise<Resolution & { config: ConfigSource }> {
  const { options, env, cwd, paths } = invocation;
  const { config, warnings: configWarnings } = await readConfig(paths.config);
  const { dotenv, warnings: dotenvWarnings } = readDotenv(cwd);
  const resolution = resolveSettings({ options, env, dotenv, config });
  return { ...resolution, warnings: [...configWarnings, ...dotenvWarnings, ...resolution.warnings], config };
}

/** Writes each warning as one line to standard error. */
export function reportWarnings(invocation: Invocation, warnings: readonly string[]): void {
  for (const warning of warnings) invocation.streams.stderr.write(`harness-chat: ${warning}\n`);
}

function prepareHome(paths: HomePaths): string[] {
  try {
    return ensureHome(paths);
  } catch (error) {
    const place =
      paths.configFolder === paths.dataFolder ? paths.dataFolder : `${paths.configFolder}, ${paths.dataFolder}`;
    throw new UsageError(
      `nothing can be written at ${oneLine(place)} (${oneLine(reasonOf(error))}): set HARNESS_CHAT_HOME to another folder`,
    );
  }
}

function nothingConfigured({ env }: Invocation, providers: object): string {
  const ready = keyedProviders(env).map(({ name, keyVariable }) => `${name}: ${keyVariable} is set`);
  const names = [...Object.keys(providers), ...ready];
  const known = names.length > 0 ? `, or choose a provider with -p (${someOf(names)})` : '';
  return `no model is set: set OPENAI_API_KEY, or give --base-url URL and --model NAME${known}; "-p demo" tries the built-in demo`;
}

/** Stands for a model where none is needed. */
const ANY_MODEL = 'any';

export function reachOf({ env }: Invocation, resolution: Resolution): Reach {
  const { choose, settings, secrets, secretVariables } = resolution;
  const present = resolution.choice?.provider;
  const commands = createKeyCommands({ env, secretVariables, onKey: (key) => secrets.push(key) });
  const settingsFor: Reach['settingsFor'] = async (provider, model) => {
    const chosen = choose({ provider, model });
    if (!chosen.ok) throw new ProviderError('provider_not_found', chosen.refusal);
    const { baseUrl = '', apiKeyCommand: command, keyName, headers, quirks } = chosen.choice;
    const apiKey = command === undefined ? chosen.choice.apiKey : await commands.keyOf(command, keyName);
    return {
      baseUrl,
      keyName,
      headers,
      quirks,
      ...(apiKey !== undefined && { apiKey }),
      ...(command !== undefined && { onKeyRefused: () => commands.forget(command) }),
    };
  };
  const refusalOf: Reach['refusalOf'] = (provider, model) => {
    const names = providerNames(settings.providers);
    if (!names.includes(provider))
      return `there is no provider ${quoteValue(provider)}: choose one of ${names.join(', ')}`;
    const chosen = choose({ provider, model });
    return chosen.ok ? undefined : chosen.refusal;
  };
  return {
    refusalOf,
    settingsFor,
    async modelsOf(provider, signal) {
      if (provider === 'demo') return [];
      const { baseUrl, apiKey, keyName, headers } = await settingsFor(provider, ANY_MODEL);
      const { describeModels } = await import('../edge/models/discovery.ts');
      return describeModels(baseUrl, apiKey, { env, keyName, headers, signal });
    },
    providers: () =>
      providerNames(settings.providers).map((name) => {
        const chosen = choose({ provider: name });
        if (!chosen.ok && !chosen.modelless) return { name, refusal: chosen.refusal, keyless: chosen.keyless };
        const { model, baseUrl, origins } = chosen.ok ? chosen.choice : chosen.modelless!;
        const own = name === present || origins.model.from === 'default' || origins.model.name === modelField(name);
        return { name, baseUrl, ...(own && model !== '' && { model }) };
      }),
  };
}
