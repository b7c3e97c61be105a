/**
 * The journal in a file: appended, flushed, and after a failure cut back to its last whole record (contract:
 * Subscriptions, Durability). Nothing of an existing file is changed before the first append.
 */
import { dirname } from 'node:path';
import { JournalError } from '../../domain/failure.ts';
import type { Journal, JournalRecord } from '../../runtime/ports.ts';
import { encodeRecord } from '../wire/record-codec.ts';
import { reasonOf } from './disk-reason.ts';
import { type FileLayer, type JournalFile, realFiles } from './file-layer.ts';
import { ensurePrivateFolder } from './private-folder.ts';
import { readJournal, scanTail, type Tail } from './read-journal.ts';

export interface FileJournalOptions {
  path: string;
  /** The file must not be there yet. Default: it must be. */
  create?: boolean;
  files?: FileLayer;
}

export interface FileJournal extends Journal {
  readonly path: string;
  /** How the file ended when it was opened. A torn line is cut off by the first append. */
  readonly tail: Tail;
}

const EMPTY: Tail = { size: 0, end: 0, torn: 0, unended: false, lastSeq: 0 };

/** Rejects with a JournalError that names the file. The caller holds the session's lock. */
export async function openFileJournal({
  path,
  create = false,
  files = realFiles,
}: FileJournalOptions): Promise<FileJournal> {
  let file: JournalFile | undefined;
  try {
    if (create) await ensurePrivateFolder(dirname(path));
    const tail = create ? EMPTY : await scanTail(path);
    file = await files.openForAppend(path, create);
    if (create) await files.syncFolder(dirname(path));
    return new OpenFileJournal(path, file, tail);
  } catch (cause) {
    await file?.close().catch(() => {});
    throw new JournalError(`Cannot ${create ? 'create' : 'open'} the journal ${path}: ${reasonOf(cause)}.`, { cause });
  }
}

class OpenFileJournal implements FileJournal {
  readonly path: string;
  readonly tail: Tail;
  readonly #file: JournalFile;
  /** Bytes of whole, flushed records: what a failed append is cut back to, and what readers may see. */
  #end: number;
  #lastSeq: number;
  /** Cut off the torn tail, or end the last line, before the first append. */
  #mend: boolean;
  #fault: JournalError | undefined;
  #closed = false;

  constructor(path: string, file: JournalFile, tail: Tail) {
    this.path = path;
    this.tail = tail;
    this.#file = file;
    this.#end = tail.end;
    this.#lastSeq = tail.lastSeq;
    this.#mend = tail.torn > 0 || tail.unended;
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#closed) throw new JournalError('The journal is closed.');
    if (records.length === 0) return;
    const lines = this.#linesOf(records);
    try {
      if (this.#mend) await this.#mendTail();
      await this.#writeAll(Buffer.from(lines));
    } catch (cause) {
      await this.#cutBack(cause);
      throw new JournalError(`The conversation could not be saved: ${reasonOf(cause)}.`, { cause });
    }
    this.#lastSeq += records.length;
  }

  read({ after = 0 }: { after?: number } = {}): AsyncIterable<JournalRecord> {
    return readJournal(this.path, { after, end: this.#end });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#file.close();
  }

  /** Nothing touches the file before all of it could be encoded. */
  #linesOf(records: readonly JournalRecord[]): string {
    let lines = '';
    for (const [i, record] of records.entries()) {
      const expected = this.#lastSeq + 1 + i;
      if (record.seq !== expected) throw new JournalError(`Record ${record.seq} cannot follow ${expected - 1}.`);
      try {
        lines += `${encodeRecord(record)}\n`;
      } catch (cause) {
        throw new JournalError(`Record ${record.seq} cannot be written: ${(cause as Error).message}.`, { cause });
      }
    }
    return lines;
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes.subarray(written));
      if (bytesWritten === 0) throw new Error('nothing was written');
      written += bytesWritten;
    }
    await this.#file.datasync();
    this.#end += bytes.length;
  }

  async #mendTail(): Promise<void> {
    if (this.tail.torn > 0) await this.#file.truncate(this.#end);
    else await this.#writeAll(Buffer.from('\n'));
    this.#mend = false;
  }

  /** Where even this fails the file's end is unknown, and nothing may ever be appended to it. */
  async #cutBack(cause: unknown): Promise<void> {
    try {
      await this.#file.truncate(this.#end);
      const { size } = await this.#file.stat();
      if (size !== this.#end) throw new Error(`its size is ${size} instead of ${this.#end}`);
      await this.#file.datasync();
    } catch (second) {
      this.#fault = new JournalError(
        `The journal ${this.path} could not be written (${reasonOf(cause)}) nor cut back (${reasonOf(second)}).`,
        { cause: second },
      );
    }
  }
}
