import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProcesses, type Processes } from '../../../src/edge/process/processes.ts';
import { createShellTool } from '../../../src/edge/tools/shell.ts';
import { until } from '../process/until.ts';
import { called, judged, said, textOf } from './call.ts';
import { testFolder } from './folder.ts';

const KEY = 'sk-TEST-0123456789abcdef';
const folder = testFolder();
let processes: Processes;
beforeEach(() => {
  processes = createProcesses();
});
afterEach(() => processes.stopAll());

const shell = (timeoutMs?: number) =>
  createShellTool({
    processes,
    env: { ...process.env, OPENAI_API_KEY: KEY, MY_KEY: 'other-secret-value', COPY: `x${KEY}x`, LANG: 'C.UTF-8' },
    outputsDir: join(folder.top, 'outputs'),
    secretVariables: ['MY_KEY'],
    secrets: () => [KEY],
    ...(timeoutMs ? { timeoutMs } : {}),
  });

const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the result', () => {
  test.each([
    ['echo hi', 'hi', undefined],
    ['true', '(no output)', undefined],
    ['echo out; echo err >&2; exit 3', 'out\nerr\n[exit code 3]', true],
    ['exit 1', '[exit code 1]', true],
    ['kill -9 $$', '[ended by SIGKILL]', true],
    ['nonsense-command-xyz 2>/dev/null', '[exit code 127]', true],
  ])('%s', async (command, text, isError) => {
    const result = await called(shell(), { command }, folder.ws);
    expect([textOf(result), result.isError]).toEqual([text, isError]);
  });
  test('runs in the workspace', async () => {
    expect(await said(shell(), { command: 'pwd' }, folder.ws)).toBe(folder.ws);
  });
  test('keeps tabs and what people write', async () => {
    expect(await said(shell(), { command: "printf 'a\\tb\\t城市 🙂\\n'" }, folder.ws)).toBe('a\tb\t城市 🙂');
  });
  test('long output: head, tail, how much is missing, and a file with all of it', async () => {
    const result = await called(shell(), { command: 'seq 1 20000' }, folder.ws);
    const text = textOf(result);
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^1\n2\n/);
    expect(text).toMatch(/19999\n20000$/);
    const path = /all of it is in (\S+)/.exec(text)?.[1] as string;
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(20_001);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(result.preview?.split('\n')).toHaveLength(18);
    expect(result.preview).toMatch(/^1\n[\s\S]*20000$/);
  });
  test('characters are never cut in two', async () => {
    const text = await said(shell(), { command: "printf 'ab'; printf '🙂%.0s' $(seq 1 20000)" }, folder.ws);
    expect(text).not.toContain('\uFFFD');
  });
});

