import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../../../src/edge/settings/resolve.ts';
import { DEFAULTS, envName } from '../../../src/edge/settings/schema.ts';
import type { SettingsOptions } from '../../../src/edge/settings/sources.ts';

const resolve = (
  env: Record<string, string> = {},
  config: Record<string, unknown> = {},
  options: SettingsOptions = {},
) => resolveSettings({ options, env, config: { path: '/home/config.json', values: config } });

test('the defaults of the contract', () => {
  const { settings, origins, warnings, problems } = resolve();
  expect(settings).toEqual(DEFAULTS);
  expect(settings).toMatchObject({
    approval: 'ask',
    maxSteps: 25,
    maxToolCalls: 100,
    inboxLimit: 64,
    afterInterrupt: 'pause',
    stallTimeoutMs: 60_000,
    toolTimeoutMs: 120_000,
  });
  expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(['default']));
  expect([...warnings, ...problems]).toEqual([]);
});

test('names of variables', () => {
  expect(['inboxLimit', 'model', 'stallTimeoutMs', 'baseUrl'].map(envName)).toEqual([
    'HARNESS_CHAT_INBOX_LIMIT',
    'HARNESS_CHAT_MODEL',
    'HARNESS_CHAT_STALL_TIMEOUT_MS',
    'HARNESS_CHAT_BASE_URL',
  ]);
});

test('options before environment before config', () => {
  const config = { maxSteps: 1, approval: 'deny', system: 'config' };
  const env = { HARNESS_CHAT_MAX_STEPS: '2', HARNESS_CHAT_APPROVAL: 'auto' };
  const { settings, origins } = resolve(env, config, { maxSteps: '3' });
  expect([settings.maxSteps, settings.approval, settings.system]).toEqual([3, 'auto', 'config']);
  expect([origins.maxSteps, origins.approval, origins.system]).toEqual([
    { from: 'option', name: '--max-steps' },
    { from: 'environment', name: 'HARNESS_CHAT_APPROVAL' },
    { from: 'config', name: '/home/config.json' },
  ]);
});

test.each<[unknown, string[] | undefined]>([
  ['model, cost', ['model', 'cost']],
  ['Model tokens  model', ['model', 'tokens']],
  ['["model","loop"]', ['model', 'loop']],
  ['off', []],
  [['context'], ['context']],
  [[], []],
  ['weather', undefined],
  [7, undefined],
])('the parts of the status bar: %j', (written, parts) => {
  const inConfig = resolve({}, { statusBar: written });
  expect(inConfig.problems).toHaveLength(parts ? 0 : 1);
  expect(inConfig.settings.statusBar).toEqual(parts ?? DEFAULTS.statusBar);
  if (typeof written !== 'string') return;
  const { settings, origins } = resolve({ HARNESS_CHAT_STATUS_BAR: written });
  expect(settings.statusBar).toEqual(parts ?? DEFAULTS.statusBar);
  expect(origins.statusBar.from).toBe(parts ? 'environment' : 'default');
});

test('an empty system prompt can be asked for', () => {
  expect(resolve({}, { system: 'x' }, { system: '' }).settings.system).toBe('');
});

describe('a wrong value names key, value and what is allowed', () => {
  const wrong: [Record<string, string>, Record<string, unknown>, SettingsOptions, RegExp][] = [
    [
      { HARNESS_CHAT_APPROVAL: 'maybe' },
      {},
      {},
      /^approval \(from HARNESS_CHAT_APPROVAL in the environment\) is "maybe"; allowed: ask, auto or deny$/,
    ],
    [{}, { approval: 'Ask' }, {}, /^approval \(from \/home\/config.json\) is "Ask"; allowed/],
    [{}, {}, { maxSteps: '0' }, /^maxSteps \(from --max-steps\) is "0"; allowed: a whole number from 1/],
    ...['-1', '1.5', '1e3', '0x10', '+5', 'abc', '99999999999999999999', '5 apples'].map(
      (value): [Record<string, string>, Record<string, unknown>, SettingsOptions, RegExp] => [
        { HARNESS_CHAT_MAX_TOOL_CALLS: value },
        {},
        {},
        /^maxToolCalls .*allowed: a whole number/,
      ],
    ),
    [{}, { maxSteps: '25' }, {}, /^maxSteps .* is "25"; allowed: a whole number/],
    [{}, { inboxLimit: null }, {}, /^inboxLimit .* is null/],
    [{}, { stallTimeoutMs: 3e9 }, {}, /^stallTimeoutMs .* 2147483647/],
    [{ HARNESS_CHAT_AFTER_INTERRUPT: 'stop' }, {}, {}, /pause or start/],
    [{ HARNESS_CHAT_ASCII: 'maybe' }, {}, {}, /true or false/],
    [{}, { theme: 'pink' }, {}, /auto, dark, light, ansi16, colorblind or none/],
    [{}, { providers: [] }, {}, /^providers .* is \[\]/],
    [{}, { providers: { a: 'http://x' } }, {}, /^providers /],
    [{}, { providers: { a: { baseUrl: 'x' } } }, {}, /^providers\.a\.baseUrl .* is "x"; allowed: an http/],
    [{}, { providers: { a: { headers: { 'X-A': 'a\nb' } } } }, {}, /^providers\.a\.headers .*not shown/],
    [{}, { providers: { a: { apiKey: 'sk geheim' } } }, {}, /^providers\.a\.apiKey .*not shown/],
    [{}, { providers: { a: { apiKeyCommand: 'echo geheim\nx' } } }, {}, /^providers\.a\.apiKeyCommand .*not shown/],
    [{}, { providers: { a: { window: 0 } } }, {}, /^providers\.a\.window .* is 0; allowed: a whole number/],
    [{}, { providers: { a: { price: 3 } } }, {}, /^providers\.a\.price .* is 3; allowed: an object of input/],
    [{}, { providers: { a: { price: { input: -1 } } } }, {}, /^providers\.a\.price\.input .* is -1; allowed: a number/],
    [{}, { providers: { a: { quirks: { tools: 'no' } } } }, {}, /^providers\.a\.quirks\.tools .*"no".*true or false/],
    [{}, { providers: { a: { quirks: { system: 'root' } } } }, {}, /quirks\.system .*system, developer or user/],
    [{}, { providers: { a: { quirks: { maxTokens: 9 } } } }, {}, /quirks\.maxTokens .* is 9; allowed: .*max_tokens/],
    [{}, { rules: { '/w': ['x'] } }, {}, /^rules /],
    [{ HARNESS_CHAT_APPROVAL: 'a\u001b[2Jb\nc' }, {}, {}, /^approval .* is "a\\u001b\[2Jb\\nc"/],
  ];
  test.each(wrong)('%j %j %j', (env, config, options, line) => {
    const { problems } = resolve(env, config, options);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(line);
    expect(problems[0]).not.toMatch(/geheim|[\n\u001b]/);
  });

  test('a stronger right value makes a weaker wrong one meaningless', () => {
    const { problems, settings } = resolve({ HARNESS_CHAT_APPROVAL: 'maybe' }, { approval: 7 }, { approval: 'auto' });
    expect([problems, settings.approval]).toEqual([[], 'auto']);
  });
});

