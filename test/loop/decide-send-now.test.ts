/** A queued input that is sent now, in every situation that the queue may be in. */
import { expect, test } from 'vitest';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import { JournalError } from '../../src/domain/failure.ts';
import { type ByHand, busy, command } from './by-hand.ts';

function compacting(queue: string): ByHand {
  const hand = busy();
  hand.commit();
  hand.send('Compact', {});
  hand.queueUp(queue);
  return hand;
}
const now = (hand: ByHand, targetCommandId: string) => hand.send('SendQueuedInput', { targetCommandId });
const full = new JournalError('No space is left on the device.');

test('it is moved to the front, and the turn is told to stop', () => {
  const hand = busy('a |b c');
  expect(now(hand, 'b')).toMatchInlineSnapshot(`
    "[MoveQueuedInput commandId=sendqueuedinput agency=user targetCommandId=b beforeCommandId=a]
    [SendQueuedInput commandId=sendqueuedinput agency=user targetCommandId=b]
    -> stopTurn loopId=main turnId=new1
    = ack ack={"sent":true}"
  `);
  expect(hand.queue()).toBe('|b a c');
});

test('at the front already it need not move', () => {
  const hand = busy('a b');
  expect(now(hand, 'a')).not.toContain('MoveQueuedInput');
  expect(hand.queue()).toBe('a b');
});

test('when that turn is interrupted the queue goes on with it, whatever is configured', () => {
  const hand = busy('a b c*');
  now(hand, 'b');
  expect(hand.end()).toMatchInlineSnapshot(`
    "TurnInterrupted loopId=main turnId=new1 turnIndex=1
    InputCancelled loopId=main turnId=new1 turnIndex=1 cause=c(machine) reason=turn_interrupted message=c
    TurnStarted loopId=main turnId=new2 turnIndex=2 cause=b message=b
    -> runTurn loopId=main turnId=new2
    = done"
  `);
  expect(hand.queue()).toBe('a');
});

test('another one that was moved before it meanwhile does not take its place', () => {
  const hand = busy('a b');
  now(hand, 'b');
  hand.send('MoveQueuedInput', { targetCommandId: 'a', beforeCommandId: 'b' });
  expect(hand.end()).toContain('TurnStarted loopId=main turnId=new2 turnIndex=2 cause=b');
  expect(hand.queue()).toBe('a');
});

test('retracted meanwhile: the queue is paused as after any interrupt', () => {
  const hand = busy('a b');
  now(hand, 'b');
  hand.send('CancelQueuedInput', { targetCommandId: 'b' });
  expect(hand.end()).not.toContain('TurnStarted');
  expect(hand.queue()).toBe('a (paused)');
});

test('it does not fold into the turn that it ends: that turn commits nothing more', () => {
  const hand = busy('a');
  now(hand, 'a');
  expect(hand.commit('look')).toBe('= discarded');
});

test('a turn that is stopping already is not told twice', () => {
  const hand = busy('a');
  hand.send('Interrupt', {});
  expect(now(hand, 'a')).not.toContain('stopTurn');
  expect(hand.end()).toContain('TurnStarted loopId=main turnId=new2 turnIndex=2 cause=a');
});

test('of a paused queue it starts at once', () => {
  const hand = busy('a b');
  hand.end();
  expect(now(hand, 'b')).toMatchInlineSnapshot(`
    "[MoveQueuedInput commandId=sendqueuedinput agency=user targetCommandId=b beforeCommandId=a]
    SessionActive
    TurnStarted loopId=main turnId=new2 turnIndex=2 cause=b message=b
    -> runTurn loopId=main turnId=new2
    = ack ack={"sent":true}"
  `);
  expect(hand.queue()).toBe('a');
});

test('while the history is summarised it comes right after, paused or not', () => {
  const hand = compacting('a b');
  expect(now(hand, 'b')).toMatchInlineSnapshot(`
    "[MoveQueuedInput commandId=sendqueuedinput agency=user targetCommandId=b beforeCommandId=a]
    = ack ack={"sent":true}"
  `);
  const over = { type: 'endCompaction', loopId: 'main', result: { summary: 's', usage: ZERO_USAGE } } as const;
  expect(hand.take(over)).toContain('cause=b');
});

test('refused: gone, closing, of a machine behind a turn', () => {
  expect(now(busy('a'), 'first')).toBe('= ack ack={"sent":false,"reason":"too late: it is not queued any more"}');
  expect(now(busy('a*'), 'a')).toBe('= ack ack={"sent":false,"reason":"an interrupt returns the inputs of machines"}');
  const closing = busy('a');
  closing.send('Shutdown', {});
  expect(now(closing, 'a')).toBe('= ack ack={"sent":false,"reason":"the session is ending"}');
  const idle = busy('b a*');
  idle.end();
  idle.say('c', { agency: 'machine' });
  expect(now(idle, 'c')).toContain('TurnStarted loopId=main turnId=new2 turnIndex=2 cause=c(machine)');
});

test('a turn that has begun since the key was pressed is left alone; the input goes next', () => {
  const hand = busy('a b');
  const during = (turnId: string) =>
    ({
      ...(command('SendQueuedInput', { targetCommandId: 'b' }) as object),
      during: new Map([['main', turnId]]),
    }) as never;
  const lines = hand.take(during('earlier'));
  expect(lines).toContain('"sent":false,"reason":"that turn was over already: it goes next"');
  expect(lines).not.toContain('stopTurn');
  expect(hand.queue()).toBe('b a');
  expect(hand.take(during('new1'))).toContain('"sent":true');
});

test('where it cannot be saved, the input that was to start is returned; behind a turn or a summary it stays', () => {
  const sending = command('SendQueuedInput', { targetCommandId: 'a' });
  const refused = '= ack ack={"sent":false,"reason":"it could not be saved"}';
  const paused = busy('a b');
  paused.end();
  expect(paused.fail(sending, full)).toBe(
    `InputCancelled loopId=main cause=a reason=turn_failed message=a\n${refused}`,
  );
  expect(paused.fail(sending, full)).toBe(refused);
  expect(busy('a').fail(sending, full)).toBe(refused);
  expect(compacting('a').fail(sending, full)).toBe(refused);
});
