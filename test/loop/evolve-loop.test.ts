/** What is true of a loop while its Turns run. */
import { describe, expect, test } from 'vitest';
import { textOf, type Usage, ZERO_USAGE } from '../../src/domain/content.ts';
import { ProviderError } from '../../src/domain/failure.ts';
import type { StepDone } from '../../src/domain/turn-event.ts';
import { entriesOf } from '../../src/loop/history.ts';
import { isPaused } from '../../src/loop/state.ts';
import { ByHand, busy, step } from './by-hand.ts';

const gone = new ProviderError('provider_unavailable', 'The server went away.');
const done = (hand: ByHand, messages: StepDone['messages'], stepId = 's') =>
  hand.evolve({ type: 'StepDone', loopId: 'main', turnId: hand.turnId, stepId, messages });
/** The history as `role@turn/step`, folded messages with a plus. */
const history = (hand: ByHand) =>
  entriesOf(hand.loop().history).map(
    ({ message, turnIndex, stepId, folded }) =>
      `${folded ? '+' : ''}${message.role}@${turnIndex}${stepId ? `/${stepId}` : ''}`,
  );
const used = (usage: Partial<Usage>): Usage => ({ ...ZERO_USAGE, ...usage });

describe('a turn', () => {
  test('begins with nothing, on the model of its loop', () => {
    const hand = new ByHand();
    hand.send('SetModel', { model: 'n', provider: 'q' });
    hand.say('first');
    expect(hand.loop().turn).toEqual({
      id: 'new1',
      index: 1,
      model: 'n',
      provider: 'q',
      usage: ZERO_USAGE,
      toolSteps: 0,
      toolCalls: 0,
      repeat: { key: '', count: 0 },
      lastCommit: 'none',
      stopping: false,
    });
    expect(hand.loop()).toMatchObject({ turnIndex: 1, worked: true, held: false });
    hand.send('SetModel', { model: 'o' });
    expect(hand.loop().turn?.model).toBe('n');
  });

  test('counts its tool steps and calls; its usage and the loop’s are summed', () => {
    const hand = busy();
    done(hand, step(['look', 'list']));
    expect(hand.loop().turn).toMatchObject({
      toolSteps: 1,
      toolCalls: 2,
      lastCommit: 'tool',
      usage: used({ inputTokens: 2, outputTokens: 1 }),
    });
    done(hand, step(['look']), 's2');
    expect(hand.loop().turn).toMatchObject({ toolSteps: 2, toolCalls: 3 });
    done(hand, step([]), 's3');
    expect(hand.loop().turn).toMatchObject({ toolSteps: 2, toolCalls: 3, lastCommit: 'final' });
    expect(hand.loop().usage).toEqual(used({ inputTokens: 6, outputTokens: 3 }));
    expect(history(hand)).toEqual([
      'user@1',
      'assistant@1/s',
      'tool@1/s',
      'tool@1/s',
      'assistant@1/s2',
      'tool@1/s2',
      'assistant@1/s3',
    ]);
  });

  test('a committed step closes the gate that it waited at, and counts equal bad calls', () => {
    const hand = busy();
    hand.ask();
    done(hand, step(['look'], true));
    expect(hand.loop().turn?.gate).toBeUndefined();
    expect(hand.loop().turn?.repeat.count).toBe(1);
  });

  test('what folds into it says so', () => {
    const hand = busy('a');
    done(hand, step(['look']));
    const message = { role: 'user', blocks: [{ type: 'text', text: 'a' }] } as const;
    const cause = { commandId: 'a', agency: 'user' } as const;
    hand.evolve({
      type: 'TurnFoldedInto',
      loopId: 'main',
      turnId: hand.turnId,
      turnIndex: 1,
      cause,
      message: message as never,
    });
    expect(history(hand)).toEqual(['user@1', 'assistant@1/s', 'tool@1/s', '+user@1']);
    expect(hand.queue()).toBe('');
  });

  test('done: it owes nothing', () => {
    const hand = busy();
    hand.commit();
    expect(hand.loop()).toMatchObject({ turn: undefined, owed: undefined, worked: false });
  });

  test.each([
    ['TurnFailed', 'turn_failed', false],
    ['TurnInterrupted', 'turn_interrupted', true],
  ] as const)('%s: what waits behind it is owed an answer, paused after an interrupt alone', (type, reason, held) => {
    for (const queue of ['a', '']) {
      const hand = busy(queue);
      hand.evolve({ type, loopId: 'main', turnId: hand.turnId, turnIndex: 1, err: gone, failure: gone });
      expect(hand.loop()).toMatchObject({ turn: undefined, owed: { reason, turnId: 'new1', turnIndex: 1 } });
      expect(hand.loop().held).toBe(held && queue !== '');
    }
  });

  test('the next one, or rest, ends what was owed', () => {
    const hand = busy();
    hand.end(gone);
    expect(hand.loop()).toMatchObject({ owed: undefined, worked: false });
    const interrupted = busy('a');
    interrupted.evolve({ type: 'TurnInterrupted', loopId: 'main', turnId: 'new1', turnIndex: 1 });
    interrupted.send('ResumeQueue', {});
    expect(interrupted.loop()).toMatchObject({ owed: undefined, held: false });
  });
});

