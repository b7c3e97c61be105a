/** What a journal needs of the file system; tests put one with faults in its place. */
import { open } from 'node:fs/promises';

export interface JournalFile {
  /** At the end of the file, whatever was read or cut before. May write less than it was given. */
  write(bytes: Uint8Array): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(size: number): Promise<void>;
  stat(): Promise<{ size: number }>;
  close(): Promise<void>;
}

export interface FileLayer {
  /** `create`: the file must not be there yet. */
  openForAppend(path: string, create: boolean): Promise<JournalFile>;
  /** A new file's name is on disk only when its folder is. */
  syncFolder(path: string): Promise<void>;
}

export const realFiles: FileLayer = {
  async openForAppend(path, create) {
    const handle = await open(path, create ? 'ax' : 'a', 0o600);
    try {
      const { mode } = await handle.stat();
      if (mode & 0o077) await handle.chmod(0o600);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  },
  async syncFolder(path) {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};
