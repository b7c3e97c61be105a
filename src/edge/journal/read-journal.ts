/**
 * Reading a journal: its records in order, its tail, its damage (contract: Durability). A torn tail is what a crash
 * leaves of the last line; anything else that is wrong is damage, and nothing is repaired there.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { JournalError } from '../../domain/failure.ts';
import type { JournalRecord } from '../../runtime/ports.ts';
import { decodeRecord } from '../wire/record-codec.ts';
import { type Line, parseLine, readAt, readLines, startOfLastLine } from './line-reader.ts';

/** The file holds something that this program did not write, or not so. `line` counts from 1. */
export class DamagedJournalError extends JournalError {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
  constructor(path: string, line: number, reason: string) {
    super(`Line ${line} of ${path} is damaged: ${reason}. The file was left as it is.`);
    this.path = path;
    this.line = line;
    this.reason = reason;
  }
}

/** How a journal ends. */
export interface Tail {
  /** Of the whole file, in bytes. */
  size: number;
  /** Up to here the records are whole. */
  end: number;
  /** Bytes of a torn last line: they are not read, and cut off before the next append. */
  torn: number;
  /** The last record is whole but its line has no end yet. */
  unended: boolean;
  /** The sequence number of the last whole record; 0 where there is none. */
  lastSeq: number;
}

const seqOf = (wire: unknown): number | undefined => {
  const seq = (wire as { seq?: unknown } | null | undefined)?.seq;
  return typeof seq === 'number' ? seq : undefined;
};

/** Looks at the last lines only. */
export async function scanTail(path: string): Promise<Tail> {
  const handle = await open(path, 'r');
  try {
    return await tailOf(handle);
  } finally {
    await handle.close();
  }
}

async function tailOf(handle: FileHandle): Promise<Tail> {
  const { size } = await handle.stat();
  const lastRecord = async (end: number): Promise<{ start: number; wire: unknown }> => {
    const start = await startOfLastLine(handle, end);
    return { start, wire: parseLine(await readAt(handle, start, end - start)) };
  };
  if (size === 0) return { size, end: 0, torn: 0, unended: false, lastSeq: 0 };
  const { start, wire } = await lastRecord(size);
  if (wire !== undefined) {
    const unended = (await readAt(handle, size - 1, 1))[0] !== 0x0a;
    return { size, end: size, torn: 0, unended, lastSeq: seqOf(wire) ?? 0 };
  }
  const lastSeq = start === 0 ? 0 : (seqOf((await lastRecord(start)).wire) ?? 0);
  return { size, end: start, torn: size - start, unended: false, lastSeq };
}

export interface ReadOptions {
  /** Only records with a higher sequence number; those before it are passed over without a look into them. */
  after?: number;
  /** Bytes to read at most; default: up to a torn tail. */
  end?: number;
}

/**
 * The records of the file, without a torn tail. Throws a DamagedJournalError where a line is no record, or its number
 * is not the next one. One record is in memory at a time.
 */
export async function* readJournal(path: string, options: ReadOptions = {}): AsyncGenerator<JournalRecord> {
  for await (const { record } of readJournalLines(path, options)) yield record;
}

/** The same, with the bytes of each line. */
export async function* readJournalLines(
  path: string,
  { after = 0, end }: ReadOptions = {},
): AsyncGenerator<{ record: JournalRecord; bytes: Buffer }> {
  const handle = await open(path, 'r');
  try {
    const until = end ?? (await tailOf(handle)).end;
    let seq = 0;
    for await (const line of readLines(handle, until)) {
      seq += 1;
      if (seq <= after && passesFor(line, seq)) continue;
      const record = recordOf(path, line, seq);
      if (seq > after) yield { record, bytes: line.bytes };
    }
  } finally {
    await handle.close();
  }
}

const passesFor = (line: Line, seq: number): boolean => {
  const head = `{"seq":${seq},`;
  return line.bytes.toString('latin1', 0, head.length) === head;
};

function recordOf(path: string, line: Line, expected: number): JournalRecord {
  const refuse = (reason: string): never => {
    throw new DamagedJournalError(path, line.number, reason);
  };
  const wire = parseLine(line.bytes);
  if (wire === undefined) return refuse('it is no JSON');
  const seq = seqOf(wire);
  if (seq !== undefined && seq > expected) return refuse(`record ${expected} is missing, ${seq} stands in its place`);
  if (seq !== undefined && seq < expected) return refuse(`record ${expected} was expected, ${seq} stands there again`);
  try {
    return decodeRecord(wire);
  } catch (error) {
    return refuse((error as Error).message);
  }
}
