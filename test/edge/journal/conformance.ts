/** What every journal must do; called by the tests of each. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTraits } from '../../../src/domain/event.ts';
import { JournalError } from '../../../src/domain/failure.ts';
import type { Journal, JournalRecord } from '../../../src/runtime/ports.ts';
import { allTypes, anyCommand, anyEvent, holdsLater } from '../wire/samples.ts';
import { all, soundRecords } from './records.ts';

export interface JournalUnderTest {
  journal: Journal;
  /** The next `n` appends fail at the disk. */
  failNext(n?: number): void;
  /** Another journal on what this one left, after its end. */
  reopen(): Promise<Journal>;
}

const enduring = allTypes.filter((type) => eventTraits[type].class === 'enduring');
const anyRecords = fc
  .array(
    fc.oneof(
      anyEvent(enduring).map((event) => ({ event })),
      anyCommand.map((command) => ({ command })),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((bodies) => bodies.map((body, i) => ({ seq: i + 1, ...body }) as JournalRecord));

export function journalConformance(name: string, make: () => Promise<JournalUnderTest>): void {
  describe(`${name}, as every journal`, () => {
    it('gives back what was appended, in groups of any size, also to another one later', async () => {
      await holdsLater(
        fc.asyncProperty(anyRecords, fc.integer({ min: 1, max: 5 }), async (records, size) => {
          const { journal, reopen } = await make();
          for (let at = 0; at < records.length; at += size) await journal.append(records.slice(at, at + size));
          expect(await all(journal.read())).toEqual(records);
          await journal.close();
          const again = await reopen();
          expect(await all(again.read())).toEqual(records);
          await again.close();
        }),
        25,
      );
    });

    it('reads from after a record on', async () => {
      const { journal } = await make();
      const records = soundRecords(10);
      await journal.append(records);
      for (const after of [0, 1, 9]) expect(await all(journal.read({ after }))).toEqual(records.slice(after));
      expect(await all(journal.read({ after: 10 }))).toEqual([]);
      expect(await all(journal.read({ after: 99 }))).toEqual([]);
      await journal.close();
    });

    it('goes on where another one ended', async () => {
      const { journal, reopen } = await make();
      const records = soundRecords(8);
      await journal.append(records.slice(0, 5));
      await journal.close();
      const again = await reopen();
      await again.append(records.slice(5));
      expect(await all(again.read())).toEqual(records);
      await again.close();
    });

    it('appends nothing of a group that fails, and takes it afterwards', async () => {
      const { journal, failNext } = await make();
      const records = soundRecords(8);
      await journal.append(records.slice(0, 3));
      failNext(2);
      for (const _ of [1, 2]) await expect(journal.append(records.slice(3))).rejects.toThrow(JournalError);
      expect(await all(journal.read())).toEqual(records.slice(0, 3));
      await journal.append(records.slice(3));
      expect(await all(journal.read())).toEqual(records);
      await journal.close();
    });

    it('refuses what is not the next record, an ephemeral event and an invalid one, and stays as it is', async () => {
      const { journal } = await make();
      const [first, second, third] = soundRecords(3) as [JournalRecord, JournalRecord, JournalRecord];
      await journal.append([first]);
      await expect(journal.append([first])).rejects.toThrow(JournalError);
      await expect(journal.append([third])).rejects.toThrow(/3 cannot follow 1/);
      await expect(journal.append([second, second])).rejects.toThrow(JournalError);
      const [queued] = fc.sample(anyEvent(['InputQueued']), 1);
      await expect(journal.append([second, { seq: 3, event: queued! }])).rejects.toThrow(/InputQueued is ephemeral/);
      const bare = { ...(second as { event: object }).event, loopId: '' };
      await expect(journal.append([{ seq: 2, event: bare as never }])).rejects.toThrow(/LoopStarted has no loopId/);
      expect(await all(journal.read())).toEqual([first]);
      await journal.append([]);
      await journal.append([second, third]);
      expect(await all(journal.read())).toHaveLength(3);
      await journal.close();
    });

    it('a reader sees whole appends while others go on', async () => {
      const { journal } = await make();
      const records = soundRecords(40);
      await journal.append(records.slice(0, 10));
      const reading = journal.read()[Symbol.asyncIterator]();
      const seen: JournalRecord[] = [];
      for (let at = 10; at < 40; at += 10) {
        const next = await reading.next();
        if (!next.done) seen.push(next.value);
        await journal.append(records.slice(at, at + 10));
      }
      for (let next = await reading.next(); !next.done; next = await reading.next()) seen.push(next.value);
      expect(seen).toEqual(records.slice(0, seen.length));
      expect(seen.length).toBeGreaterThanOrEqual(10);
      await journal.close();
    });

    it('takes nothing after its end; ending twice does no harm', async () => {
      const { journal } = await make();
      await journal.close();
      await journal.close();
      await expect(journal.append(soundRecords(1))).rejects.toThrow(JournalError);
    });
  });
}
