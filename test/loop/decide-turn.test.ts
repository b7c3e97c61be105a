/** Start, restore, commit, end and close: what becomes of a Turn and its queue without a command. */
import { describe, expect, test } from 'vitest';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import { ProviderError } from '../../src/domain/failure.ts';
import { evolve } from '../../src/loop/evolve.ts';
import { newSession } from '../../src/loop/state.ts';
import { ByHand, busy, pausedAndCompacting, saying, step } from './by-hand.ts';

const gone = new ProviderError('provider_unavailable', 'The server went away.');

describe('start', () => {
  test('writes the first two records', () => {
    const hand = new ByHand();
    hand.state = newSession('session');
    const start = { type: 'start', model: 'm', provider: 'p', cwd: '/w', appVersion: '1', agentName: 'main' } as const;
    expect(hand.take(start)).toMatchInlineSnapshot(`
      "SessionStarted model=m provider=p cwd=/w appVersion=1
      LoopStarted loopId=main agentName=main model=m
      = done"
    `);
    expect(hand.state).toMatchObject({ phase: 'running', model: 'm', provider: 'p', cwd: '/w', activeLoopId: 'main' });
  });
});

describe('restore', () => {
  test('closes an open turn and its gate, returns the inputs of machines, keeps those of people, paused', () => {
    const hand = busy('a b* |c');
    hand.ask();
    expect(hand.take({ type: 'restore' })).toMatchInlineSnapshot(`
      "RestoreStarted
      PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=abandoned
      TurnInterrupted loopId=main turnId=new1 turnIndex=1
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_interrupted message=b
      LoopIdle loopId=main
      SessionIdle
      RestoreDone
      InputQueued loopId=main cause=a
      InputQueued loopId=main cause=c
      = done"
    `);
    expect(hand.queue()).toBe('a |c (paused)');
  });

  test('gives back what a crash in the middle of a failure kept', () => {
    const hand = busy('a b*');
    hand.evolve({ type: 'TurnFailed', loopId: 'main', turnId: hand.turnId, turnIndex: 1, err: gone, failure: gone });
    expect(hand.take({ type: 'restore' })).toMatchInlineSnapshot(`
      "RestoreStarted
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=a reason=turn_failed message=a
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_failed message=b
      LoopIdle loopId=main
      SessionIdle
      RestoreDone
      = done"
    `);
    expect(hand.queue()).toBe('');
  });

  test('gives back what a crash in the middle of an interrupt kept', () => {
    const hand = busy('a b*');
    hand.evolve({ type: 'TurnInterrupted', loopId: 'main', turnId: hand.turnId, turnIndex: 1 });
    expect(hand.take({ type: 'restore' })).toMatchInlineSnapshot(`
      "RestoreStarted
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_interrupted message=b
      LoopIdle loopId=main
      SessionIdle
      RestoreDone
      InputQueued loopId=main cause=a
      = done"
    `);
    expect(hand.queue()).toBe('a (paused)');
  });

  test('an input of a machine that waited for nobody is returned without a turn', () => {
    const hand = new ByHand();
    const input = saying('a', {}, 'machine');
    hand.state = evolve(hand.state, input as never);
    expect(hand.take({ type: 'restore' })).toMatchInlineSnapshot(`
      "RestoreStarted
      InputCancelled loopId=main cause=a(machine) reason=turn_interrupted message=a
      RestoreDone
      = done"
    `);
  });

  test('behind the very first record there is no loop yet: it is started', () => {
    const hand = new ByHand();
    hand.state = evolve(newSession('session'), {
      event: { type: 'SessionStarted', model: 'm', provider: 'p', cwd: '/', appVersion: '0' },
    });
    expect(hand.take({ type: 'restore' })).toMatchInlineSnapshot(`
      "RestoreStarted
      RestoreDone
      LoopStarted loopId=main agentName=main model=m
      = done"
    `);
  });

  test('a session at rest is only announced', () => {
    expect(new ByHand().take({ type: 'restore' })).toMatchInlineSnapshot(`
      "RestoreStarted
      RestoreDone
      = done"
    `);
  });
});

