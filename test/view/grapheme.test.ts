import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { borderFrom, characterWidth, nextBorder, previousBorder, simpleWidth } from '../../src/view/grapheme.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function bordersOf(text: string): number[] {
  return [...[...segmenter.segment(text)].map((part) => part.index), text.length];
}

const scraps = fc.constantFrom(
  ...['a', ' ', 'é', 'e\u0301', '\u0301', '\u200d', '👩', '👩‍👩‍👧', '🏽', '🇩', '🇪', '한', '\u1112', '\u1161', '\u11ab'],
  ...['漢', 'か', '\u3099', '©', '\ufe0f', '\u0600', 'क', '\u094d', 'ष', '\t', 'ก', 'ำ', '\u{110bd}', '①', '‼', '　'],
);
const texts = fc.array(scraps, { maxLength: 40 }).map((parts) => parts.join(''));

describe('borders of characters', () => {
  it('are those of the whole text, found without it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const borders = bordersOf(text);
        for (const [index, border] of borders.entries()) {
          expect(nextBorder(text, border)).toBe(borders[index + 1] ?? text.length);
          expect(previousBorder(text, border)).toBe(borders[index - 1] ?? 0);
        }
        for (let at = 0; at <= text.length; at += 1) {
          expect(borderFrom(text, at)).toBe(borders.find((border) => border >= at));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keep a unit whole, whatever stands beside it', () => {
    const unit = '\ufdd0\ufde1';
    for (const [before, after] of [
      ['', ''],
      ['a', 'b'],
      ['👩\u200d', '\u0301x'],
      ['\u0600', '👩'],
      [unit, unit],
    ] as const) {
      const text = before + unit + after;
      expect(nextBorder(text, before.length)).toBe(before.length + 2);
      expect(previousBorder(text, before.length + 2)).toBe(before.length);
      expect(borderFrom(text, before.length + 1)).toBe(before.length + 2);
      if (before !== '') expect(nextBorder(text, previousBorder(text, before.length))).toBe(before.length);
    }
  });

  it('take no time on a long line', () => {
    for (const text of ['x', '漢', 'é', '👩‍👧', 'क्षि '].map((part) => part.repeat(200_000))) {
      const started = performance.now();
      for (let count = 0; count < 200; count += 1) {
        const at = previousBorder(text, text.length);
        expect(nextBorder(text, at)).toBe(text.length);
        borderFrom(text, text.length >> 1);
      }
      expect(performance.now() - started).toBeLessThan(500);
    }
  });
});

describe('widths of characters', () => {
  it('are those that the drawing takes', () => {
    for (let code = 0; code < 0x10000; code += 1) {
      const width = simpleWidth(code);
      if (width > 0 && stringWidth(String.fromCharCode(code)) !== width) expect.fail(`U+${code.toString(16)}`);
    }
    expect(['a', '漢', '👩‍👩‍👧', '\u0301', '🇩🇪', 'e\u0301'].map(characterWidth)).toEqual([1, 2, 2, 0, 2, 1]);
  });

  it('simple characters are simple beside each other', () => {
    const simple = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => simpleWidth(code) > 0);
    for (let at = 0; at < simple.length; at += 500) {
      const text = String.fromCharCode(...simple.slice(at, at + 500));
      expect(bordersOf(text)).toHaveLength(text.length + 1);
    }
  });
});
