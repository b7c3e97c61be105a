import { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { LineWriter } from '../../src/cli/line-writer.ts';

/** A reader that takes nothing until it is let go. */
function slowReader() {
  const taken: string[] = [];
  let go = (): void => undefined;
  let waits = true;
  const out = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write(text: string, _encoding, done) {
      taken.push(text);
      if (waits) go = done;
      else done();
    },
  });
  const release = (): void => {
    waits = false;
    go();
  };
  return { out, taken, release };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('a line writer', () => {
  test('gives what comes in one go in one write, whole lines only', async () => {
    const { out, taken, release } = slowReader();
    release();
    const writer = new LineWriter(out);
    writer.line('a');
    writer.line('b');
    await tick();
    writer.line('c');
    await writer.drained();
    expect(taken.filter(Boolean)).toEqual(['a\nb\n', 'c\n']);
  });

  test('keeps everything for a slow reader and never waits for it', async () => {
    const { out, taken, release } = slowReader();
    const writer = new LineWriter(out);
    const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}`);
    for (const line of lines) {
      writer.line(line);
      if (line.endsWith('7')) await tick();
    }
    const drained = writer.drained();
    release();
    await drained;
    expect(taken.join('')).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  test('says once that its reader was lost; the last line stands behind all that was taken', async () => {
    const { out, taken, release } = slowReader();
    const writer = new LineWriter(out, 100);
    const onLoss = vi.fn(() => writer.last('lost'));
    writer.onLoss = onLoss;
    for (let i = 0; i < 30; i += 1) {
      writer.line('0123456789');
      await tick();
    }
    expect(onLoss).toHaveBeenCalledTimes(1);
    release();
    await writer.drained();
    expect(taken.join('')).toMatch(/^(0123456789\n){8,10}lost\n$/);
  });

  test('counts bytes, not characters', () => {
    const writer = new LineWriter(slowReader().out, 20);
    const onLoss = vi.fn();
    writer.onLoss = onLoss;
    writer.line('é'.repeat(9));
    expect(onLoss).not.toHaveBeenCalled();
    writer.line('');
    writer.line('é');
    expect(onLoss).toHaveBeenCalledTimes(1);
  });

  test('ends with a reader that goes away', async () => {
    const { out } = slowReader();
    const writer = new LineWriter(out);
    writer.line('a');
    await tick();
    const drained = writer.drained();
    out.destroy();
    await drained;
    writer.line('b');
    await writer.drained();
  });
});
