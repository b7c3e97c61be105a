/** A capped file for the output of one command: 0600 in a 0700 folder. A disk that refuses it costs the file, not the command. */
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface SpillFile {
  readonly started: boolean;
  /** Resolves when it is written; undefined where it has no room for any of it. Never rejects. */
  write(chunk: Buffer): Promise<void> | undefined;
  kept(): { path: string; bytes: number } | undefined;
  close(discard: boolean): Promise<void>;
}

export function createSpillFile(path: string, maxBytes: number): SpillFile {
  let handle: FileHandle | undefined;
  /** The writes, one behind the other. */
  let last: Promise<void> | undefined;
  let bytes = 0;
  let failed = false;

  const append = async (before: Promise<void> | undefined, part: Buffer): Promise<void> => {
    await before;
    if (failed) return;
    try {
      if (!handle) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        handle = await open(path, 'wx', 0o600);
      }
      await handle.appendFile(part);
    } catch {
      failed = true;
    }
  };
  return {
    get started() {
      return last !== undefined;
    },
    write(chunk) {
      const part = chunk.subarray(0, maxBytes - bytes);
      if (failed || part.length === 0) return undefined;
      bytes += part.length;
      last = append(last, part);
      return last;
    },
    kept: () => (last && !failed ? { path, bytes } : undefined),
    async close(discard) {
      await last;
      await handle?.close().catch(() => undefined);
      if (handle && (discard || failed)) await rm(path, { force: true }).catch(() => undefined);
      handle = undefined;
    },
  };
}
