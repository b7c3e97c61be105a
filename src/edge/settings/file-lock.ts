/** A lock file with the owner's process id: one process at a time reads, changes and writes a small file. */
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { oneLine } from './one-line.ts';

/** What is done under the lock takes milliseconds: an older lock was left behind, whoever has its number now. */
const STALE_AFTER_MS = 10_000;
const GIVE_UP_AFTER_MS = 15_000;
const RETRY_MS = 8;

/**
 * Runs `work` while this process holds `path`. A lock of a dead process is taken over. Rejects with one line where the
 * lock cannot be had.
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  while (!take(path)) {
    if (Date.now() > deadline) throw new Error(`${oneLine(path)} is held by process ${holder(path) || '?'}: try again`);
    clearStale(path);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  try {
    return await work();
  } finally {
    remove(path);
  }
}

function take(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      writeSync(file, String(process.pid));
    } catch (error) {
      // a full disk: whoever comes next need not wait until an empty lock is old
      remove(path);
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    // Windows says EPERM while another process is deleting it
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

/**
 * Removes a lock whose owner is gone. Only who holds the second lock may do so, and looks again under it: else two
 * that saw the same dead owner could remove each other's fresh locks.
 */
function clearStale(path: string): void {
  if (!isStale(path)) return;
  const second = `${path}.stale`;
  if (!take(second)) {
    if (ageOf(second) > STALE_AFTER_MS) remove(second);
    return;
  }
  try {
    if (isStale(path)) remove(path);
  } finally {
    remove(second);
  }
}

function isStale(path: string): boolean {
  const age = ageOf(path);
  if (age > STALE_AFTER_MS) return true;
  const pid = Number(holder(path));
  // an empty lock is just being written
  return age >= 0 && pid > 0 && !isAlive(pid);
}

/** Milliseconds since it was written; -1 where it is not there. */
function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? Math.max(0, Date.now() - stats.mtimeMs) : -1;
}

function holder(path: string): string {
  try {
    return /^\d{1,10}$/.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // somebody else removed it
  }
}
