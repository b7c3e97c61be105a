/** A history that has grown too long: shortened, then summarised between Turns; nothing typed meanwhile is lost. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import { ProviderError } from '../../src/domain/failure.ts';
import { audit } from '../../src/edge/journal/audit.ts';
import { emit, fail, finish, hold, text, toolCall, usage } from '../../src/edge/models/scripted.ts';
import { encodeDelivery } from '../../src/edge/wire/delivery-codec.ts';
import { decodeDelivery } from '../../src/library/codec.ts';
import type { ModelRequest } from '../../src/runtime/ports.ts';
import { type Rig, type RigOptions, startRig } from '../support/rig.ts';
import { look } from '../support/tools.ts';

const golden = (name: string) => `golden/compaction-${name}.txt`;
const big = { ...look, run: async () => ({ content: [{ type: 'text' as const, text: 'x'.repeat(6000) }] }) };
const isSummary = (request: ModelRequest) => request.system.includes('condense conversations');

/** A loop with two Turns behind it. */
async function experienced(options: RigOptions = {}): Promise<Rig> {
  const rig = await startRig({
    replies: [[toolCall('look', {})], [text('one')], [text('two')], ...(options.replies ?? [])],
    tools: [big],
    ...without(options),
  });
  await rig.say('first');
  await rig.until('LoopIdle');
  const before = rig.deliveries.length;
  await rig.say('second');
  await rig.until('LoopIdle', before);
  return rig;
}
const without = ({ replies: _, ...rest }: RigOptions) => rest;
async function sound(rig: Rig): Promise<void> {
  const records = [];
  for await (const record of rig.journal.read()) records.push(record);
  const result = audit(records);
  expect('fault' in result ? result.fault : undefined).toBeUndefined();
}

test('compact: a summary takes the place of the older part; the next request begins with it', async () => {
  const rig = await experienced({
    replies: [[text('They looked once.'), usage({ inputTokens: 50, outputTokens: 5 })], [text('three')]],
  });
  expect(await rig.send({ type: 'Compact' })).toEqual({ ok: true });
  const before = rig.deliveries.length;
  await rig.say('third');
  await rig.until('LoopIdle', before);
  const last = rig.model.requests.at(-1);
  expect(JSON.stringify(last?.messages[0])).toContain('They looked once.');
  expect(JSON.stringify(last?.messages)).not.toContain('xxxx');
  expect(last?.messages.at(-1)?.role).toBe('user');
  await sound(rig);
  await expect(rig.log().replace(/x{9,}/g, 'x…')).toMatchFileSnapshot(golden('asked'));
});

test('what is typed meanwhile is queued and comes after, in order, whether it succeeds, fails, or is interrupted', async () => {
  const endings = {
    succeeds: [[hold('s'), text('short')]],
    fails: [[hold('s'), fail(new ProviderError('provider_unavailable', 'gone'))]],
    interrupted: [[hold('s'), text('never')]],
  };
  for (const [how, replies] of Object.entries(endings)) {
    const rig = await experienced({ replies: [...replies, [text('three')], [text('four')]] });
    const compacted = rig.send({ type: 'Compact' });
    await rig.model.reached('s');
    const before = rig.deliveries.length;
    await rig.say('third');
    await rig.say('fourth', { noFold: true });
    expect([how, rig.resolutionOf('third')]).toEqual([how, []]);
    if (how === 'interrupted') await rig.send({ type: 'Interrupt' });
    else rig.model.release('s');
    await rig.until('LoopIdle', before);
    expect([how, rig.resolutionOf('third'), rig.resolutionOf('fourth')]).toEqual([
      how,
      ['TurnStarted'],
      ['TurnStarted'],
    ]);
    expect(rig.events('HistoryCompacted')).toHaveLength(how === 'succeeds' ? 1 : 0);
    expect(await compacted).toMatchObject(how === 'succeeds' ? { ok: true } : { ack: { compacted: false } });
    await sound(rig);
  }
});