describe('bytes that are no text', () => {
  test.each([
    ["printf 'a\\000b'", /^\[binary output, 3 bytes, not shown; it begins with 61 00 62 \|a\.b\|\]$/],
    ["printf '\\377\\376'", /^\[binary output, 2 bytes, not shown; it begins with ff fe/],
    ['head -c 3000 /bin/ls', /^\[binary output, 3000 bytes, not shown; it begins with 7f 45 4c 46/],
    ['head -c 100000 /dev/urandom', /^\[binary output, 100000 bytes/],
  ])('are said and not shown: %s', async (command, message) => {
    const text = await said(shell(), { command }, folder.ws);
    expect(text).toMatch(message);
    expect(Buffer.from(text).toString()).toBe(text);
  });
  test('a few of them are said, and the rest is shown', async () => {
    const command = "printf 'a long enough line of text \\233 31m\\220q\\234 goes on here'; echo END";
    const text = await said(shell(), { command }, folder.ws);
    expect(text).toContain('END');
    expect(text).toContain('[3 sequences in it were not valid UTF-8');
    expect(text).not.toMatch(/[\u0080-\u009f]/);
  });
});

describe('secrets', () => {
  test('are not in the environment, ordinary variables are', async () => {
    const text = await said(shell(), { command: 'env' }, folder.ws);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain('other-secret-value');
    expect(text).toMatch(/^PATH=/m);
    expect(text).toMatch(/^HOME=/m);
    expect(text).toMatch(/^LANG=C.UTF-8$/m);
  });
  test('are hidden where they show by another way, also in the file and over two writes', async () => {
    folder.put('key', KEY);
    const command = 'cat key; echo; head -c 9 key; sleep 0.1; tail -c +10 key; echo; seq 1 9000; cat key';
    const text = await said(shell(), { command }, folder.ws);
    expect(text.match(/\[secret hidden\]/g)).toHaveLength(3);
    expect(text).not.toContain(KEY.slice(0, 12));
    expect(readFileSync(/in (\S+\.txt)/.exec(text)?.[1] as string, 'utf8')).not.toContain(KEY);
  });
});

describe('time and interruption', () => {
  test('what is over its time says so, and keeps what was printed', async () => {
    const result = await called(shell(), { command: 'echo step-3; sleep 30; touch LATE', timeout_ms: 500 }, folder.ws);
    expect(textOf(result)).toMatch(/^step-3\n\[stopped after 0\.5 s, its time limit/);
    expect(result.isError).toBe(true);
  });
  test('the limit is the call’s, else the session’s; the runtime’s own comes later', async () => {
    const tool = shell(300);
    expect(tool.timeoutMs?.({ command: 'x', timeout_ms: 1000 })).toBeGreaterThan(3_000);
    expect(tool.timeoutMs?.({ command: 'x', timeout_ms: 1e12 })).toBeLessThan(3_700_000);
    expect(await said(tool, { command: 'sleep 30' }, folder.ws)).toMatch(/stopped after 0\.3 s/);
  });
  test('an interrupt settles within the grace, also for what ignores it', async () => {
    const call = await judged(shell(), { command: "trap '' TERM; echo A; touch ready; sleep 30" }, folder.ws);
    const abort = new AbortController();
    const running = call.run({ signal: abort.signal });
    await until(() => existsSync(join(folder.ws, 'ready')));
    const began = performance.now();
    abort.abort();
    expect(textOf(await running)).toMatch(/^A\n\[interrupted after/);
    expect(performance.now() - began).toBeLessThan(2_900);
  });
});

describe('what goes on', () => {
  test('a child left behind is told, and ended with the program', async () => {
    const text = await said(shell(), { command: 'sleep 300 & echo ready' }, folder.ws);
    const pid = Number(/^ready\n\[still running: process (\d+) \(sleep 300\)/.exec(text)?.[1]);
    expect(processes.list()).toMatchObject([{ kind: 'left', command: 'sleep 300' }]);
    await processes.stopAll();
    expect(alive(pid)).toBe(false);
    expect(processes.list()).toEqual([]);
  });
  test('in the background: told at once, listed, its end is a notice', async () => {
    const result = await called(
      shell(),
      { command: 'echo up; until test -e go; do sleep 0.02; done; echo over; exit 4', background: true },
      folder.ws,
    );
    expect(textOf(result)).toMatch(
      /^Started in the background as p1; `kill -- -\d+` ends it\. Its output goes to \S+\.[\s\S]*up/,
    );
    expect(result.isError).toBeUndefined();
    expect(processes.list()).toMatchObject([{ id: 'p1', kind: 'background' }]);
    expect(processes.takeNotices()).toEqual([]);
    folder.put('go', '');
    const notices: string[] = [];
    await until(() => notices.push(...processes.takeNotices()) > 0);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(
      /^The background command p1 \(echo up; .*\) ended with exit code 4 after \d+ s\. Its output:\nup\nover/,
    );
    expect(processes.list()).toEqual([]);
    expect(readFileSync(/goes to (\S+)\. /.exec(textOf(result))?.[1] as string, 'utf8')).toBe('up\nover\n');
  });
  test('in the background: what fails at once is told at once, and only once', async () => {
    const result = await called(shell(), { command: 'echo no >&2; exit 7', background: true }, folder.ws);
    expect(textOf(result)).toBe('It ended at once, with exit code 7.\nIt printed so far:\nno\n');
    expect(result.isError).toBe(true);
    expect(processes.takeNotices()).toEqual([]);
  });
  test('an interrupt does not end what is in the background, its id does', async () => {
    const call = await judged(shell(), { command: 'sleep 300', background: true }, folder.ws);
    const abort = new AbortController();
    const text = textOf(await call.run({ signal: abort.signal }));
    abort.abort();
    expect(processes.list()).toHaveLength(1);
    expect(await processes.stop('p9')).toBe(false);
    expect(await processes.stop('p1')).toBe(true);
    expect(alive(Number(/-- -(\d+)/.exec(text)?.[1]))).toBe(false);
    expect(processes.list()).toEqual([]);
    expect(processes.takeNotices()).toEqual([]);
  });
  test('when the program exits, at once', async () => {
    const text = await said(shell(), { command: 'setsid sh -c \'trap "" TERM; sleep 300\' & echo' }, folder.ws);
    processes.killAll();
    const pid = Number(/process (\d+)/.exec(text)?.[1]);
    await until(() => !alive(pid));
    await expect(called(shell(), { command: 'touch late' }, folder.ws)).rejects.toThrow(/about to exit/);
    expect(existsSync(join(folder.ws, 'late'))).toBe(false);
  });
});

describe('the question', () => {
  test('shows the whole command and that it is not confined; grants are the same command line', async () => {
    const command = 'git status\ntouch x';
    const { access } = await judged(shell(), { command }, folder.ws);
    expect(access.kind).toBe('run');
    expect(access.detail.startsWith(`${command}\n`)).toBe(true);
    expect(access.detail).toContain('not confined');
    expect(access.grants).toEqual([
      { scope: 'session', covers: command },
      { scope: 'always', covers: command },
    ]);
  });
  test.each([
    [{}, 'command is missing (string)'],
    [{ command: 42 }, 'command: expected string, received number'],
    [{ command: 'ls', cwd: '/' }, /no argument "cwd"/],
  ])('arguments that do not fit: %j', async (input, message) => {
    await expect(called(shell(), input, folder.ws)).rejects.toThrow(message);
  });
});
