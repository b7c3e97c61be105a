import { describe, expect, test } from 'vitest';
import { TailWatch } from '../../src/cli/chat-tail.ts';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import type { Event, EventBody } from '../../src/domain/event.ts';
import { answered, byUser, LOOP, STEP, said, TURN } from '../support/chat-driver.ts';
import { stamped } from '../support/fake-session.ts';

function seen(...bodies: EventBody[]): TailWatch {
  const watch = new TailWatch(0);
  for (const [i, body] of bodies.entries()) watch.take({ seq: i + 1, event: stamped(body, i) as Event });
  return watch;
}
const started = (n: number, text = `text ${n}`): EventBody => ({
  type: 'TurnStarted',
  ...LOOP,
  turnId: `turn-${n}`,
  turnIndex: n,
  cause: byUser(`command-${n}`),
  message: said(text),
});
const returned = (
  commandId: string,
  reason: 'turn_interrupted' | 'turn_failed' | 'client_retracted',
  agency: 'user' | 'machine' = 'user',
): EventBody => ({ type: 'InputCancelled', ...LOOP, cause: { commandId, agency }, reason, message: said(commandId) });
const stopped: EventBody = { type: 'SessionStopped' };
const restored: EventBody[] = [{ type: 'RestoreStarted' }, { type: 'RestoreDone' }];
const ids = (watch: TailWatch): string[] => watch.returned.map(({ commandId }) => commandId);

describe('what is offered again', () => {
  test('what the last stop returned, of people, in order', () => {
    const watch = seen(
      started(1),
      returned('a', 'turn_interrupted'),
      returned('m', 'turn_interrupted', 'machine'),
      returned('b', 'turn_interrupted'),
      returned('c', 'client_retracted'),
      stopped,
    );
    expect(ids(watch)).toEqual(['a', 'b']);
    expect(watch.returned[0]).toMatchObject({ ...LOOP, reason: 'shutting down' });
  });

  test('also after a restore that ended without a stop', () => {
    expect(ids(seen(started(1), returned('a', 'turn_interrupted'), stopped, ...restored))).toEqual(['a']);
  });

  test('not what an earlier stop returned, nor what a later turn made old', () => {
    expect(ids(seen(started(1), returned('a', 'turn_interrupted'), stopped, ...restored, stopped))).toEqual([]);
    expect(ids(seen(started(1), returned('a', 'turn_interrupted'), stopped, ...restored, started(2)))).toEqual([]);
  });

  test('what a failure returned, also where a crash came right behind it', () => {
    expect(ids(seen(started(1), returned('a', 'turn_failed')))).toEqual(['a']);
    expect(ids(seen(started(1), returned('a', 'turn_failed'), stopped))).toEqual(['a']);
  });
});

describe('what the chat knows is still offered', () => {
  const back = (...ids: string[]) => ids.map((id) => returned(id, 'turn_failed'));
  const row = (commandId: string) => ({ ...LOOP, commandId });
  const left = (watch: TailWatch, upTo: number, ...rows: string[]) =>
    watch.offered({ upTo, rows: rows.map(row) }).map(({ commandId }) => commandId);

  test('without that, the journal says it', () => {
    expect(seen(started(1), ...back('a')).offered(undefined)).toHaveLength(1);
  });
  test('what was dropped does not come back', () => {
    expect(left(seen(started(1), ...back('a', 'b'), stopped), 4, 'b')).toEqual(['b']);
    expect(left(seen(started(1), ...back('a'), stopped), 3)).toEqual([]);
  });
  test('what was not sent again is there, whatever turn began since', () => {
    expect(left(seen(started(1), ...back('a', 'b', 'c'), started(2, 'a'), stopped), 6, 'b', 'c')).toEqual(['b', 'c']);
  });
  test('behind the record that it knows, the journal says it', () => {
    expect(left(seen(started(1), ...back('a'), started(2), ...back('b'), stopped), 2, 'a')).toEqual(['a', 'b']);
  });
  test('what was sent just before a crash is not offered too', () => {
    expect(left(seen(started(1), ...back('a', 'b'), started(2, 'a')), 3, 'a', 'b')).toEqual(['b']);
  });
  test('a rejected one is known here alone', () => {
    const rows = [{ ...row('r'), blocks: said('full').blocks }];
    expect(seen(started(1)).offered({ upTo: 1, rows })).toMatchObject([{ commandId: 'r', reason: 'rejected' }]);
  });
});

test('the last three turns begin behind a number; all are counted', () => {
  const watch = seen(...[1, 2, 3, 4, 5].map((n) => started(n)));
  expect([watch.turns, watch.turnsBefore, watch.after]).toEqual([5, 2, 2]);
  expect(watch.lastText).toBe('text 5');
  expect([seen(started(1)).after, seen(stopped).after, seen(stopped).turnsBefore]).toEqual([0, 0, 0]);
});

test('tokens are those of all Steps', () => {
  const step: EventBody = { type: 'StepDone', ...STEP, ...TURN, messages: [answered('x')] };
  expect(seen(started(1), step, step).usage.get('loop-1')).toMatchObject({ inputTokens: 2400, outputTokens: 68 });
});

test('what was used, by the model that a turn asked, with summaries', () => {
  const usage = { ...ZERO_USAGE, inputTokens: 10, cacheReadTokens: 5, outputTokens: 2 };
  const step = (n: number): EventBody => ({
    type: 'StepDone',
    ...STEP,
    turnId: `turn-${n}`,
    messages: [{ ...answered('said'), usage }],
  });
  const watch = seen(
    { type: 'SessionStarted', model: 'one', provider: 'here', cwd: '/work', appVersion: '0' },
    { type: 'LoopStarted', ...LOOP, agentName: 'main', model: 'one' },
    started(1),
    { type: 'ModelChanged', ...LOOP, model: 'two', provider: 'there' },
    step(1),
    started(2),
    step(2),
    step(2),
    { type: 'HistoryCompacted', ...LOOP, summary: 's', usage },
  );
  const rows = watch.spent.get(LOOP.loopId)?.map((row) => [row.provider, row.model, row.usage.inputTokens]);
  expect(rows).toEqual([
    ['here', 'one', 10],
    ['there', 'two', 30],
  ]);
  expect(watch.usage.get(LOOP.loopId)?.inputTokens).toBe(30);
});
