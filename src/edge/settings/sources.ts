/** Where settings come from, as plain values: what resolving them is a function of. */

/** As given on the command line; texts are not checked yet. */
export interface SettingsOptions {
  model?: string;
  provider?: string;
  baseUrl?: string;
  approval?: string;
  system?: string;
  maxSteps?: string;
  maxToolCalls?: string;
  theme?: string;
  spinner?: boolean;
  color?: boolean;
  ascii?: boolean;
  screenReader?: boolean;
}

/** A file of settings, parsed. */
export interface ConfigSource {
  path: string;
  values: Record<string, unknown>;
}

/** What the workspace's `.env` gives: model, base URL and key only. Never of the user's own making for sure. */
export interface DotenvSource {
  path: string;
  values: Record<string, string>;
}

export interface Sources {
  options: SettingsOptions;
  env: Readonly<Record<string, string | undefined>>;
  dotenv?: DotenvSource;
  config: ConfigSource;
}

/** Where a value comes from. `name` is the option, the variable, the file's path or the provider's key. */
export interface Origin {
  from: 'option' | 'environment' | '.env' | 'config' | 'default';
  name: string;
}

export interface Candidate {
  value: unknown;
  origin: Origin;
}

export function describeOrigin(origin: Origin): string {
  if (origin.from === 'default') return 'default';
  return origin.from === 'environment' ? `${origin.name} in the environment` : origin.name;
}

export const OPTION_NAMES: Record<keyof SettingsOptions, string> = {
  model: '--model',
  provider: '--provider',
  baseUrl: '--base-url',
  approval: '--approval',
  system: '--system',
  maxSteps: '--max-steps',
  maxToolCalls: '--max-tool-calls',
  theme: '--theme',
  spinner: '--no-spinner',
  color: '--no-color',
  ascii: '--ascii',
  screenReader: '--screen-reader',
};

/** What a variable says, or undefined: an empty one is not set. */
export function setText(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
