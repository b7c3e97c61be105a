import { describe, expect, test } from 'vitest';
import { namedWait, waitAfter, waitInWords } from '../../../src/edge/models/retry.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('the wait that a server names', () => {
  test.each([
    ['3', undefined, 3000],
    ['2.5', undefined, 2500],
    [undefined, '70', 70],
    ['9', '70', 70],
    ['9', 'soon', 9000],
    ['9', '-1', 9000],
    ['Mon, 30 Nov 2026 12:00:30 GMT', undefined, 30_000],
    ['Monday, 30-Nov-26 12:00:30 GMT', undefined, 30_000],
    ['3000000', undefined, 3_000_000_000],
    // none of these is a wait
    ['Mon, 30 Nov 2026 11:59:57 GMT', undefined, undefined],
    ['0', undefined, undefined],
    ['-5', undefined, undefined],
    ['soon', undefined, undefined],
    ['soon 2099', undefined, undefined],
    ['NaN', undefined, undefined],
    ['Infinity', undefined, undefined],
    ['1e3', undefined, undefined],
    ['', '', undefined],
    [undefined, undefined, undefined],
  ])('retry-after %s, retry-after-ms %s', (after, ms, want) => {
    expect(namedWait({ 'retry-after': after, 'retry-after-ms': ms }, NOW)).toBe(want);
  });
});

describe('the wait before the next request', () => {
  test.each([
    [1, 400, 500, 600],
    [2, 800, 1000, 1200],
    [3, 1600, 2000, 2400],
    [4, 3200, 4000, 4800],
  ])('after failed request %i without a hint', (attempt, low, middle, high) => {
    const waits = [0, 0.5, 1 - Number.EPSILON].map((n) => waitAfter(attempt, {}, NOW, () => n));
    expect(waits).toEqual([{ ms: low }, { ms: middle }, { ms: high }]);
  });

  test('up to 60 s is waited for, more is not', () => {
    expect(waitAfter(1, { 'retry-after': '60' }, NOW, Math.random)).toEqual({ ms: 60_000 });
    expect(waitAfter(1, { 'retry-after': '60.001' }, NOW, Math.random)).toEqual({ tooLongMs: 60_001 });
    expect(waitAfter(1, { 'retry-after': '172800' }, NOW, Math.random)).toEqual({ tooLongMs: 172_800_000 });
  });
});

test.each([
  [172_800_000, '2 days (172800 s)'],
  [5_400_000, '1.5 hours (5400 s)'],
  [60_500, '1 minute (61 s)'],
  [61_000, '1 minute (61 s)'],
])('%i ms in words', (ms, words) => {
  expect(waitInWords(ms)).toBe(words);
});
