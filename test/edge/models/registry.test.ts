import { expect, onTestFinished, test } from 'vitest';
import { ProviderError } from '../../../src/domain/failure.ts';
import { createRegistry } from '../../../src/edge/models/registry.ts';
import { assemble, request } from './assembled.ts';
import { createHastyClock } from './clocks.ts';
import { replies, says, startFixtureServer } from './fixture-server.ts';

const registry = createRegistry({
  clock: createHastyClock(),
  random: () => 0,
  settingsFor(provider) {
    if (provider === 'lost') throw new ProviderError('provider_not_found', 'There is no provider "lost".');
    return { baseUrl: `http://127.0.0.1:1/${provider}` };
  },
});

test('one model for each settings, and the demo without any', async () => {
  const openai = await registry.resolve('openai', 'm1');
  expect(await registry.resolve('openai', 'm2')).toBe(openai);
  expect(await registry.resolve('other', 'm1')).not.toBe(openai);
  expect(await registry.resolve('demo', '')).toBe(await registry.resolve('demo', 'demo'));
});

test('says what is missing', async () => {
  await expect(registry.resolve('lost', 'm1')).rejects.toMatchObject({ kind: 'provider_not_found' });
  await expect(registry.resolve('openai', ' ')).rejects.toThrow(/No model is chosen for "openai".*--model/);
});

test('a key that was refused is told of, and one found anew is used', async () => {
  const server = await startFixtureServer();
  onTestFinished(() => server.close());
  const keys = ['sk-old', 'sk-new'];
  const renewing = createRegistry({
    clock: createHastyClock(),
    random: () => 0,
    settingsFor: async () => ({ baseUrl: server.url, apiKey: keys[0]!, onKeyRefused: () => void keys.shift() }),
    stallTimeoutMs: 1e12,
    firstByteTimeoutMs: 1e12,
  });
  server.answer(replies(401, {}), says('hi'));
  const ask = async () => assemble((await renewing.resolve('x', 'm1')).stream(request(), new AbortController().signal));
  expect(await ask()).toMatchObject({ error: 'provider_auth' });
  expect(await ask()).toMatchObject({ text: 'hi' });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-old', 'Bearer sk-new']);
  expect(await renewing.resolve('x', 'm1')).toBe(await renewing.resolve('x', 'm2'));
});
