import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteText, wholeEnd, wholeStart } from '../../../src/edge/process/byte-text.ts';
import { createOutputCollector } from '../../../src/edge/process/output-collector.ts';
import { outputText } from '../../../src/edge/process/output-text.ts';

test('head, tail and what is between, whatever comes in which pieces', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collector-'));
  let count = 0;
  const sizes = fc.array(fc.nat(60), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(40), fc.integer({ min: 1, max: 40 }), async (pieces, headBytes, tailBytes) => {
      const file = join(folder, `${++count}`);
      const collector = createOutputCollector({ headBytes, tailBytes, file, maxFileBytes: 200 });
      const all = Buffer.from(Array.from({ length: pieces.reduce((a, b) => a + b, 0) }, (_, i) => i % 251));
      let from = 0;
      for (const size of pieces) {
        await collector.push(all.subarray(from, from + size));
        from += size;
      }
      await collector.close();
      const { head, tail, droppedBytes, totalBytes, file: kept } = collector.captured();
      expect(totalBytes).toBe(all.length);
      expect(head).toEqual(all.subarray(0, headBytes));
      expect(tail).toEqual(all.subarray(Math.max(head.length, all.length - tailBytes)));
      expect(head.length + tail.length + droppedBytes).toBe(all.length);
      expect(kept !== undefined).toBe(droppedBytes > 0);
      if (kept) expect(readFileSync(kept.path)).toEqual(all.subarray(0, 200));
    }),
    { seed: 5, numRuns: 150 },
  );
  rmSync(folder, { recursive: true });
});
test('after its close nothing is taken', async () => {
  const collector = createOutputCollector();
  void collector.push(Buffer.from('a'));
  await collector.close();
  void collector.push(Buffer.from('b'));
  expect(outputText(collector.captured())).toBe('a');
});
test('a cut anywhere in a text leaves whole characters', () => {
  const bytes = Buffer.from('aé€🙂z');
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(wholeEnd(bytes.subarray(0, cut)).toString()).not.toContain('\uFFFD');
    expect(wholeStart(bytes.subarray(cut)).toString()).not.toContain('\uFFFD');
    expect(cut - wholeEnd(bytes.subarray(0, cut)).length).toBeLessThan(4);
  }
});
test.each([
  ['plain', false, 0],
  ['with a real \uFFFD in it', false, 0],
  ['', false, 0],
])('text %j', (text, binary, broken) => {
  expect(byteText(Buffer.from(text))).toEqual({ text, binary, broken });
});
test.each([
  [[0x61, 0], true, 0],
  [[0xff, 0xfe], true, 2],
  [[...Buffer.from('twenty letters of text'), 0xe9], false, 1],
])('bytes %j', (bytes, binary, broken) => {
  expect(byteText(Buffer.from(bytes))).toMatchObject({ binary, broken });
});
