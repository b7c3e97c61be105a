/** Settings for a subcommand: hears all sources, refuses what cannot be used with one line. */
import { readConfig } from '../edge/settings/config-file.ts';
import { readDotenv } from '../edge/settings/dotenv.ts';
import type { ChoiceResult, ModelChoice } from '../edge/settings/endpoint.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import type { HomePaths } from '../edge/settings/paths.ts';
import { ensureHome } from '../edge/settings/private-files.ts';
import { type Resolution, resolveSettings } from '../edge/settings/resolve.ts';
import type { ConfigSource } from '../edge/settings/sources.ts';
import { someOf } from '../edge/settings/wording.ts';
import type { Invocation } from './invocation.ts';
import { UsageError } from './usage-error.ts';

export interface LoadedSettings extends Pick<Resolution, 'settings' | 'origins' | 'configured' | 'secrets'> {
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

/**
 * For the chat, `exec` and `stdio`. Creates the program's folders, private. A `script` with nothing configured is
 * refused: it is never answered by a demo. Throws a UsageError.
 */
export async function loadSettings(invocation: Invocation, purpose: 'chat' | 'script'): Promise<LoadedSettings> {
  const resolution = await readSettings(invocation);
  const { settings, origins, configured, problems, refusal, choice, secrets, secretVariables, choose } = resolution;
  if (problems[0] !== undefined) throw new UsageError(problems[0]);
  if (!configured && purpose === 'script') throw new UsageError(nothingConfigured(Object.keys(settings.providers)));
  if (!choice) throw new UsageError(refusal);
  const warnings = [...prepareHome(invocation.paths), ...resolution.warnings];
  return { settings, origins, configured, choice, warnings, paths: invocation.paths, secrets, secretVariables, choose };
}

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
    const { code, message } = error as NodeJS.ErrnoException;
    const place =
      paths.configFolder === paths.dataFolder ? paths.dataFolder : `${paths.configFolder}, ${paths.dataFolder}`;
    throw new UsageError(
      `no folder can be made at ${oneLine(place)} (${code ?? oneLine(message)}): set HARNESS_CHAT_HOME`,
    );
  }
}

function nothingConfigured(providers: string[]): string {
  const known = providers.length > 0 ? `, or choose a provider with -p (${someOf(providers)})` : '';
  return `no model is set: set OPENAI_API_KEY, or give --base-url URL and --model NAME${known}; "-p demo" tries the built-in demo`;
}
