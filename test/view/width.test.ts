import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { sanitizeLine } from '../../src/view/sanitize.ts';
import { cutAt, displayWidth, padEnd, truncate } from '../../src/view/width.ts';

const awkward = fc.constantFrom(
  ...[
    '北',
    '京',
    'か',
    'ガ',
    'カ\u3099',
    'ｶﾞ',
    '한',
    '\u1112\u1161\u11ab',
    '\u1100',
    '\u1161',
    '\u11a8',
    'é',
    'e\u0301',
    '\u0301',
  ],
  ...[
    '👩‍👩‍👧',
    '👍🏽',
    '🇩🇪',
    '🇩',
    '❤',
    '❤️',
    '\ufe0f',
    '\u200d',
    '1️⃣',
    '1',
    '\u20e3',
    '©',
    '©️',
    '〰️',
    '🏴',
    '✅',
    '—',
    '…',
  ],
  ...[
    'क्षि',
    'நி',
    '\u0903',
    '\u0600',
    'م',
    'א',
    '─',
    '│',
    ' ',
    'a',
    '~',
    '\u00a0',
    'ａ',
    '\u3000',
    '\u{20000}',
    'Ω',
    '\u0488',
  ],
);
const texts = fc
  .array(fc.oneof(awkward, awkward, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 40 })
  .map((parts) => parts.join(''));

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['hello', 5],
    ['北京市', 6],
    ['one ✅', 6],
    ['👩‍👩‍👧', 2],
    ['🇩🇪🇫🇷', 4],
    ['e\u0301', 1],
    ['❤️', 2],
    ['1️⃣', 2],
    ['한국어', 6],
    ['─│…—', 4],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('agrees with string-width on any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(displayWidth(text)).toBe(stringWidth(text, { countAnsiEscapeCodes: true }));
      }),
      { seed: 4, numRuns: 5000 },
    );
  });

  it('agrees on texts longer than what is segmented at once', () => {
    fc.assert(
      fc.property(fc.array(awkward, { minLength: 400, maxLength: 800 }), (parts) => {
        expect(displayWidth(parts.join(''))).toBe(stringWidth(parts.join('')));
      }),
      { seed: 5, numRuns: 60 },
    );
    for (const unit of ['👩‍👩‍👧', '🇩🇪', '👍🏽', 'e\u0301', '1️⃣']) {
      expect(displayWidth(unit.repeat(1000))).toBe(stringWidth(unit) * 1000);
    }
  });

  it('ends on a single endless grapheme', () => {
    expect(displayWidth(`a${'\u0301'.repeat(20_000)}`)).toBe(1);
  });
});

describe('truncate', () => {
  it.each([
    ['hello', 5, 'hello'],
    ['hello!', 5, 'hell…'],
    ['北京市', 5, '北京…'],
    ['北京市', 4, '北…'],
    ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['hello', 1, '…'],
    ['hello', 0, ''],
    ['hello', -3, ''],
  ])('%j in %i columns is %j', (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected);
  });

  it('takes another ellipsis, even one wider than the room', () => {
    expect(truncate('hello world', 8, '...')).toBe('hello...');
    expect(truncate('hello world', 2, '...')).toBe('..');
  });

  it('fits, keeps what fits and never cuts a grapheme', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 30 }), (text, width) => {
        const safe = sanitizeLine(text);
        const short = truncate(safe, width);
        expect(displayWidth(short)).toBeLessThanOrEqual(width);
        if (displayWidth(safe) <= width) expect(width === 0 ? '' : short).toBe(width === 0 ? '' : safe);
        else if (width > 0) expect(safe.startsWith(short.slice(0, -1))).toBe(true);
      }),
      { seed: 6, numRuns: 2000 },
    );
  });
});

describe('padEnd', () => {
  it('fills up by columns, not by characters', () => {
    expect(padEnd('北', 4)).toBe('北  ');
    expect(padEnd('long', 2)).toBe('long');
  });
});

describe('cutAt', () => {
  it('advances whatever the width, and stops at the width', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 12 }), (text, width) => {
        let from = 0;
        while (from < text.length) {
          const cut = cutAt(text, from, width);
          expect(cut.end).toBeGreaterThan(from);
          expect(displayWidth(text.slice(from, cut.end))).toBeLessThanOrEqual(width);
          from = cut.end;
        }
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
