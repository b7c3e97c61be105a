/** The models that come along, on the machine's own clock and environment where nothing else is said. */
import process from 'node:process';
import { createDemoModel as demoModel } from '../edge/models/demo.ts';
import { type OpenAiOptions, createOpenAiModel as openAiModel } from '../edge/models/openai.ts';
import { emit, fail, finish, hold, refusal, text, thinking, toolCall, usage } from '../edge/models/scripted.ts';
import { systemClock } from '../edge/system-clock.ts';
import type { Clock, Model } from '../runtime/ports.ts';

/** Where the server is, its key, its quirks and its limits of time; clock and chance are the machine's unless given. */
export type OpenAiModelOptions = Omit<OpenAiOptions, 'clock' | 'random'> & Partial<OpenAiOptions>;

/**
 * Any server that speaks /chat/completions with streaming (contract: Provider). No key is taken from the environment,
 * only the proxy variables are. Throws a ProviderError where base URL or key cannot be used at all.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  return openAiModel({ clock: systemClock, random: Math.random, env: process.env, ...options });
}

/** Needs no network and says of itself that it is a demo; can be asked to fail, to stall and to answer with nothing. */
export function createDemoModel(options: { clock?: Clock; stallTimeoutMs?: number } = {}): Model {
  return demoModel({ clock: systemClock, ...options });
}

/** The steps of a scripted model's replies: `createScriptedModel([[script.text('Hello.')]])`. */
export const script = { text, thinking, refusal, toolCall, usage, finish, emit, hold, fail };
