import { describe, expect, test } from 'vitest';
import {
  applyQueue,
  changeRow,
  EMPTY_QUEUE,
  inputLabel,
  type QueueRow,
  type QueueView,
  syncQueue,
} from '../../src/view/queue.ts';
import { byUser, LOOP, said, TURN } from '../support/chat-driver.ts';

const FACTS = { steps: 2, stopping: undefined };
const row = (commandId: string, more: Partial<QueueRow> = {}): QueueRow => ({
  commandId,
  blocks: said(commandId).blocks,
  noFold: false,
  agency: 'user',
  state: 'queued',
  ...more,
});
const queueOf = (...rows: QueueRow[]): QueueView => ({ ...EMPTY_QUEUE, rows });

describe('what resolves an input takes its row away and leaves a receipt', () => {
  const cases = [
    ['TurnStarted', { type: 'TurnStarted', ...TURN, cause: byUser('a'), turnIndex: 1, message: said('a') }, 'started'],
    [
      'TurnFoldedInto',
      { type: 'TurnFoldedInto', ...TURN, cause: byUser('a'), turnIndex: 1, message: said('a') },
      'folded at step 2',
    ],
    [
      'a retract',
      { type: 'InputCancelled', ...LOOP, cause: byUser('a'), reason: 'client_retracted', message: said('a') },
      'retracted',
    ],
    [
      'an interrupt',
      {
        type: 'InputCancelled',
        ...TURN,
        cause: byUser('a'),
        turnIndex: 1,
        reason: 'turn_interrupted',
        message: said('a'),
      },
      'returned (interrupted)',
    ],
    [
      'a failure',
      { type: 'InputCancelled', ...TURN, cause: byUser('a'), turnIndex: 1, reason: 'turn_failed', message: said('a') },
      'returned (failed)',
    ],
    [
      'a full queue',
      { type: 'TurnRejected', ...LOOP, cause: byUser('a'), reason: 'queue_full' },
      'rejected: the queue is full',
    ],
  ] as const;
  test.each(cases)('%s', (_name, event, text) => {
    const { queue, receipt } = applyQueue(queueOf(row('a'), row('b')), event, FACTS);
    expect(queue.rows.map((one) => one.commandId)).toEqual(['b']);
    expect(receipt).toMatchObject({ text, late: false });
  });

  test('a shutdown returns under its own name', () => {
    const event = {
      type: 'InputCancelled',
      ...LOOP,
      cause: byUser('a'),
      reason: 'turn_interrupted',
      message: said('a'),
    } as const;
    expect(applyQueue(queueOf(row('a')), event, { steps: 0, stopping: 'session' }).receipt?.text).toBe(
      'returned (shutting down)',
    );
  });

  test('a retract that came too late says where the input went', () => {
    const event = { type: 'TurnFoldedInto', ...TURN, cause: byUser('a'), turnIndex: 1, message: said('a') } as const;
    const { receipt } = applyQueue(queueOf(row('a', { state: 'retracting' })), event, FACTS);
    expect(receipt).toMatchObject({ late: true, text: 'folded at step 2, too late to retract' });
  });

  test('inputs of people are offered again, those of machines are not', () => {
    const event = (agency: 'user' | 'machine') =>
      ({
        type: 'InputCancelled',
        ...TURN,
        cause: { commandId: 'a', agency },
        turnIndex: 1,
        reason: 'turn_failed',
        message: said('x'),
      }) as const;
    expect(applyQueue(queueOf(row('a')), event('user'), FACTS).queue.returned).toHaveLength(1);
    expect(applyQueue(queueOf(row('a')), event('machine'), FACTS).queue.returned).toEqual([]);
  });
});

test('an interrupt pauses a queue with entries and no other; a started Turn ends the pause', () => {
  const interrupted = { type: 'TurnInterrupted', ...TURN, turnIndex: 1 } as const;
  expect(applyQueue(EMPTY_QUEUE, interrupted, FACTS).queue.paused).toBe(false);
  const { queue } = applyQueue(queueOf(row('a'), row('b')), interrupted, FACTS);
  expect(queue.paused).toBe(true);
  const started = { type: 'TurnStarted', ...TURN, cause: byUser('a'), turnIndex: 2, message: said('a') } as const;
  expect(applyQueue(queue, started, FACTS).queue.paused).toBe(false);
});

test('an InputQueued of somebody else makes a bare row, of a known input it only confirms', () => {
  const event = { type: 'InputQueued', ...LOOP, cause: byUser('a') } as const;
  expect(applyQueue(EMPTY_QUEUE, event, FACTS).queue.rows[0]).toMatchObject({ bare: true, state: 'queued' });
  expect(applyQueue(queueOf(row('a', { state: 'sending' })), event, FACTS).queue.rows[0]).toMatchObject({
    state: 'queued',
  });
  expect(applyQueue(queueOf(row('a', { state: 'retracting' })), event, FACTS).queue.rows[0]?.state).toBe('retracting');
});

test('a snapshot orders, fills and adds rows; it removes none and forgets no retract', () => {
  const before = changeRow(queueOf(row('gone'), row('a'), row('b'), row('new', { state: 'sending' })), 'b', {
    state: 'retracting',
  });
  const entry = (commandId: string) => ({
    commandId,
    agency: 'user' as const,
    noFold: true,
    blocks: said(commandId).blocks,
  });
  const after = syncQueue(before, [entry('b'), entry('a'), entry('c')], false);
  expect(after.rows.map((one) => `${one.commandId} ${one.state}`)).toEqual([
    'gone queued',
    'b retracting',
    'a queued',
    'c queued',
    'new sending',
  ]);
  expect(after.rows[2]?.noFold).toBe(true);
});

test.each([
  [said('one').blocks, 'one'],
  [said('one\ntwo\nthree').blocks, 'one (+2 lines)'],
  [[], '(retry)'],
  [[{ type: 'image' as const, mediaType: 'image/png', data: '' }], '[an image]'],
])('an input is named by its first line', (blocks, label) => {
  expect(inputLabel(blocks)).toBe(label);
});
