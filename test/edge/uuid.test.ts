import { expect, test } from 'vitest';
import { uuidSource } from '../../src/edge/uuid.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const many = (next: () => string, count = 10_000) => Array.from({ length: count }, next);

test('unique, ascending and of the right form, also where the clock stands still', () => {
  const ids = many(uuidSource(() => 1_700_000_000_000));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids.filter((id) => !V7.test(id))).toEqual([]);
});

test('ascending where the clock goes back', () => {
  const times = [5, 4, 3, 9, 1, 9, 9, 10];
  let at = 0;
  const ids = many(
    uuidSource(() => 1_700_000_000_000 + (times[at++] ?? 0)),
    times.length,
  );
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('begins with the time', () => {
  const [id = ''] = many(
    uuidSource(() => 0x0123456789ab),
    1,
  );
  expect(id.slice(0, 13)).toBe('01234567-89ab');
});

test('two sources at one time give different ids, and so does each millisecond', () => {
  const ends = (next: () => string, count: number) => many(next, count).map((id) => id.slice(19));
  const [a] = ends(
    uuidSource(() => 7),
    1,
  );
  const [b] = ends(
    uuidSource(() => 7),
    1,
  );
  expect(a).not.toBe(b);
  let now = 7;
  const each = ends(
    uuidSource(() => now++),
    100,
  );
  expect(new Set(each).size).toBe(100);
});
