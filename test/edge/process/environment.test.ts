import { expect, test } from 'vitest';
import { childEnvironment } from '../../../src/edge/process/environment.ts';

const names = (env: NodeJS.ProcessEnv, secrets = {}) =>
  Object.keys(childEnvironment(env, secrets)).filter((name) => name !== 'GIT_TERMINAL_PROMPT');

test.each([
  'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'SOME_APIKEY', 'GITHUB_TOKEN', 'NPM_TOKEN', 'TOKEN', 'CLIENT_SECRET', 'AWS_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID', 'AWS_SESSION_TOKEN', 'DB_PASSWORD', 'PRIVATE_KEY', 'openai_api_key', 'HARNESS_CHAT_MODEL', 'HARNESS_CHAT_HOME', 'harness_chat_x',
])('%s is not handed down', (name) => {
  expect(names({ [name]: 'x', PATH: 'p' })).toEqual(['PATH']);
}); // biome-ignore format: a list

test.each([
  'PATH',
  'HOME',
  'LANG',
  'HTTPS_PROXY',
  'no_proxy',
  'SSH_AUTH_SOCK',
  'KEYBOARD',
  'TOKENIZERS_PARALLELISM',
  'SECRETARY',
  'MONKEY',
  'TERM',
  'OPENAI_BASE_URL',
])('%s is', (name) => {
  expect(names({ [name]: 'x' })).toEqual([name]);
});

test('nor what the settings name, nor a copy of a secret under any name', () => {
  const env = { LLM: 'the-secret-value', COPY: 'Bearer the-secret-value', OTHER: 'short', llm2: 'x' };
  expect(names(env, { variables: ['llm2'], values: ['the-secret-value', 'short'] })).toEqual(['OTHER']);
});
test('the environment itself stays as it is', () => {
  const env = { OPENAI_API_KEY: 'x' };
  childEnvironment(env);
  expect(env).toEqual({ OPENAI_API_KEY: 'x' });
});
