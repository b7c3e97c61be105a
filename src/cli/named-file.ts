/** A file that somebody names in a message: where it is, and what is in it, in bounded time and room. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

export const pathOf = (name: string, cwd: string): string => resolve(cwd, name.replace(/^~(?=\/|$)/, homedir()));

export interface FileBytes {
  bytes: Buffer;
  size: number;
}

/** At most `limit` bytes of it; undefined for what is no file. */
export async function readBounded(path: string, limit: number): Promise<FileBytes | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, limit));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), size: stats.size };
  } finally {
    await handle.close();
  }
}
