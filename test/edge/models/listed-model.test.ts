import { expect, test } from 'vitest';
import { listedModels } from '../../../src/edge/models/listed-model.ts';

test.each([
  // OpenRouter: prices are for one token, in text
  [
    { id: 'm', context_length: 128000, pricing: { prompt: '0.00000015', completion: '0.0000006' } },
    { id: 'm', window: 128000, price: { input: 0.15, output: 0.6 } },
  ],
  // Together: for a million
  [
    { id: 'm', context_length: 8192, pricing: { input: 0.2, output: 0 } },
    { id: 'm', window: 8192, price: { input: 0.2, output: 0 } },
  ],
  [
    { id: 'm', pricing: { prompt: '0', completion: '0' } },
    { id: 'm', price: { input: 0, output: 0 } },
  ],
  [{ id: 'm', pricing: { prompt: '-1', completion: '-1' } }, { id: 'm' }],
  [{ id: 'm', pricing: { prompt: '', completion: null } }, { id: 'm' }],
  [{ id: 'm', pricing: 'free' }, { id: 'm' }],
  [
    { id: 'm', max_model_len: 4096 },
    { id: 'm', window: 4096 },
  ],
  [
    { id: 'm', context_window: '131072' },
    { id: 'm', window: 131072 },
  ],
  [
    { id: 'm', meta: { n_ctx_train: 32768 } },
    { id: 'm', window: 32768 },
  ],
  [{ id: 'm', context_length: null, max_context_length: 1.5, meta: [] }, { id: 'm' }],
  [{ name: 'm' }, { id: 'm' }],
  ['m', { id: 'm' }],
])('%j', (entry, want) => {
  const [found] = listedModels([entry, null, { id: 'z' }, entry]);
  expect(found?.id).toBe('m');
  expect(found?.window).toBe((want as { window?: number }).window);
  const price = (want as { price?: { input: number; output: number } }).price;
  expect(found?.price?.input).toEqual(price && expect.closeTo(price.input));
  expect(found?.price?.output).toEqual(price && expect.closeTo(price.output));
});
