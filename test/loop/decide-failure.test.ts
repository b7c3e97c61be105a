/** What is true where the journal could not take a transition (contract: Subscriptions, a failed append). */
import { describe, expect, test } from 'vitest';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import { JournalError, TurnPanicError } from '../../src/domain/failure.ts';
import { decideFailure } from '../../src/loop/decide-failure.ts';
import { ByHand, busy, command, pausedAndCompacting, saying, step } from './by-hand.ts';

const full = new JournalError('No space is left on the device.');

const committing = ({ turnId }: ByHand) =>
  ({ type: 'commitStep', loopId: 'main', turnId, stepId: 's', messages: step([]) }) as const;
const ending = ({ turnId }: ByHand) =>
  ({ type: 'endTurn', loopId: 'main', turnId, outcome: { type: 'interrupted' } }) as const;

describe('a turn', () => {
  test('whose step is not saved fails, the queue is returned, what runs of it is told to go', () => {
    const hand = busy('a b*');
    hand.ask();
    expect(hand.fail(committing(hand), full)).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=abandoned
      TurnFailed loopId=main turnId=new1 turnIndex=1 failure={"kind":"journal","message":"The session could not be saved. Free some space, then send again."}
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=a reason=turn_failed message=a
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_failed message=b
      LoopIdle loopId=main
      SessionIdle
      -> abandonTurn loopId=main turnId=new1
      = discarded"
    `);
  });

  test('whose end is not saved fails as well', () => {
    const hand = busy();
    expect(hand.fail(ending(hand), full)).toContain('TurnFailed');
  });

  test('that is over has nothing to fail', () => {
    expect(new ByHand().fail(ending(busy()), full)).toBeUndefined();
    expect(new ByHand().fail(committing(busy()), full)).toBeUndefined();
  });

  test('whose gate is not saved fails', () => {
    const hand = busy();
    const call = { loopId: 'main', turnId: hand.turnId, stepId: 's', toolExecutionId: 'x', toolUseId: 'u' };
    const asking = {
      type: 'requestPermission',
      call,
      access: { kind: 'change', detail: '', grants: [] },
      request: { toolName: 'change', summary: '', detail: '', scopes: [] },
      granted: false,
      mode: 'ask',
      attended: true,
    } as const;
    expect(hand.fail(asking as never, full)).toContain('TurnFailed');
  });

  test('the error says what to do, and has what the journal threw behind it', () => {
    const hand = busy();
    const thrown = (cause: unknown): Error => {
      const change = decideFailure(hand.state, ending(hand), cause)?.transition.changes[0];
      return (change as { event: { err: Error } }).event.err;
    };
    expect(thrown(full)).toBeInstanceOf(JournalError);
    expect(thrown(full).message).toBe('The session could not be saved. Free some space, then send again.');
    expect(thrown(full).cause).toBe(full);
    const bug = new TypeError('undefined is not a function');
    expect(thrown(bug)).toBeInstanceOf(TurnPanicError);
    expect(thrown(bug).cause).toBe(bug);
  });
});

describe('a command', () => {
  test('an input is rejected, in the loop that was meant', () => {
    expect(busy().fail(saying('a'), full)).toMatchInlineSnapshot(`
      "TurnRejected loopId=main cause=a reason=internal
      = done"
    `);
    const hand = busy();
    hand.send('StartLoop', {});
    expect(hand.fail(saying('a', { loopId: 'new2' }), full)).toContain('TurnRejected loopId=new2');
  });

  test('the entry that a ResumeQueue could not start is returned without a turn, the rest stays paused', () => {
    const hand = busy('a b');
    hand.end();
    expect(hand.fail(command('ResumeQueue', {}), full)).toMatchInlineSnapshot(`
      "InputCancelled loopId=main cause=a reason=turn_failed message=a
      = done"
    `);
    expect(hand.queue()).toBe('b (paused)');
    hand.send('StartLoop', {});
    expect(hand.fail(command('ResumeQueue', { loopId: 'new2' }), full)).toBe('= done');
    expect(hand.fail(command('ResumeQueue', { loopId: 'main' }), full)).toContain('InputCancelled');
  });

  test('a queue that is not paused, or behind a turn, is not touched by it', () => {
    expect(busy('a').fail(command('ResumeQueue', {}), full)).toBe('= done');
    expect(new ByHand().fail(command('ResumeQueue', {}), full)).toBe('= done');
  });

  test.each([
    command('ApproveToolCall', { toolExecutionId: 'call', scope: 'once' }),
    command('DenyToolCall', { toolExecutionId: 'call' }),
    command('ProvideUserInput', { toolExecutionId: 'call', answer: 'a' }),
  ])('an answer that is not saved fails the turn that asked: %#', (answer) => {
    const hand = busy();
    hand.send('StartLoop', {});
    hand.ask();
    expect(hand.fail(answer, full)).toContain('TurnFailed loopId=main');
    expect(busy().fail(answer, full)).toBeUndefined();
    expect(new ByHand().fail(answer, full)).toBeUndefined();
  });

  test('what only concerns the queue leaves it as it was', () => {
    const hand = busy('a');
    expect(hand.fail(command('CancelQueuedInput', { targetCommandId: 'a' }), full)).toBe('= done');
    expect(hand.fail(command('MoveQueuedInput', { targetCommandId: 'a' }), full)).toBe('= ack ack={"moved":false}');
    expect(hand.fail(command('SetQueuedInput', { targetCommandId: 'a', noFold: true }), full)).toBe(
      '= ack ack={"changed":false}',
    );
    expect(hand.queue()).toBe('a');
  });

  test.each([
    command('SetModel', { model: 'n' }),
    command('StartLoop', {}),
    command('SetActiveLoop', { loopId: 'main' }),
    command('RenameSession', { name: 'n' }),
  ])('what changes the session is refused with a word: %#', (input) => {
    expect(new ByHand().fail(input, full)).toBe('= invalid message=it could not be saved, and nothing was changed');
  });

  test.each([command('Shutdown', {}), command('Interrupt', {}), command('Compact', {})])(
    'for the rest there is no answer that would be true: %#',
    (input) => {
      expect(busy().fail(input, full)).toBeUndefined();
    },
  );
});

describe('between turns', () => {
  function compacting(queue = ''): ByHand {
    const hand = busy();
    hand.commit();
    hand.send('Compact', {});
    hand.queueUp(queue);
    return hand;
  }
  const summarised = {
    type: 'endCompaction',
    loopId: 'main',
    result: { summary: 'short', usage: ZERO_USAGE },
  } as const;

  test('a summary that is not saved leaves the history; what would have started after it is returned', () => {
    const hand = compacting('a b*');
    expect(hand.fail(summarised, full)).toMatchInlineSnapshot(`
      "InputCancelled loopId=main cause=a reason=turn_failed message=a
      InputCancelled loopId=main cause=b(machine) reason=turn_failed message=b
      = discarded"
    `);
    expect(hand.loop().compaction).toEqual({ is: 'none', failedAfter: 1 });
  });

  test('a paused queue stays, unless a person let it go on meanwhile', () => {
    const still = pausedAndCompacting();
    expect(still.fail(summarised, full)).toBe('= discarded');
    expect(still.queue()).toBe('b (paused)');
    const released = pausedAndCompacting();
    released.send('ResumeQueue', {});
    expect(released.fail(summarised, full)).toContain('InputCancelled loopId=main cause=b reason=turn_failed');
  });

  test('a drain that could not deny an open gate fails its turn, and goes on to the end', () => {
    const hand = busy();
    hand.send('StartLoop', {});
    hand.say('x', { loopId: 'new2' });
    hand.send('StartLoop', {});
    hand.ask();
    expect(hand.fail({ type: 'drain' }, full)).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=abandoned
      TurnFailed loopId=main turnId=new1 turnIndex=1 failure={"kind":"journal","message":"The session could not be saved. Free some space, then send again."}
      LoopIdle loopId=main
      -> abandonTurn loopId=main turnId=new1
      -> closeWhenQuiet
      = done"
    `);
    expect(hand.state.closing).toBe('drain');
  });

  test('a start, a restore and a close have no other answer', () => {
    expect(new ByHand().fail({ type: 'restore' }, full)).toBeUndefined();
    expect(new ByHand().fail({ type: 'close' }, full)).toBeUndefined();
  });
});
