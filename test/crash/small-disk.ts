/** A disk that is full when a test says so: a limit on a running process, or a small file system in memory. */

import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Why limits cannot be set here, or undefined. */
export const noLimits = works('prlimit', '--version') ? undefined : 'prlimit is not there';

/** No file of the process may grow beyond so many bytes; undefined: as large as it likes. */
export function limitFiles({ pid }: ChildProcess, bytes?: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`]);
  if (status !== 0) throw new Error(String(stderr));
}

/** The process may let this file grow by so many bytes more. */
export const leaveRoom = (child: ChildProcess, path: string, bytes: number): void =>
  limitFiles(child, statSync(path).size + bytes);

export interface SmallDisk {
  path: string;
  /** Takes all that is free. */
  fill(): void;
  free(): void;
  readOnly(on: boolean): void;
  remove(): void;
}

/** A file system of its own, or why there is none. */
export function makeSmallDisk(kilobytes: number): SmallDisk | string {
  const path = mkdtempSync(join(tmpdir(), 'harness-chat-disk-'));
  if (!works('mount', '-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=700`, 'tmpfs', path)) {
    rmSync(path, { recursive: true });
    return 'a file system cannot be mounted here';
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 4)) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    readOnly(on) {
      if (!works('mount', '-o', `remount,${on ? 'ro' : 'rw'}`, path))
        throw new Error('the file system cannot be mounted anew');
    },
    remove() {
      if (!works('umount', path)) works('umount', '-l', path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
