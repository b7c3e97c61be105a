/** A journal that takes nothing: nothing of the transition is shown, and what can still be said truthfully is (contract: Subscriptions). */
import { expect, test } from 'vitest';
import { findError, JournalError } from '../../src/domain/failure.ts';
import { hold, text, toolCall } from '../../src/edge/models/scripted.ts';
import { startRig } from '../support/rig.ts';
import { change, look } from '../support/tools.ts';

const golden = (name: string) => `golden/journal-${name}.txt`;

async function mid(calls = [toolCall('look', {})]) {
  const rig = await startRig({
    replies: [[text('words'), hold('a'), ...calls], [text('fine')]],
    tools: [look, change],
    approval: 'ask',
  });
  void rig.say('first');
  await rig.model.reached('a');
  return rig;
}

test('a Step that cannot be saved is TurnFailed{journal}; the queue is returned and the session goes on', async () => {
  const rig = await mid();
  await rig.say('queued');
  rig.journal.failNext(1);
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(findError(rig.events('TurnFailed')[0]?.err, JournalError)).toBeDefined();
  await rig.say('again');
  await rig.until((event) => event.type === 'TurnDone');
  await expect(rig.log()).toMatchFileSnapshot(golden('step'));
});

test('a final Step that cannot be saved is not an answer', async () => {
  const rig = await startRig({ replies: [[text('words'), hold('a')]] });
  void rig.say('first');
  await rig.model.reached('a');
  rig.journal.failNext(1);
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(rig.events('StepDone')).toHaveLength(0);
  expect(rig.events('TurnFailed')[0]?.failure.kind).toBe('journal');
});

test('an input that cannot be saved is rejected as internal; a paused one that cannot start is returned without a turn', async () => {
  const rig = await mid();
  rig.journal.failNext(1);
  await rig.say('lost');
  expect(rig.events('TurnRejected').map(({ cause, reason }) => [cause.commandId, reason])).toEqual([
    ['lost', 'internal'],
  ]);
  await rig.say('kept');
  await rig.send({ type: 'Interrupt' });
  await rig.until('LoopIdle');
  rig.journal.failNext(1);
  await rig.send({ type: 'ResumeQueue' });
  const [returned] = rig.events('InputCancelled');
  expect(returned).toMatchObject({ reason: 'turn_failed', cause: { commandId: 'kept' } });
  expect(returned?.turnId).toBeUndefined();
});

test('a gate that cannot be saved is not asked, and its tool does not run', async () => {
  const rig = await mid([toolCall('change', {})]);
  rig.journal.failNext(1);
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(rig.events('PermissionRequested')).toHaveLength(0);
  expect(rig.events('TurnFailed')[0]?.failure.kind).toBe('journal');
});

test('where nothing can be saved any more the session is faulted: it says so once, and every later command is refused', async () => {
  const rig = await mid();
  const shown = rig.deliveries.length;
  rig.journal.failNext();
  rig.model.release('a');
  const fault = await rig.session.ended;
  expect(findError(fault, JournalError)).toBeDefined();
  expect(await rig.say('later')).toMatchObject({ ok: false, kind: 'session_faulted' });
  const since = rig.deliveries.slice(shown).map(({ event }) => event.type);
  expect(since.filter((type) => type !== 'TokenDelta' && !type.startsWith('ToolCall'))).toEqual([]);
});

test('of a burst that cannot be saved as one, each input gets its own answer', async () => {
  const rig = await mid();
  rig.journal.failNext(2);
  await Promise.all([rig.say('b'), rig.say('c'), rig.say('d')]);
  expect(rig.resolutionOf('b')).toEqual(['TurnRejected']);
  expect([rig.resolutionOf('c'), rig.resolutionOf('d')]).toEqual([[], []]);
  expect(rig.session.snapshot().loops[0]?.queue.map(({ commandId }) => commandId)).toEqual(['c', 'd']);
});

test('a burst costs one append', async () => {
  const rig = await mid();
  const before = rig.appends();
  await Promise.all(Array.from({ length: 20 }, (_, i) => rig.say(`input ${i}`)));
  expect(rig.appends() - before).toBe(1);
});
