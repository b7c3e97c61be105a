import { expect, test } from 'vitest';
import { audit } from '../../src/edge/journal/audit.ts';
import { hold, text, toolCall } from '../../src/edge/models/scripted.ts';
import { messagesOf } from '../../src/loop/history.ts';
import { ForkPointError, forkOf } from '../../src/runtime/fork.ts';
import type { JournalRecord } from '../../src/runtime/ports.ts';
import { startRig } from '../support/rig.ts';
import { change, look } from '../support/tools.ts';

async function source() {
  const rig = await startRig({
    replies: [[toolCall('look', {})], [toolCall('change', { a: 1 })], [text('done')], [text('second'), hold('never')]],
    tools: [look, change],
    approval: 'ask',
  });
  void rig.say('first');
  const gate = (await rig.until('PermissionRequested')) as { toolExecutionId: string };
  await rig.send({ type: 'ApproveToolCall', toolExecutionId: gate.toolExecutionId, scope: 'session' });
  await rig.until('TurnDone');
  await rig.say('again');
  await rig.model.reached('never');
  await rig.say('queued');
  const records: JournalRecord[] = [];
  for await (const record of rig.journal.read()) records.push(record);
  return records;
}

async function* each(records: readonly JournalRecord[]) {
  yield* records;
}
let ids = 0;
const forked = (records: readonly JournalRecord[], at?: number) =>
  forkOf(each(records), {
    sessionId: 'fork',
    source: 'source',
    ...(at !== undefined && { at }),
    cwd: '/elsewhere',
    appVersion: '1',
    newId: () => `fork-${++ids}`,
    now: () => '2026-01-02T00:00:00.000Z',
  });
const seqsOf = (records: readonly JournalRecord[], type: string) =>
  records.filter((record) => 'event' in record && record.event.type === type).map(({ seq }) => seq);

test('the history up to the last finished Step, under new ids, without the queue, audited', async () => {
  const records = await source();
  const fork = await forked(records);
  const [loop] = fork.state.loops.values();
  expect(messagesOf(loop?.history).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
  ]);
  expect(loop).toMatchObject({ turn: undefined, inbox: [], turnIndex: 1, worked: false });
  expect(fork.state.grants).toEqual([]);
  expect(fork.opening.map(({ event }) => event.type)).toEqual(['SessionStarted', 'LoopStarted']);
  expect(fork.opening[0]?.event).toMatchObject({
    forkedFrom: 'source',
    forkedAtSeq: seqsOf(records, 'TurnDone')[0],
    cwd: '/elsewhere',
  });
  expect(audit(fork.records)).toHaveProperty('ok');
  const old = new Set(
    records.flatMap((record) =>
      'event' in record ? [record.event.eventId, record.event.sessionId] : [record.command.commandId],
    ),
  );
  const text = JSON.stringify(fork.records);
  const isMade = (id: string) => id.length > 20;
  expect([...old].filter((id) => isMade(id) && text.includes(JSON.stringify(id)))).toEqual([]);
});

test('from a Step in the middle of a Turn: the Turn is closed', async () => {
  const records = await source();
  const [first] = seqsOf(records, 'StepDone');
  const fork = await forked(records, first);
  expect(fork.records.flatMap((record) => ('event' in record ? [record.event.type] : []))).toEqual([
    'SessionStarted',
    'LoopStarted',
    'SessionActive',
    'TurnStarted',
    'StepDone',
    'TurnInterrupted',
    'LoopIdle',
    'SessionIdle',
  ]);
  expect(audit(fork.records)).toHaveProperty('ok');
});

test('any finished Step and any terminal is a place to fork from, nothing else is', async () => {
  const records = await source();
  const places = [...seqsOf(records, 'StepDone'), ...seqsOf(records, 'TurnDone')];
  for (const { seq } of records) {
    if (places.includes(seq))
      expect((await forked(records, seq)).opening[0]?.event).toMatchObject({ forkedAtSeq: seq });
    else await expect(forked(records, seq)).rejects.toThrow(ForkPointError);
  }
  await expect(forked(records, 9999)).rejects.toThrow(ForkPointError);
  await expect(forked(records.slice(0, 3))).rejects.toThrow('no finished step');
});

test('a fork of a fork', async () => {
  const once = await forked(await source());
  const twice = await forked(once.records);
  expect(audit(twice.records)).toHaveProperty('ok');
  expect([...twice.state.loops.values()][0]?.turnIndex).toBe(1);
});
