import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openComposerHistory } from '../../src/cli/chat-history.ts';
import { themeFor } from '../../src/cli/chat-theme.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harness-chat-test-'));
  path = join(folder, 'history.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what is added is there the next time, in order; the same text twice in a row is kept once', () => {
  const history = openComposerHistory(path);
  expect(history.texts).toEqual([]);
  for (const text of ['one', 'two\nlines', 'two\nlines', '  ', 'three']) history.add(text);
  expect(openComposerHistory(path).texts).toEqual(['one', 'two\nlines', 'three']);
});

test('the file is private, whatever it was before', () => {
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  openComposerHistory(path).add('one');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('damaged lines are passed over, and of a huge file only the end is read', () => {
  writeFileSync(path, `${'x'.repeat(400_000)}\n{"text":1}\n\0\0\n{"text":"last"}\n{"te`);
  expect(openComposerHistory(path).texts).toEqual(['last']);
});

test('a history that can be neither read nor written stops nothing', () => {
  const history = openComposerHistory(folder);
  history.add('one');
  expect(history.texts).toEqual([]);
  expect(() => readFileSync(folder)).toThrow();
});

test.each([
  ['rgb:0000/0000/0000', 'dark'],
  ['rgb:ffff/ffff/ffff', 'light'],
  ['rgb:fd/f6/e3', 'light'],
  ['rgb:1e1e/1e1e/2e2e', 'dark'],
  ['blue', undefined],
])('a background of %s', (color, theme) => {
  expect(themeFor(color)).toBe(theme);
});
