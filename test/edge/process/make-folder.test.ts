import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../src/edge/process/make-folder.ts';

function place(): string {
  const top = mkdtempSync(join(tmpdir(), 'make-folder-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return top;
}

test('makes every folder on the way with its mode, and does nothing the second time', async () => {
  const top = place();
  for (const _ of [1, 2]) await makeFolder(join(top, 'a', 'b', 'c'), 0o700);
  expect(['a', 'a/b', 'a/b/c'].map((path) => statSync(join(top, path)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
});

test('two at once are no fault', async () => {
  const top = place();
  await Promise.all([makeFolder(join(top, 'a', 'b')), makeFolder(join(top, 'a', 'b'))]);
  expect(statSync(join(top, 'a', 'b')).isDirectory()).toBe(true);
});

test.each(['/proc/none/a', 'file/a'])('comes back from where there can be none: %s', async (path) => {
  const top = place();
  writeFileSync(join(top, 'file'), '');
  await expect(makeFolder(path.startsWith('/') ? path : join(top, path))).rejects.toThrow(/ENOENT|ENOTDIR/);
});
