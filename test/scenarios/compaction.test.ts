/** A history that has grown too long: shortened, then summarised between Turns; nothing typed meanwhile is lost. */
import { expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/failure.ts';
import { audit } from '../../src/edge/journal/audit.ts';
import { fail, hold, text, toolCall, usage } from '../../src/edge/models/scripted.ts';
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
