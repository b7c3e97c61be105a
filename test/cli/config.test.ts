import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runConfig } from '../../src/cli/config.ts';
import { type FakeHost, fakeHost, runWith } from './fake-host.ts';

const config = (fake: FakeHost, ...args: string[]) => runWith(fake, ['config', ...args], { config: runConfig });
const stored = (fake: FakeHost) => JSON.parse(readFileSync(fake.config, 'utf8'));
const KEY = 'sk-TEST-0123456789abcdef';

test('set, get, unset', async () => {
  const fake = fakeHost({ env: { OPENAI_MODEL: 'from-env' } });
  expect(await config(fake, 'set', 'model', 'mine')).toMatchObject({ code: 0, stdout: '' });
  expect(await config(fake, 'set', 'maxSteps', '30')).toMatchObject({ code: 0 });
  expect(await config(fake, 'set', 'ascii', 'yes')).toMatchObject({ code: 0 });
  expect(await config(fake, 'set', 'providers.my.corp.baseUrl', 'http://h/v1')).toMatchObject({ code: 0 });
  expect(stored(fake)).toEqual({
    model: 'mine',
    maxSteps: 30,
    ascii: true,
    providers: { 'my.corp': { baseUrl: 'http://h/v1' } },
  });
  expect(await config(fake, 'get', 'model')).toMatchObject({ code: 0, stdout: 'mine\n' });
  expect(await config(fake, 'get', 'maxSteps')).toMatchObject({ code: 0, stdout: '30\n' });
  expect(await config(fake, 'get', 'inboxLimit')).toMatchObject({ code: 0, stdout: '64\n' });
  expect(await config(fake, 'get', 'providers.my.corp.baseUrl')).toMatchObject({ stdout: 'http://h/v1\n' });
  expect(await config(fake, '--json', 'get', 'model')).toMatchObject({ stdout: '"mine"\n' });
  expect(await config(fake, 'unset', 'providers.my.corp.baseUrl')).toMatchObject({ code: 0 });
  expect(await config(fake, 'unset', 'model')).toMatchObject({ code: 0 });
  expect(await config(fake, 'unset', 'model')).toMatchObject({ code: 0, stderr: 'harness-chat: model was not set\n' });
  expect(stored(fake)).toEqual({ maxSteps: 30, ascii: true });
  expect(await config(fake, 'get', 'model')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'harness-chat: model is not set\n',
  });
  expect(statSync(fake.config).mode & 0o777).toBe(0o600);
});

