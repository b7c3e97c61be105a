import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  acquireLock,
  type Holder,
  type ProcessTable,
  SessionInUseError,
  systemProcesses,
} from '../../../src/edge/journal/lock.ts';
import { makeFolder } from './records.ts';

const lockPath = () => join(makeFolder(), 'sessions', 's.lock');

/** A table in which only the named processes live. */
const table = (self: Partial<Holder>, living: Record<number, string> = {}): ProcessTable => {
  const me = { pid: 1000, started: '1', host: 'here', boot: 'b1', space: 'p1', ...self };
  return { self: async () => me, startOf: async (pid) => (pid === me.pid ? me.started : living[pid]) };
};
const left = async (path: string, holder: Partial<Holder>) => {
  await acquireLock(path, 's', table(holder));
  return path;
};

describe('a lock', () => {
  it('is refused to a second taker with the process that holds it, and free after its release', async () => {
    const path = lockPath();
    const lock = await acquireLock(path, 's');
    await expect(acquireLock(path, 's')).rejects.toThrow(`Session s is in use by process ${process.pid}.`);
    await expect(acquireLock(path, 's')).rejects.toBeInstanceOf(SessionInUseError);
    await lock.release();
    await (await acquireLock(path, 's')).release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each<[string, Partial<Holder>, ProcessTable]>([
    ['died', { pid: 7 }, table({})],
    ['died, its id is another process now', { pid: 7, started: '1' }, table({}, { 7: '2' })],
    ['died with its machine, its id and start time live again', { pid: 7, boot: 'b0' }, table({}, { 7: '1' })],
    ['had the id that is now ours', { pid: 1000, started: '0' }, table({})],
  ])('of a holder that %s is taken over', async (_, holder, processes) => {
    const path = await left(lockPath(), holder);
    const lock = await acquireLock(path, 's', processes);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: 1000 });
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each<[string, Partial<Holder>, ProcessTable, RegExp]>([
    ['lives', { pid: 7 }, table({}, { 7: '1' }), /process 7\.$/],
    ['lives, its start is not told', { pid: 7 }, table({}, { 7: '' }), /process 7\.$/],
    [
      'is on another machine',
      { pid: 7, host: 'there', boot: 'b2' },
      table({}),
      /process 7 on there\. If that is over, remove .*s\.lock\.$/,
    ],
    ['is in another container', { pid: 7, space: 'p2' }, table({}), /process 7 on here\. If/],
    ['is in another container of its own name', { pid: 7, host: 'there', space: 'p2' }, table({}), /on there/],
    [
      'is on another machine of a kind without boot ids',
      { pid: 7, host: 'there', boot: '' },
      table({ boot: '' }),
      /on there/,
    ],
  ])('of a holder that %s is refused', async (_, holder, processes, message) => {
    const path = await left(lockPath(), holder);
    const before = readFileSync(path);
    await expect(acquireLock(path, 's', processes)).rejects.toThrow(message);
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  it.each(['', 'garbage', '{"pid":', '\0\0\0', '{"pid":-5}'])(
    'that a dead machine left as %j is taken over',
    async (content) => {
      const path = await left(lockPath(), {});
      writeFileSync(path, content);
      await (await acquireLock(path, 's')).release();
      expect(existsSync(path)).toBe(false);
    },
  );

  it('survives takers that died at each step of a takeover', async () => {
    const path = await left(lockPath(), { pid: 7 });
    const guardOf = (file: string) =>
      `${file}.${createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)}`;
    const dead = JSON.parse(readFileSync(path, 'utf8'));
    const guard = guardOf(path);
    // the guard on the dead lock, left by taker 8, and the guard on that guard, left by taker 9
    writeFileSync(guard, JSON.stringify({ ...dead, pid: 8 }));
    writeFileSync(guardOf(guard), JSON.stringify({ ...dead, pid: 9 }));
    await acquireLock(path, 's', table({}));
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  it('is not removed by a holder whose lock was replaced', async () => {
    const path = lockPath();
    const lock = await acquireLock(path, 's');
    writeFileSync(path, 'another');
    await lock.release();
    expect(readFileSync(path, 'utf8')).toBe('another');
  });
});

describe('many takers', () => {
  it('of a dead lock: exactly one gets it, also where takers release at once', async () => {
    for (let round = 0; round < 30; round += 1) {
      const path = await left(lockPath(), { pid: 7 });
      let inside = 0;
      let most = 0;
      let got = 0;
      const taker = async (pid: number) => {
        const processes: ProcessTable = {
          self: table({ pid }).self,
          startOf: async (asked) => (asked >= 100 ? '1' : undefined),
        };
        const lock = await acquireLock(path, 's', processes).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SessionInUseError);
          return undefined;
        });
        if (!lock) return;
        inside += 1;
        got += 1;
        most = Math.max(most, inside);
        await Promise.resolve();
        inside -= 1;
        if (round % 2 === 0) await lock.release();
      };
      await Promise.all(Array.from({ length: 12 }, (_, i) => taker(100 + i)));
      expect(most).toBe(1);
      expect(got).toBeGreaterThanOrEqual(1);
      if (round % 2 === 1) expect(got).toBe(1);
      expect(readdirSync(dirname(path)).filter((name) => name !== basename(path))).toEqual([]);
    }
  });
});

describe('the system', () => {
  const sleeper = (): ChildProcess => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };

  it('tells when a process began, and that a dead one is gone', async () => {
    const child = sleeper();
    const started = await systemProcesses.startOf(child.pid!);
    expect(started).toMatch(/\d/);
    expect(await systemProcesses.startOf(child.pid!)).toBe(started);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(await systemProcesses.startOf(child.pid!)).toBeUndefined();
    expect(await systemProcesses.self()).toMatchObject({ pid: process.pid });
  });

  it('a holder that was killed leaves nothing to do by hand', async () => {
    const path = lockPath();
    const child = sleeper();
    const holder = {
      ...(await systemProcesses.self()),
      pid: child.pid!,
      started: (await systemProcesses.startOf(child.pid!))!,
    };
    await acquireLock(path, 's', { self: async () => holder, startOf: systemProcesses.startOf });
    await expect(acquireLock(path, 's')).rejects.toThrow(`process ${child.pid}`);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    await (await acquireLock(path, 's')).release();
  });
});
