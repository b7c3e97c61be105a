/** A capped file for the output of one command: 0600 in a 0700 folder. A disk that refuses it costs the file, not the command. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

export interface SpillFile {
  readonly started: boolean;
  /** A promise where too much waits to be written: it resolves when that is. Never rejects. */
  write(chunk: Buffer): Promise<void> | undefined;
  kept(): { path: string; bytes: number } | undefined;
  close(discard: boolean): Promise<void>;
}

/** What may wait in memory. */
const MAX_WAITING = 1024 * 1024;

export function createSpillFile(path: string, maxBytes: number): SpillFile {
  let handle: FileHandle | undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  let bytes = 0;
  let failed = false;

  /** Small pieces that came meanwhile are written as one. */
  const writeWaiting = async (): Promise<void> => {
    try {
      if (!handle) {
        await makeFolder(dirname(path), 0o700);
        handle = await open(path, 'wx', 0o600);
      }
      while (waiting.length > 0) {
        const part = Buffer.concat(waiting);
        waiting = [];
        waitingBytes = 0;
        await handle.appendFile(part);
      }
    } catch {
      failed = true;
      waiting = [];
    }
    writing = undefined;
  };
  return {
    get started() {
      return bytes > 0;
    },
    write(chunk) {
      const part = chunk.subarray(0, maxBytes - bytes);
      if (failed || part.length === 0) return undefined;
      bytes += part.length;
      waiting.push(part);
      waitingBytes += part.length;
      writing ??= writeWaiting();
      return waitingBytes > MAX_WAITING ? writing : undefined;
    },
    kept: () => (bytes > 0 && !failed ? { path, bytes } : undefined),
    async close(discard) {
      await writing;
      await handle?.close().catch(() => undefined);
      if (handle && (discard || failed)) await rm(path, { force: true }).catch(() => undefined);
      handle = undefined;
    },
  };
}
