import { expect, test } from 'vitest';
import { ProviderError } from '../../../src/domain/failure.ts';
import { createRegistry } from '../../../src/edge/models/registry.ts';
import { createHastyClock } from './clocks.ts';

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
