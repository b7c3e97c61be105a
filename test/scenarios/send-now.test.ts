/** A queued input that is sent now: the Turn that runs is interrupted, and the input starts first, exactly once. */
import { expect, test } from 'vitest';
import { audit } from '../../src/edge/journal/audit.ts';
import { finish, hold, type ScriptReply, text, toolCall, usage } from '../../src/edge/models/scripted.ts';
import { type Rig, type RigOptions, startRig } from '../support/rig.ts';
import { change, look } from '../support/tools.ts';

const send = (rig: Rig, targetCommandId: string) => rig.send({ type: 'SendQueuedInput', targetCommandId });
const sent = (answer: Awaited<ReturnType<Rig['send']>>) => answer.ok && answer.ack?.sent;
const startedBy = (rig: Rig) => rig.events('TurnStarted').map(({ cause }) => cause.commandId);

async function sound(rig: Rig): Promise<void> {
  const records = [];
  for await (const record of rig.journal.read()) records.push(record);
  const result = audit(records);
  expect('fault' in result ? result.fault : undefined).toBeUndefined();
}

/** A Turn that streams until `a` is released, with these queued behind it. */
async function busy(inputs: readonly string[], options: RigOptions = {}): Promise<Rig> {
  const first: ScriptReply = [text('one'), hold('a'), text(' more')];
  const rig = await startRig({ ...options, replies: [first, ...(options.replies ?? [])] });
  void rig.say('running');
  await rig.model.reached('a');
  for (const name of inputs) await rig.say(name);
  return rig;
}

test('the turn is interrupted, the row starts first, the rest goes on behind it in order', async () => {
  const rig = await busy(['b', 'c', 'd']);
  expect(sent(await send(rig, 'c'))).toBe(true);
  await rig.until('LoopIdle');
  expect(startedBy(rig)).toEqual(['running', 'c', 'b', 'd']);
  expect(rig.events('TurnInterrupted')).toHaveLength(1);
  await sound(rig);
  await expect(rig.log()).toMatchFileSnapshot('golden/send-now.txt');
});

test('the rest may fold into its turn; machine inputs are returned, and none of theirs interrupts a turn', async () => {
  const rig = await busy(['b', 'c'], { replies: [[toolCall('look', {})], [text('two')]], tools: [look] });
  await rig.say('m', { agency: 'machine' });
  expect(await send(rig, 'm')).toMatchObject({ ack: { sent: false, reason: expect.stringContaining('machines') } });
  expect(rig.session.snapshot().loops[0]?.queue.map(({ commandId }) => commandId)).toEqual(['b', 'c', 'm']);
  await send(rig, 'c');
  await rig.until('LoopIdle');
  expect(startedBy(rig)).toEqual(['running', 'c']);
  expect([rig.resolutionOf('b'), rig.resolutionOf('m')]).toEqual([['TurnFoldedInto'], ['InputCancelled']]);
  await sound(rig);
});

test('what is started, folded, retracted or unknown interrupts nothing', async () => {
  const rig = await startRig({
    replies: [[toolCall('look', {})], [text('x'), hold('a')], [text('y')]],
    tools: [look],
  });
  void rig.say('running');
  const folding = rig.say('folded');
  await rig.model.reached('a');
  await folding;
  await rig.say('gone');
  await rig.send({ type: 'CancelQueuedInput', targetCommandId: 'gone' });
  for (const id of ['running', 'folded', 'gone', 'nobody']) {
    const answer = await send(rig, id);
    expect([id, sent(answer)]).toEqual([id, false]);
  }
  rig.model.release('a');
  await rig.until('TurnDone');
  expect(rig.events('TurnInterrupted')).toEqual([]);
});

test('the turn ends in the same instant: the next one is left alone, and the row goes behind it', async () => {
  const rig = await busy(['b', 'c'], { replies: [[text('two'), hold('b')], [text('three')]] });
  // posted while the append of the last Step of the Turn that is meant is under way
  const append = rig.journal.append.bind(rig.journal);
  let answer: ReturnType<typeof send> | undefined;
  rig.journal.append = (records) => {
    if (records.some((record) => 'event' in record && record.event.type === 'TurnDone')) answer ??= send(rig, 'c');
    return append(records);
  };
  rig.model.release('a');
  await rig.model.reached('b');
  expect(await answer).toMatchObject({ ack: { sent: false, reason: expect.stringContaining('goes next') } });
  rig.model.release('b');
  await rig.until('LoopIdle');
  expect(rig.events('TurnInterrupted')).toEqual([]);
  expect(startedBy(rig)).toEqual(['running', 'b', 'c']);
  await sound(rig);
});

test('the row itself starts in the same instant: once, and it is not interrupted', async () => {
  const rig = await busy(['b']);
  const append = rig.journal.append.bind(rig.journal);
  let answer: ReturnType<typeof send> | undefined;
  rig.journal.append = (records) => {
    if (records.some((record) => 'event' in record && record.event.type === 'TurnDone')) answer ??= send(rig, 'b');
    return append(records);
  };
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(sent((await answer) ?? { ok: false, kind: 'invalid_command', message: '' })).toBe(false);
  expect(rig.resolutionOf('b')).toEqual(['TurnStarted']);
  expect(rig.events('TurnInterrupted')).toEqual([]);
});

