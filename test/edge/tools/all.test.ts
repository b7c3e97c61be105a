import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createProcesses } from '../../../src/edge/process/processes.ts';
import { createTools } from '../../../src/edge/tools/all.ts';
import { called, judged, said, textOf } from './call.ts';
import { testFolder } from './folder.ts';

const KEY = 'sk-TEST-0123456789abcdef';
const folder = testFolder();
const processes = createProcesses();
afterEach(() => processes.stopAll());
const tools = () =>
  createTools({ processes, env: process.env, outputsDir: join(folder.top, 'outputs'), secrets: () => [KEY] });
const tool = (name: string) => {
  const found = tools().find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};

test('names, arguments and what changes things are those of the contract', () => {
  const table = tools().map(({ name, parameters, changes }) => [
    name,
    Object.keys(parameters.jsonSchema.properties as object),
    changes,
  ]);
  expect(table).toEqual([
    ['read_file', ['path', 'offset', 'limit'], false],
    ['list_files', ['path'], false],
    ['glob', ['pattern'], false],
    ['search', ['pattern', 'path'], false],
    ['write_file', ['path', 'content'], true],
    ['edit_file', ['path', 'old_text', 'new_text'], true],
    ['shell', ['command', 'timeout_ms', 'background'], true],
    ['fetch_url', ['url'], false],
    ['ask_user', ['question', 'choices'], false],
  ]);
});
test('no tool shows a secret: in its result, its preview, its question, its error', async () => {
  folder.put('.env', `KEY=${KEY}\n`);
  expect(await said(tool('read_file'), { path: '.env' }, folder.ws)).toBe('KEY=[secret hidden]');
  expect(await said(tool('search'), { pattern: 'KEY' }, folder.ws)).toBe('.env:1: KEY=[secret hidden]');
  const { access, run } = await judged(tool('write_file'), { path: 'x', content: KEY }, folder.ws);
  expect(access.detail).not.toContain(KEY);
  expect((await run()).preview).toContain('+[secret hidden]');
  await expect(called(tool('read_file'), { path: `${KEY}/\0` }, folder.ws)).rejects.toThrow(/NUL/);
  await expect(judged(tool('fetch_url'), { url: KEY }, folder.ws)).rejects.toThrow(/^"\[secret hidden\]" is no URL/);
});
test('a grant that would have to name a secret covers nothing', async () => {
  const { access } = await judged(tool('shell'), { command: `echo ${KEY}` }, folder.ws);
  expect(access.grants.map(({ covers }) => covers)).toEqual(['echo [secret hidden]', 'echo [secret hidden]']);
  expect(tool('shell').covered?.(['echo [secret hidden]'], { command: `echo ${KEY}` }, access)).toBe(false);
});
test('ask_user: the question is the gate, the answer the result', async () => {
  const { access, run } = await judged(tool('ask_user'), { question: 'Which?', choices: ['a', 'b'] }, folder.ws);
  expect(access).toEqual({
    kind: 'ask',
    detail: 'Which?',
    grants: [],
    question: { question: 'Which?', choices: ['a', 'b'] },
  });
  expect(textOf(await run({ answer: 'b' }))).toBe('b');
  expect((await run()).isError).toBe(true);
  expect((await judged(tool('ask_user'), { question: 'Why?' }, folder.ws)).access.question?.choices).toEqual([]);
});
