/** Prints what the program costs on this machine. `npm run bench` builds and starts it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreTimes } from './restoring.ts';
import { FULL, type ScreenFigures, screenFigures } from './screen-figures.ts';
import { addedDelays, appendRates, appendsOfBurst } from './timings.ts';

const root = process.argv[2] ?? process.cwd();
const wide = 62;
const number = (value: number, digits = 0): string =>
  Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const row = (label: string, ...cells: string[]): void =>
  console.log(`${label.padEnd(wide)}${cells.map((cell) => cell.padStart(13)).join('')}`);

/** Label, figure, digits behind the point. */
const ROWS: readonly [string, keyof ScreenFigures, number][] = [
  ['start until the prompt, median', 'start', 0],
  ['  going on with a session of 200 turns', 'reopening', 0],
  ['key until it is on the screen, 95 of 100: idle', 'keyIdle', 1],
  ['  while 200 chunks a second stream', 'keyStreaming', 1],
  ['% of a core while 200 chunks a second stream', 'streamingCpuPercent', 1],
  ['  bytes to the terminal for a character of the answer', 'streamingBytes', 1],
  ['20,000 chunks at once: CPU', 'burstCpu', 0],
  ['  bytes for a character', 'burstBytes', 1],
  ['  from the last byte to the last word', 'burstTail', 0],
  ['a turn of 120 chunks: CPU, of the first ten turns', 'turnCpuFirst', 1],
  ['  after 200 turns', 'turnCpuLast', 1],
  ['  bytes for a character, of the first ten turns', 'turnBytesFirst', 1],
  ['  after 200 turns', 'turnBytesLast', 1],
];

async function screen(): Promise<void> {
  const ours = await screenFigures(root, [join(root, 'bin/harness-chat.js')], ['--continue'], FULL);
  const floor = await screenFigures(root, [join(root, 'test/bench/floor.mjs')], undefined, FULL);
  row('on the screen (ms where nothing else is said)', 'harness-chat', 'floor');
  for (const [label, key, digits] of ROWS) row(label, number(ours[key], digits), number(floor[key], digits));
}

async function journal(folder: string): Promise<void> {
  const rates = await appendRates(folder);
  row('journal: records a second, each flushed', 'harness-chat', 'disk alone');
  row('  one record an append', number(rates.single), number(rates.disk));
  row('  64 records an append', number(rates.burst), '-');
  row('appends for 60 inputs sent at once', number(await appendsOfBurst(folder)), '-');
  const { file, memory } = await addedDelays(folder);
  row('ms until it is seen, median', 'file', 'memory');
  row('  TurnStarted', number(file.turnStarted, 3), number(memory.turnStarted, 3));
  row('  TokenDelta, while inputs are appended', number(file.tokenDelta, 3), number(memory.tokenDelta, 3));
  const shapes = {
    '100,000 records, compacted every 100 turns': { records: 100_000, answer: 100, compactEvery: 100 },
    'long answers, a tool result of 1.5 MB': { records: 7_000, answer: 16_500, toolResult: 1_500_000 },
  };
  row('restore, beyond the start of an empty session', 's', 's of CPU', 'MB at most', 'MB of file');
  for (const [name, found] of Object.entries(await restoreTimes(root, folder, shapes, 2))) {
    const { seconds, cpu = Number.NaN, peak = Number.NaN, megabytes } = found;
    row(`  ${name}`, number(seconds, 2), number(cpu, 2), number(peak), number(megabytes));
  }
}

const folder = mkdtempSync(join(process.env.HARNESS_CHAT_TEST_BENCH_FOLDER ?? tmpdir(), 'harness-chat-bench-'));
try {
  console.log(`Node ${process.versions.node}, ${cpus().length} cores, ${process.platform}\n`);
  await screen();
  console.log();
  await journal(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
