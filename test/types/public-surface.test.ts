/** What the library exports, by name: a change of this list is a change for every program that uses it. */
import { expect, test } from 'vitest';
import * as harness from '../../src/index.ts';

test('these names, and no others', () => {
  expect(Object.keys(harness).sort()).toEqual([
    'DamagedJournalError',
    'EmptyResponseError',
    'FAILURE_KINDS',
    'GuardError',
    'HarnessError',
    'ImpossibleHistoryError',
    'InvalidEventError',
    'JournalError',
    'ProviderError',
    'RestoredError',
    'SessionInUseError',
    'SubscriptionLossError',
    'ToolLimitError',
    'TurnPanicError',
    'WireError',
    'createDemoModel',
    'createOpenAiModel',
    'createScriptedModel',
    'createSession',
    'decodeCommand',
    'decodeDelivery',
    'decodeEvent',
    'decodeRecord',
    'defineTool',
    'encodeCommand',
    'encodeDelivery',
    'encodeEvent',
    'encodeRecord',
    'eventTraits',
    'failureOf',
    'findError',
    'isEnduring',
    'isReply',
    'isTerminal',
    'openMemoryJournal',
    'openSessionFile',
    'replyTo',
    'script',
    'textOf',
    'validateEvent',
  ]);
});

test('the traits of every event, as the documents have them', () => {
  const rows = Object.entries(harness.eventTraits).map(
    ([type, { class: eventClass, scope, visibility, endsTurn }]) =>
      `${type} ${eventClass} ${scope} ${visibility} ${endsTurn}`,
  );
  for (const row of [
    'InputQueued ephemeral loop public false',
    'TurnStarted enduring loop public false',
    'StepDone enduring loop public false',
    'TokenDelta ephemeral loop public false',
    'TurnFoldedInto enduring loop public false',
    'InputCancelled enduring loop public false',
    'TurnRejected enduring loop public false',
    'TurnDone enduring loop public true',
    'TurnFailed enduring loop public true',
    'TurnInterrupted enduring loop public true',
  ]) {
    expect(rows).toContain(row);
  }
  const types = Object.keys(harness.eventTraits) as harness.EventType[];
  const replies = types.filter((type) => harness.isReply({ type } as harness.Event));
  expect(replies).toEqual(['InputQueued', 'TurnStarted', 'TurnFoldedInto', 'InputCancelled', 'TurnRejected']);
  const ends = types.filter((type) => harness.isTerminal({ type } as harness.Event));
  expect(ends).toEqual(['TurnDone', 'TurnFailed', 'TurnInterrupted']);
  for (const name of ['StepStarted', 'StepFailed', 'TurnCompleted', 'TurnCanceled']) expect(types).not.toContain(name);
});

test('one class of each error: what an embedded session throws is what is exported', async () => {
  const call = [harness.script.toolCall('none', {})];
  const model = harness.createScriptedModel([[], call, call]);
  const session = await harness.createSession({ model, limits: { maxToolCalls: 1 } });
  const errors: Error[] = [];
  const subscription = session.subscribeEvents({ enduring: 'all' });
  await session.submit([]);
  for await (const { event } of subscription) {
    if (event.type === 'TurnFailed') errors.push(event.err);
    if (event.type === 'LoopIdle' && errors.length === 1) await session.submit([]);
    if (errors.length === 2) break;
  }
  expect(harness.findError(errors[0], harness.EmptyResponseError)).toBe(errors[0]);
  expect(harness.findError(errors[1], harness.ToolLimitError)).toBe(errors[1]);
  expect(harness.failureOf(errors[1])).toMatchObject({ kind: 'tool_limit' });
});
