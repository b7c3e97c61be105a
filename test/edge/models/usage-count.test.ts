import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usageFault } from '../../../src/domain/content.ts';
import { mergeUsage, usageOf } from '../../../src/edge/models/usage-count.ts';

const counts = (...parts: unknown[]) => {
  const merged = parts.reduce<Record<string, unknown> | undefined>(mergeUsage, undefined);
  const usage = usageOf(merged ?? {});
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheCreationTokens } = usage;
  return [inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheCreationTokens];
};

test.each<[unknown[], number[]]>([
  [[{ prompt_tokens: 10, completion_tokens: 5 }], [10, 5, 0, 0, 0]],
  [[{ input_tokens: 10, output_tokens: 5 }], [10, 5, 0, 0, 0]],
  [[{ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 4 } }], [6, 0, 0, 4, 0]],
  [[{ prompt_tokens: 10, prompt_cache_hit_tokens: 4 }], [6, 0, 0, 4, 0]],
  [[{ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } }], [0, 0, 0, 40, 0]],
  [[{ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 } }], [5, 0, 0, 3, 2]],
  [[{ completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } }], [0, 5, 3, 0, 0]],
  [[{ completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 30 } }], [0, 35, 30, 0, 0]],
  [[{ prompt_tokens: '10', completion_tokens: '5' }], [10, 5, 0, 0, 0]],
  [[{ prompt_tokens: -1, completion_tokens: null }], [0, 0, 0, 0, 0]],
  [[{ prompt_tokens: 1e300, completion_tokens: 1.6 }], [Number.MAX_SAFE_INTEGER, 2, 0, 0, 0]],
  // early, repeated, growing, in halves, and a last one that says nothing
  [
    [{ prompt_tokens: 10 }, { completion_tokens: 5 }],
    [10, 5, 0, 0, 0],
  ],
  [
    [
      { prompt_tokens: 10, completion_tokens: 1 },
      { prompt_tokens: 10, completion_tokens: 5 },
    ],
    [10, 5, 0, 0, 0],
  ],
  [
    [
      { prompt_tokens: 10, completion_tokens: 5 },
      { prompt_tokens: 0, completion_tokens: 0 },
    ],
    [10, 5, 0, 0, 0],
  ],
  [
    [{ prompt_tokens: 10 }, null, 7, 'x', []],
    [10, 0, 0, 0, 0],
  ],
])('%j', (parts, want) => {
  expect(counts(...parts)).toEqual(want);
});

test('whatever a server says, it is a usage that an event may carry', () => {
  const names = [
    'prompt_tokens',
    'completion_tokens',
    'prompt_tokens_details',
    'completion_tokens_details',
    'cached_tokens',
    'reasoning_tokens',
  ];
  const value = fc.oneof(fc.double(), fc.string(), fc.jsonValue());
  const nested = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(value, fc.dictionary(fc.constantFrom(...names), value)),
  );
  fc.assert(
    fc.property(fc.array(nested, { maxLength: 3 }), (parts) => {
      const merged = parts.reduce<Record<string, unknown> | undefined>(mergeUsage, undefined);
      expect(usageFault(usageOf(merged ?? {}))).toBeUndefined();
    }),
    { seed: 20261130, numRuns: 500 },
  );
});
