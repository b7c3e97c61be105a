/** Settings changed in the chat: checked, written for their owner alone, taken at once where they can be. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changeConfig } from '../../src/cli/chat-config.ts';
import type { Invocation } from '../../src/cli/invocation.ts';
import type { Chat, Step } from '../../src/view/chat.ts';
import type { Intent } from '../../src/view/intent.ts';
import { lineText } from '../../src/view/style.ts';
import { ChatDriver } from '../support/chat-driver.ts';
import { type FakeHost, fakeHost, runWith } from './fake-host.ts';

const KEY = 'sk-TEST-0123456789abcdef';

/** A chat whose settings lie in a home of the test's own. */
async function chatOn(given: { env?: Record<string, string>; config?: unknown; args?: string[] } = {}) {
  const fake: FakeHost = fakeHost({ env: given.env ?? {}, terminal: true });
  if (given.config) {
    mkdirSync(fake.home, { recursive: true });
    writeFileSync(fake.config, JSON.stringify(given.config));
  }
  const { started } = await runWith(fake, given.args ?? []);
  const { invocation } = started as { invocation: Invocation };
  const driver = ChatDriver.started();
  const printed: string[] = [];
  const intents: Intent[] = [];
  const change = (by: (chat: Chat, now: number) => Step) => {
    const step = by(driver.chat, driver.now);
    driver.chat = step.chat;
    intents.push(...step.intents);
    printed.push(...step.print.map(lineText));
  };
  return {
    driver,
    intents,
    fake,
    said: () => [...printed, driver.picture].join('\n'),
    file: () => JSON.parse(readFileSync(fake.config, 'utf8')) as unknown,
    store: (key: string, text?: string) =>
      changeConfig({ type: 'StoreSetting', key, ...(text !== undefined && { text }) }, invocation, change),
    tell: (key: string) => changeConfig({ type: 'TellSetting', key }, invocation, change),
    list: () => changeConfig({ type: 'ListSettings' }, invocation, change),
  };
}

describe('saved', () => {
  test('for its owner alone, and told; then what stands in the file is dropped again', async () => {
    const { store, said, file, fake } = await chatOn({ config: { maxSteps: 7 } });
    await store('maxSteps', '30');
    expect(file()).toEqual({ maxSteps: 30 });
    expect(statSync(fake.config).mode & 0o777).toBe(0o600);
    expect(said()).toContain('maxSteps is saved, from the next start on');
    await store('maxSteps');
    await store('maxSteps');
    expect(file()).toEqual({});
    expect(said()).toMatch(/maxSteps is no longer set[\s\S]*maxSteps was not set/);
  });

  test.each([
    ['maxSteps', 'many', /maxSteps is "many"; allowed: a whole number/],
    ['approval', 'maybe', /allowed: ask, auto or deny/],
    ['nope', 'x', /there is no key 'nope'/],
    ['keys.hold', 'ctrl+c', /ctrl\+c is bound to both hold and cancel/],
    ['keys.nothing', 'ctrl+x', /there is no action "nothing"/],
    ['keys.hold', 'ctrl+', /"ctrl\+" for hold is no key/],
    ['keys.send', 'none', /send needs a key/],
    ['apiKey', 'with space', /apiKey is not usable \(not shown\)/],
    ['statusBar', 'weather', /allowed: a list of model/],
  ])('%s %s: one line, nothing changed', async (key, text, why) => {
    const { store, said, fake } = await chatOn();
    await store(key, text);
    expect(said().replaceAll('\n', ' ')).toMatch(why);
    expect(existsSync(fake.config)).toBe(false);
  });

  test('what is stronger than the file is said', async () => {
    const { store, said } = await chatOn({ env: { HARNESS_CHAT_THEME: 'dark' } });
    await store('theme', 'light');
    expect(said()).toContain('theme is saved, but HARNESS_CHAT_THEME in the environment goes before it');
  });
});

