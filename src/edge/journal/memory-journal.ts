/** A journal that ends with the process: for tests and for library users who keep nothing. */
import { JournalError } from '../../domain/failure.ts';
import type { Journal, JournalRecord } from '../../runtime/ports.ts';
import { decodeRecord, encodeRecord } from '../wire/record-codec.ts';

/** A journal that is gone with the process. */
export interface MemoryJournal extends Journal {
  /** What was appended, as it would stand in a file. */
  readonly lines: readonly string[];
  /** The next `n` appends fail, as on a full disk; without a number all of them from now on. */
  failNext(n?: number): void;
}

/** `lines`: what another journal held. */
export function openMemoryJournal(lines: readonly string[] = []): MemoryJournal {
  const held = [...lines];
  let failures = 0;
  let closed = false;
  return {
    lines: held,
    failNext(n = Number.POSITIVE_INFINITY) {
      failures = n;
    },
    async append(records) {
      if (closed) throw new JournalError('The journal is closed.');
      if (records.length === 0) return;
      const encoded = records.map((record, i) => {
        const expected = held.length + 1 + i;
        if (record.seq !== expected) throw new JournalError(`Record ${record.seq} cannot follow ${expected - 1}.`);
        try {
          return encodeRecord(record);
        } catch (cause) {
          throw new JournalError(`Record ${record.seq} cannot be written: ${(cause as Error).message}.`, { cause });
        }
      });
      if (failures > 0) {
        failures -= 1;
        throw new JournalError('The conversation could not be saved: the disk is full.');
      }
      held.push(...encoded);
    },
    async *read({ after = 0 } = {}): AsyncGenerator<JournalRecord> {
      const end = held.length;
      for (let at = after; at < end; at += 1) yield decodeRecord(JSON.parse(held[at]!));
    },
    async close() {
      closed = true;
    },
  };
}
