/** A session in a file: made, gone on with, owned by one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  createScriptedModel,
  createSession,
  DamagedJournalError,
  JournalError,
  openSessionFile,
  type Session,
  SessionInUseError,
  script,
} from '../../src/index.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session-file-'));
  path = join(folder, 'chat.jsonl');
});
const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
const open = async (): Promise<Session> =>
  createSession({ model: createScriptedModel([], [script.text('ok')]), journal: await openSessionFile(path) });
const linesOf = async () => (await readFile(path, 'utf8')).trimEnd().split('\n');

test('it is made for its owner alone, and the folder it stands in is left as it is', async () => {
  await chmod(folder, 0o755);
  const session = await open();
  expect(await modeOf(path)).toBe(0o600);
  expect(await modeOf(folder)).toBe(0o755);
  await session.shutdown();
  expect(JSON.parse((await linesOf())[0] ?? '')).toMatchObject({
    seq: 1,
    event: { type: 'SessionStarted', session_id: session.id },
  });
});

test('what was said is there after the next start, under the same id', async () => {
  path = join(folder, 'in', 'a', 'new folder', 'chat.jsonl');
  const first = await open();
  await first.submit([{ type: 'text', text: 'hi' }]);
  await first.drain();
  const model = createScriptedModel([], [script.text('ok')]);
  const again = await createSession({ model, journal: await openSessionFile(path) });
  expect(again.id).toBe(first.id);
  await again.submit([{ type: 'text', text: 'and now' }]);
  await again.drain();
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('one owner at a time, by whichever name the file is called', async () => {
  const session = await open();
  const link = join(folder, 'link.jsonl');
  await symlink(path, link);
  await expect(openSessionFile(path)).rejects.toBeInstanceOf(SessionInUseError);
  await expect(openSessionFile(link)).rejects.toThrow(`in use by process ${process.pid}`);
  await session.shutdown();
  await (await openSessionFile(link)).close();
});

test('a session that cannot begin lets go of its file', async () => {
  await writeFile(path, '{"seq":1,"event":{}}\n{"seq":2,"event":{}}\n');
  const journal = await openSessionFile(path);
  await expect(createSession({ model: createScriptedModel(), journal })).rejects.toMatchObject({
    name: 'DamagedJournalError',
    line: 1,
  });
  await expect(open()).rejects.toBeInstanceOf(DamagedJournalError);
});

test('a torn last line is cut off', async () => {
  await (await open()).shutdown();
  const whole = await linesOf();
  await appendFile(path, '{"seq":');
  const journal = await openSessionFile(path);
  expect(journal.torn).toBe(7);
  await (await createSession({ model: createScriptedModel(), journal })).shutdown();
  const after = await linesOf();
  expect(after.slice(0, whole.length)).toEqual(whole);
  expect(after.length).toBeGreaterThan(whole.length);
});

test('a file that holds nothing whole begins anew', async () => {
  await writeFile(path, '{"seq":1,"ev');
  await (await open()).shutdown();
  expect(JSON.parse((await linesOf())[0] ?? '')).toMatchObject({ seq: 1, event: { type: 'SessionStarted' } });
});

test('what is no file is refused in one line', async () => {
  await expect(openSessionFile(folder)).rejects.toThrow(JournalError);
  await expect(openSessionFile(folder)).rejects.toThrow(`Cannot open the journal ${folder}`);
});

test('a process that was killed owns it no more', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000); console.log("up")'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const session = await open();
  const owner = join(`${path}.lock`, 'owner');
  const { pid, started, ...rest } = JSON.parse(await readFile(owner, 'utf8'));
  expect(pid).toBe(process.pid);
  expect(started).not.toBe('unknown');
  await session.shutdown();
  await writeFile(owner, `${JSON.stringify({ ...rest, pid: child.pid, started: '' })}\n`);
  await expect(openSessionFile(path)).rejects.toThrow(`in use by process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await openSessionFile(path)).close();
});
