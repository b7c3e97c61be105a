import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openComposerHistory } from '../../src/cli/chat-history.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harness-chat-test-'));
  path = join(folder, 'history.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what is added is there the next time in that folder, in order; the same text twice in a row is kept once', async () => {
  const history = await openComposerHistory(path, '/work');
  expect(history.texts).toEqual([]);
  for (const text of ['one', 'two\nlines', 'two\nlines', '  ', 'three']) history.add(text);
  await history.settled();
  expect((await openComposerHistory(path, '/work')).texts).toEqual(['one', 'two\nlines', 'three']);
  expect((await openComposerHistory(path, '/else')).texts).toEqual([]);
});

test('windows share the file: none loses a line of another', async () => {
  const windows = await Promise.all(Array.from({ length: 4 }, () => openComposerHistory(path, '/work')));
  const added = windows.flatMap((window, w) =>
    Array.from({ length: 20 }, (_, i) => {
      window.add(`${w}.${i}`);
      return `${w}.${i}`;
    }),
  );
  await Promise.all(windows.map((window) => window.settled()));
  expect([...(await openComposerHistory(path, '/work')).texts].sort()).toEqual(added.sort());
});

test('a history that can be neither read nor written stops nothing', async () => {
  const history = await openComposerHistory(folder, '/work');
  history.add('one');
  await history.settled();
  expect(history.texts).toEqual([]);
  expect(() => readFileSync(folder)).toThrow();
});
