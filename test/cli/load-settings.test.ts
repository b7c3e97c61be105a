import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Invocation } from '../../src/cli/invocation.ts';
import { type LoadedSettings, loadSettings } from '../../src/cli/load-settings.ts';
import { replies, startFixtureServer } from '../edge/models/fixture-server.ts';
import { fakeHost, runWith } from './fake-host.ts';

/** What `stdio` or the chat would get. */
async function load(fake: ReturnType<typeof fakeHost>, args: string[] = [], purpose: 'chat' | 'script' = 'script') {
  let loaded: LoadedSettings | undefined;
  const start = async (invocation: Invocation) => {
    loaded = await loadSettings(invocation, purpose);
    return 0;
  };
  const { code, stderr } = await runWith(fake, ['stdio', ...args], { stdio: start });
  return { code, stderr, loaded };
}

test('a script with nothing configured is refused in one line; the chat gets the demo; -p demo suits both', async () => {
  const refused = await load(fakeHost());
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/^harness-chat: no model is set: set OPENAI_API_KEY.*--base-url.*-p demo.*\n$/),
  ]);
  const chat = await load(fakeHost(), [], 'chat');
  expect([chat.loaded?.choice.provider, chat.loaded?.configured]).toEqual(['demo', false]);
  const asked = await load(fakeHost(), ['-p', 'demo']);
  expect([asked.loaded?.choice.provider, asked.loaded?.configured]).toEqual(['demo', true]);
});

test('where only a model is missing the line names what the server offers; a server that is silent adds nothing', async () => {
  const server = await startFixtureServer();
  onTestFinished(() => server.close());
  server.answer(replies(200, { data: [{ id: 'small' }, { id: 'large' }] }));
  const { code, stderr } = await load(fakeHost(), ['--base-url', server.url]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^harness-chat: no model is set for .*; it offers large, small\n$/),
  ]);
  const gone = await load(fakeHost(), ['--base-url', 'http://127.0.0.1:1/v1']);
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringMatching(/^harness-chat: no model is set for .*NAME"\n$/)]);
});

test('all sources are heard', async () => {
  const fake = fakeHost({ env: { HARNESS_CHAT_APPROVAL: 'auto' } });
  mkdirSync(fake.home, { mode: 0o700 });
  writeFileSync(fake.config, '{"maxSteps": 3, "colour": 1}', { mode: 0o600 });
  writeFileSync(join(fake.root, '.env'), 'OPENAI_API_KEY=d\nOTHER=x\n');
  const { loaded } = await load(fake, ['--max-tool-calls', '9']);
  expect(loaded?.settings).toMatchObject({ approval: 'auto', maxSteps: 3, maxToolCalls: 9 });
  expect(loaded?.choice.apiKey).toBe('d');
  expect(loaded?.warnings).toEqual([expect.stringMatching(/\.env.*OTHER/), expect.stringMatching(/colour/)]);
});

test('a .env with an address and no key is refused where it would be used, in one line that names --base-url', async () => {
  const fake = fakeHost({ env: { OPENAI_API_KEY: 'mine' } });
  writeFileSync(join(fake.root, '.env'), 'OPENAI_BASE_URL=http://thief.test/v1\n');
  const refused = await load(fake);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/^harness-chat: [^\n]*thief\.test[^\n]*--base-url[^\n]*\n$/),
  ]);
  expect((await load(fake, [], 'chat')).code).toBe(2);
  expect((await load(fake, ['-p', 'demo'])).code).toBe(0);
  const own = await load(fake, ['--base-url', 'http://own.test/v1', '-m', 'm']);
  expect([own.loaded?.choice.baseUrl, own.loaded?.choice.apiKey]).toEqual(['http://own.test/v1', 'mine']);
});

