/** A session in a file of its own: its journal, and the lock that makes this process its only owner. */
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JournalError } from '../domain/failure.ts';
import { type FileJournal, openFileJournal } from '../edge/journal/file-journal.ts';
import { acquireLock } from '../edge/journal/lock.ts';
import type { Journal } from '../runtime/ports.ts';

/** A journal in a file that this process owns until `close`. */
export interface SessionFile extends Journal {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Bytes of a last record that a crash tore: they are not read, and cut off by the next append. */
  readonly torn: number;
}

/**
 * Opens the journal at `path`, or makes it (0600). Beside it stands a folder `<path>.lock` that names the owner.
 * Rejects with a SessionInUseError where another living process has it open, or this one already, and with a
 * JournalError that says why it cannot be opened or made.
 */
export async function openSessionFile(path: string): Promise<SessionFile> {
  const file = await present(path);
  // in a folder of its own: a lock tightens the folder that it stands in, and the file's may be anybody's
  const lock = await acquireLock(join(`${file}.lock`, 'owner'), file);
  try {
    return ownedBy(await openFileJournal({ path: file }), () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The real path of the file, which is there now. */
async function present(path: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a', 0o600);
    await file.close();
    return await realpath(path);
  } catch (cause) {
    throw new JournalError(`Cannot open the journal ${path}: ${(cause as Error).message}.`, { cause });
  }
}

function ownedBy(journal: FileJournal, release: () => Promise<void>): SessionFile {
  return {
    path: journal.path,
    torn: journal.tail.torn,
    append: (records) => journal.append(records),
    read: (options) => journal.read(options),
    async close() {
      await journal.close().finally(release);
    },
  };
}
