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

describe('ready providers', () => {
  const GROQ = 'https://api.groq.com/openai/v1';
  const OLLAMA = 'http://127.0.0.1:11434/v1';
  const groq = { env: { GROQ_API_KEY: 'gk' }, options: { provider: 'groq' } };
  const NONE = undefined;

  test.each<[string, Given, [string, string, string | undefined]]>([
    ['its key, its address, its model', groq, ['openai/gpt-oss-120b', GROQ, 'gk']],
    ['another model', { ...groq, options: { provider: 'groq', model: 'm' } }, ['m', GROQ, 'gk']],
    [
      'named by the environment',
      { env: { ...groq.env, HARNESS_CHAT_PROVIDER: 'groq' } },
      ['openai/gpt-oss-120b', GROQ, 'gk'],
    ],
    ['named by the config', { env: groq.env, config: { provider: 'groq' } }, ['openai/gpt-oss-120b', GROQ, 'gk']],
    [
      'the general key stays away',
      { env: { ...groq.env, OPENAI_API_KEY: 'k' }, options: groq.options },
      ['openai/gpt-oss-120b', GROQ, 'gk'],
    ],
    [
      "its key does not go to another's address",
      { ...groq, options: { provider: 'groq', baseUrl: A, model: 'm' } },
      ['m', A, NONE],
    ],
    [
      'nor to one of the environment',
      { env: { ...groq.env, OPENAI_BASE_URL: A, OPENAI_API_KEY: 'k', ...model }, config: { provider: 'groq' } },
      ['m', A, 'k'],
    ],
    [
      "nor to one of the workspace's",
      { ...groq, dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd' } },
      ['openai/gpt-oss-120b', GROQ, 'gk'],
    ],
    [
      'its own address, said once more, is still its own',
      { ...groq, options: { provider: 'groq', baseUrl: `${GROQ}/`, model: 'm' } },
      ['m', GROQ, 'gk'],
    ],
    [
      'the entry of the config overrides field by field: the address',
      { ...groq, config: { providers: { groq: { baseUrl: C } } } },
      ['openai/gpt-oss-120b', C, 'gk'],
    ],
    [
      'the variable',
      { ...groq, env: { ...groq.env, MY_KEY: 'mk' }, config: { providers: { groq: { apiKeyEnv: 'MY_KEY' } } } },
      ['openai/gpt-oss-120b', GROQ, 'mk'],
    ],
    ['the model', { ...groq, config: { providers: { groq: { model: 'mine' } } } }, ['mine', GROQ, 'gk']],
    [
      'a key of the config where its variable is not set',
      { options: groq.options, config: { providers: { groq: { apiKey: 'ck' } } } },
      ['openai/gpt-oss-120b', GROQ, 'ck'],
    ],
    [
      "without its key an address of the config's gets the user's",
      { options: groq.options, env: { OPENAI_API_KEY: 'k' }, config: { providers: { groq: { baseUrl: C } } } },
      ['openai/gpt-oss-120b', C, 'k'],
    ],
    [
      'the address at the top of the config is stronger than the ready one',
      { env: groq.env, config: { provider: 'groq', baseUrl: C, model: 'm' } },
      ['m', C, NONE],
    ],
    [
      "the program's own key variable serves every provider",
      { options: groq.options, env: { HARNESS_CHAT_API_KEY: 'h' } },
      ['openai/gpt-oss-120b', GROQ, 'h'],
    ],
    ['one on this machine needs no key', { options: { provider: 'ollama', model: 'm' } }, ['m', OLLAMA, NONE]],
    [
      "and gets none that is another's",
      { options: { provider: 'ollama', model: 'm' }, env: { OPENAI_API_KEY: 'k' } },
      ['m', OLLAMA, NONE],
    ],
    [
      'its own variable it gets',
      { options: { provider: 'vllm', model: 'm' }, env: { VLLM_API_KEY: 'vk' } },
      ['m', 'http://127.0.0.1:8000/v1', 'vk'],
    ],
  ])('%s', (_what, given, [name, baseUrl, apiKey]) => {
    const { choice, refusal, warnings } = resolveSettings(sourcesOf(given));
    expect(refusal).toBeUndefined();
    expect([choice?.model, choice?.baseUrl, choice?.apiKey]).toEqual([name, baseUrl, apiKey]);
    expect(warnings).toEqual([]);
  });

  test('a key alone chooses nobody', () => {
    expect(resolveSettings(sourcesOf({ env: { GROQ_API_KEY: 'gk' } })).configured).toBe(false);
    expect(resolveSettings(sourcesOf({ env: { GROQ_API_KEY: 'gk', OPENAI_API_KEY: 'k' } })).choice).toMatchObject({
      provider: 'openai',
      apiKey: 'k',
    });
  });

  test('its key is a secret whether it is used or not', () => {
    expect(resolveSettings(sourcesOf({ env: { GROQ_API_KEY: 'gk-1' } })).secrets).toEqual(['gk-1']);
  });

  test('without its key it is refused in a line that names the variable; with headers it may do without', () => {
    const given = { options: { provider: 'groq' }, env: { OPENAI_API_KEY: 'k' } };
    expect(resolveSettings(sourcesOf(given)).refusal).toMatch(/no key is set for https:\/\/api\.groq.*GROQ_API_KEY/);
    const config = { providers: { groq: { headers: { 'X-Key': 'x' } } } };
    expect(resolveSettings(sourcesOf({ ...given, config })).choice?.headers).toEqual({ 'X-Key': 'x' });
  });

  test('a model that is missing is told with all the rest', () => {
    const { choice, refusal, modelless } = resolveSettings(sourcesOf({ options: { provider: 'ollama' } }));
    expect([choice, modelless?.baseUrl, modelless?.model]).toEqual([undefined, OLLAMA, '']);
    expect(refusal).toMatch(/no model is set for http:\/\/127\.0\.0\.1:11434\/v1/);
  });

  test('in the course of a session', () => {
    const moved = chooseModel(
      sourcesOf({ env: { OPENAI_API_KEY: 'k', GROQ_API_KEY: 'gk', ...model } }),
      {},
      { provider: 'groq' },
    );
    expect(moved).toMatchObject({ ok: true, choice: { baseUrl: GROQ, apiKey: 'gk', model: 'openai/gpt-oss-120b' } });
  });
});

describe('what goes along with a choice', () => {
  const choose = (entry: object, options: SettingsOptions = {}) =>
    resolveSettings(
      sourcesOf({ options: { provider: 'x', ...options }, config: { providers: { x: { baseUrl: C, ...entry } } } }),
    ).choice;

  test('window and price are those of the model that they stand beside', () => {
    const entry = { model: 'm', window: 9000, price: { input: 1, output: 2.5 } };
    expect(choose(entry)).toMatchObject({ window: 9000, price: { input: 1, output: 2.5 } });
    const other = choose(entry, { model: 'other' });
    expect([other?.window, other?.price]).toEqual([undefined, undefined]);
    expect(choose({ window: 9000 }, { model: 'any' })?.window).toBe(9000);
    const ready = (options: SettingsOptions) =>
      resolveSettings(sourcesOf({ options: { provider: 'groq', ...options }, env: { GROQ_API_KEY: 'k' } })).choice
        ?.window;
    expect([ready({}), ready({ model: 'other' })]).toEqual([131_072, undefined]);
  });

  test('switches: of the address, of the name, of the config', () => {
    expect(choose({ model: 'm', quirks: { joinUsers: true } })?.quirks).toEqual({ joinUsers: true });
    const of = (given: Given) => resolveSettings(sourcesOf(given)).choice?.quirks;
    expect(of({ env: { OPENAI_API_KEY: 'k' } })).toEqual({ callIds: 'max40' });
    expect(of({ options: { provider: 'mistral' }, env: { MISTRAL_API_KEY: 'k' } })).toMatchObject({ callIds: 'nine' });
    expect(of({ options: { baseUrl: 'https://api.mistral.ai/v1', model: 'm' } })).toMatchObject({ callIds: 'nine' });
    const config = { providers: { mistral: { baseUrl: C, quirks: { callIds: 'any' } } } };
    expect(of({ options: { provider: 'mistral' }, config })).toMatchObject({ callIds: 'any', bridgeToolToUser: true });
  });

  test('a command in place of a key; a key that is set needs none', () => {
    const entry = { model: 'm', apiKeyCommand: 'pass show x', apiKeyEnv: 'X_KEY' };
    const choice = choose(entry);
    expect([choice?.apiKey, choice?.apiKeyCommand, choice?.keyName]).toEqual([
      undefined,
      'pass show x',
      'providers.x.apiKeyCommand',
    ]);
    const config = { providers: { x: { baseUrl: C, ...entry } } };
    const set = resolveSettings(sourcesOf({ options: { provider: 'x' }, env: { X_KEY: 'xk' }, config })).choice;
    expect([set?.apiKey, set?.apiKeyCommand, set?.keyName]).toEqual(['xk', undefined, 'X_KEY']);
  });

  test('a command serves no address of the workspace', () => {
    const config = { provider: 'x', providers: { x: { model: 'm', apiKeyCommand: 'pass' } } };
    const foreign = { dotenv: { OPENAI_BASE_URL: A, OPENAI_API_KEY: 'd' }, config };
    const { choice } = resolveSettings(sourcesOf(foreign));
    expect([choice?.baseUrl, choice?.apiKey, choice?.apiKeyCommand]).toEqual([A, 'd', undefined]);
  });
});