test.each([
  [{ HARNESS_CHAT_MAX_STEPS: 'many' }, [], /maxSteps.*HARNESS_CHAT_MAX_STEPS.*"many".*whole number/],
  [{}, ['--max-steps', '0'], /maxSteps.*--max-steps.*"0".*whole number/],
  [{ OPENAI_BASE_URL: 'nonsense', OPENAI_MODEL: 'm' }, [], /baseUrl.*OPENAI_BASE_URL.*"nonsense".*http/],
])('a wrong value is one line and exit 2: %j %j', async (env, args, line) => {
  const { code, stderr } = await load(
    fakeHost({ env: { OPENAI_API_KEY: 'k', ...env } as Record<string, string> }),
    args,
  );
  expect([code, stderr]).toEqual([2, expect.stringMatching(line)]);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('a broken config is set aside, and the program starts', async () => {
  const fake = fakeHost({ env: { OPENAI_API_KEY: 'k' } });
  mkdirSync(fake.home, { mode: 0o700 });
  writeFileSync(fake.config, '{"model":', { mode: 0o600 });
  const { code, loaded } = await load(fake);
  expect([code, loaded?.warnings]).toEqual([0, [expect.stringContaining(fake.config)]]);
  expect(readdirSync(fake.home)).toEqual([expect.stringMatching(/^config\.json\.broken-/)]);
});

test('the home is made private, a loose one tightened, and no key is written', async () => {
  const fake = fakeHost({ env: { OPENAI_API_KEY: 'sk-TEST-0123456789abcdef' } });
  mkdirSync(fake.home);
  writeFileSync(fake.config, '{}');
  chmodSync(fake.home, 0o755);
  chmodSync(fake.config, 0o644);
  const { loaded } = await load(fake);
  expect(loaded?.warnings).toHaveLength(2);
  expect([fake.home, fake.config].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  expect(readFileSync(fake.config, 'utf8')).toBe('{}');
});

test('a home that cannot be made is one line', async () => {
  const fake = fakeHost({ env: { OPENAI_API_KEY: 'k', HARNESS_CHAT_HOME: '/dev/null/home' } });
  expect(await load(fake)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^harness-chat: nothing can be written at \/dev\/null\/home.*HARNESS_CHAT_HOME to another folder\n$/,
    ),
  });
});

test('a refused start leaves nothing behind', async () => {
  const fake = fakeHost();
  await load(fake);
  expect(existsSync(fake.home)).toBe(false);
});

test('a key of a ready provider alone is named, and not used', async () => {
  const fake = fakeHost({ env: { GROQ_API_KEY: 'gk' } });
  const { code, stderr } = await load(fake);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/no model is set.*-p \(groq: GROQ_API_KEY is set\).*-p demo/),
  ]);
  const chosen = await load(fake, ['-p', 'groq']);
  expect(chosen.loaded?.choice).toMatchObject({ provider: 'groq', baseUrl: 'https://api.groq.com/openai/v1' });
});

describe('how servers are reached', () => {
  const withConfig = (providers: object, env: Record<string, string> = {}) => {
    const fake = fakeHost({ env: { OPENAI_API_KEY: 'k', ...env } });
    mkdirSync(fake.home, { mode: 0o700 });
    writeFileSync(fake.config, JSON.stringify({ providers }), { mode: 0o600 });
    return load(fake);
  };

  test('a command is run when its key is wanted; the key is a secret before it is used', async () => {
    const x = { baseUrl: 'http://x.test/v1', apiKeyCommand: 'echo sk-printed-0001', quirks: { joinUsers: true } };
    const { loaded } = await withConfig({ x });
    expect(loaded?.secrets).toEqual(['k']);
    const settings = await loaded?.settingsFor('x', 'm');
    expect(settings).toMatchObject({
      baseUrl: 'http://x.test/v1',
      apiKey: 'sk-printed-0001',
      keyName: 'providers.x.apiKeyCommand',
      quirks: { joinUsers: true },
    });
    expect(loaded?.secrets).toEqual(['k', 'sk-printed-0001']);
  });

  test('what cannot be reached is a failure of the provider', async () => {
    const { loaded } = await withConfig({ x: { baseUrl: 'http://x.test/v1', apiKeyCommand: 'false' } });
    await expect(loaded?.settingsFor('x', 'm')).rejects.toMatchObject({ kind: 'provider_auth' });
    await expect(loaded?.settingsFor('nope', 'm')).rejects.toMatchObject({ kind: 'provider_not_found' });
  });

  test('the messages about a key name where it is looked for', async () => {
    const { loaded } = await withConfig({});
    expect(await loaded?.settingsFor('openai', 'm')).toMatchObject({ keyName: 'OPENAI_API_KEY' });
    expect(await loaded?.settingsFor('vllm', 'm')).toMatchObject({ keyName: 'VLLM_API_KEY' });
  });

  test('pickers: the models of a server, and the providers with why one cannot be used', async () => {
    const server = await startFixtureServer();
    onTestFinished(() => server.close());
    server.answer(replies(200, { data: [{ id: 'b', max_model_len: 8192 }, { id: 'a' }] }));
    const x = { baseUrl: server.url, headers: { 'X-Team': 'blue' } };
    const { loaded } = await withConfig({ x, y: { ...x, model: 'm' } });
    expect(await loaded?.modelsOf('x')).toEqual([{ id: 'a' }, { id: 'b', window: 8192 }]);
    expect(server.seen[0]?.headers).toMatchObject({ 'x-team': 'blue', authorization: 'Bearer k' });
    expect(await loaded?.modelsOf('demo')).toEqual([]);
    const providers = loaded?.providers() ?? [];
    const named = (wanted: string) => providers.find(({ name }) => name === wanted);
    expect(providers.slice(0, 4).map(({ name }) => name)).toEqual(['openai', 'demo', 'x', 'y']);
    expect(named('groq')).toMatchObject({ refusal: expect.stringMatching('GROQ_API_KEY'), keyless: 'GROQ_API_KEY' });
    // a model that was set for all of them is not what another provider begins with
    expect(named('ollama')).toEqual({ name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' });
    expect([named('x')?.model, named('y')?.model, named('demo')?.model]).toEqual([undefined, 'm', 'demo']);
    expect(loaded?.refusalOf('x', 'm')).toBeUndefined();
    expect(loaded?.refusalOf('groq', 'm')).toMatch('GROQ_API_KEY');
    expect(loaded?.refusalOf('toString', 'm')).toMatch(/no provider "toString": .*openai/);
  });
});