test('sent while a tool step commits: it is folded or starts, never both', async () => {
  const rig = await startRig({
    replies: [[hold('a'), toolCall('look', {})], [text('two')], [text('three')]],
    tools: [look],
  });
  void rig.say('running');
  await rig.model.reached('a');
  await rig.say('b');
  rig.model.release('a');
  const answer = await send(rig, 'b');
  await rig.until('LoopIdle');
  expect(rig.resolutionOf('b')).toEqual([sent(answer) ? 'TurnStarted' : 'TurnFoldedInto']);
  expect(rig.events('TurnInterrupted')).toHaveLength(sent(answer) ? 1 : 0);
  await sound(rig);
});

test('an open gate is abandoned', async () => {
  const rig = await startRig({ replies: [[toolCall('change', {})], [text('two')]], tools: [change], approval: 'ask' });
  void rig.say('running');
  await rig.until('PermissionRequested');
  await rig.say('b');
  await send(rig, 'b');
  await rig.until('LoopIdle');
  expect(rig.events('PermissionDecided').map(({ source }) => source)).toEqual(['abandoned']);
  expect(startedBy(rig)).toEqual(['running', 'b']);
});

test('a paused queue goes on with it', async () => {
  const rig = await busy(['b', 'c', 'd']);
  await rig.send({ type: 'Interrupt' });
  await rig.until('LoopIdle');
  expect(startedBy(rig)).toEqual(['running']);
  const before = rig.deliveries.length;
  expect(sent(await send(rig, 'd'))).toBe(true);
  await rig.until('LoopIdle', before);
  expect(startedBy(rig)).toEqual(['running', 'd', 'b', 'c']);
  await sound(rig);
});

test('while an interrupt is under way: the last that was sent goes first; retracted meanwhile, the queue is paused', async () => {
  for (const retracted of [false, true]) {
    const rig = await busy(['b', 'c', 'd'], { tools: [look] });
    const all = [
      rig.send({ type: 'Interrupt' }),
      send(rig, 'c'),
      send(rig, 'd'),
      ...(retracted ? [rig.send({ type: 'CancelQueuedInput', targetCommandId: 'd' })] : []),
    ];
    await Promise.all(all);
    await rig.until('LoopIdle');
    expect(startedBy(rig)).toEqual(retracted ? ['running'] : ['running', 'd', 'c', 'b']);
    expect(rig.session.snapshot().loops[0]?.paused).toBe(retracted);
    expect(rig.events('TurnInterrupted')).toHaveLength(1);
    await sound(rig);
  }
});

test('while a history is summarised it comes right after, and the summary stays', async () => {
  const rig = await startRig({
    replies: [
      [toolCall('look', {})],
      [text('one')],
      [hold('s'), text('short'), usage({ outputTokens: 1 })],
      [text('x')],
    ],
    tools: [look],
  });
  await rig.say('first');
  await rig.until('LoopIdle');
  void rig.send({ type: 'Compact' });
  await rig.model.reached('s');
  const before = rig.deliveries.length;
  await rig.say('b');
  await rig.say('c');
  expect(sent(await send(rig, 'c'))).toBe(true);
  expect(startedBy(rig)).toEqual(['first']);
  rig.model.release('s');
  await rig.until('LoopIdle', before);
  expect(rig.events('HistoryCompacted')).toHaveLength(1);
  expect(startedBy(rig)).toEqual(['first', 'c', 'b']);
  await sound(rig);
});

test('a session that ends starts nothing for it', async () => {
  const rig = await busy(['b', 'c']);
  const all = [send(rig, 'c'), rig.shutdown()];
  await Promise.all(all);
  expect(startedBy(rig)).toEqual(['running']);
  expect([rig.resolutionOf('b'), rig.resolutionOf('c')]).toEqual([['InputCancelled'], ['InputCancelled']]);
  await sound(rig);
});

test('a full disk: the move is not saved, the turn goes on, the row stays where it was', async () => {
  const rig = await busy(['b', 'c'], { replies: [[text('two'), finish('stop')]] });
  rig.journal.failNext(1);
  expect(await send(rig, 'c')).toMatchObject({ ack: { sent: false } });
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(rig.events('TurnInterrupted')).toEqual([]);
  expect(startedBy(rig)).toEqual(['running', 'b', 'c']);
});

test('killed in the middle: it waits at the front of a paused queue', async () => {
  const rig = await busy(['b', 'c']);
  await send(rig, 'c');
  const lines = rig.journal.lines.slice(
    0,
    rig.journal.lines.findIndex((line) => line.includes('TurnInterrupted')),
  );
  const again = await startRig({ lines });
  const [loop] = again.session.snapshot().loops;
  expect([loop?.paused, loop?.queue.map(({ commandId }) => commandId)]).toEqual([true, ['c', 'b']]);
});
