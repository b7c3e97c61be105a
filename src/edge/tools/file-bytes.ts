/** Reads and replaces plain files, and says in one line why it cannot. */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../process/make-folder.ts';

/** What a file tool looks at of one file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface FileBytes {
  bytes: Buffer;
  stats: Stats;
  /** There is more of it. */
  cut: boolean;
}

/** undefined where there is no such file. `real` must be without links. */
export async function readBytes(real: string): Promise<FileBytes | undefined> {
  let handle: FileHandle;
  try {
    // O_NONBLOCK: a named pipe must not hold the call; O_NOFOLLOW: no link may have taken its place
    handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(reasonOf(error, real));
  }
  try {
    const stats = await handle.stat();
    const fault = kindFault(stats, real);
    if (fault) throw new Error(fault);
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of handle.createReadStream({ end: MAX_FILE_BYTES, autoClose: false })) {
      chunks.push(chunk as Buffer);
      total += (chunk as Buffer).length;
    }
    return { bytes: Buffer.concat(chunks).subarray(0, MAX_FILE_BYTES), stats, cut: total > MAX_FILE_BYTES };
  } catch (error) {
    throw new Error(reasonOf(error, real));
  } finally {
    await handle.close();
  }
}

const kindFault = (stats: Stats, real: string): string | undefined => {
  if (stats.isDirectory()) return `${real} is a folder: use list_files`;
  return stats.isFile() ? undefined : `${real} is no plain file`;
};

/** In place of what is there, whole or not at all; folders on the way are made. Keeps mode and, where allowed, owner. */
export async function replaceBytes(real: string, bytes: Buffer): Promise<void> {
  try {
    const before = await stat(real).catch(() => undefined);
    const fault = before && kindFault(before, real);
    if (fault) throw new Error(fault);
    await makeFolder(dirname(real));
    if ((await realpath(dirname(real))) !== dirname(real)) throw new Error(`${dirname(real)} became a link meanwhile`);
    await (before && !(await isReplaceable(real, before)) ? overwrite(real, bytes) : swap(real, bytes, before));
  } catch (error) {
    throw new Error(reasonOf(error, real));
  }
}

/** A write-protected file says no, even where its folder would let it be swapped; other names of it must stay one file. */
async function isReplaceable(real: string, before: Stats): Promise<boolean> {
  const handle = await open(real, constants.O_WRONLY | constants.O_NOFOLLOW);
  await handle.close();
  return before.nlink === 1;
}

async function swap(real: string, bytes: Buffer, before: Stats | undefined): Promise<void> {
  const temporary = join(dirname(real), `.${basename(real).slice(0, 100)}.${randomUUID()}.tmp`);
  let handle: FileHandle;
  try {
    handle = await open(temporary, 'wx', before ? 0o600 : 0o666);
  } catch (error) {
    // a file that may be written in a folder that may not
    if (before && ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return overwrite(real, bytes);
    throw error;
  }
  try {
    await handle.writeFile(bytes);
    if (before) {
      await handle.chown(before.uid, before.gid).catch(() => undefined);
      await handle.chmod(before.mode & 0o7777);
    }
    await handle.close();
    await rename(temporary, real);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    if (before && codeOf(error) === 'EBUSY') return overwrite(real, bytes);
    throw error;
  }
}

async function overwrite(real: string, bytes: Buffer): Promise<void> {
  const handle = await open(real, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    await handle.truncate(0);
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const REASONS: Record<string, string> = {
  ENOENT: 'is not there',
  ENOTDIR: 'leads through a file as if it were a folder',
  EISDIR: 'is a folder',
  EACCES: 'may not be opened: permission denied',
  EPERM: 'may not be changed: not permitted',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'could not be written: the disk is full',
  EDQUOT: 'could not be written: the quota is used up',
  ELOOP: 'became a link meanwhile',
  ENAMETOOLONG: 'has a name that is too long',
  ENXIO: 'is no plain file',
};

/** One line for the model; the raw text of the system only where nothing better is known. */
export function reasonOf(error: unknown, path: string): string {
  const reason = REASONS[codeOf(error)];
  return reason ? `${path} ${reason}` : (error as Error).message;
}