test('a Compact while a turn runs is carried out when it is over; with nothing to compact it says so', async () => {
  const fresh = await startRig();
  expect(await fresh.send({ type: 'Compact' })).toMatchObject({ ack: { compacted: false } });
  const rig = await experienced({ replies: [[text('three'), hold('t')], [text('short')]] });
  const before = rig.deliveries.length;
  void rig.say('third');
  await rig.model.reached('t');
  const compacted = rig.send({ type: 'Compact' });
  rig.model.release('t');
  expect(await compacted).toEqual({ ok: true });
  await rig.until('LoopIdle', before);
  const order = rig.deliveries.slice(before).map(({ event }) => event.type);
  expect(order.indexOf('TurnDone')).toBeLessThan(order.indexOf('HistoryCompacted'));
});

test('with a known window it happens by itself, before the next turn, and old tool output is shortened before that', async () => {
  const rig = await experienced({ window: 150, replies: [[text('short')], [text('three')]] });
  const [summary] = rig.model.requests.filter(isSummary);
  expect(summary).toBeDefined();
  expect(rig.events('HistoryCompacted')).toHaveLength(1);
  expect(
    rig.model.requests
      .filter((request) => !isSummary(request))
      .some(({ messages }) => JSON.stringify(messages).includes('left out')),
  ).toBe(true);
  await sound(rig);
});

test('a server that refuses long requests: the turn goes on with less, and the history is summarised after it', async () => {
  const tooLong = new ProviderError('provider_context_length', 'too long');
  const refuse = (request: ModelRequest) => JSON.stringify(request.messages).length > 3000;
  const answer = (said: string) => (request: ModelRequest) =>
    refuse(request) ? [fail(tooLong)] : [text(isSummary(request) ? 'short' : said)];
  const rig = await startRig({
    replies: [[toolCall('look', {})], ...Array.from({ length: 20 }, (_, i) => answer(`answer ${i}`))],
    tools: [big],
  });
  for (const name of ['first', 'second', 'third']) {
    const before = rig.deliveries.length;
    await rig.say(name);
    await rig.until('LoopIdle', before);
  }
  expect(rig.events('TurnFailed')).toEqual([]);
  expect(rig.events('TurnDone')).toHaveLength(3);
  expect(rig.events('InferenceRetrying').length).toBeGreaterThan(0);
  await sound(rig);
});

test('a crash in the middle of a compaction changes nothing; after it the model is told the same as before', async () => {
  const rig = await experienced({ replies: [[hold('s'), text('short')]] });
  void rig.send({ type: 'Compact' });
  await rig.model.reached('s');
  await rig.say('typed meanwhile');
  const again = await startRig({ lines: [...rig.journal.lines], tools: [big], replies: [[text('three')]] });
  const before = again.deliveries.length;
  await again.send({ type: 'ResumeQueue' });
  await again.until('LoopIdle', before);
  const [request] = again.model.requests;
  expect(request?.messages.slice(0, -1)).toEqual([
    ...(rig.model.requests[2]?.messages ?? []),
    { role: 'assistant', blocks: [{ type: 'text', text: 'two' }] },
  ]);
});

test('a shutdown during a compaction starts nothing: what was typed is returned, and the session stops', async () => {
  const rig = await experienced({ replies: [[hold('s'), text('short')]] });
  const compacted = rig.send({ type: 'Compact' });
  await rig.model.reached('s');
  await rig.say('typed meanwhile');
  await rig.shutdown();
  expect(rig.resolutionOf('typed meanwhile')).toEqual(['InputCancelled']);
  expect(rig.deliveries.at(-1)?.event.type).toBe('SessionStopped');
  expect(await compacted).toMatchObject({ ack: { compacted: false } });
  await sound(rig);
});

test('a model that does not hear its signal is left behind', async () => {
  const rig = await experienced();
  const deaf = {
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
  };
  const asked = rig.modelInstead(deaf);
  const compacted = rig.send({ type: 'Compact' });
  await asked;
  await rig.send({ type: 'Interrupt' });
  rig.clock.advance(3_000);
  expect(await compacted).toMatchObject({ ack: { compacted: false } });
  await rig.shutdown();
  expect(rig.deliveries.at(-1)?.event.type).toBe('SessionStopped');
});

test('half a summary, or one with a usage that cannot be, replaces nothing', async () => {
  const bad = [
    [text('half of'), finish('length')],
    [text('all of'), usage({ outputTokens: 1, reasoningTokens: 2 })],
    [text(' ')],
  ];
  for (const reply of bad) {
    const rig = await experienced({ replies: [reply] });
    expect(await rig.send({ type: 'Compact' })).toMatchObject({ ack: { compacted: false } });
    expect(rig.events('HistoryCompacted')).toHaveLength(0);
  }
});

