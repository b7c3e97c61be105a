import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Line, readLines } from '../../src/cli/line-reader.ts';

async function linesOf(chunks: readonly (string | Buffer)[], limit?: number): Promise<Line[]> {
  const lines: Line[] = [];
  const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  for await (const batch of readLines(input, limit)) lines.push(...batch);
  return lines;
}
const texts = (...lines: string[]) => lines.map((text) => ({ text }));

describe('lines', () => {
  const cases: [what: string, input: string, lines: string[]][] = [
    ['nothing', '', []],
    ['an end alone', '\n', ['']],
    ['a last line without its end', 'a\nb', ['a', 'b']],
    ['CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['a CR within a line, and two before its end', 'a\rb\r\r\n', ['a\rb\r']],
    ['a last CR', 'a\r', ['a']],
    ['separators of other worlds', 'a\u2028b\u2029c\u0085d\u000b\u000ce\n', ['a\u2028b\u2029c\u0085d\u000b\u000ce']],
    ['empty lines', '\n\na\n\n', ['', '', 'a', '']],
    ['a byte order mark, which is the reader’s affair', '\uFEFFa\n', ['\uFEFFa']],
  ];
  for (const [what, input, lines] of cases) {
    test(what, async () => expect(await linesOf([input])).toEqual(texts(...lines)));
  }

  test('are the same however the bytes come', async () => {
    const piece = fc.constantFrom('a', '\n', '\r', '\r\n', 'é', '😀', '\u2028', '"');
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(fc.nat(40)), async (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''));
        const ends = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort((a, b) => a - b);
        const chunks = [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
        expect(await linesOf(chunks)).toEqual(await linesOf([bytes]));
      }),
      { seed: 7 },
    );
  });

  test('that came in one go are given in one go', async () => {
    const batches: number[] = [];
    for await (const batch of readLines(Readable.from([Buffer.from('a\nb\nc'), Buffer.from('d\n')])))
      batches.push(batch.length);
    expect(batches).toEqual([2, 1]);
  });
});

describe('a line that cannot be read', () => {
  test('is no valid UTF-8; the next one is read', async () => {
    const bad = [Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])];
    for (const bytes of bad) {
      expect(await linesOf([Buffer.concat([Buffer.from('a'), bytes, Buffer.from('\nb\n')])])).toEqual([
        { fault: 'the line is no valid UTF-8' },
        { text: 'b' },
      ]);
    }
  });

  test('is longer than the limit, however it comes; one of the limit’s length is read', async () => {
    const MB = 1024 * 1024;
    const long = 'x'.repeat(MB);
    for (const chunks of [[`${long}x\nb\n`], [long, 'x', '\nb\n'], [`${long}x`, 'y\nb']]) {
      expect(await linesOf(chunks, MB)).toEqual([{ fault: 'the line is longer than 1 MB' }, { text: 'b' }]);
    }
    expect(await linesOf([`${long}\n`], MB)).toEqual([{ text: long }]);
    expect(await linesOf([`${long}x`], MB)).toEqual([{ fault: 'the line is longer than 1 MB' }]);
  });
});
