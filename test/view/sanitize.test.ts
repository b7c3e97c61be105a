import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeLine, sanitizeText } from '../../src/view/sanitize.ts';

const HARMFUL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udfff]/u;

/** Strings rich in what terminals act on. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b[2J',
        '\x1b]52;c;ZXZpbA==\x07',
        '\x9b31m',
        '\x90q\x9c',
        '\u202e',
        '\u2066',
        '\ud83d',
        '\ude42',
      ),
      fc.constantFrom('\r', '\n', '\r\n', '\t', '\0', '\x7f', '\ufe0f', '\u200d', '🏴', '\u{e0067}', '北', 'a', ' '),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('sanitizeText', () => {
  it.each([
    ['plain text\nstays', 'plain text\nstays'],
    ['\x1b]52;c;ZXZpbA==\x07', '␛]52;c;ZXZpbA==␇'],
    ['\x1b]0;x\x07\x1b[2J\x1b[10A\x1b[6n', '␛]0;x␇␛[2J␛[10A␛[6n'],
    ['\x1b]8;;http://e.example\x1b\\L\x1b]8;;\x1b\\', '␛]8;;http://e.example␛\\L␛]8;;␛\\'],
    ['\x1bc\x9b31m\x90q\x9c\x1b]', '␛c<U+009B>31m<U+0090>q<U+009C>␛]'],
    ['\x7f\0', '␡␀'],
    ['a\u202eb\u2066c\u200fd', 'a<U+202E>b<U+2066>c<U+200F>d'],
    ['a\u2028b\u2029c\x85d', 'a<U+2028>b<U+2029>c<U+0085>d'],
    ['pass\u200bword\ufeff', 'pass<U+200B>word<U+FEFF>'],
    ['\ud83d!\ude42', '<U+D83D>!<U+DE42>'],
    ['one\r\ntwo\rthree\r', 'one\ntwo\nthree\n'],
    ['a\tb\tc', 'a   b   c'],
    ['abcd\te\n\tf', 'abcd    e\n    f'],
    ['北\tx', '北  x'],
    ['\u{1f3f4}\u{e0074}\u{e0061}', '\u{1f3f4}<U+E0074><U+E0061>'],
    ['x\ufe0f\ufe0f', 'x\ufe0f<U+FE0F>'],
    ['\ufe0fx', '<U+FE0F>x'],
  ])('shows %j as %j', (input, expected) => {
    expect(sanitizeText(input)).toBe(expected);
  });

  it.each([
    '👩‍👩‍👧',
    '❤️',
    '🇩🇪',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'é',
    'ẹ́',
    '1️⃣',
    'می‌خواهم',
    '北京市',
    '葛\u{e0100}',
  ])('leaves %s alone', (text) => {
    expect(sanitizeText(text)).toBe(text);
    expect(sanitizeLine(text)).toBe(text);
  });

  it('has signs of ASCII only for terminals without the others', () => {
    expect(sanitizeText('\x1b[31m\x9b\x7f\u202e', { ascii: true })).toBe('\\x1b[31m\\x9b\\x7f<U+202E>');
    expect(sanitizeLine('a\r\nb', { ascii: true })).toBe('a\\r\\nb');
  });

  it('leaves nothing harmful in any text and changes nothing the second time', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, ascii) => {
        const safe = sanitizeText(text, { ascii });
        expect(safe).not.toMatch(HARMFUL);
        expect(safe).not.toContain('\t');
        expect(sanitizeText(safe, { ascii })).toBe(safe);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  it('keeps every printable ASCII character in its order', () => {
    const visible = (text: string) => text.replace(/<U\+[0-9A-F]+>/g, '').replace(/[^!-~]/g, '');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visible(sanitizeText(text))).toBe(visible(text));
      }),
      { seed: 2, numRuns: 1000 },
    );
  });
});

describe('sanitizeLine', () => {
  it.each([
    ['two\nlines', 'two␊lines'],
    ['a\r\nb\rc', 'a␍␊b␍c'],
    ['192M\t.dir/x', '192M    .dir/x'],
    ['rm -rf x \x1b[8m', 'rm -rf x ␛[8m'],
  ])('shows %j as %j', (input, expected) => {
    expect(sanitizeLine(input)).toBe(expected);
  });

  it('is one line, whatever came', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitizeLine(text)).not.toMatch(/[\n\t\x1b]/);
        expect(sanitizeLine(text)).not.toMatch(HARMFUL);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });
});
