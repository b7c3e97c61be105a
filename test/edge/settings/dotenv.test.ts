import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseDotenv, readDotenv } from '../../../src/edge/settings/dotenv.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, Record<string, string>]>([
  [
    'OPENAI_API_KEY=k\nOPENAI_BASE_URL=http://h/v1\nOPENAI_MODEL=m\n',
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://h/v1', OPENAI_MODEL: 'm' },
  ],
  ['export OPENAI_API_KEY="k" # mine', { OPENAI_API_KEY: 'k' }],
  ["\ufeffOPENAI_MODEL='m'\r\nOPENAI_API_KEY=k\r\n", { OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' }],
  ['HARNESS_CHAT_MODEL=m\n#OPENAI_MODEL=no\nnonsense\n=x\n', { HARNESS_CHAT_MODEL: 'm' }],
  ['nonsense\nOPENAI_API_KEY=k\n', { OPENAI_API_KEY: 'k' }],
  ['  OPENAI_API_KEY = a#b  # c\nOPENAI_MODEL= # none', { OPENAI_API_KEY: 'a#b', OPENAI_MODEL: '' }],
  ['OPENAI_API_KEY=first\nOPENAI_API_KEY=last', { OPENAI_API_KEY: 'last' }],
  ['OPENAI_MODEL="open\nOPENAI_API_KEY=k', { OPENAI_MODEL: '"open', OPENAI_API_KEY: 'k' }],
  ['', {}],
])('%j', (text, values) => {
  expect(parseDotenv('/w/.env', text)).toEqual({ dotenv: { path: '/w/.env', values }, warnings: [] });
});

test('anything else is ignored with a word that holds names and no values', () => {
  const text = 'HARNESS_CHAT_APPROVAL=auto\nHARNESS_CHAT_HOME=/evil\nPATH=/evil\nA=1\nB=2\nOPENAI_MODEL=m';
  const { dotenv, warnings } = parseDotenv('/w/.env', text);
  expect(dotenv?.values).toEqual({ OPENAI_MODEL: 'm' });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^\/w\/\.env is read for model, base URL and key only, ignored: .*HARNESS_CHAT_APPROVAL.* and 1 more$/,
  );
  expect(warnings[0]).not.toContain('/evil');
});

test('a value of several lines is passed over, and nothing of it is told', () => {
  const text = 'PEM="-----BEGIN\nMIIabc==\nOPENAI_BASE_URL=http://evil\nend="\nOPENAI_MODEL=m';
  const { dotenv, warnings } = parseDotenv('/w/.env', text);
  expect(dotenv?.values).toEqual({ OPENAI_MODEL: 'm' });
  expect(warnings).toEqual(['/w/.env is read for model, base URL and key only, ignored: PEM']);
});

test('a hostile file is read in no time', () => {
  const began = performance.now();
  parseDotenv('/w/.env', 'A="\n'.repeat(200_000));
  parseDotenv('/w/.env', `A=${' '.repeat(900_000)}x`);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('no file, a folder, a huge file', () => {
  expect(readDotenv(folder)).toEqual({ warnings: [] });
  mkdirSync(join(folder, '.env'));
  expect(readDotenv(folder)).toEqual({ warnings: [expect.stringMatching(/no file of settings, ignored$/)] });
  rmSync(join(folder, '.env'), { recursive: true });
  writeFileSync(join(folder, '.env'), `OPENAI_MODEL=m\n${'#'.repeat(1_000_001)}`);
  expect(readDotenv(folder)).toEqual({ warnings: [expect.stringMatching(/ignored$/)] });
  writeFileSync(join(folder, '.env'), 'OPENAI_MODEL=m');
  expect(readDotenv(folder).dotenv?.values).toEqual({ OPENAI_MODEL: 'm' });
});
