import { expect, test } from 'vitest';
import { followSlowly } from '../../src/examples/slow-subscriber.ts';
import { createScriptedModel, createSession, script } from '../../src/index.ts';

const TURNS = 120;

test('a loss is caught up from the journal, and nobody waited for the slow one', async () => {
  const session = await createSession({ model: createScriptedModel([], [script.text('ok')]), inboxLimit: TURNS });
  let letGo = (): void => undefined;
  const busy = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = (): void => undefined;
  const atWork = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const seen: number[] = [];
  const following = followSlowly(session, async ({ journalSeq, event }) => {
    seen.push(journalSeq);
    if (event.type !== 'TurnStarted' || event.turnIndex !== 1) return;
    begun();
    await busy;
  });
  const others = session.subscribeEvents({ enduring: 'all' });
  await session.submit([]);
  await atWork;
  for (let turn = 2; turn <= TURNS; turn += 1) await session.submit([]);
  for await (const { event } of others) if (event.type === 'TurnDone' && event.turnIndex === TURNS) break;
  letGo();
  await session.shutdown();
  expect(await following).toBe(1);
  const journaled: number[] = [];
  for await (const { journalSeq } of session.readEvents()) journaled.push(journalSeq);
  expect(seen).toEqual(journaled);
  expect(seen.length).toBeGreaterThan(TURNS * 3);
});

test('one that keeps up loses nothing', async () => {
  const session = await createSession({ model: createScriptedModel([], [script.text('ok')]) });
  const types: string[] = [];
  const following = followSlowly(session, async ({ event }) => void types.push(event.type));
  await session.submit([]);
  await session.drain();
  expect(await following).toBe(0);
  expect(types[0]).toBe('SessionStarted');
  expect(types.at(-1)).toBe('SessionStopped');
});
