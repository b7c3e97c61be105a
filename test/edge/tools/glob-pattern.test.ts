import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitGlob } from '../../../src/edge/tools/glob-pattern.ts';

test.each([
  ['*', 'a', true],
  ['*', 'a/b', false],
  ['**', 'a/b', true],
  ['**/b', 'b', true],
  ['**/b', 'a/x/b', true],
  ['a/**/b', 'a/b', true],
  ['*/**/b', 'x/y/z/b', true],
  ['*/b/**', 'x/b', true],
  ['**/a/**/b', 'a/x/a/y/b', true],
  ['*.t?', 'x.ts', true],
  ['*.t?', 'x.t', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]]x', ']x', true],
  ['[a-]x', '-x', true],
  ['[x', '[x', true],
  ['{a,b{c,d}}', 'bd', true],
  ['{a,b{c,d}}', 'b', false],
  ['{a,}x', 'x', true],
  ['{x', '{x', true],
  ['*?🙂', 'a🙂', true],
  ['*a*b*', 'xxaxxbxx', true],
  ['***', 'abc', true],
  ['*.', 'a.b', false],
  ['.*', '.a', true],
])('%s on %s: %s', (pattern, path, fits) => {
  expect(splitGlob(pattern).matches(path)).toBe(fits);
});

test.each([
  ['src/*.ts', 'src'],
  ['src/a.ts', 'src'],
  ['a.ts', '.'],
  ['/*', '/'],
  ['/etc/*', '/etc'],
  ['../*', '..'],
  ['{a,b}/c', '.'],
])('%s begins at %s', (pattern, base) => {
  expect(splitGlob(pattern).base).toBe(base);
});

test('fits what the same expression with one star finds', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab*?]{0,8}$/), fc.stringMatching(/^[ab]{1,10}$/), (pattern, name) => {
      const meant = new RegExp(`^${pattern.replace(/\*+/g, '.*').replaceAll('?', '.')}$`);
      expect(splitGlob(pattern).matches(name)).toBe(meant.test(name));
    }),
    { seed: 7, numRuns: 5000 },
  );
});

test('no pattern is slow, and too many alternatives are refused', () => {
  const began = performance.now();
  splitGlob(`${'*a'.repeat(100)}b`).matches('a'.repeat(250));
  splitGlob(`${'**/a/'.repeat(50)}b`).matches('a/'.repeat(500));
  expect(performance.now() - began).toBeLessThan(500);
  expect(() => splitGlob('{a,b}'.repeat(30))).toThrow(/too many alternatives/);
});
