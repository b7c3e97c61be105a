import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homePaths } from '../../../src/edge/settings/paths.ts';
import { ensureFolder, ensureHome, tighten } from '../../../src/edge/settings/private-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const modeOf = (file: string) => statSync(file).mode & 0o7777;
const pathsIn = (home: string) =>
  homePaths({ env: { HARNESS_CHAT_HOME: home }, platform: 'linux', home: root, cwd: root });

test('a new home is private under umask 000, without a word', () => {
  const before = process.umask(0);
  try {
    const paths = pathsIn(join(root, 'a', 'home'));
    expect(ensureHome(paths)).toEqual([]);
    expect([modeOf(paths.dataFolder), modeOf(join(root, 'a'))]).toEqual([0o700, 0o700]);
  } finally {
    process.umask(before);
  }
});

test('loose old modes are tightened with a word each', () => {
  const paths = pathsIn(join(root, 'home'));
  mkdirSync(paths.sessions, { recursive: true });
  writeFileSync(paths.config, '{}');
  writeFileSync(paths.history, '');
  chmodSync(paths.dataFolder, 0o755);
  chmodSync(paths.sessions, 0o750);
  chmodSync(paths.config, 0o644);
  chmodSync(paths.history, 0o660);
  expect(ensureHome(paths)).toEqual([
    `${paths.dataFolder} was open to others (0755) and is now yours alone`,
    `${paths.sessions} was open to others (0750) and is now yours alone`,
    `${paths.config} was open to others (0644) and is now yours alone`,
    `${paths.history} was open to others (0660) and is now yours alone`,
  ]);
  expect([paths.dataFolder, paths.sessions, paths.config, paths.history].map(modeOf)).toEqual([
    0o700, 0o700, 0o600, 0o600,
  ]);
  expect(ensureHome(paths)).toEqual([]);
});

test('a folder that all share is left as it is, with a word', () => {
  const shared = join(root, 'tmp');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  expect(ensureFolder(shared)).toMatch(/is open to others \(0777\): choose a folder of your own/);
  expect(modeOf(shared)).toBe(0o1777);
});

test('a missing file needs no word; a file in the place of a folder cannot be used', () => {
  expect(tighten(join(root, 'missing'), 0o600)).toBeUndefined();
  writeFileSync(join(root, 'file'), '');
  expect(() => ensureFolder(join(root, 'file'))).toThrow();
});
