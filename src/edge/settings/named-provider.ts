/** The provider that was named: by whom, what the config says of it, and what comes along under that name. Pure. */
import { OPENAI, PROVIDERS, providerNamed, type ReadyProvider } from '../models/providers.ts';
import type { ProviderEntry } from './schema.ts';
import { type Candidate, OPTION_NAMES, type Origin, type Sources, setText } from './sources.ts';

export type Part = 'model' | 'baseUrl' | 'apiKey';

export interface Named {
  /** Empty where what was given is no text. */
  name: string;
  given: unknown;
  origin: Origin;
  /** Its entry in the config. */
  entry?: ProviderEntry;
  /** What needs no entry. `openai` has none: its address is the default one, which is nobody's. */
  ready?: ReadyProvider;
}

export function nameProvider(sources: Sources, providers: Record<string, ProviderEntry>): Named {
  const { options, env, config } = sources;
  const [strongest] = [
    ...said(options.provider, { from: 'option', name: OPTION_NAMES.provider }),
    ...said(setText(env.HARNESS_CHAT_PROVIDER), { from: 'environment', name: 'HARNESS_CHAT_PROVIDER' }),
    ...said(unlessEmpty(config.values.provider), { from: 'config', name: `provider in ${config.path}` }),
    { value: OPENAI.name, origin: { from: 'default', name: 'default' } } satisfies Candidate,
  ];
  const given: unknown = strongest!.value;
  const name = typeof given === 'string' ? given : '';
  const entry = name !== 'demo' && Object.hasOwn(providers, name) ? providers[name] : undefined;
  const ready = name === OPENAI.name ? undefined : providerNamed(name);
  return { name, given, origin: strongest!.origin, entry, ready };
}

export const isKnown = ({ name, entry, ready }: Named): boolean =>
  name === 'demo' || name === OPENAI.name || entry !== undefined || ready !== undefined;

/** All that can be named, those of the config before those that come along. */
export const providerNames = (providers: Record<string, ProviderEntry>): string[] => [
  ...new Set([OPENAI.name, 'demo', ...Object.keys(providers), ...PROVIDERS.map(({ name }) => name)]),
];

/** What the config's entry says. A key is here only by its own field or variable: see `ownKey`. */
export function fromEntry(part: Exclude<Part, 'apiKey'>, named: Named): Candidate[] {
  return said(named.entry?.[part], { from: 'config', name: entryName(named, part) });
}

export function fromReady(part: Exclude<Part, 'apiKey'>, named: Named): Candidate[] {
  const value = part === 'model' ? named.ready?.defaultModel : named.ready?.baseUrl;
  return said(value, { from: 'default', name: entryName(named, part) });
}

/**
 * The provider's own key. A variable that comes along with its name counts only at `ownUrl`, its own address; one that
 * the config names goes wherever the entry is used.
 */
export function ownKey(sources: Sources, named: Named, ownUrl: boolean): Candidate | undefined {
  const { entry, ready } = named;
  const variable = entry?.apiKeyEnv ?? (ownUrl ? ready?.keyVariable : undefined);
  const [key] = [
    ...(variable ? said(setText(sources.env[variable]), { from: 'environment', name: variable }) : []),
    ...said(entry?.apiKey, { from: 'config', name: entryName(named, 'apiKey') }),
    ...said(entry?.apiKeyCommand, { from: 'config', name: commandName(named) }),
  ];
  return key;
}

/** Where its key is looked for. */
export const keyVariable = ({ entry, ready }: Named): string =>
  entry?.apiKeyEnv ?? ready?.keyVariable ?? OPENAI.keyVariable;

/** Whether a general key belongs to another server: the provider wants one of its own, and none is set. */
export function wantsOwnKey(sources: Sources, named: Named): boolean {
  const { entry, ready } = named;
  const wanted = entry?.apiKeyEnv !== undefined || (ready !== undefined && entry?.baseUrl === undefined);
  return wanted && !ownKey(sources, named, true);
}

export const entryName = (named: Named, part: Part): string => `providers.${named.name}.${part}`;
export const modelField = (name: string): string => `providers.${name}.model`;
export const commandName = (named: Named): string => `providers.${named.name}.apiKeyCommand`;

export const unlessEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

export function said(value: unknown, origin: Origin): Candidate[] {
  return value === undefined || value === '' ? [] : [{ value, origin }];
}