describe('taken at once', () => {
  test('the theme, the parts of the status bar, signs, keys, approval, prices', async () => {
    const { store, driver, intents } = await chatOn();
    const settings = () => driver.chat.settings;
    await store('theme', 'light');
    expect(settings().look.choice).toBe('light');
    await store('statusBar', 'approval');
    expect(driver.picture).toContain('  asks before changes · ? keys');
    await store('ascii', 'on');
    expect([settings().ascii, settings().look.choice]).toEqual([true, 'light']);
    await store('keys.hold', 'alt+h');
    expect(settings().keymap.bindings.find(({ action }) => action === 'hold')?.chords).toEqual(['alt+h']);
    await store('approval', 'auto');
    expect([driver.chat.view.approval, intents.at(-1)]).toEqual(['auto', { type: 'SetApproval', mode: 'auto' }]);
    await store('providers.fake.baseUrl', 'http://127.0.0.1:1/v1');
    await store('providers.fake.price', '{"input":1,"output":2}');
    expect(settings().factsOf?.('fake', 'any')).toMatchObject({ price: { input: 1, output: 2 } });
    await store('spinner', 'off');
    expect(settings().spinner).toBe(false);
  });

  test('a window is not: the session shortens by the one that it began with', async () => {
    const { store, said } = await chatOn({ config: { providers: { fake: { baseUrl: 'http://127.0.0.1:1/v1' } } } });
    await store('providers.fake.window', '9000');
    expect(said()).toContain('providers.fake.window is saved, from the next start on');
  });

  test('an option of the start stays: the session keeps what it was told', async () => {
    const { store, driver, said } = await chatOn({ args: ['--approval', 'deny'] });
    await store('approval', 'auto');
    expect([driver.chat.view.approval, said()]).toEqual(['ask', expect.stringContaining('--approval goes before it')]);
  });
});

describe('told', () => {
  test.each([
    ['{ "maxSteps": 7,', /config\.json is not used: it is no valid JSON; it is kept as .*broken/],
    ['{"maxSteps": "many"}', /maxSteps .*"many".*allowed: a whole number/],
  ])('what another hand made of the file since the start: %s', async (text, why) => {
    const { list, tell, driver, said, fake } = await chatOn({ config: {} });
    writeFileSync(fake.config, text);
    driver.keys('/config<Enter>');
    await list();
    const { overlay } = driver.chat;
    expect(overlay?.kind === 'settings' && overlay.note).toEqual({ text: expect.stringMatching(why), wrong: true });
    driver.keys('<Esc>');
    writeFileSync(fake.config, text);
    await tell('theme');
    expect(said().replace(/\s+/g, ' ')).toMatch(why);
  });

  test('the value and who says so', async () => {
    const { tell, said } = await chatOn({ env: { HARNESS_CHAT_MAX_STEPS: '9' } });
    await tell('maxSteps');
    await tell('system');
    expect(said()).toContain('maxSteps = 9  (HARNESS_CHAT_MAX_STEPS in the environment)');
    expect(said()).toContain('system is not set');
    await expect(tell('nope')).rejects.toThrow("there is no key 'nope'");
  });

  test('no secret, wherever it stands', async () => {
    const { list, driver, tell, said } = await chatOn({
      env: { OPENAI_API_KEY: KEY },
      config: {
        providers: { x: { apiKey: `${KEY}-x`, baseUrl: 'http://me:p4ssword@h/v1', headers: { a: `${KEY}-h` } } },
        mcpServers: { s: { command: 'run', env: { TOKEN: 'TEST-in-mcp-env' } } },
      },
    });
    driver.keys('/config<Enter>');
    await list();
    await tell('apiKey');
    await tell('mcpServers.s');
    const { overlay } = driver.chat;
    const rows = overlay?.kind === 'settings' ? (overlay.rows ?? []) : [];
    expect(JSON.stringify(rows) + said()).not.toMatch(/TEST|p4ssword/);
    const secret = rows.filter((row) => row.secret).map(({ key }) => key);
    expect(secret).toEqual([
      'apiKey',
      'providers.x.apiKey',
      'providers.x.baseUrl',
      'providers.x.headers',
      'mcpServers.s',
    ]);
  });

  test('every key has its row, with what it is for', async () => {
    const { list, driver } = await chatOn();
    driver.keys('/config<Enter>');
    await list();
    const { overlay } = driver.chat;
    const rows = overlay?.kind === 'settings' ? (overlay.rows ?? []) : [];
    expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(['model', 'apiKey', 'system', 'statusBar']));
    for (const row of rows) expect([row.key, row.help === '', row.allowed === '']).toEqual([row.key, false, false]);
    expect(rows.find(({ key }) => key === 'approval')?.choices).toEqual(['ask', 'auto', 'deny']);
  });
});
