/** How the queue goes on between Turns, and where a summary comes between them. */
import { describe, expect, test } from 'vitest';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import { ProviderError } from '../../src/domain/failure.ts';
import { Transition } from '../../src/loop/transition.ts';
import { finishTurn, release } from '../../src/loop/turn-flow.ts';
import { ByHand, busy, step } from './by-hand.ts';

const TIGHT = { limitsOf: () => ({ budget: 1, compactAt: 1 }) };
const gone = new ProviderError('provider_unavailable', 'The server went away.');
const over = { type: 'endCompaction', loopId: 'main', result: { summary: 'short', usage: ZERO_USAGE } } as const;

describe('a history that is too long', () => {
  test('is summarised before the next input starts; the loop does not come to rest between', () => {
    const hand = busy('a', TIGHT);
    const lines = hand.commit();
    expect(lines).toMatchInlineSnapshot(`
      "StepDone loopId=main turnId=new1 stepId=step2 messages=assistant
      TurnDone loopId=main turnId=new1 turnIndex=1 message=said usage=2/1/0/0/0
      -> compact loopId=main
      = committed folded=[]"
    `);
    expect(hand.queue()).toBe('a');
    expect(hand.take(over)).toContain('TurnStarted loopId=main turnId=new3 turnIndex=2 cause=a');
  });

  test('is summarised at rest too, which is said first', () => {
    expect(busy('', TIGHT).commit()).toMatchInlineSnapshot(`
      "StepDone loopId=main turnId=new1 stepId=step2 messages=assistant
      TurnDone loopId=main turnId=new1 turnIndex=1 message=said usage=2/1/0/0/0
      LoopIdle loopId=main
      SessionIdle
      -> compact loopId=main
      = committed folded=[]"
    `);
  });

  test('waits after an interrupt, until the queue goes on', () => {
    const hand = busy('a', TIGHT);
    hand.commit('look');
    hand.queueUp('b');
    expect(hand.end()).not.toContain('compact');
    expect(hand.send('ResumeQueue', {})).toMatchInlineSnapshot(`
      "-> compact loopId=main
      = done"
    `);
    expect(hand.loop().compaction).toEqual({ is: 'running', release: true });
    expect(hand.take(over)).toContain('cause=b');
  });

  test('is left alone in a shutdown', () => {
    const hand = busy('', TIGHT);
    hand.commit('look');
    hand.send('Shutdown', {});
    expect(hand.end()).not.toContain('compact');
  });
});

describe('a Compact that waits for the turn', () => {
  const waiting = (queue = '', calls: string[] = ['look']): ByHand => {
    const hand = busy(queue);
    if (calls.length > 0) hand.commit(...calls);
    hand.send('Compact', {}, { commandId: 'asked' });
    return hand;
  };

  test('is carried out when the turn is done', () => {
    const hand = waiting();
    expect(hand.commit()).toContain('-> compact loopId=main');
    expect(hand.loop().compaction).toEqual({ is: 'running', cause: { commandId: 'asked', agency: 'user' } });
  });

  test('or failed', () => {
    const lines = waiting().end(gone);
    expect(lines).toMatchInlineSnapshot(`
      "TurnFailed loopId=main turnId=new1 turnIndex=1 failure={"kind":"provider_unavailable","message":"The server went away."}
      LoopIdle loopId=main
      SessionIdle
      -> compact loopId=main
      = done"
    `);
  });

  test('or interrupted, with the queue paused behind it', () => {
    const hand = waiting();
    hand.queueUp('a');
    expect(hand.end()).toContain('-> compact loopId=main');
    expect(hand.queue()).toBe('a (paused)');
  });

  test('is refused where nothing was committed', () => {
    expect(waiting('', []).end(gone)).toMatchInlineSnapshot(`
      "TurnFailed loopId=main turnId=new1 turnIndex=1 failure={"kind":"provider_unavailable","message":"The server went away."}
      LoopIdle loopId=main
      SessionIdle
      -> refuseCompaction loopId=main reason=there was nothing to compact when the turn was over
      = done"
    `);
    const hand = waiting('', []);
    hand.end();
    expect(hand.loop().compaction).toEqual({ is: 'none' });
  });

  test('is refused in a shutdown', () => {
    const hand = waiting();
    hand.send('Shutdown', {});
    expect(hand.end()).toContain('-> refuseCompaction loopId=main');
    const failed = waiting();
    failed.state = { ...failed.state, closing: 'shutdown' };
    expect(failed.end(gone)).toContain('-> refuseCompaction');
  });

  test('is carried out while the session drains', () => {
    const hand = waiting();
    hand.take({ type: 'drain' });
    expect(hand.commit()).toContain('-> compact loopId=main');
    const failed = waiting();
    failed.take({ type: 'drain' });
    expect(failed.end(gone)).toContain('-> compact loopId=main');
  });
});

describe('the session is active while one of its loops works', () => {
  const two = (): ByHand => {
    const hand = busy();
    hand.send('StartLoop', {});
    hand.say('other', { loopId: 'new2' });
    return hand;
  };

  test('SessionActive comes with the first turn alone, SessionIdle with the end of the last', () => {
    const hand = new ByHand();
    expect(hand.say('a')).toContain('SessionActive');
    hand.send('StartLoop', {});
    expect(hand.say('b', { loopId: 'new2' })).not.toContain('SessionActive');
    expect(hand.commit()).not.toContain('SessionIdle');
    const end = { type: 'endTurn', loopId: 'new2', turnId: 'new3', outcome: { type: 'interrupted' } } as const;
    expect(hand.take(end)).toContain('SessionIdle');
  });

  test('a failure of one does not end the work of the other', () => {
    expect(two().end(gone)).not.toContain('SessionIdle');
  });

  test('each end of a drained session asks whether it can stop', () => {
    const hand = two();
    hand.take({ type: 'drain' });
    expect(hand.commit()).toContain('-> closeWhenQuiet');
    expect(two().commit()).not.toContain('closeWhenQuiet');
  });
});

describe('a queue that goes on', () => {
  test('with nothing in it, the loop rests', () => {
    const hand = busy();
    hand.commit();
    const next = new Transition(hand.state);
    release(next, 'main', hand.rules);
    expect(next.changes).toEqual([]);
    expect(next.effects).toEqual([]);
  });

  test('during a summary waits for its end', () => {
    const hand = busy();
    hand.commit();
    hand.send('Compact', {}, { commandId: 'asked' });
    const next = new Transition(hand.state);
    release(next, 'main', hand.rules);
    expect(next.loop('main').compaction).toEqual({
      is: 'running',
      cause: { commandId: 'asked', agency: 'user' },
      release: true,
    });
  });

  test('a turn that is not there cannot end', () => {
    const hand = new ByHand();
    const end = () => finishTurn(new Transition(hand.state), 'main', step([])[0], hand.rules);
    expect(end).toThrow(new RangeError('no turn is open'));
  });
});
