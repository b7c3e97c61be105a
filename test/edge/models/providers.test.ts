import { expect, test } from 'vitest';
import { keyedProviders, OPENAI, PROVIDERS, providerNamed, quirksAt } from '../../../src/edge/models/providers.ts';
import { checkValue, NESTED_FIELDS, PROVIDER_FIELDS } from '../../../src/edge/settings/schema.ts';

const field = (of: (entry: (typeof PROVIDERS)[number]) => unknown) => PROVIDERS.map(of);

test('the rows: all that were promised, no two alike', () => {
  expect(field(({ name }) => name)).toEqual(
    'openai openrouter groq together deepseek mistral gemini ollama lmstudio llamacpp vllm'.split(' '),
  );
  for (const of of [field(({ baseUrl }) => baseUrl), field(({ keyVariable }) => keyVariable)])
    expect(new Set(of).size).toBe(PROVIDERS.length);
});

test.each(PROVIDERS)('$name could stand in the config as it is', (row) => {
  const { name, baseUrl, keyVariable, defaultModel, window, local, quirks } = row;
  const entry = { baseUrl, apiKeyEnv: keyVariable, model: defaultModel, window };
  for (const [key, value] of Object.entries(entry).filter(([, given]) => given !== undefined))
    expect([key, checkValue(PROVIDER_FIELDS[key as keyof typeof entry], value).ok]).toEqual([key, true]);
  for (const [key, value] of Object.entries(quirks))
    expect([key, checkValue(NESTED_FIELDS.quirks[key as keyof typeof quirks], value).ok]).toEqual([key, true]);
  expect(baseUrl).not.toMatch(/\/$/);
  // on the net only by TLS, and with a model; on this machine whatever is loaded
  expect([baseUrl.startsWith('https://'), defaultModel !== undefined]).toEqual([!local, !local]);
  expect(new URL(baseUrl).hostname === '127.0.0.1').toBe(local === true);
  expect(providerNamed(name)).toBe(row);
});

test('a server is known by its address, whatever it is called; one on this machine is not', () => {
  for (const { baseUrl, local, quirks } of PROVIDERS) expect(quirksAt(new URL(baseUrl))).toEqual(local ? {} : quirks);
  expect(quirksAt(new URL('https://api.mistral.ai.evil.test/v1'))).toEqual({});
  expect(quirksAt(new URL('https://api.mistral.ai/v2/other'))).not.toEqual({});
});

test('keys that are set', () => {
  const names = (env: Record<string, string>) => keyedProviders(env).map(({ name }) => name);
  expect(names({ GROQ_API_KEY: 'k', MISTRAL_API_KEY: ' ', [OPENAI.keyVariable]: 'k', VLLM_API_KEY: 'k' })).toEqual([
    'groq',
  ]);
});
