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
  /** The server refused the key: what was found before is not to be used again. */
  onKeyRefused?(): void;
}
export interface RegistryOptions {
  /** Where a provider's model is asked; `demo` is never looked up. Throws a ProviderError where it cannot be. */
  settingsFor(provider: string, model: string): ProviderSettings | Promise<ProviderSettings>;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  stallTimeoutMs?: number;
  firstByteTimeoutMs?: number;
  /** Read for proxy variables alone. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** One model for each settings: Turns that ask the same server share its connections. */
export function createRegistry({ settingsFor, ...common }: RegistryOptions): ModelRegistry {
  const demo = createDemoModel(common);
  const models = new Map<string, Model>();
  return {
    async resolve(provider, model) {
      if (provider === 'demo') return demo;
      if (model.trim() === '') {
        const message = `No model is chosen for ${JSON.stringify(provider)}. Choose one with --model or /model.`;
        throw new ProviderError('provider_not_found', message);
      }
      const { onKeyRefused, ...settings } = await settingsFor(provider, model);
      const key = JSON.stringify(settings);
      const found = models.get(key) ?? watched(createOpenAiModel({ ...common, ...settings }), onKeyRefused);
      models.set(key, found);
      return found;
    },
  };
}

function watched(model: Model, onKeyRefused: (() => void) | undefined): Model {
  if (!onKeyRefused) return model;
  return {
    async *stream(request, signal) {
      try {
        yield* model.stream(request, signal);
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'provider_auth') onKeyRefused();
        throw error;
      }
    },
  };
}
