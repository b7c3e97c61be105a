/** A session that ended anyhow goes on from its journal (contract: Durability). */
import { expect, test } from 'vitest';
import { hold, text, toolCall } from '../../src/edge/models/scripted.ts';
import { startRig } from '../support/rig.ts';
import { asking, change, look } from '../support/tools.ts';

const golden = (name: string) => `golden/restore-${name}.txt`;
const tools = [look, change, asking];

/** What another process finds after this one was killed here. */
const crashed = (lines: readonly string[], replies: Parameters<typeof startRig>[0] extends infer O ? O : never = {}) =>
  startRig({ tools, ...replies, lines: [...lines] });

test('committed Steps stay, the open turn is closed, people’s inputs wait paused, machines’ are returned', async () => {
  const rig = await startRig({ replies: [[toolCall('look', {})], [text('lost words'), hold('never')]], tools });
  void rig.say('work');
  await rig.model.reached('never');
  await rig.say('do not lose me');
  await rig.say('nor me', { noFold: true });
  await rig.say('of a machine', { agency: 'machine' });
  await rig.send({ type: 'MoveQueuedInput', targetCommandId: 'nor me', beforeCommandId: 'do not lose me' });
  const again = await crashed(rig.journal.lines);
  expect(again.model.requests).toHaveLength(0);
  const before = again.deliveries.length;
  await again.send({ type: 'ResumeQueue' });
  await again.until('LoopIdle', before);
  expect(JSON.stringify(again.model.requests[0]?.messages)).not.toContain('lost words');
  expect(again.model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  await expect(again.log()).toMatchFileSnapshot(golden('crash'));
});

test('an open gate is closed as abandoned, and a grant of the session is gone', async () => {
  const calls = [toolCall('change', { a: 1 }), toolCall('change', { a: 2 })];
  const rig = await startRig({ replies: [calls], tools, approval: 'ask' });
  void rig.say('work');
  const first = (await rig.until('PermissionRequested')) as { toolExecutionId: string };
  await rig.send({ type: 'ApproveToolCall', toolExecutionId: first.toolExecutionId, scope: 'session' });
  await rig.until((event) => event.type === 'PermissionRequested' && event.toolExecutionId !== first.toolExecutionId);
  const again = await crashed(rig.journal.lines, { replies: [[toolCall('change', { a: 1 })]], approval: 'ask' });
  void again.say('again');
  await again.until('PermissionRequested');
  await expect(again.log()).toMatchFileSnapshot(golden('gate'));
});

test('a session that stopped goes on; an id that was used stays used', async () => {
  const rig = await startRig();
  await rig.say('hello');
  await rig.until('LoopIdle');
  await rig.shutdown();
  const again = await crashed(rig.journal.lines);
  expect(await again.say('hello')).toMatchObject({ ok: false, kind: 'duplicate_command' });
  await again.say('go on');
  await again.until('TurnDone');
  await expect(again.log()).toMatchFileSnapshot(golden('stopped'));
});

test('a crash between TurnFailed and its returns returns the rest', async () => {
  const rig = await startRig({ replies: [[text('x'), hold('a'), { do: 'throw', error: new Error('no') }]] });
  void rig.say('first');
  await rig.model.reached('a');
  await rig.say('b');
  await rig.say('c');
  rig.model.release('a');
  await rig.until('LoopIdle');
  const failed = rig.journal.lines.findIndex((line) => line.includes('"TurnFailed"'));
  const again = await crashed(rig.journal.lines.slice(0, failed + 2));
  expect(again.events('InputCancelled').map(({ cause, reason }) => [cause.commandId, reason])).toEqual([
    ['c', 'turn_failed'],
  ]);
});