test('a Compact that waited for a turn is answered however the turn ends', async () => {
  const rig = await experienced({ replies: [[text('x'), hold('t')], [text('short')]] });
  void rig.say('third');
  await rig.model.reached('t');
  const compacted = rig.send({ type: 'Compact', commandId: 'compact-me' });
  await rig.send({ type: 'Interrupt' });
  expect(await compacted).toEqual({ ok: true });
  expect(rig.events('HistoryCompacted')[0]?.cause?.commandId).toBe('compact-me');
});

test('a summary that cannot be saved leaves the history as it is, and the session goes on', async () => {
  const rig = await experienced({ replies: [[hold('s'), text('short')], [text('three')]] });
  const compacted = rig.send({ type: 'Compact' });
  await rig.model.reached('s');
  rig.journal.failNext(1);
  rig.model.release('s');
  expect(await compacted).toMatchObject({ ack: { compacted: false } });
  const before = rig.deliveries.length;
  await rig.say('third');
  await rig.until('TurnDone', before);
  await sound(rig);
});

test('tool call ids stay unique in a loop, also behind a summary and a restart', async () => {
  const call = () => [toolCall('look', {}, { id: 'same' })];
  const rig = await startRig({ replies: [call(), [text('one')], [text('two')], [text('short')]], tools: [big] });
  for (const name of ['first', 'second']) {
    const before = rig.deliveries.length;
    await rig.say(name);
    await rig.until('LoopIdle', before);
  }
  await rig.send({ type: 'Compact' });
  const again = await startRig({ lines: [...rig.journal.lines], tools: [big], replies: [call(), [text('three')]] });
  await again.say('third');
  const step = (await again.until('StepDone')) as unknown as { messages: [{ blocks: { id?: string }[] }] };
  expect(step.messages[0].blocks[0]?.id).toBe('same_2');
});

test('a retry of the summary is announced, without a turn; an interrupt ends its wait', async () => {
  const err = { kind: 'provider_unavailable', message: 'busy' } as const;
  const rig = await experienced({
    replies: [[emit({ type: 'retrying', attempt: 1, maxAttempts: 5, waitMs: 8000, err }), hold('s'), text('never')]],
  });
  const compacted = rig.send({ type: 'Compact' });
  await rig.until('InferenceRetrying');
  const [announced] = rig.events('InferenceRetrying');
  expect(announced).toMatchObject({ loopId: rig.session.snapshot().activeLoopId, attempt: 1, waitMs: 8000, err });
  expect([announced?.turnId, announced?.stepId]).toEqual([undefined, undefined]);
  const wire = encodeDelivery({ event: announced as Event, journalSeq: 0 });
  expect(wire).not.toMatch(/turn_id|step_id/);
  expect(decodeDelivery(wire).event).toEqual(announced);
  await rig.send({ type: 'Interrupt' });
  expect(await compacted).toMatchObject({ ack: { compacted: false, reason: 'it was interrupted' } });
});

test('a summary that would be too long is asked for again with less, and says so', async () => {
  const tooLong = new ProviderError('provider_context_length', 'too long');
  const rig = await experienced({ replies: [[fail(tooLong)], [text('short')]] });
  expect(await rig.send({ type: 'Compact' })).toEqual({ ok: true });
  expect(rig.events('InferenceRetrying')).toMatchObject([{ attempt: 1, waitMs: 0, err: { message: 'too long' } }]);
});

test('who wants to know when a summary is over is told, also where it began by itself and came to nothing', async () => {
  const rig = await startRig({
    window: 150,
    tools: [big],
    replies: [
      [toolCall('look', {}), usage({ inputTokens: 100 })],
      [text('one '.repeat(200)), usage({ inputTokens: 400, outputTokens: 200 })],
      [hold('s'), fail(new ProviderError('provider_unavailable', 'gone'))],
    ],
  });
  const { activeLoopId } = rig.session.snapshot();
  expect(rig.session.compaction(activeLoopId)).toBeUndefined();
  await rig.say('first');
  await rig.until('LoopIdle');
  await rig.model.reached('s');
  const over = rig.session.compaction(activeLoopId);
  rig.model.release('s');
  expect(await over).toBe('gone');
  expect(rig.session.compaction(activeLoopId)).toBeUndefined();
});