test.each<[string[], RegExp]>([
  [['set', 'maxSteps', 'many'], /maxSteps is "many"; allowed: a whole number/],
  [['set', 'maxSteps', '0'], /maxSteps is "0"/],
  [['set', 'approval', 'maybe'], /approval is "maybe"; allowed: ask, auto or deny/],
  [['set', 'baseUrl', 'http//u:p4ss@h'], /baseUrl is .*allowed: an http/],
  [['set', 'model', ''], /model is ""/],
  [['set', 'providers.a.baseUrl', 'ftp://x'], /providers\.a\.baseUrl is "ftp:\/\/x"/],
  [['set', 'providers.a.apiKey', 'ge heim'], /providers\.a\.apiKey is not usable/],
  [['set', 'providers', '[]'], /providers is .*as JSON/],
  [['set', 'providers', 'text'], /providers is not usable \(not shown\); .*as JSON/],
  [['set', 'providers.a', 'text'], /providers/],
  [['set', 'providers.a', '{"baseUrl":"x"}'], /providers\.a\.baseUrl.*"x"/],
  [['set', 'rules./w', '"ls"'], /rules/],
  [['set', 'keys.send', '5'], /keys/],
  [['set', 'nope', 'x'], /there is no key 'nope'.*maxSteps/],
  [['set', '__proto__.x', 'x'], /there is no key/],
  [['set', 'providers.a.baseURL', 'http://h'], /there is no key/],
  [['get', 'nope'], /there is no key/],
  [['unset', 'nope'], /there is no key/],
])('%j is one line, exit 2, and nothing is written', async (args, line) => {
  const fake = fakeHost();
  const { code, stdout, stderr } = await config(fake, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(line);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toMatch(/ge heim|p4ss/);
  expect(existsSync(fake.config)).toBe(false);
});

test('what is wrong elsewhere in the file does not stand in the way of repairing it', async () => {
  const fake = fakeHost();
  mkdirSync(fake.home, { mode: 0o700 });
  writeFileSync(fake.config, '{"maxSteps":"many","providers":{"a":{"baseUrl":"x"}}}', { mode: 0o600 });
  expect(await config(fake, 'list')).toMatchObject({ code: 0, stderr: expect.stringMatching(/maxSteps.*"many"/) });
  expect(await config(fake, 'set', 'maxSteps', '5')).toMatchObject({ code: 0 });
  expect(await config(fake, 'unset', 'providers.a.baseUrl')).toMatchObject({ code: 0 });
  expect(stored(fake)).toEqual({ maxSteps: 5 });
});

test('list says what holds and why, and shows no key', async () => {
  const fake = fakeHost({ env: { OPENAI_API_KEY: KEY, HARNESS_CHAT_MAX_STEPS: '7' } });
  await config(
    fake,
    'set',
    'providers.local',
    JSON.stringify({ baseUrl: 'http://u:p4ss@h/v1', apiKey: KEY, headers: { 'X-K': KEY } }),
  );
  await config(fake, 'set', 'hooks', '[{"on":"Turn","run":"x"}]');
  const { stdout } = await config(fake, 'list');
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'maxSteps = 7  (HARNESS_CHAT_MAX_STEPS in the environment)',
      'inboxLimit = 64  (default)',
      'apiKey = sk-…cdef  (OPENAI_API_KEY in the environment)',
      `providers.local.baseUrl = http://***@h/v1  (${fake.config})`,
      `providers.local.headers = {"X-K":"sk-…cdef"}  (${fake.config})`,
      `hooks = [{"on":"Turn","run":"x"}]  (${fake.config})`,
    ]),
  );
  const lines = (await config(fake, '--json', 'list')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual({ key: 'maxSteps', value: 7, origin: 'HARNESS_CHAT_MAX_STEPS in the environment' });
  const got = await config(fake, 'get', 'providers');
  expect(got.stdout).toBe('{"local":{"baseUrl":"http://***@h/v1","apiKey":"sk-…cdef","headers":{"X-K":"sk-…cdef"}}}\n');
  for (const text of [stdout, JSON.stringify(lines)]) expect(text).not.toMatch(/TEST-0123|p4ss/);
});

test('a key can come by standard input, so that it stands in no history; it is not repeated', async () => {
  const fake = fakeHost({ input: `${KEY}\n` });
  const { stdout, stderr } = await config(fake, 'set', 'providers.openai.apiKey', '-');
  expect(stored(fake)).toEqual({ providers: { openai: { apiKey: KEY } } });
  expect(stdout + stderr).not.toContain(KEY);
});

test('path', async () => {
  const fake = fakeHost();
  expect(await config(fake, 'path')).toMatchObject({ code: 0, stdout: `${fake.config}\n`, stderr: '' });
  expect(existsSync(fake.home)).toBe(false);
});

test('a broken file is set aside with a word and then written', async () => {
  const fake = fakeHost();
  mkdirSync(fake.home, { mode: 0o700 });
  writeFileSync(fake.config, 'broken');
  const { code, stderr } = await config(fake, 'set', 'model', 'm');
  expect([code, stored(fake)]).toEqual([0, { model: 'm' }]);
  expect(stderr).toMatch(/config\.json is not used.*is kept as/);
  expect(readdirSync(fake.home)).toHaveLength(2);
});
