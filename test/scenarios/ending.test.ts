/** Interrupt, failure, shutdown, drain: how turns end and what becomes of the queue (S). */
import { expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/failure.ts';
import { fail, hold, text, toolCall } from '../../src/edge/models/scripted.ts';
import { type RigOptions, startRig } from '../support/rig.ts';
import { look, waiting } from '../support/tools.ts';

const golden = (name: string) => `golden/ending-${name}.txt`;
/** A loop in mid-stream with an input of a person and one of a machine in its queue. */
async function midStream(options: RigOptions = {}) {
  const rig = await startRig({ replies: [[text('partial'), hold('a')], [text('two')], [text('three')]], ...options });
  void rig.say('first');
  await rig.model.reached('a');
  await rig.say('of a person');
  await rig.say('of a machine', { agency: 'machine' });
  return rig;
}
const interrupt = { type: 'Interrupt' } as const;

test('an interrupt returns the inputs of machines and pauses those of people', async () => {
  const rig = await midStream();
  expect(await rig.send(interrupt)).toMatchObject({ ack: { cancelled: true } });
  await rig.until('LoopIdle');
  expect(rig.session.snapshot().loops[0]).toMatchObject({ busy: false, paused: true });
  await rig.say('of a machine, later', { agency: 'machine' });
  const before = rig.deliveries.length;
  await rig.send({ type: 'ResumeQueue' });
  await rig.until('LoopIdle', before);
  await expect(rig.log()).toMatchFileSnapshot(golden('interrupt'));
});

test('a new input of a person lets the paused queue go on from its front', async () => {
  const rig = await midStream();
  await rig.send(interrupt);
  await rig.until('LoopIdle');
  const before = rig.deliveries.length;
  await rig.say('new');
  await rig.until('LoopIdle', before);
  await expect(rig.log()).toMatchFileSnapshot(golden('interrupt-new-input'));
});

test('afterInterrupt "start" starts the first kept input at once', async () => {
  const rig = await midStream({ afterInterrupt: 'start' });
  await rig.send(interrupt);
  await rig.until('LoopIdle');
  expect(rig.resolutionOf('of a person')).toEqual(['TurnStarted']);
  expect(rig.resolutionOf('of a machine')).toEqual(['InputCancelled']);
});

test('a paused queue that is retracted to its last entry is paused no more', async () => {
  const rig = await midStream();
  await rig.send(interrupt);
  await rig.until('LoopIdle');
  await rig.send({ type: 'CancelQueuedInput', targetCommandId: 'of a person' });
  await rig.say('machine again', { agency: 'machine' });
  expect(rig.resolutionOf('machine again')).toEqual(['TurnStarted']);
});

test('a second interrupt, and one of an idle loop, do nothing', async () => {
  const rig = await startRig({ replies: [[hold('a')]] });
  expect(await rig.send(interrupt)).toMatchObject({ ack: { cancelled: false } });
  void rig.say('first');
  await rig.model.reached('a');
  const answers = await Promise.all([rig.send(interrupt), rig.send(interrupt)]);
  expect(answers.map((answer) => answer.ok && answer.ack?.cancelled)).toEqual([true, false]);
  await rig.until('LoopIdle');
  expect(rig.events('TurnInterrupted')).toHaveLength(1);
});

test('while a turn stops, inputs are queued and a ResumeQueue does nothing yet', async () => {
  const deaf = waiting('deaf', { deaf: true });
  const rig = await startRig({ replies: [[toolCall('deaf', {})], [text('two')]], tools: [deaf.tool] });
  void rig.say('first');
  await deaf.begun;
  await rig.send(interrupt);
  await rig.say('meanwhile');
  await rig.say('machine', { agency: 'machine' });
  await rig.send({ type: 'ResumeQueue' });
  expect(rig.events('TurnInterrupted')).toHaveLength(0);
  rig.clock.advance(3_000);
  await rig.until('LoopIdle');
  deaf.release();
  expect(rig.resolutionOf('meanwhile')).toEqual([]);
  expect(rig.resolutionOf('machine')).toEqual(['InputCancelled']);
  await rig.send({ type: 'ResumeQueue' });
  await rig.until('TurnDone');
  await expect(rig.log()).toMatchFileSnapshot(golden('stopping'));
});

test('an interrupt in a tool: no partial batch is committed, earlier Steps stay', async () => {
  const wait = waiting();
  const rig = await startRig({
    replies: [[toolCall('look', {})], [toolCall('look', {}), toolCall('wait', {})]],
    tools: [look, wait.tool],
  });
  void rig.say('work');
  await wait.begun;
  await rig.send(interrupt);
  await rig.until('LoopIdle');
  expect(rig.events('StepDone')).toHaveLength(1);
  await expect(rig.log()).toMatchFileSnapshot(golden('interrupt-tool'));
});

test('a failed turn returns the whole queue with its id, and nothing starts', async () => {
  const error = new ProviderError('provider_unavailable', 'The server went away.');
  const rig = await midStream({ replies: [[text('partial'), hold('a'), fail(error)]] });
  rig.model.release('a');
  await rig.until('LoopIdle');
  await expect(rig.log()).toMatchFileSnapshot(golden('failed'));
});

test('shutdown: the turn is interrupted, the queue returned, later input rejected, SessionStopped', async () => {
  const rig = await midStream();
  const over = rig.shutdown();
  await rig.say('too late');
  await over;
  expect(rig.resolutionOf('too late')).toEqual(['TurnRejected']);
  expect(rig.deliveries.at(-1)?.event.type).toBe('SessionStopped');
  await expect(rig.log()).toMatchFileSnapshot(golden('shutdown'));
  expect(await rig.say('much too late')).toMatchObject({ ok: false, kind: 'session_stopped' });
});

test('drain: what is queued and running is finished, then the session stops', async () => {
  const rig = await midStream();
  const over = rig.drain();
  rig.model.release('a');
  await over;
  await expect(rig.log()).toMatchFileSnapshot(golden('drain'));
});

test('drain returns a paused queue', async () => {
  const rig = await midStream();
  await rig.send(interrupt);
  await rig.until('LoopIdle');
  await rig.drain();
  expect(
    rig.events('InputCancelled').map(({ cause, reason, turnId }) => [cause.commandId, reason, turnId !== undefined]),
  ).toEqual([
    ['of a machine', 'turn_interrupted', true],
    ['of a person', 'turn_interrupted', false],
  ]);
});

test('nothing of a dead turn appears after its terminal', async () => {
  const deaf = waiting('deaf', { deaf: true });
  const rig = await startRig({ replies: [[toolCall('deaf', {})]], tools: [deaf.tool] });
  void rig.say('first');
  await deaf.begun;
  await rig.send(interrupt);
  rig.clock.advance(3_000);
  await rig.until('LoopIdle');
  const count = rig.deliveries.length;
  deaf.release();
  await rig.shutdown();
  expect(rig.deliveries.slice(count).map(({ event }) => event.type)).toEqual(['SessionStopped']);
});
