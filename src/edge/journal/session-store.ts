/** The sessions of a home: made, opened, found, listed, removed (contract: Files, sessions). */
import { lstat, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { JournalError } from '../../domain/failure.ts';
import type { SessionId } from '../../domain/identity.ts';
import type { JournalRecord } from '../../runtime/ports.ts';
import { type FileJournal, openFileJournal } from './file-journal.ts';
import { acquireLock } from './lock.ts';
import {
  draftPath,
  isSessionId,
  journalPath,
  lockPath,
  namePath,
  offersPath,
  outputsPath,
  type SessionFolders,
  sessionOfFile,
} from './session-files.ts';
import { folderOf, NoSessionError, type SessionSummary, summarise } from './session-summary.ts';

/** There is none of that name, or more than one. One line for the person; wrong usage. */
export class UnknownSessionError extends Error {
  override readonly name = 'UnknownSessionError';
}

export interface SessionList {
  /** The last written first. */
  sessions: SessionSummary[];
  /** Files that are no session, and why. */
  skipped: { file: string; why: string }[];
}

/** Files that are looked at side by side. */
const AT_ONCE = 16;

export class SessionStore {
  readonly folders: SessionFolders;
  constructor(folders: SessionFolders) {
    this.folders = folders;
  }

  path(id: SessionId): string {
    return journalPath(this.folders, id);
  }

  /** A new session's journal. It holds the session's lock until it is closed. */
  create(id: SessionId): Promise<FileJournal> {
    return this.#locked(id, () => openFileJournal({ path: this.path(id), create: true }));
  }

  /** An existing session's journal; rejects with a SessionInUseError or a JournalError. Changes nothing yet. */
  open(id: SessionId): Promise<FileJournal> {
    return this.#locked(id, async () => {
      const journal = await openFileJournal({ path: this.path(id) });
      if (journal.tail.end > 0) return journal;
      await journal.close();
      throw new JournalError(`Session ${id} is empty: its file holds no whole record.`);
    });
  }

  async #locked(id: SessionId, openJournal: () => Promise<FileJournal>): Promise<FileJournal> {
    const lock = await acquireLock(lockPath(this.folders, id), id);
    try {
      const journal = await openJournal();
      return new NamedJournal(journal, namePath(this.folders, id), () => lock.release());
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** `cwd`: only those that were started in that folder (its real path). A home without sessions has none. */
  async list({ cwd }: { cwd?: string } = {}): Promise<SessionList> {
    const list: SessionList = { sessions: [], skipped: [] };
    const names = (await this.#names()).filter((name) => name.endsWith('.jsonl'));
    const look = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const id = sessionOfFile(name);
        try {
          if (id === undefined) throw new NoSessionError('has no name of a session');
          const summary = await this.summary(id);
          if (cwd === undefined || summary.cwd === cwd) list.sessions.push(summary);
        } catch (error) {
          list.skipped.push({ file: name, why: error instanceof NoSessionError ? error.message : 'cannot be read' });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
    list.sessions.sort(newestFirst);
    list.skipped.sort((a, b) => (a.file < b.file ? -1 : 1));
    return list;
  }

  /** Rejects with a NoSessionError for what is no session. */
  async summary(id: SessionId): Promise<SessionSummary> {
    const path = this.path(id);
    if (!(await lstat(path)).isFile()) throw new NoSessionError('is no file');
    return summarise(path, id, namePath(this.folders, id));
  }

  /** The session last written among those that were started in `cwd` (its real path). */
  async latestFor(cwd: string): Promise<SessionId | undefined> {
    const ids = (await this.#names()).map(sessionOfFile).filter((id) => id !== undefined);
    const files = await Promise.all(
      ids.map(async (id) => ({ id, stats: await lstat(this.path(id)).catch(() => undefined) })),
    );
    const dated = files
      .filter(({ stats }) => stats?.isFile())
      .map(({ id, stats }) => ({ id, lastWritten: stats?.mtimeMs ?? 0 }))
      .sort(newestFirst);
    for (const { id } of dated) {
      if ((await folderOf(this.path(id)).catch(() => undefined)) === cwd) return id;
    }
    return undefined;
  }

  /** The id that is meant by itself or by how it begins. Rejects with an UnknownSessionError. */
  async resolve(idOrPrefix: string): Promise<SessionId> {
    const ids = (await this.#names()).map(sessionOfFile).filter((id) => id !== undefined);
    if (ids.includes(idOrPrefix)) return idOrPrefix;
    const meant = isSessionId(idOrPrefix) ? ids.filter((id) => id.startsWith(idOrPrefix)) : [];
    const [first, second] = meant;
    const asked = JSON.stringify(idOrPrefix);
    if (first === undefined) {
      throw new UnknownSessionError(
        `There is no session ${asked}: harness-chat sessions list --all shows those there are.`,
      );
    }
    if (second !== undefined)
      throw new UnknownSessionError(`${meant.length} sessions begin with ${asked}: give more of the id.`);
    return first;
  }

  /** The journal and all that stands beside it. Rejects with a SessionInUseError. */
  async remove(id: SessionId): Promise<void> {
    const lock = await acquireLock(lockPath(this.folders, id), id);
    try {
      await unlink(this.path(id));
      for (const path of [namePath, draftPath, offersPath, outputsPath]) {
        await rm(path(this.folders, id), { recursive: true, force: true });
      }
    } finally {
      await lock.release();
    }
  }

  #names(): Promise<string[]> {
    return readdir(this.folders.sessions).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }
}

const newestFirst = (a: { id: string; lastWritten: number }, b: { id: string; lastWritten: number }): number =>
  b.lastWritten - a.lastWritten || (a.id < b.id ? 1 : -1);

/** A journal that keeps the session's name beside itself, and lets go of its session when it is closed. */
class NamedJournal implements FileJournal {
  readonly #journal: FileJournal;
  readonly #namePath: string;
  readonly #release: () => Promise<void>;

  constructor(journal: FileJournal, path: string, release: () => Promise<void>) {
    this.#journal = journal;
    this.#namePath = path;
    this.#release = release;
  }

  get path() {
    return this.#journal.path;
  }

  get tail() {
    return this.#journal.tail;
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    await this.#journal.append(records);
    for (const record of records) {
      if ('event' in record && record.event.type === 'SessionRenamed') await this.#noteName(record.event.name);
    }
  }

  read(options?: { after?: number }): AsyncIterable<JournalRecord> {
    return this.#journal.read(options);
  }

  async close(): Promise<void> {
    try {
      await this.#journal.close();
    } finally {
      await this.#release();
    }
  }

  /** Only a help for lists: where it fails, the journal still has the name. */
  async #noteName(name: string): Promise<void> {
    const temporary = `${this.#namePath}.new`;
    await writeFile(temporary, name, { mode: 0o600 })
      .then(() => rename(temporary, this.#namePath))
      .catch(() => {});
  }
}
