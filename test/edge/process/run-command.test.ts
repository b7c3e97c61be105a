import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { childEnvironment } from '../../../src/edge/process/environment.ts';
import { outputText } from '../../../src/edge/process/output-text.ts';
import { readProcessTable } from '../../../src/edge/process/process-table.ts';
import { type CommandLimits, runCommand } from '../../../src/edge/process/run-command.ts';
import { until } from './until.ts';

let folder: string;
let toEnd: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-command-'));
});
afterEach(() => {
  for (const pid of toEnd) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
  toEnd = [];
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string, limits: CommandLimits = {}, output = {}) =>
  runCommand({ command, cwd: folder, env: childEnvironment(process.env), output }, limits);
const alive = (pid: number) => readProcessTable().some((row) => row.pid === pid);
const pidIn = (name: string) => Number(readFileSync(join(folder, name), 'utf8'));
const pidWritten = async (name: string) => {
  await until(() => existsSync(join(folder, name)) && pidIn(name) > 0);
  return pidIn(name);
};

describe('a command', () => {
  test('prints both streams in order, and says how it ended', async () => {
    const result = await run('for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done; exit 3');
    expect(outputText(result.output)).toBe([1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(''));
    expect([result.code, result.signal, result.stopped]).toEqual([3, null, undefined]);
  });
  test('can open /dev/stdout and /dev/stderr again', async () => {
    expect(outputText((await run('echo a > /dev/stderr; echo b > /dev/stdout')).output)).toBe('a\nb\n');
  });
  test.each([
    ['read x; echo "got:$x"', 'got:\n'],
    ['cat; echo end', 'end\n'],
    ['(exec 3<>/dev/tty) 2>/dev/null || echo no terminal', 'no terminal\n'],
    ['ps -o tty= -p $$ | tr -d " "', '?\n'],
  ])('has an empty standard input and no terminal: %s', async (command, printed) => {
    expect(outputText((await run(command, { timeoutMs: 5000 })).output)).toBe(printed);
  });
  test('gets the input it is given', async () => {
    const request = { command: 'cat', cwd: folder, env: childEnvironment(process.env), input: '{"a":1}' };
    expect(outputText((await runCommand(request)).output)).toBe('{"a":1}');
  });
  test('that does not read its input is no failure', async () => {
    const request = { command: 'exit 2', cwd: folder, env: process.env, input: 'x'.repeat(1_000_000) };
    expect((await runCommand(request)).code).toBe(2);
  });
  test('runs all the same where no named pipe can be made', async () => {
    vi.stubEnv('TMPDIR', '/nowhere');
    const result = await run('echo out; echo err >&2; read x; sleep 300 & exit 4');
    vi.unstubAllEnvs();
    toEnd.push(...result.stillRunning.map((row) => row.pid));
    expect([...outputText(result.output).split('\n')].sort()).toEqual(['', 'err', 'out']);
    expect([result.code, result.stillRunning.length]).toEqual([4, 1]);
  });
  test('says the signal that ended it', async () => {
    const result = await run('kill -9 $$');
    expect([result.code, result.signal]).toEqual([null, 'SIGKILL']);
  });
  test.each([
    ['echo \0', /NUL/],
    [`: ${'x'.repeat(200_000)}`, /longer than/],
  ])('that cannot be started is one line', async (command, message) => {
    await expect(run(command)).rejects.toThrow(message);
  });
  test('in a folder that is gone is one line', async () => {
    const request = { command: 'true', cwd: join(folder, 'gone'), env: process.env };
    await expect(runCommand(request)).rejects.toThrow(/not there any more/);
  });
  test('is not started where the signal was aborted before', async () => {
    await expect(run('touch made', { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });
});

describe('output without an end', () => {
  test('100 MB stay in bounded memory, head and tail are kept, the file is capped and private', async () => {
    const before = process.memoryUsage().rss;
    let most = before;
    const sampler = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const file = join(folder, 'outputs', 'o.txt');
    const result = await run(
      'echo first; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo last',
      {},
      { file, maxFileBytes: 1_000_000 },
    );
    clearInterval(sampler);
    expect(result.output.totalBytes).toBe(100_000_012);
    const text = outputText(result.output);
    expect(text.startsWith('first\nxxx')).toBe(true);
    expect(text.endsWith('xxx\nlast\n')).toBe(true);
    expect(text).toContain(`${100_000_012 - 30_000} of 100000012 bytes left out`);
    expect(text).toContain(`the first 1000000 bytes are in ${file}`);
    expect(statSync(file).size).toBe(1_000_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'outputs')).mode & 0o777).toBe(0o700);
    expect((most - before) / 1e6).toBeLessThan(60);
  });
  test('on standard error until the time limit', async () => {
    const result = await run('yes >&2', { timeoutMs: 500 });
    expect(result.stopped).toBe('timeout');
    expect(result.output.droppedBytes).toBeGreaterThan(0);
    expect(result.stillRunning).toEqual([]);
  });
  test('a small output leaves no file', async () => {
    const file = join(folder, 'outputs', 'o.txt');
    expect((await run('head -c 20000 /dev/zero | tr "\\0" x', {}, { file })).output.file).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });
  test('a file that cannot be made costs nothing else', async () => {
    writeFileSync(join(folder, 'file'), '');
    const result = await run(
      'head -c 100000 /dev/zero | tr "\\0" x; echo end',
      {},
      { file: join(folder, 'file', 'o.txt') },
    );
    expect(outputText(result.output)).toMatch(/left out here \.\.\.\]\nx+end\n$/);
    expect(result.output.file).toBeUndefined();
  });
});

describe('what a command leaves behind', () => {
  test.each([
    'sleep 300 & echo $! > pid; echo ready',
    '(sleep 300 > /dev/null & echo $! > pid); echo ready',
    'setsid sleep 300 & echo $! > pid; echo ready',
    "setsid sh -c 'echo $$ > pid; exec sleep 300' > /dev/null 2>&1 & while ! test -s pid; do sleep 0.01; done; echo ready",
    'nohup sleep 300 & echo $! > pid; echo ready',
  ])('is reported, and the call returns: %s', async (command) => {
    const began = performance.now();
    const result = await run(command);
    toEnd.push(await pidWritten('pid'));
    expect(performance.now() - began).toBeLessThan(2000);
    expect(outputText(result.output)).toContain('ready');
    expect(result.stillRunning.map((row) => row.pid)).toContain(pidIn('pid'));
  });
  test('that prints for ever does not hold the call, and is not broken off', async () => {
    const result = await run('(while :; do echo tick; sleep 0.05; done) & echo $! > pid');
    toEnd.push(pidIn('pid'));
    expect(result.durationMs).toBeLessThan(2500);
    expect(alive(pidIn('pid'))).toBe(true);
  });
  test('a pipeline that ended leaves nothing', async () => {
    expect((await run('yes | head -1; echo a > >(cat)')).stillRunning).toEqual([]);
  });
});

describe('stopping', () => {
  test.each([
    ['step-3', 'echo step-3; sleep 30; touch LATE'],
    ['A', "trap '' TERM; echo A; sleep 30"],
    ['B', 'echo B; (sleep 30; touch LATE2) & wait'],
    ['C', 'echo C; setsid sleep 30 & echo $! > pid; wait'],
    ['D', 'echo D; setsid sh -c \'trap "" TERM; sleep 30; touch LATE\' & wait'],
    ['E', "echo E; (setsid sh -c 'echo $$ > pid; exec sleep 30' &); sleep 30"],
    ['F', 'echo F; bash -c \'bash -c "sleep 30 & sleep 30" & wait\''],
  ])('by the time limit ends all of it and keeps what was printed: %s', async (printed, command) => {
    const result = await run(command, { timeoutMs: 400 });
    expect(outputText(result.output)).toContain(printed);
    expect(result.stopped).toBe('timeout');
    expect(result.stillRunning).toEqual([]);
    expect(result.durationMs).toBeLessThan(3300);
    if (existsSync(join(folder, 'pid'))) expect(alive(pidIn('pid'))).toBe(false);
  });
  test('by the signal: politely first, what traps it may tidy up', async () => {
    const abort = new AbortController();
    const running = run("trap 'echo bye; exit 0' TERM; echo $$ > pid; while :; do sleep 0.05; done", {
      signal: abort.signal,
    });
    await pidWritten('pid');
    abort.abort();
    const result = await running;
    expect(outputText(result.output)).toContain('bye');
    expect(result.stopped).toBe('aborted');
    expect(result.durationMs).toBeLessThan(1500);
  });
  test('a stopped process as well', async () => {
    const result = await run('echo $$ > pid; kill -STOP $$', { timeoutMs: 300 });
    expect(alive(pidIn('pid'))).toBe(false);
    expect(result.stopped).toBe('timeout');
  });
  test('while only a child that talks keeps the pipe open', async () => {
    const abort = new AbortController();
    const running = run('(while :; do echo tick; sleep 0.05; done) & echo $! > pid', { signal: abort.signal });
    await pidWritten('pid');
    abort.abort();
    expect((await running).stillRunning).toEqual([]);
    expect(alive(pidIn('pid'))).toBe(false);
  });
});
