/** What may be journaled or restored (S: coordinates, a Step's id, usage), as a table. */
import { expect, test } from 'vitest';
import { toolMessage, ZERO_USAGE } from '../../src/domain/content.ts';
import { type Event, eventTraits, isEnduring, isReply, isTerminal, replyTo } from '../../src/domain/event.ts';
import { JournalError, RestoredError } from '../../src/domain/failure.ts';
import { InvalidEventError, validateEvent } from '../../src/domain/validation.ts';

const stamp = { v: 1, sessionId: 's', eventId: 'e', createdAt: '2026-01-01T00:00:00.000Z' } as const;
const turn = { loopId: 'l', turnId: 't' } as const;
const step = { ...turn, stepId: 'p' } as const;
const cause = { commandId: 'c', agency: 'user' } as const;
const message = { role: 'user', blocks: [] } as const;
const answer = { role: 'assistant', blocks: [{ type: 'text', text: 'hi' }] } as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} }) as const;
const err = new JournalError('full');

const good: Record<string, object> = {
  TurnStarted: { ...turn, cause, turnIndex: 1, message },
  TurnFoldedInto: { ...turn, cause, turnIndex: 1, message },
  InputCancelled: { loopId: 'l', cause, reason: 'client_retracted', message },
  TurnRejected: { loopId: 'l', cause, reason: 'queue_full' },
  InputQueued: { loopId: 'l', cause },
  TokenDelta: { ...step, turnIndex: 1, chunk: { type: 'text', text: 'x' } },
  StepDone: { ...step, messages: [answer] },
  TurnDone: { ...turn, turnIndex: 1, message: answer, usage: ZERO_USAGE },
  TurnFailed: { ...turn, turnIndex: 1, err, failure: { kind: 'journal', message: 'full' } },
  TurnInterrupted: { ...turn, turnIndex: 1 },
  PermissionDecided: { ...step, toolExecutionId: 'x', toolUseId: 'u', effect: 'deny', source: 'policy' },
  HistoryCompacted: { loopId: 'l', summary: 'short', usage: ZERO_USAGE },
  LoopIdle: { loopId: 'l' },
  SessionStopped: {},
};
const eventOf = (type: string, more: object = {}): Event => ({ type, ...stamp, ...good[type], ...more }) as Event;

test('each of them is valid as it should be', () => {
  for (const type of Object.keys(good)) expect(() => validateEvent(eventOf(type))).not.toThrow();
});

test('a missing coordinate is refused, by name, in every event that must have it', () => {
  for (const type of Object.keys(good)) {
    const { coordinates } = eventTraits[type as keyof typeof eventTraits];
    for (const coordinate of [...coordinates, 'sessionId', 'eventId', 'createdAt']) {
      for (const missing of [undefined, '']) {
        expect(() => validateEvent(eventOf(type, { [coordinate]: missing }))).toThrow(`${type} has no ${coordinate}`);
      }
    }
  }
});

test.each<[string, object, RegExp]>([
  ['TurnStarted', { v: 2 }, /version 2/],
  ['TurnStarted', { cause: undefined }, /names no command/],
  ['TurnStarted', { cause: { commandId: '' } }, /names no command/],
  ['TurnStarted', { turnIndex: 0 }, /turn_index 0/],
  ['TurnStarted', { turnIndex: 1.5 }, /turn_index/],
  ['TurnStarted', { message: answer }, /no user message/],
  ['InputCancelled', { reason: 'because' }, /reason because/],
  ['InputCancelled', { turnId: 't', turnIndex: 1 }, /retract and has a turn/],
  ['InputCancelled', { reason: 'turn_failed', turnId: 't' }, /turn_index/],
  ['TurnRejected', { reason: '' }, /reason/],
  ['StepDone', { messages: [message] }, /assistant message/],
  ['StepDone', { messages: [{ role: 'assistant', blocks: [] }] }, /empty assistant/],
  ['StepDone', { messages: [{ ...answer, blocks: [use('a')] }] }, /1 tool uses and 0/],
  [
    'StepDone',
    { messages: [{ ...answer, blocks: [use('a'), use('a')] }, toolMessage('a', ''), toolMessage('a', '')] },
    /one id/,
  ],
  [
    'StepDone',
    { messages: [{ ...answer, blocks: [use('a'), use('b')] }, toolMessage('b', ''), toolMessage('a', '')] },
    /out of order/,
  ],
  ['StepDone', { messages: [{ ...answer, blocks: [use('a')] }, answer] }, /no tool message/],
  ['StepDone', { messages: [{ ...answer, usage: { ...ZERO_USAGE, inputTokens: -1 } }] }, /non-negative safe integer/],
  [
    'StepDone',
    { messages: [{ ...answer, usage: { ...ZERO_USAGE, outputTokens: 1, reasoningTokens: 2 } }] },
    /more reasoning/,
  ],
  ['TurnDone', { usage: { ...ZERO_USAGE, outputTokens: 2 ** 53 } }, /safe integer/],
  ['TurnDone', { usage: { ...ZERO_USAGE, inputTokens: Number.NaN } }, /safe integer/],
  ['HistoryCompacted', { usage: { ...ZERO_USAGE, cacheReadTokens: 0.5 } }, /safe integer/],
])('%s with %j is refused', (type, more, why) => {
  expect(() => validateEvent(eventOf(type, more))).toThrow(InvalidEventError);
  expect(() => validateEvent(eventOf(type, more))).toThrow(why);
});

test('replies are exactly five and name their command; three events end a turn and are enduring', () => {
  const types = Object.keys(eventTraits) as (keyof typeof eventTraits)[];
  const replies = types.filter((type) => isReply({ type } as Event));
  expect(replies.sort()).toEqual(['InputCancelled', 'InputQueued', 'TurnFoldedInto', 'TurnRejected', 'TurnStarted']);
  for (const type of replies) expect(replyTo(eventOf(type) as never)).toBe('c');
  const terminals = types.filter((type) => isTerminal({ type } as Event));
  expect(terminals.sort()).toEqual(['TurnDone', 'TurnFailed', 'TurnInterrupted']);
  expect(terminals.every((type) => isEnduring({ type }))).toBe(true);
  for (const gone of ['StepStarted', 'StepFailed', 'TurnCompleted', 'TurnCanceled']) expect(types).not.toContain(gone);
});

test('a restored failure keeps its kind', () => {
  expect(new RestoredError('tool_limit', 'enough')).toMatchObject({ kind: 'tool_limit', name: 'RestoredError' });
});
