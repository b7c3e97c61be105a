/** What the journal may cost, by ratios and generous bounds: the figures themselves are printed by `npm run bench`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { auditFile } from '../../src/edge/journal/audit.ts';
import { generateJournal } from './generated.ts';
import { restoreTimes } from './restoring.ts';
import { addedDelays, appendRates, appendsOfBurst } from './timings.ts';

const root = resolve(import.meta.dirname, '../..');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'harness-chat-bench-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('records that wait together are flushed together', async () => {
  const { single, burst } = await appendRates(folder(), 40);
  expect(burst / single).toBeGreaterThan(4);
  expect(await appendsOfBurst(folder())).toBeLessThanOrEqual(3);
});

test('a TokenDelta does not wait for the journal', async () => {
  const { file, memory } = await addedDelays(folder(), 25);
  expect(file.tokenDelta - memory.tokenDelta).toBeLessThan(2);
});

test('the generated journals are sound', async () => {
  const home = folder();
  for (const [id, more] of Object.entries({ plain: {}, compacted: { compactEvery: 3 }, tool: { toolResult: 5000 } })) {
    const path = join(home, id);
    const records = generateJournal(path, id, home, { records: 100, answer: 50, ...more });
    expect([id, await auditFile(path)]).toEqual([id, { ok: expect.objectContaining({ records, open: [] }) }]);
  }
});

test('a restore takes time by the file, and memory by what is live', { timeout: 120_000 }, async () => {
  const live = { records: 30_000, answer: 100 };
  const long = { records: 3_500, answer: 16_500, toolResult: 1_500_000 };
  const shapes = {
    live,
    compacted: { ...live, compactEvery: 100 },
    long: { ...long, compactEvery: 100 },
    longer: { ...long, records: 14_000, compactEvery: 100 },
  };
  const found = await restoreTimes(root, folder(), shapes, 1);
  expect(found.live?.seconds).toBeLessThan(6);
  expect(found.live?.live).toBeGreaterThan(4 * (found.compacted?.live ?? Number.NaN));
  expect(found.longer?.megabytes).toBeGreaterThan(60);
  expect(found.longer?.live).toBeLessThan(2);
  // three times the file, and no more memory than a garbage collector's mood
  if (found.longer?.peak !== undefined) expect(found.longer.peak - (found.long?.peak ?? 0)).toBeLessThan(50);
});
