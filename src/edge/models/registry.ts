/** Which model answers to which provider's name. */
import { ProviderError } from '../../domain/failure.ts';
import type { Clock, Model, ModelRegistry } from '../../runtime/ports.ts';
import { createDemoModel } from './demo.ts';
import { createOpenAiModel } from './openai.ts';
import type { ProviderQuirks } from './providers.ts';

/** A server to reach, with its key where one is to be used: whose key goes where is settled before. */
export interface ProviderSettings {
  baseUrl: string;
  apiKey?: string;
  /** Where the person sets the key, as messages name it. */
  keyName?: string;
  headers?: Readonly<Record<string, string>>;
  quirks?: ProviderQuirks;
}
export interface RegistryOptions {
  /** By name; `demo` is always there and cannot be taken. */
  providers: Readonly<Record<string, ProviderSettings>>;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  stallTimeoutMs?: number;
  firstByteTimeoutMs?: number;
  /** Read for proxy variables alone. */
  env?: Readonly<Record<string, string | undefined>>;
}

export function createRegistry(options: RegistryOptions): ModelRegistry {
  const { providers, ...common } = options;
  const models = new Map<string, Model>([['demo', createDemoModel(common)]]);
  return {
    async resolve(provider, model) {
      const known = models.get(provider);
      const settings = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
      if (!known && !settings) {
        const names = ['demo', ...Object.keys(providers)].join(', ');
        throw new ProviderError(
          'provider_not_found',
          `There is no provider ${JSON.stringify(provider)}. Choose one of: ${names}.`,
        );
      }
      if (provider !== 'demo' && model.trim() === '')
        throw new ProviderError(
          'provider_not_found',
          `No model is chosen for ${provider}. Choose one with --model or /model.`,
        );
      const found = known ?? createOpenAiModel({ ...common, ...settings! });
      models.set(provider, found);
      return found;
    },
  };
}
