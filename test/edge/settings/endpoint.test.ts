import { describe, expect, test } from 'vitest';
import { OPENAI } from '../../../src/edge/models/providers.ts';
import { chooseModel, isConfigured } from '../../../src/edge/settings/endpoint.ts';
import { resolveSettings } from '../../../src/edge/settings/resolve.ts';
import type { SettingsOptions, Sources } from '../../../src/edge/settings/sources.ts';

interface Given {
  options?: SettingsOptions;
  env?: Record<string, string>;
  dotenv?: Record<string, string>;
  config?: Record<string, unknown>;
}
const sourcesOf = ({ options = {}, env = {}, dotenv, config = {} }: Given): Sources => ({
  options,
  env,
  config: { path: '/home/config.json', values: config },
  ...(dotenv ? { dotenv: { path: '/work/.env', values: dotenv } } : {}),
});
const { baseUrl: DEFAULT_BASE_URL, defaultModel: DEFAULT_OPENAI_MODEL } = OPENAI;
const A = 'http://a.test/v1';
const B = 'http://b.test/v1';
const C = 'http://c.test/v1';
const model = { OPENAI_MODEL: 'm' };
const local = { local: { baseUrl: C, apiKey: 'local-key', model: 'local-model' } };

/** [what, given, provider, model, base URL, key] */
const used: [string, Given, string, string, string | undefined, string | undefined][] = [
  [
    'a key alone goes to the default',
    { env: { OPENAI_API_KEY: 'k' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'k',
  ],
  ['key and model', { env: { OPENAI_API_KEY: 'k', ...model } }, 'openai', 'm', DEFAULT_BASE_URL, 'k'],
  [
    'environment: URL, key, model',
    { env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: A, ...model } },
    'openai',
    'm',
    A,
    'k',
  ],
  ['a URL without a key', { env: { OPENAI_BASE_URL: A, ...model } }, 'openai', 'm', A, undefined],
  ['an empty key is none', { env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: A, ...model } }, 'openai', 'm', A, undefined],
  [
    'a key of spaces is none',
    { env: { OPENAI_API_KEY: ' \n', OPENAI_BASE_URL: A, ...model } },
    'openai',
    'm',
    A,
    undefined,
  ],
  [
    'an empty URL is none',
    { env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: '', ...model } },
    'openai',
    'm',
    DEFAULT_BASE_URL,
    'k',
  ],
  ['a line end behind the key', { env: { OPENAI_API_KEY: 'k\n', ...model } }, 'openai', 'm', DEFAULT_BASE_URL, 'k'],
  ['slashes at the end of the URL', { env: { OPENAI_BASE_URL: `${A}//`, ...model } }, 'openai', 'm', A, undefined],
  [
    'option before environment',
    { options: { baseUrl: B, model: 'o' }, env: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k', ...model } },
    'openai',
    'o',
    B,
    'k',
  ],
  [
    "the program's variables before the general ones",
    {
      env: {
        OPENAI_BASE_URL: A,
        OPENAI_API_KEY: 'k',
        OPENAI_MODEL: 'm',
        HARNESS_CHAT_BASE_URL: B,
        HARNESS_CHAT_API_KEY: 'h',
        HARNESS_CHAT_MODEL: 'n',
      },
    },
    'openai',
    'n',
    B,
    'h',
  ],
  [
    'environment before config',
    { env: { OPENAI_BASE_URL: A, ...model }, config: { baseUrl: B, model: 'c', apiKey: 'ck' } },
    'openai',
    'm',
    A,
    'ck',
  ],
  [
    'URL of the config, key of the environment: one owner',
    { env: { OPENAI_API_KEY: 'k', ...model }, config: { baseUrl: B } },
    'openai',
    'm',
    B,
    'k',
  ],
  [
    'URL of an option, key of the config: one owner',
    { options: { baseUrl: A }, config: { apiKey: 'ck', model: 'c' } },
    'openai',
    'c',
    A,
    'ck',
  ],
  [
    'empty texts in the config are not set',
    { env: { OPENAI_API_KEY: 'k' }, config: { baseUrl: '', model: '', provider: '', apiKey: '' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'k',
  ],

  [
    '.env: URL and key of its own',
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd', OPENAI_MODEL: 'dm' } },
    'openai',
    'dm',
    A,
    'd',
  ],
  [
    '.env: a key alone goes to the default',
    { dotenv: { OPENAI_API_KEY: 'd' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'd',
  ],
  [
    "the environment's key is stronger at the default",
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_API_KEY: 'd' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'k',
  ],
  [
    ".env's key is stronger than the config's at the default",
    { dotenv: { OPENAI_API_KEY: 'd' }, config: { apiKey: 'ck' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'd',
  ],
  [
    ".env's key is not sent to the environment's URL",
    { env: { OPENAI_BASE_URL: A, ...model }, dotenv: { OPENAI_API_KEY: 'd' } },
    'openai',
    'm',
    A,
    undefined,
  ],
  [
    ".env's key is not sent to the config's URL",
    { dotenv: { OPENAI_API_KEY: 'd', OPENAI_MODEL: 'm' }, config: { baseUrl: B } },
    'openai',
    'm',
    B,
    undefined,
  ],
  [
    ".env's URL is weaker than the environment's",
    { env: { OPENAI_BASE_URL: B, OPENAI_API_KEY: 'k', ...model }, dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd' } },
    'openai',
    'm',
    B,
    'k',
  ],
  [
    ".env's URL is weaker than the option, its key stays with it",
    { options: { baseUrl: B, model: 'o' }, dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd' } },
    'openai',
    'o',
    B,
    undefined,
  ],
  [
    ".env's URL is stronger than the config's",
    { dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd', OPENAI_MODEL: 'm' }, config: { baseUrl: B, apiKey: 'ck' } },
    'openai',
    'm',
    A,
    'd',
  ],
  [
    'an empty URL in .env is none',
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: '' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'k',
  ],
  [
    "the default URL is nobody's, whoever names it",
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: `${DEFAULT_BASE_URL}/` } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'k',
  ],
  [
    ".env's key goes to the default that the user names",
    { env: { OPENAI_BASE_URL: DEFAULT_BASE_URL }, dotenv: { OPENAI_API_KEY: 'd' } },
    'openai',
    DEFAULT_OPENAI_MODEL,
    DEFAULT_BASE_URL,
    'd',
  ],
  [
    'a keyless .env does not matter where its URL is not used',
    { options: { baseUrl: B, model: 'o' }, env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: A } },
    'openai',
    'o',
    B,
    'k',
  ],
  [
    'nor for the demo',
    { options: { provider: 'demo' }, env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: A } },
    'demo',
    'demo',
    undefined,
    undefined,
  ],

  [
    'a named provider brings URL, key and model',
    { options: { provider: 'local' }, config: { providers: local } },
    'local',
    'local-model',
    C,
    'local-key',
  ],
  [
    'named by an option it is stronger than the environment',
    {
      options: { provider: 'local' },
      env: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k', ...model },
      config: { providers: local },
    },
    'local',
    'local-model',
    C,
    'local-key',
  ],
  [
    'an option is stronger than the provider',
    { options: { provider: 'local', baseUrl: B, model: 'o' }, config: { providers: local } },
    'local',
    'o',
    B,
    'local-key',
  ],
  [
    'named by the environment it is stronger than OPENAI_*',
    {
      env: { HARNESS_CHAT_PROVIDER: 'local', OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k', ...model },
      config: { providers: local },
    },
    'local',
    'local-model',
    C,
    'local-key',
  ],
  [
    'named by the config it is weaker than OPENAI_BASE_URL',
    { env: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k', ...model }, config: { provider: 'local', providers: local } },
    'local',
    'm',
    A,
    'k',
  ],
  [
    'at its own URL its own key is used, not a general one',
    { env: { OPENAI_API_KEY: 'k' }, config: { provider: 'local', providers: local } },
    'local',
    'local-model',
    C,
    'local-key',
  ],
  [
    "without a key of its own the user's is used",
    { env: { OPENAI_API_KEY: 'k' }, config: { provider: 'local', providers: { local: { baseUrl: C, model: 'x' } } } },
    'local',
    'x',
    C,
    'k',
  ],
  [
    "the config's model before the provider's",
    { config: { provider: 'local', model: 'mine', providers: local } },
    'local',
    'mine',
    C,
    'local-key',
  ],
  [
    'its own variable',
    {
      options: { provider: 'v' },
      env: { V_KEY: 'vk', OPENAI_API_KEY: 'k' },
      config: { providers: { v: { baseUrl: C, model: 'x', apiKeyEnv: 'V_KEY' } } },
    },
    'v',
    'x',
    C,
    'vk',
  ],
  [
    'its own variable unset: no other key',
    {
      options: { provider: 'v' },
      env: { OPENAI_API_KEY: 'k' },
      config: { providers: { v: { baseUrl: C, model: 'x', apiKeyEnv: 'V_KEY' } } },
    },
    'v',
    'x',
    C,
    undefined,
  ],
  [
    'its own variable is not read from .env',
    {
      options: { provider: 'v' },
      dotenv: { V_KEY: 'evil' },
      config: { providers: { v: { baseUrl: C, model: 'x', apiKeyEnv: 'V_KEY' } } },
    },
    'v',
    'x',
    C,
    undefined,
  ],
  [
    'an entry for openai counts without being named',
    { config: { providers: { openai: { apiKey: 'ok', model: 'om' } } } },
    'openai',
    'om',
    DEFAULT_BASE_URL,
    'ok',
  ],
  [
    'demo, whatever the environment says',
    { options: { provider: 'demo' }, env: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k', ...model } },
    'demo',
    'demo',
    undefined,
    undefined,
  ],
  ['demo with a model name', { options: { provider: 'demo', model: 'stall' } }, 'demo', 'stall', undefined, undefined],
  [
    'demo does not look at a broken URL',
    { options: { provider: 'demo' }, env: { OPENAI_BASE_URL: 'nonsense' } },
    'demo',
    'demo',
    undefined,
    undefined,
  ],
];

describe('which model, where, with which key', () => {
  test.each(used)('%s', (_what, given, provider, name, baseUrl, apiKey) => {
    const { choice, refusal } = resolveSettings(sourcesOf(given));
    expect(refusal).toBeUndefined();
    expect([choice?.provider, choice?.model, choice?.baseUrl, choice?.apiKey]).toEqual([
      provider,
      name,
      baseUrl,
      apiKey,
    ]);
    expect(choice?.headers).toEqual({});
  });
});

const refused: [string, Given, RegExp][] = [
  ['.env with a URL and no key', { dotenv: { OPENAI_BASE_URL: A } }, /\.env.*http:\/\/a\.test\/v1.*--base-url/],
  [
    ".env with a URL, the user's key in the environment",
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: A, OPENAI_MODEL: 'm' } },
    /--base-url/,
  ],
  [
    ".env with a URL, the user's key in the config",
    { dotenv: { OPENAI_BASE_URL: A }, config: { apiKey: 'ck' } },
    /--base-url/,
  ],
  [
    '.env with a URL and an empty key',
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: '' } },
    /--base-url/,
  ],
  [
    '.env with a URL that carries a password',
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: 'http://u:p4ss@a.test/v1' } },
    /--base-url/,
  ],
  [
    '.env with a URL over a provider of the config',
    { dotenv: { OPENAI_BASE_URL: A }, config: { provider: 'local', providers: local } },
    /--base-url/,
  ],
  [
    ".env by the program's own variable",
    { env: { OPENAI_API_KEY: 'k' }, dotenv: { HARNESS_CHAT_BASE_URL: A } },
    /--base-url/,
  ],
  [
    "-p openai does not make it the user's",
    { options: { provider: 'openai' }, env: { OPENAI_API_KEY: 'k' }, dotenv: { OPENAI_BASE_URL: A } },
    /--base-url/,
  ],
  [
    'a URL without a model',
    { env: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k' } },
    /no model is set for http:\/\/a\.test\/v1.*--model/,
  ],
  ['the default without a key', { options: { provider: 'openai' } }, /no key is set.*OPENAI_API_KEY/],
  [
    'an unknown provider',
    { options: { provider: 'nope' }, config: { providers: local } },
    /provider.*"nope".*openai, demo, local/,
  ],
  ['a provider named like a part of every object', { options: { provider: 'constructor' } }, /provider.*"constructor"/],
  [
    'a provider that is no text',
    { config: { provider: { toString: null } } },
    /provider.*is \{"toString":null\}; allowed: openai, demo/,
  ],
  [
    'a URL that is none',
    { env: { OPENAI_BASE_URL: 'localhost:11434/v1', ...model } },
    /baseUrl \(from OPENAI_BASE_URL in the environment\) is "localhost:11434\/v1"; allowed: an http/,
  ],
  ['a URL of a file', { options: { baseUrl: 'file:///etc/passwd' } }, /--base-url.*file:\/\/\/etc\/passwd/],
  ['a URL with a query', { options: { baseUrl: `${A}?x=1` } }, /--base-url/],
  ['a wrong type in the config', { config: { baseUrl: 7, apiKey: 'k' } }, /baseUrl.*is 7/],
  ['a model that is no text', { env: { OPENAI_API_KEY: 'k' }, config: { model: ['a'] } }, /model.*\["a"\]/],
  [
    'a key that no header can carry',
    { env: { OPENAI_API_KEY: 'gehe\u2028im', ...model } },
    /apiKey.*OPENAI_API_KEY.*not shown/,
  ],
];

describe('what is refused', () => {
  test.each(refused)('%s', (_what, given, line) => {
    const { choice, refusal } = resolveSettings(sourcesOf(given));
    expect(choice).toBeUndefined();
    expect(refusal).toMatch(line);
    expect(refusal).not.toMatch(/[\n\u2028]|p4ss|geheim/);
  });
});

describe('nothing configured', () => {
  const nothing: Given[] = [
    {},
    { env: model },
    { dotenv: model },
    { options: { model: 'o' } },
    { env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', HARNESS_CHAT_PROVIDER: '' } },
    { config: { providers: local } },
    { config: { maxSteps: 3 } },
  ];
  test.each(nothing)('%j is the demo, and says that nothing is configured', (given) => {
    const { configured, choice } = resolveSettings(sourcesOf(given));
    expect([configured, choice?.provider]).toEqual([false, 'demo']);
  });

  test.each<Given>([
    { env: { OPENAI_API_KEY: 'k' } },
    { env: { OPENAI_BASE_URL: A } },
    { dotenv: { OPENAI_BASE_URL: A } },
    { options: { provider: 'demo' } },
    { env: { HARNESS_CHAT_PROVIDER: 'demo' } },
    { config: { provider: 'local' } },
  ])('%j is configured', (given) => {
    expect(isConfigured(sourcesOf(given), {})).toBe(true);
  });
});

describe('credentials and headers', () => {
  test('a password in the URL becomes a header and is no part of the URL', () => {
    const { choice, secrets } = resolveSettings(
      sourcesOf({ options: { baseUrl: 'http://u:p%344ss@a.test/v1', model: 'm' } }),
    );
    expect(choice?.baseUrl).toBe(A);
    expect(choice?.headers).toEqual({ Authorization: `Basic ${btoa('u:p44ss')}` });
    expect(secrets).toEqual([btoa('u:p44ss'), 'p44ss', 'p%344ss']);
  });

  test('a key is stronger than a password', () => {
    const { choice } = resolveSettings(
      sourcesOf({ options: { baseUrl: 'http://u:p@a.test/v1', model: 'm' }, env: { OPENAI_API_KEY: 'k' } }),
    );
    expect([choice?.apiKey, choice?.headers]).toEqual(['k', {}]);
  });

  test('the headers of a provider go to no address of the workspace', () => {
    const config = { provider: 'x', providers: { x: { model: 'm', headers: { 'X-Key': 'secret' } } } };
    const own = resolveSettings(sourcesOf({ env: { OPENAI_BASE_URL: A }, config }));
    const foreign = resolveSettings(sourcesOf({ dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd' }, config }));
    expect([own.choice?.headers, foreign.choice?.headers]).toEqual([{ 'X-Key': 'secret' }, {}]);
  });

  test('a word about keys that are not sent and addresses of the workspace', () => {
    const unsent = resolveSettings(
      sourcesOf({ env: { OPENAI_BASE_URL: A, ...model }, dotenv: { OPENAI_API_KEY: 'd' } }),
    );
    expect(unsent.warnings).toEqual([`the key in .env is not sent to ${A}: the address is not .env's`]);
    const foreign = resolveSettings(sourcesOf({ dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd', ...model } }));
    expect(foreign.warnings).toEqual([`the base URL is that of the workspace's .env: ${A}`]);
  });
});

describe('another model in the course of a session', () => {
  const sources = sourcesOf({ options: { baseUrl: A, model: 'm' }, env: { OPENAI_API_KEY: 'k' } });

  test('a model keeps the address', () => {
    const result = chooseModel(sources, local, { model: 'other' });
    expect(result.ok && [result.choice.model, result.choice.baseUrl]).toEqual(['other', A]);
  });

  test('the same provider keeps the address', () => {
    const result = chooseModel(sources, local, { provider: 'openai', model: 'other' });
    expect(result.ok && [result.choice.model, result.choice.baseUrl]).toEqual(['other', A]);
  });

  test('another provider brings its own, whatever was said at the start', () => {
    const result = chooseModel(sources, local, { provider: 'local' });
    expect(result.ok && [result.choice.model, result.choice.baseUrl, result.choice.apiKey]).toEqual([
      'local-model',
      C,
      'local-key',
    ]);
  });

  test('an unknown one is refused', () => {
    expect(chooseModel(sources, local, { provider: 'nope' })).toEqual({
      ok: false,
      refusal: expect.stringMatching('nope'),
    });
  });
});
