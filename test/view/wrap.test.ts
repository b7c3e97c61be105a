import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeText } from '../../src/view/sanitize.ts';
import { type Line, lineText, lineWidth, type Span } from '../../src/view/style.ts';
import { displayWidth } from '../../src/view/width.ts';
import { cutSpans, wrapSpans, wrapText } from '../../src/view/wrap.ts';

const words = fc.constantFrom(
  'a',
  'word',
  'longer-than-most',
  ' ',
  '  ',
  '\n',
  '北京市是首都。',
  '、',
  '👩‍👩‍👧',
  '🇩🇪',
  '\ufe0f',
  '\u20e3',
  '1',
  'e\u0301',
  '\u0903',
  '\u1100',
  '\u0600',
);
const spansOf = fc.array(
  fc.record({
    text: fc.array(words, { maxLength: 8 }).map((parts) => sanitizeText(parts.join(''))),
    style: fc.constantFrom(undefined, { bold: true }),
  }),
  { maxLength: 6 },
) as fc.Arbitrary<Span[]>;

const solid = (lines: Line[] | string[]) =>
  lines
    .map((line) => (typeof line === 'string' ? line : lineText(line)))
    .join('')
    .replace(/[ \n]/g, '');

describe('wrapText', () => {
  it.each<[string, number, string[]]>([
    ['', 10, ['']],
    ['short', 10, ['short']],
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 8, ['one two', 'three']],
    ['a  b', 10, ['a  b']],
    ['trailing   ', 20, ['trailing']],
    ['one\n\ntwo', 10, ['one', '', 'two']],
    ['  indented text', 10, ['  indented', 'text']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['x abcdefghij y', 4, ['x', 'abcd', 'efgh', 'ij y']],
    ['北京市是首都', 5, ['北京', '市是', '首都']],
    ['go 北京市', 6, ['go 北', '京市']],
    ['北京。市', 4, ['北', '京。', '市']],
    ['北京', 1, ['?', '?']],
    ['👩‍👩‍👧👩‍👩‍👧', 2, ['👩‍👩‍👧', '👩‍👩‍👧']],
    ['          x', 4, ['x']],
  ])('%j at %i', (text, width, expected) => {
    expect(wrapText(text, width)).toEqual(expected);
  });

  it('hangs every line but the first', () => {
    expect(wrapText('- one two three', 8, { indent: 2 })).toEqual(['- one', '  two', '  three']);
    expect(wrapText('a\nb', 8, { indent: 2 })).toEqual(['a', '  b']);
    expect(wrapText('abcdef', 2, { indent: 40 })).toEqual(['ab', ' c', ' d', ' e', ' f']);
  });

  it('treats a width below one as one', () => {
    expect(wrapText('ab', 0)).toEqual(['a', 'b']);
  });
});

describe('wrapSpans', () => {
  it('keeps a word whole over the border of two styles', () => {
    const line = [{ text: 'see foo' }, { text: 'bar', style: { bold: true } }, { text: 'baz end' }];
    expect(wrapSpans(line, 9)).toEqual([
      [{ text: 'see' }],
      [{ text: 'foo' }, { text: 'bar', style: { bold: true } }, { text: 'baz' }],
      [{ text: 'end' }],
    ]);
  });

  it('is never wider than asked for and loses no word', () => {
    fc.assert(
      fc.property(spansOf, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 6 }), (spans, width, indent) => {
        const lines = wrapSpans(spans, width, { indent });
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        const loses = width - Math.min(indent, Math.floor(width / 2)) < 2;
        if (!loses) expect(solid(lines)).toBe(solid([spans]));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('breaks the same whether styled or not', () => {
    fc.assert(
      fc.property(spansOf, fc.integer({ min: 1, max: 20 }), (spans, width) => {
        expect(wrapSpans(spans, width).map(lineText)).toEqual(wrapText(lineText(spans), width));
      }),
      { seed: 9, numRuns: 1000 },
    );
  });
});

describe('cutSpans', () => {
  it('keeps spaces and cuts at the width exactly', () => {
    expect(cutSpans([{ text: '    if (x)  {' }], 8).map(lineText)).toEqual(['    if (', 'x)  {']);
    expect(cutSpans([], 8)).toEqual([[]]);
  });

  it('loses not a character', () => {
    fc.assert(
      fc.property(spansOf, fc.integer({ min: 2, max: 20 }), (spans, width) => {
        const lines = cutSpans(spans, width);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.map(lineText).join('')).toBe(lineText(spans).replaceAll('\n', ''));
      }),
      { seed: 10, numRuns: 2000 },
    );
  });
});

describe('a very long line', () => {
  it.each(['x', 'word and ', '北', '北京。', '👩‍👩‍👧', 'e\u0301', '\u1100', '\u0301', '🇩🇪 '])(
    'of %j ends and fits',
    (unit) => {
      const lines = wrapText(unit.repeat(Math.ceil(60_000 / unit.length)), 80);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    },
  );
});
