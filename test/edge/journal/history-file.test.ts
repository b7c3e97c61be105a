import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { appendHistory, loadHistory } from '../../../src/edge/journal/history-file.ts';
import { makeFolder } from './records.ts';

const historyPath = () => join(makeFolder(), 'home', 'history.jsonl');

it('gives back what was sent in a folder, the newest last, once where it was sent again at once', async () => {
  const path = historyPath();
  expect(await loadHistory(path, '/a')).toEqual([]);
  for (const [text, cwd] of [
    ['one', '/a'],
    ['two', '/b'],
    ['one', '/a'],
    ['three\nlines\u2028\ud800', '/a'],
    ['one', '/a'],
  ] as const) {
    await appendHistory(path, { text, cwd });
  }
  expect(await loadHistory(path, '/a')).toEqual(['one', 'three\nlines\u2028\ud800', 'one']);
  expect(await loadHistory(path, '/b')).toEqual(['two']);
  expect(await loadHistory(path, '/a', 1)).toEqual(['one']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('leaves a torn or foreign line behind and loses nothing else', async () => {
  const path = historyPath();
  await appendHistory(path, { text: 'one', cwd: '/a' });
  appendFileSync(path, 'null\n7\n\0\0\n{"text":7,"cwd":"/a"}\n{"text":"to');
  await appendHistory(path, { text: 'two', cwd: '/a' });
  expect(await loadHistory(path, '/a')).toEqual(['one', 'two']);
});

it('reads only the end of a long file', async () => {
  const path = join(makeFolder(), 'history.jsonl');
  writeFileSync(
    path,
    `${JSON.stringify({ text: 'x'.repeat(5e6), cwd: '/a' })}\n${JSON.stringify({ text: 'last', cwd: '/a' })}\n`,
  );
  expect(await loadHistory(path, '/a')).toEqual(['last']);
});

it('is shared by windows without losing a line', async () => {
  const path = historyPath();
  const folder = makeFolder();
  await build({
    stdin: {
      contents: `import { appendHistory } from ${JSON.stringify(join(import.meta.dirname, '../../../src/edge/journal/history-file.ts'))};
        const [, , path, name] = process.argv;
        for (let i = 0; i < 60; i++) await appendHistory(path, { text: name + i + 'x'.repeat(9000), cwd: '/a' });`,
      resolveDir: folder,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'writer.mjs'),
    logLevel: 'silent',
  });
  const windows = ['a', 'b', 'c'].map(
    (name) =>
      new Promise((resolve) => spawn(process.execPath, [join(folder, 'writer.mjs'), path, name]).once('exit', resolve)),
  );
  expect(await Promise.all(windows)).toEqual([0, 0, 0]);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { text: string }).text.replace(/x+$/, ''));
  for (const name of ['a', 'b', 'c'])
    expect(lines.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: 60 }, (_, i) => `${name}${i}`));
});
