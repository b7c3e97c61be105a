import { expect, it } from 'vitest';
import { openMemoryJournal } from '../../../src/edge/journal/memory-journal.ts';
import { journalConformance } from './conformance.ts';
import { soundRecords } from './records.ts';

journalConformance('the memory journal', async () => {
  const journal = openMemoryJournal();
  return { journal, failNext: (n) => journal.failNext(n), reopen: async () => openMemoryJournal(journal.lines) };
});

it('can fail from now on', async () => {
  const journal = openMemoryJournal();
  journal.failNext();
  for (const _ of [1, 2, 3]) await expect(journal.append(soundRecords(1))).rejects.toThrow(/disk is full/);
  expect(journal.lines).toEqual([]);
});
