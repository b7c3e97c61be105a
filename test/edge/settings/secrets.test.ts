import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hideUserInfo, oneLine, quoteValue } from '../../../src/edge/settings/one-line.ts';
import { maskKey, maskSecrets, splitUserInfo } from '../../../src/edge/settings/secrets.ts';

test.each([
  ['sk-TEST-0123456789abcdef', 'sk-…cdef'],
  ['hunter2-example-0001', '…0001'],
  ['gsk-0123456789abcdef', 'gsk-…cdef'],
  ['0123456789abcdef', '…cdef'],
  ['short-key', '…'],
  ['x', '…'],
])('%s is shown as %s', (secret, shown) => {
  expect(maskKey(secret)).toBe(shown);
});

describe('masking in a text', () => {
  const key = 'sk-TEST-0123456789abcdef';

  test('every occurrence', () => {
    expect(maskSecrets(`Bearer ${key}, again ${key}.`, [key])).toBe('Bearer sk-…cdef, again sk-…cdef.');
  });

  test('the longest first, since one may begin with another', () => {
    expect(maskSecrets(`a ${key}-more`, [key, `${key}-more`])).toBe('a sk-…more');
  });

  test('what is too short to be a secret leaves ordinary text alone', () => {
    expect(maskSecrets('an example text', ['x', '', 'ex'])).toBe('an example text');
  });

  test('no secret is left, wherever it stands', () => {
    const secret = fc.string({ minLength: 16, maxLength: 40, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.array(fc.string(), { maxLength: 4 }),
        (secrets, rest) => {
          const text = secrets.map((each, at) => `${rest[at] ?? ''}${each}`).join('');
          const masked = maskSecrets(text, secrets);
          for (const each of secrets) expect(masked.split('…').some((piece) => piece.includes(each))).toBe(false);
        },
      ),
      { seed: 20261130 },
    );
  });
});

test('credentials of a URL', () => {
  expect(splitUserInfo('http://h/v1')).toEqual({ baseUrl: 'http://h/v1', secrets: [] });
  expect(splitUserInfo('http://u:p%40ss@h:1/v1')).toEqual({
    baseUrl: 'http://h:1/v1',
    authorization: `Basic ${btoa('u:p@ss')}`,
    secrets: [btoa('u:p@ss'), 'p@ss', 'p%40ss'],
  });
  expect(splitUserInfo('http://u:%zz@h/').secrets).toContain('%zz');
});

test('what stands in one line of ours', () => {
  expect(oneLine(' a\r\n\tb  c ')).toBe('a b c');
  expect(oneLine('\u001b]0;x\u0007\u202e\u009b')).toBe('\\u{1b}]0;x\\u{7}\\u{202e}\\u{9b}');
  expect(oneLine('abcdef', 4)).toBe('abc…');
  expect(oneLine('ab🙂cd', 4)).toBe('ab…');
  expect(hideUserInfo('to http://u:p4ss@h/v1 and //k@h')).toBe('to http://***@h/v1 and //***@h');
  expect(quoteValue('http://u:p4ss@h')).toBe('"http://***@h"');
  expect(quoteValue('a"b\n')).toBe('"a\\"b\\n"');
  expect([quoteValue(undefined), quoteValue(null), quoteValue([1])]).toEqual(['undefined', 'null', '[1]']);
});