test('empty variables are not set', () => {
  const { settings, problems } = resolve({ HARNESS_CHAT_MAX_STEPS: '', HARNESS_CHAT_APPROVAL: '  ' }, { maxSteps: 7 });
  expect([settings.maxSteps, settings.approval, problems]).toEqual([7, 'ask', []]);
});

test.each<[Record<string, string>, Record<string, unknown>, SettingsOptions, boolean, boolean]>([
  [{}, {}, {}, true, false],
  [{ NO_COLOR: '1' }, {}, {}, false, false],
  [{ NO_COLOR: '' }, {}, {}, true, false],
  [{ NO_COLOR: '1', HARNESS_CHAT_COLOR: 'yes' }, {}, {}, true, false],
  [{ HARNESS_CHAT_COLOR: 'on' }, {}, { color: false }, false, false],
  [{}, { color: false }, {}, false, false],
  [{ LANG: 'C' }, {}, {}, true, true],
  [{ LANG: 'de_DE.ISO-8859-1' }, {}, {}, true, true],
  [{ LANG: 'en_US.UTF-8' }, {}, {}, true, false],
  [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, {}, {}, true, true],
  [{ LC_ALL: 'C.utf8', LANG: 'C' }, {}, {}, true, false],
  [{ LANG: 'C' }, { ascii: false }, {}, true, false],
  [{ LANG: 'C.UTF-8' }, {}, { ascii: true }, true, true],
])('colour and signs: %j %j %j', (env, config, options, color, ascii) => {
  const { settings } = resolve(env, config, options);
  expect([settings.color, settings.ascii]).toEqual([color, ascii]);
});

test('what is not known is a warning, not a refusal', () => {
  const config = { colour: true, providers: { demo: {}, a: { baseURL: 'http://x', quirks: { joinUser: true } } } };
  const { warnings, problems } = resolve({ HARNESS_CHAT_MODLE: 'x', HARNESS_CHAT_HOME: '/h' }, config);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    'unknown in /home/config.json, ignored: colour',
    'providers.demo in /home/config.json is ignored: demo is built in',
    'unknown in /home/config.json, ignored: providers.a.baseURL',
    'unknown in /home/config.json, ignored: providers.a.quirks.joinUser',
    'unknown in the environment, ignored: HARNESS_CHAT_MODLE',
  ]);
});

test('all keys are secrets, and their variables are named', () => {
  const config = { apiKey: 'c1', providers: { a: { apiKey: 'p1', apiKeyEnv: 'A_KEY', headers: { 'x-key': 'h1' } } } };
  const { secrets, secretVariables } = resolve(
    { OPENAI_API_KEY: 'e1', HARNESS_CHAT_API_KEY: 'e2', A_KEY: 'e3' },
    config,
  );
  expect(secrets.sort()).toEqual(['c1', 'e1', 'e2', 'e3', 'h1', 'p1']);
  expect(secretVariables).toEqual(
    expect.arrayContaining(['OPENAI_API_KEY', 'HARNESS_CHAT_API_KEY', 'A_KEY', 'GROQ_API_KEY']),
  );
  expect(resolve({ OPENAI_BASE_URL: 'http://u:p4ss@h' }).secretVariables).toContain('OPENAI_BASE_URL');
});

test('any JSON as config and any text in the environment gives an answer in whole lines', () => {
  const names = ['HARNESS_CHAT_MAX_STEPS', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', 'NO_COLOR', 'LANG', 'HARNESS_CHAT_X'];
  const keys = ['model', 'provider', 'baseUrl', 'apiKey', 'providers', 'rules', 'maxSteps', '__proto__', 'other'];
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), fc.string({ unit: 'binary' })),
      fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
      (env, config) => {
        const { problems, warnings, refusal, choice } = resolve(env, config);
        for (const line of [...problems, ...warnings, refusal ?? ''])
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(choice === undefined).toBe(refusal !== undefined);
      },
    ),
    { seed: 20261130, numRuns: 500 },
  );
});
