/** Prints what the journal costs on this machine. `npm run bench` builds and starts it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreTimes } from './restoring.ts';
import { addedDelays, appendRates, appendsOfBurst } from './timings.ts';

const root = process.argv[2] ?? process.cwd();
const folder = mkdtempSync(join(process.env.HARNESS_CHAT_TEST_BENCH_FOLDER ?? tmpdir(), 'harness-chat-bench-'));
const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const row = (label: string, ...cells: string[]): void =>
  console.log(`${label.padEnd(52)}${cells.map((cell) => cell.padStart(12)).join('')}`);

try {
  const rates = await appendRates(folder);
  row('records a second, each flushed');
  row('  the disk alone (write and fdatasync)', number(rates.disk));
  row('  one record an append', number(rates.single));
  row('  64 records an append', number(rates.burst));
  row('appends for 60 inputs sent at once', number(await appendsOfBurst(folder)));
  const { file, memory } = await addedDelays(folder);
  row('median milliseconds until it is seen', 'file', 'memory', 'added');
  for (const key of ['turnStarted', 'tokenDelta'] as const) {
    row(
      `  ${key === 'turnStarted' ? 'TurnStarted' : 'TokenDelta, while inputs are appended'}`,
      ...[file[key], memory[key], file[key] - memory[key]].map((ms) => number(ms, 3)),
    );
  }
  const shapes = {
    '100,000 records, all of them live': { records: 100_000, answer: 100 },
    '100,000 records, compacted every 100 turns': { records: 100_000, answer: 100, compactEvery: 100 },
    'long answers, a tool result of 1.5 MB, live': { records: 7_000, answer: 16_500, toolResult: 1_500_000 },
    'long answers, a tool result of 1.5 MB, compacted': {
      records: 7_000,
      answer: 16_500,
      toolResult: 1_500_000,
      compactEvery: 100,
    },
  };
  row(
    'restore, beyond the start of an empty session',
    'MB of file',
    'seconds',
    'of the CPU',
    'MB at most',
    'MB of state',
  );
  for (const [name, { megabytes, seconds, live, cpu = Number.NaN, peak = Number.NaN }] of Object.entries(
    await restoreTimes(root, folder, shapes),
  )) {
    row(`  ${name}`, number(megabytes, 1), number(seconds, 2), number(cpu, 2), number(peak), number(live, 1));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
