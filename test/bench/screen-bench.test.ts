/** The benchmark of the screen in miniature: every figure is there, and none grows with what was said before. */
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unavailable } from '../terminal/terminal.ts';
import { screenFigures } from './screen-figures.ts';

const root = resolve(import.meta.dirname, '../..');
const SMALL = { starts: 1, keys: 6, chunks: 1000, turns: 20 };

test.skipIf(unavailable())('the chat and the floor beside it', { timeout: 60_000 }, async () => {
  const ours = await screenFigures(root, [join(root, 'bin/harness-chat.js')], ['--continue'], SMALL);
  const floor = await screenFigures(root, [join(root, 'test/bench/floor.mjs')], undefined, SMALL);
  const { reopening, ...rest } = floor;
  expect(reopening).toBeNaN();
  for (const [name, value] of [...Object.entries(ours), ...Object.entries(rest)]) {
    if (/Cpu/.test(name) && process.platform !== 'linux') continue;
    expect([name, Number.isFinite(value) && value >= 0]).toEqual([name, true]);
  }
  // the floor writes the text and little else
  expect(floor.burstBytes).toBeLessThan(1.2);
  expect(ours.burstBytes).toBeLessThan(6);
  expect(ours.streamingBytes).toBeLessThan(40);
  expect(ours.turnBytesLast).toBeLessThan(1.3 * ours.turnBytesFirst);
});
