import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from '../../../src/edge/mcp/line-splitter.ts';

function split(chunks: readonly Buffer[], limit = 1_000): string[] {
  const seen: string[] = [];
  const splitter = createLineSplitter(limit, {
    line: (text) => seen.push(text),
    overlong: (text) => seen.push(`long: ${text}`),
  });
  for (const chunk of chunks) splitter.push(chunk);
  return seen;
}

test('lines, whatever the cuts, also within a character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, ''))),
      fc.array(fc.nat(200)),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(split(chunks)).toEqual(lines);
      },
    ),
    { seed: 8 },
  );
});

test('a line end of two characters', () => {
  expect(split([Buffer.from('a\r\nb\n\nc')])).toEqual(['a', 'b', '']);
});

test('a line that is too long is told once, its rest dropped, and the next one is whole', () => {
  expect(split([Buffer.from('x'.repeat(8)), Buffer.from('x'.repeat(8)), Buffer.from('xx\nnext\n')], 10)).toEqual([
    'long: xxxxxxxxxx',
    'next',
  ]);
  expect(split([Buffer.from(`${'x'.repeat(20)}\nnext\n`)], 10)).toEqual(['long: xxxxxxxxxx', 'next']);
});