describe('the commit of a step', () => {
  test('an answer ends the turn, and the next input starts with no LoopIdle between', () => {
    const hand = busy('a');
    expect(hand.commit()).toMatchInlineSnapshot(`
      "StepDone loopId=main turnId=new1 stepId=step2 messages=assistant
      TurnDone loopId=main turnId=new1 turnIndex=1 message=said usage=2/1/0/0/0
      TurnStarted loopId=main turnId=new3 turnIndex=2 cause=a message=a
      -> runTurn loopId=main turnId=new3
      = committed folded=[]"
    `);
  });

  test('the last answer: the loop and the session come to rest', () => {
    expect(busy().commit()).toMatchInlineSnapshot(`
      "StepDone loopId=main turnId=new1 stepId=step2 messages=assistant
      TurnDone loopId=main turnId=new1 turnIndex=1 message=said usage=2/1/0/0/0
      LoopIdle loopId=main
      SessionIdle
      = committed folded=[]"
    `);
  });

  test('a tool step is followed by the leading foldable inputs', () => {
    const hand = busy('a b* |c d');
    expect(hand.commit('look')).toMatchInlineSnapshot(`
      "StepDone loopId=main turnId=new1 stepId=step2 messages=assistant+tool
      TurnFoldedInto loopId=main turnId=new1 turnIndex=1 cause=a message=a
      TurnFoldedInto loopId=main turnId=new1 turnIndex=1 cause=b(machine) message=b
      = committed folded=[{"role":"user","blocks":[{"type":"text","text":"a"}]},{"role":"user","blocks":[{"type":"text","text":"b"}]}]"
    `);
    expect(hand.queue()).toBe('|c d');
  });

  test('a turn that was told to stop, or another than the running one, commits nothing', () => {
    const stopping = busy();
    stopping.send('Interrupt', {});
    expect(stopping.commit()).toBe('= discarded');
    const input = { type: 'commitStep', loopId: 'main', turnId: 'earlier', stepId: 's', messages: step([]) } as const;
    expect(busy().take(input)).toBe('= discarded');
    expect(new ByHand().take(input)).toBe('= discarded');
  });

  test('a usage that leaves the safe integers is refused, of the turn and of the loop', () => {
    const [answer] = step([]);
    const much = { ...answer, usage: { ...ZERO_USAGE, outputTokens: Number.MAX_SAFE_INTEGER } };
    const most = (hand: ByHand) =>
      hand.take({ type: 'commitStep', loopId: 'main', turnId: hand.turnId, stepId: 's', messages: [much] });
    const turn = busy();
    turn.commit('look');
    expect(most(turn)).toBe('= overflow message=the sum of outputTokens is no safe integer');
    const loop = busy();
    loop.commit();
    loop.say('again');
    expect(most(loop)).toContain('= overflow');
    expect(most(busy())).toContain('StepDone');
  });

  test('an answer without usage is one that used nothing', () => {
    const hand = busy();
    const messages = [{ role: 'assistant', blocks: [{ type: 'text', text: 'said' }] }] as const;
    hand.take({ type: 'commitStep', loopId: 'main', turnId: hand.turnId, stepId: 's', messages: messages as never });
    expect(hand.loop().usage).toEqual(ZERO_USAGE);
  });
});

