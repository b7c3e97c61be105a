import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { makeFolder } from './records.ts';

/** Appends until it fails, then once more; prints how far it came. */
const PROGRAM = `
  import { openFileJournal } from './src/edge/journal/file-journal.ts';
  import { soundRecords } from './test/edge/journal/sound-records.ts';
  const journal = await openFileJournal({ path: process.argv[2], create: true });
  const records = soundRecords(400);
  let written = 0;
  try {
    for (; written < 400; written += 4) await journal.append(records.slice(written, written + 4));
  } catch (error) {
    const again = await journal.append(records.slice(written, written + 4)).catch((second) => second);
    console.log(JSON.stringify({ written, message: error.message, again: again?.message }));
  }
  await journal.close();
`;

it('a limit of file size (ulimit -f) ends in a whole file and a word, not in a killed process', async (context) => {
  if (process.platform === 'win32') return context.skip('there are no such limits here');
  const folder = makeFolder();
  const root = join(import.meta.dirname, '../../..');
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  const path = join(folder, 's.jsonl');
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 40; exec "$0" "$1" "$2"', process.execPath, outfile, path],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const said = JSON.parse(stdout) as { written: number; message: string; again: string };
  expect(said).toMatchObject({
    message: 'The conversation could not be saved: the file has reached its size limit.',
    again: said.message,
  });
  expect(said.written).toBeGreaterThan(0);
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    Array.from({ length: said.written }, (_, i) => i + 1),
  );
});