test('a queue that lost its last entry is not paused; one that lost another is', () => {
  const hand = busy('a b');
  hand.end();
  hand.send('CancelQueuedInput', { targetCommandId: 'a' });
  expect([hand.loop().held, isPaused(hand.loop())]).toEqual([true, true]);
  hand.send('CancelQueuedInput', { targetCommandId: 'b' });
  expect([hand.loop().held, isPaused(hand.loop())]).toEqual([false, false]);
  expect(isPaused({ ...hand.loop(), held: true })).toBe(false);
  expect(isPaused(busy('a').loop())).toBe(false);
});

test('what concerns a loop but changes nothing of it', () => {
  const hand = busy();
  const { state } = hand;
  const loop = hand.loop();
  hand.evolve({
    type: 'TurnRejected',
    loopId: 'main',
    cause: { commandId: 'x', agency: 'user' },
    reason: 'queue_full',
  });
  expect(hand.loop()).toBe(loop);
  expect(hand.state.loops).toEqual(state.loops);
});

describe('what is measured', () => {
  const answer = (usage?: Usage): StepDone['messages'] => [
    { role: 'assistant', blocks: [{ type: 'text', text: 'said' }], ...(usage && { usage }) },
  ];

  test('all that the request held and its answer, at the weight of the history up to that answer', () => {
    const hand = busy();
    const usage = used({
      inputTokens: 100,
      cacheReadTokens: 20,
      cacheCreationTokens: 3,
      outputTokens: 7,
      reasoningTokens: 5,
    });
    const [first, ...rest] = step(['look']);
    done(hand, [{ ...first, usage }, ...rest]);
    expect(hand.loop().measured.tokens).toBe(130);
    expect(hand.loop().measured.total).toBe(entriesOf(hand.loop().history)[1]?.total);
  });

  test('an answer without usage measures nothing anew', () => {
    const hand = busy();
    done(hand, step(['look']));
    const { measured } = hand.loop();
    done(hand, answer(), 's2');
    expect(hand.loop().measured).toBe(measured);
  });
});

describe('a compaction', () => {
  const talk = (): ByHand => {
    const hand = new ByHand();
    for (const name of ['one', 'two']) {
      hand.say(name);
      done(hand, step(['look']), `${name}-tool`);
      hand.commit();
    }
    return hand;
  };
  const compact = (hand: ByHand, keptFromStepId?: string) =>
    hand.evolve({
      type: 'HistoryCompacted',
      loopId: 'main',
      summary: 'short',
      usage: ZERO_USAGE,
      ...(keptFromStepId && { keptFromStepId }),
    });

  test('puts the summary in the place of all that stands before the kept step', () => {
    const hand = talk();
    compact(hand, 'two-tool');
    expect(history(hand)).toEqual([
      'user@0',
      'assistant@2/two-tool',
      'tool@2/two-tool',
      expect.stringMatching(/^assistant@2/),
    ]);
    expect(textOf(entriesOf(hand.loop().history)[0]?.message)).toBe('short');
  });

  test('keeps nothing where no step is named', () => {
    const hand = talk();
    compact(hand);
    expect(history(hand)).toEqual(['user@0']);
  });

  test('leaves what a request costs beside the history as it was measured', () => {
    const hand = talk();
    const measured = { tokens: 150, thought: 10, total: 100, upTo: 100 };
    hand.state = { ...hand.state, loops: new Map([['main', { ...hand.loop(), measured }]]) };
    compact(hand);
    expect(hand.loop().measured).toEqual({ ...measured, upTo: 0 });
  });
});