describe('the end of a turn', () => {
  test('failed: the whole queue is returned, nothing starts', () => {
    const hand = busy('a b* |c');
    hand.ask();
    expect(hand.end(gone)).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=abandoned
      TurnFailed loopId=main turnId=new1 turnIndex=1 failure={"kind":"provider_unavailable","message":"The server went away."}
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=a reason=turn_failed message=a
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_failed message=b
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=c reason=turn_failed message=c
      LoopIdle loopId=main
      SessionIdle
      = done"
    `);
    expect(hand.queue()).toBe('');
  });

  test('interrupted: machines’ inputs are returned, those of people wait', () => {
    const hand = busy('a b* |c');
    hand.send('Interrupt', {});
    expect(hand.end()).toMatchInlineSnapshot(`
      "TurnInterrupted loopId=main turnId=new1 turnIndex=1
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_interrupted message=b
      LoopIdle loopId=main
      SessionIdle
      = done"
    `);
    expect(hand.queue()).toBe('a |c (paused)');
  });

  test('told to stop: interrupted, whatever it says itself', () => {
    const hand = busy();
    hand.send('Interrupt', {});
    expect(hand.end(gone)).toContain('TurnInterrupted');
  });

  test('afterInterrupt start: the first kept input starts at once', () => {
    const hand = busy('b* a', { afterInterrupt: 'start' });
    expect(hand.end()).toMatchInlineSnapshot(`
      "TurnInterrupted loopId=main turnId=new1 turnIndex=1
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_interrupted message=b
      TurnStarted loopId=main turnId=new2 turnIndex=2 cause=a message=a
      -> runTurn loopId=main turnId=new2
      = done"
    `);
    const none = busy('b*', { afterInterrupt: 'start' });
    expect(none.end()).toContain('LoopIdle');
  });

  test('a shutdown returns everything, and starts nothing whatever is configured', () => {
    const hand = busy('a b*', { afterInterrupt: 'start' });
    hand.send('Shutdown', {});
    expect(hand.end()).toMatchInlineSnapshot(`
      "TurnInterrupted loopId=main turnId=new1 turnIndex=1
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=a reason=turn_interrupted message=a
      InputCancelled loopId=main turnId=new1 turnIndex=1 cause=b(machine) reason=turn_interrupted message=b
      LoopIdle loopId=main
      SessionIdle
      -> closeWhenQuiet
      = done"
    `);
  });

  test('of a turn that is over is not heard', () => {
    const end = { type: 'endTurn', loopId: 'main', turnId: 'earlier', outcome: { type: 'interrupted' } } as const;
    expect(busy().take(end)).toBe('= discarded');
    expect(new ByHand().take(end)).toBe('= discarded');
  });
});

describe('the end of a compaction', () => {
  const summary = { summary: 'short', usage: ZERO_USAGE };
  /** One Turn done, and the history being summarised, as Compact asked for. */
  function compacting(queue = ''): ByHand {
    const hand = busy();
    hand.commit();
    hand.send('Compact', {});
    hand.queueUp(queue);
    return hand;
  }
  const over = (result: typeof summary | { failed: string } = summary) =>
    ({ type: 'endCompaction', loopId: 'main', result }) as const;

  test('the summary becomes part of the history, for the command that asked', () => {
    const hand = compacting();
    expect(hand.take(over())).toMatchInlineSnapshot(`
      "HistoryCompacted loopId=main summary=short usage=0/0/0/0/0 cause=compact
      = done"
    `);
    expect(hand.loop().compaction).toEqual({ is: 'none' });
  });

  test('what waited goes on', () => {
    expect(compacting('a').take(over())).toMatchInlineSnapshot(`
      "HistoryCompacted loopId=main summary=short usage=0/0/0/0/0 cause=compact
      SessionActive
      TurnStarted loopId=main turnId=new3 turnIndex=2 cause=a message=a
      -> runTurn loopId=main turnId=new3
      = done"
    `);
  });

  test('failed: nothing is written, what waited goes on, and none begins by itself before another turn has run', () => {
    const hand = compacting('a');
    expect(hand.take(over({ failed: 'gone' }))).toMatchInlineSnapshot(`
      "SessionActive
      TurnStarted loopId=main turnId=new3 turnIndex=2 cause=a message=a
      -> runTurn loopId=main turnId=new3
      = done"
    `);
    expect(hand.loop().compaction).toEqual({ is: 'none', failedAfter: 1 });
  });

  test('one that nobody asked for has no cause', () => {
    const hand = busy('', { limitsOf: () => ({ budget: 1, compactAt: 1 }) });
    expect(hand.commit()).toContain('-> compact loopId=main');
    expect(hand.take(over())).toMatch(/^HistoryCompacted loopId=main summary=short usage=0\/0\/0\/0\/0\n/);
  });

  test('a paused queue stays paused, unless a person let it go on meanwhile', () => {
    const still = pausedAndCompacting();
    expect(still.take(over())).toMatchInlineSnapshot(`
      "HistoryCompacted loopId=main summary=short usage=0/0/0/0/0 cause=compact
      = done"
    `);
    expect(still.queue()).toBe('b (paused)');
    const released = pausedAndCompacting();
    released.send('ResumeQueue', {});
    expect(released.take(over())).toContain('TurnStarted loopId=main turnId=new3 turnIndex=2 cause=b');
  });

  test('a shutdown starts nothing after it', () => {
    const hand = compacting('a');
    hand.send('Shutdown', {});
    expect(hand.take(over())).toMatchInlineSnapshot(`
      "HistoryCompacted loopId=main summary=short usage=0/0/0/0/0 cause=compact
      -> closeWhenQuiet
      = done"
    `);
  });

  test('none that runs: not heard', () => {
    expect(busy().take(over())).toBe('= discarded');
  });
});

describe('drain', () => {
  test('denies open gates and asks for the end', () => {
    const hand = busy('a');
    hand.ask();
    expect(hand.take({ type: 'drain' })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=policy reason=nobody is there to answer
      -> settleGate toolExecutionId=call decision={"effect":"deny","reason":"nobody is there to answer"}
      -> closeWhenQuiet
      = done"
    `);
    expect(hand.state.closing).toBe('drain');
  });

  test('a shutdown before it stays one', () => {
    const hand = busy();
    hand.send('Shutdown', {});
    hand.take({ type: 'drain' });
    expect(hand.state.closing).toBe('shutdown');
  });
});

describe('close', () => {
  test('nothing asked for the end: nothing happens', () => {
    expect(new ByHand().take({ type: 'close' })).toBe('= done');
  });

  test('a turn or a summary that runs is waited for', () => {
    const hand = busy();
    hand.send('StartLoop', {});
    hand.send('Shutdown', {});
    expect(hand.take({ type: 'close' })).toBe('= done');
    const other = busy();
    other.commit();
    other.send('Compact', {});
    other.send('Shutdown', {});
    expect(other.take({ type: 'close' })).toBe('= done');
  });

  test('a drain waits for what is queued, and returns what is paused', () => {
    const hand = busy('a');
    hand.take({ type: 'drain' });
    hand.commit();
    expect(hand.take({ type: 'close' })).toBe('= done');
    hand.commit();
    expect(hand.take({ type: 'close' })).toMatchInlineSnapshot(`
      "SessionStopped
      -> finish
      = done"
    `);
    const paused = busy('a');
    paused.end();
    paused.take({ type: 'drain' });
    expect(paused.take({ type: 'close' })).toMatchInlineSnapshot(`
      "InputCancelled loopId=main cause=a reason=turn_interrupted message=a
      SessionStopped
      -> finish
      = done"
    `);
    expect(paused.state.phase).toBe('stopped');
  });

  test('an ended session says so', () => {
    const hand = new ByHand();
    hand.send('Shutdown', {});
    hand.take({ type: 'close' });
    expect(hand.take({ type: 'close' })).toBe('= stopped');
    expect(hand.take({ type: 'drain' })).toBe('= stopped');
  });
});
