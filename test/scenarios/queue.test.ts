/** Queued input: order, folding, hold, retract, limits, changes (S: Admission, Folding, Retract). */
import { expect, test } from 'vitest';
import { hold, text, toolCall } from '../../src/edge/models/scripted.ts';
import { startRig } from '../support/rig.ts';
import { look } from '../support/tools.ts';

const golden = (name: string) => `golden/queue-${name}.txt`;
/** A loop in the middle of its first Step, which then asks for a tool. */
async function midTool(replies: Parameters<typeof text>[0][] = ['seen']) {
  const rig = await startRig({
    replies: [[hold('a'), toolCall('look', {})], ...replies.map((reply) => [text(reply)])],
    tools: [look],
  });
  void rig.say('start');
  await rig.model.reached('a');
  return rig;
}

test('queued inputs fold after a committed tool Step, one event each; the first held one stops the drain', async () => {
  const rig = await midTool(['turn one', 'turn two', 'turn three']);
  await rig.say('b');
  await rig.say('c');
  await rig.say('held', { noFold: true });
  await rig.say('behind');
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(rig.model.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'user',
    'user',
  ]);
  await expect(rig.log()).toMatchFileSnapshot(golden('fold'));
});

test('a text answer folds nothing: each queued input starts a turn of its own, with no LoopIdle between', async () => {
  const rig = await startRig({ replies: [[text('one'), hold('a')], [text('two')], [text('three')]] });
  void rig.say('first');
  await rig.model.reached('a');
  await rig.say('second');
  await rig.say('third');
  rig.model.release('a');
  await rig.until('LoopIdle');
  await expect(rig.log()).toMatchFileSnapshot(golden('turns'));
});

test('retract: from the inbox it is cancelled without a turn; started, unknown or retracted before: nothing', async () => {
  const rig = await midTool();
  await rig.say('b');
  await rig.say('c');
  for (const targetCommandId of ['b', 'start', 'nobody', 'b'])
    await rig.send({ type: 'CancelQueuedInput', targetCommandId });
  rig.model.release('a');
  await rig.until('LoopIdle');
  await rig.send({ type: 'CancelQueuedInput', targetCommandId: 'c' });
  expect(rig.events('InputCancelled')).toHaveLength(1);
  await expect(rig.log()).toMatchFileSnapshot(golden('retract'));
});

test('a full inbox rejects; the running input does not count', async () => {
  const rig = await startRig({ replies: [[hold('a')]], inboxLimit: 2 });
  void rig.say('running');
  await rig.model.reached('a');
  for (const name of ['b', 'c', 'd']) await rig.say(name);
  expect(rig.events('TurnRejected').map(({ cause, reason }) => [cause.commandId, reason])).toEqual([
    ['d', 'queue_full'],
  ]);
});

test('moved and held while they wait; what is not there is not changed', async () => {
  const rig = await midTool(['one', 'two']);
  await rig.say('b');
  await rig.say('c');
  const moved = await rig.send({ type: 'MoveQueuedInput', targetCommandId: 'c', beforeCommandId: 'b' });
  const changed = await rig.send({ type: 'SetQueuedInput', targetCommandId: 'b', noFold: true });
  const none = await rig.send({ type: 'MoveQueuedInput', targetCommandId: 'start' });
  expect([moved, changed, none].map((answer) => answer.ok && (answer.ack?.moved ?? answer.ack?.changed))).toEqual([
    true,
    true,
    false,
  ]);
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect([rig.resolutionOf('c'), rig.resolutionOf('b')]).toEqual([['TurnFoldedInto'], ['TurnStarted']]);
});

test('a command id that was used is refused; the first input stands alone', async () => {
  const rig = await startRig();
  await rig.say('once');
  const again = await rig.say('once');
  expect(again).toMatchObject({ ok: false, kind: 'duplicate_command' });
  await rig.until('TurnDone');
  expect(rig.model.requests).toHaveLength(1);
});

test('several loops: inputs go where they are sent, each loop in its own order', async () => {
  const rig = await startRig({ replies: [[hold('a'), text('main')], [text('second')]] });
  void rig.say('to main');
  await rig.model.reached('a');
  await rig.send({ type: 'StartLoop', agentName: 'helper' });
  const loopId = rig.events('LoopStarted')[1]?.loopId as string;
  await rig.say('to helper', { loopId });
  await rig.until((event) => event.type === 'LoopIdle' && event.loopId === loopId);
  await rig.send({ type: 'SetActiveLoop', loopId });
  expect(await rig.say('nowhere', { loopId: 'no-such-loop' })).toMatchObject({ ok: false, kind: 'invalid_command' });
  rig.model.release('a');
  await rig.until('SessionIdle');
  await rig.say('to the active one');
  await rig.until((event) => event.type === 'TurnDone' && event.turnIndex === 2);
  await expect(rig.log()).toMatchFileSnapshot(golden('loops'));
});

test('a new loop goes on with the model that the active one has', async () => {
  const rig = await startRig();
  await rig.send({ type: 'SetModel', model: 'other', provider: 'elsewhere' });
  await rig.send({ type: 'StartLoop', agentName: 'helper' });
  const [main, helper] = rig.session.snapshot().loops;
  expect([helper?.model, helper?.provider]).toEqual(['other', 'elsewhere']);
  expect([main?.model, main?.provider]).toEqual(['other', 'elsewhere']);
});
