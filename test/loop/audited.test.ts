/** The audit's rules and the loop's are written apart: every history that the loop makes must pass the audit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audit } from '../../src/edge/journal/audit.ts';
import { type Change, evolve } from '../../src/loop/evolve.ts';
import { newSession } from '../../src/loop/state.ts';
import type { JournalRecord } from '../../src/runtime/ports.ts';
import { happenings, isJournaled, Story } from './story.ts';

/** The changes as the lines of a journal. */
function recordsOf(changes: readonly Change[]): JournalRecord[] {
  return changes.filter(isJournaled).map((change, i) => {
    if ('command' in change) return { seq: i + 1, command: change.command as never };
    const stamp = { v: 1 as const, sessionId: 'session', eventId: `event-${i}`, createdAt: '2026-01-01T00:00:00.000Z' };
    return { seq: i + 1, event: { ...change.event, ...stamp } };
  });
}

const losses = fc.array(
  fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  { maxLength: 60 },
);

test('every history that the loop makes passes, also cut off anywhere and restored', () => {
  fc.assert(
    fc.property(happenings(), losses, fc.nat(), (steps, lost, cut) => {
      const story = new Story();
      for (const [i, step] of steps.entries()) story.play(step, lost[i]);
      const records = recordsOf(story.changes);
      expect(audit(records)).toHaveProperty('ok');
      const kept = records.slice(0, 2 + (cut % (records.length - 1)));
      expect(audit(kept)).toHaveProperty('ok');
      const crashed = kept.reduce(evolve, newSession('session'));
      let n = 0;
      const again = new Story({ newId: () => `again-${++n}` }, crashed);
      again.take({ type: 'restore' });
      const whole = [...kept, ...recordsOf(again.changes).map((record) => renumbered(record, kept.length))];
      expect(audit(whole)).toHaveProperty('ok');
    }),
    { numRuns: 300, seed: 20261130 },
  );
});

const renumbered = (record: JournalRecord, by: number): JournalRecord =>
  'event' in record
    ? { seq: record.seq + by, event: { ...record.event, eventId: `${record.event.eventId}-again` } }
    : { ...record, seq: record.seq + by };
