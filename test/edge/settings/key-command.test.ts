import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createKeyCommands, type KeyCommandOptions } from '../../../src/edge/settings/key-command.ts';

function commands(over: Partial<KeyCommandOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: string[] = [];
  const options = { env: process.env, secretVariables: [], onKey: (key: string) => void told.push(key), ...over };
  return { folder, told, ...createKeyCommands(options) };
}
const NAME = 'providers.x.apiKeyCommand';

test('runs once, when a key is wanted, and tells of the key before anybody has it', async () => {
  const { folder, told, keyOf } = commands();
  const command = `echo run >> ${folder}/runs; echo sk-printed`;
  expect(existsSync(join(folder, 'runs'))).toBe(false);
  expect(await Promise.all([keyOf(command, NAME), keyOf(command, NAME)])).toEqual(['sk-printed', 'sk-printed']);
  expect(await keyOf(command, NAME)).toBe('sk-printed');
  expect([told, readFileSync(join(folder, 'runs'), 'utf8')]).toEqual([['sk-printed'], 'run\n']);
});

test('runs again once its key was refused', async () => {
  const { folder, keyOf, forget } = commands();
  const command = `echo x >> ${folder}/runs; wc -l < ${folder}/runs`;
  expect((await keyOf(command, NAME)).trim()).toBe('1');
  forget(command);
  expect((await keyOf(command, NAME)).trim()).toBe('2');
});

test('takes the first line, does not wait for what it leaves running, and gets no keys of others', async () => {
  const { keyOf } = commands({
    env: { PATH: process.env.PATH, OTHER_KEY: 'sk-other', MINE: 'm' },
    secretVariables: ['OTHER_KEY'],
  });
  expect(await keyOf('printf "  sk-1 \\r\\nlogin: me\\n"; sleep 30 &', NAME)).toBe('sk-1');
  expect(await keyOf('echo "[$OTHER_KEY$MINE]"', NAME)).toBe('[m]');
  expect(await keyOf('cat; echo sk-2', NAME)).toBe('sk-2');
});

test.each([
  ['exit 3', /failed \(exit 3\)/],
  ['echo sk-secret-0001; exit 1', /failed \(exit 1\)/],
  ['echo sk-secret-0001 >&2; exit 1', /failed \(exit 1\)/],
  ['kill -9 $$', /failed \(killed\)/],
  ['true', /printed nothing/],
  ['echo "no key sk-secret-0001"', /printed no key; allowed/],
  ['no-such-program-anywhere', /failed \(exit 127\)/],
  ['sleep 60 & sleep 60', /did not end within 0\.2 s/],
])('%s: one line without what was said', async (command, line) => {
  const { keyOf } = commands({ timeoutMs: 200 });
  const error = await keyOf(command, NAME).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ kind: 'provider_auth', message: expect.stringMatching(line) });
  expect((error as Error).message).toContain(NAME);
  expect((error as Error).message).not.toMatch(/secret|\n/);
});

test('a failure is not kept', async () => {
  const { folder, keyOf } = commands();
  const command = `cat ${folder}/key`;
  await expect(keyOf(command, NAME)).rejects.toMatchObject({ kind: 'provider_auth' });
  writeFileSync(join(folder, 'key'), 'sk-now');
  expect(await keyOf(command, NAME)).toBe('sk-now');
});
