/**
 * kill -9 at every kind of journal record (contract: Durability). Each kind dies once, at one of its first records that a
 * fixed seed chooses; HARNESS_CHAT_TEST_CRASH_RUNS=N takes N more, at records that change from run to run.
 */
import { expect, test } from 'vitest';
import { eventTraits } from '../../src/domain/event.ts';
import { openWorld, withKit } from '../support/kit.ts';
import { type DeathPoint, dieAt } from './death.ts';
import { kindOf, readLedger, resolutions } from './ledger.ts';
import { live } from './life.ts';

const SEED = 20261130;
/** Processes at a time: most of a life is waiting. */
const AT_ONCE = 4;
const more = Number(process.env.HARNESS_CHAT_TEST_CRASH_RUNS ?? 0);

withKit('kill -9', (kit) => {
  let kinds: string[] = [];

  test('a whole life writes every kind of record, and passes the audit', async () => {
    const world = await openWorld(kit);
    const sessionId = await live(world);
    const { records } = readLedger(world.journal(sessionId));
    kinds = records.map(kindOf);
    const enduring = Object.entries(eventTraits).flatMap(([type, traits]) =>
      traits.class === 'enduring' ? [type] : [],
    );
    const commands = ['UserInput', 'MoveQueuedInput', 'SetQueuedInput'];
    const written = new Set(kinds.map((kind) => kind.split(' ')[0]));
    expect([...enduring, ...commands].filter((type) => !written.has(type))).toEqual([]);
    for (const found of resolutions(records).values()) expect(found).toHaveLength(1);
    expect(world.model.faults).toEqual([]);
    expect(await world.run(['audit', sessionId])).toMatchObject({ code: 0, stderr: '' });
  });

  test('at each kind in turn: nothing is lost, nothing is done twice, nothing begins by itself', {
    timeout: 180_000 + more * 5_000,
  }, async () => {
    expect(kinds, 'the life before must have been lived').not.toEqual([]);
    const points = [...each(kinds, random(SEED)), ...any(kinds, random(Date.now()), more)];
    const failures: string[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let point = points.pop(); point; point = points.pop()) {
          await dieAt(kit, point).catch((error: Error) => failures.push(error.message));
          if (failures.length > 0) return;
        }
      }),
    );
    expect(failures.join('\n\n')).toBe('');
  });
});

/** One death a kind, early in its life. */
const each = (all: readonly string[], next: () => number): DeathPoint[] =>
  [...new Set(all)].map((kind) => {
    const count = all.filter((other) => other === kind).length;
    return { kind, nth: 1 + Math.floor(next() * Math.min(3, count)) };
  });

/** Deaths at any record. */
const any = (all: readonly string[], next: () => number, count: number): DeathPoint[] =>
  Array.from({ length: count }, () => {
    const at = Math.floor(next() * all.length);
    const kind = all[at] as string;
    return { kind, nth: all.slice(0, at + 1).filter((other) => other === kind).length };
  });

/** Numbers from 0 up to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
