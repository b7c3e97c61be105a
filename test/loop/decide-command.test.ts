/** What a command does, in every situation that it may meet (contract: Admission, Retract, Interrupt, Shutdown). */
import { describe, expect, test } from 'vitest';
import { ByHand, busy, command } from './by-hand.ts';

/** The same after an interrupt. */
function paused(queue: string, rules: ConstructorParameters<typeof ByHand>[0] = {}): ByHand {
  const hand = busy(queue, rules);
  hand.send('Interrupt', {});
  hand.end();
  return hand;
}
/** One Turn done, and the history being summarised. */
function compacting(): ByHand {
  const hand = new ByHand();
  hand.say('first');
  hand.commit();
  hand.send('Compact', {}, { commandId: 'compact' });
  return hand;
}

describe('a UserInput', () => {
  test('idle: it starts a turn, with no InputQueued', () => {
    expect(new ByHand().say('a')).toMatchInlineSnapshot(`
      "[UserInput commandId=a agency=user blocks=[{"type":"text","text":"a"}] loopId=main]
      SessionActive
      TurnStarted loopId=main turnId=new1 turnIndex=1 cause=a message=a
      -> runTurn loopId=main turnId=new1
      = done"
    `);
  });

  test('busy: it is queued', () => {
    const hand = busy();
    expect(hand.say('a', { noFold: true })).toMatchInlineSnapshot(`
      "[UserInput commandId=a agency=user blocks=[{"type":"text","text":"a"}] noFold=true loopId=main]
      InputQueued loopId=main cause=a
      = done"
    `);
    expect(hand.queue()).toBe('|a');
  });

  test('the inbox full: rejected; the running input does not count', () => {
    const hand = busy('a b c d');
    expect(hand.say('e')).toMatchInlineSnapshot(`
      "TurnRejected loopId=main cause=e reason=queue_full
      = done"
    `);
    expect(hand.queue()).toBe('a b c d');
  });

  test('an inbox of no entries still takes what can start at once', () => {
    const hand = new ByHand({ inboxLimit: 0 });
    expect(hand.say('a')).toContain('TurnStarted');
    expect(hand.say('b')).toContain('reason=queue_full');
  });

  test('paused: an input of a person lets the queue go on from its front', () => {
    const hand = paused('a');
    expect(hand.say('b')).toMatchInlineSnapshot(`
      "[UserInput commandId=b agency=user blocks=[{"type":"text","text":"b"}] loopId=main]
      InputQueued loopId=main cause=b
      SessionActive
      TurnStarted loopId=main turnId=new2 turnIndex=2 cause=a message=a
      -> runTurn loopId=main turnId=new2
      = done"
    `);
    expect(hand.queue()).toBe('b');
  });

  test('paused: a machine’s input is queued and changes nothing', () => {
    const hand = paused('a');
    expect(hand.say('b', { agency: 'machine' })).toMatchInlineSnapshot(`
      "[UserInput commandId=b agency=machine blocks=[{"type":"text","text":"b"}] loopId=main]
      InputQueued loopId=main cause=b(machine)
      = done"
    `);
    expect(hand.queue()).toBe('a b* (paused)');
  });

  test('while the history is summarised it waits, and is remembered as what lets the queue go on', () => {
    const hand = compacting();
    expect(hand.say('a')).toMatchInlineSnapshot(`
      "[UserInput commandId=a agency=user blocks=[{"type":"text","text":"a"}] loopId=main]
      InputQueued loopId=main cause=a
      = done"
    `);
    expect(hand.loop().compaction).toEqual({ is: 'running', cause: expect.anything(), release: true });
  });

  test('a history that is too long is summarised first', () => {
    let limit = Number.POSITIVE_INFINITY;
    const hand = new ByHand({ limitsOf: () => ({ budget: limit, compactAt: limit }) });
    hand.say('first');
    hand.commit();
    limit = 1;
    expect(hand.say('a')).toMatchInlineSnapshot(`
      "[UserInput commandId=a agency=user blocks=[{"type":"text","text":"a"}] loopId=main]
      InputQueued loopId=main cause=a
      -> compact loopId=main
      = done"
    `);
    expect(hand.queue()).toBe('a');
  });

  test('a closing session rejects it', () => {
    const hand = busy();
    hand.send('Shutdown', {});
    expect(hand.say('a')).toMatchInlineSnapshot(`
      "TurnRejected loopId=main cause=a reason=shutting_down
      = done"
    `);
  });

  test('another loop is meant where it is named, the active one where none is', () => {
    const hand = new ByHand();
    hand.send('StartLoop', { agentName: 'other' });
    expect(hand.say('a', { loopId: 'new1' })).toContain('TurnStarted loopId=new1');
    hand.send('SetActiveLoop', { loopId: 'new1' });
    expect(hand.say('b')).toContain('InputQueued loopId=new1');
    expect(hand.say('c', { loopId: 'main' })).toContain('TurnStarted loopId=main');
    expect(hand.say('d', { loopId: undefined } as never)).toContain('InputQueued loopId=new1');
  });
});

describe('CancelQueuedInput', () => {
  test('takes the input out of whichever inbox holds it, with its own cause and no turn', () => {
    const hand = new ByHand();
    hand.send('StartLoop', {});
    hand.say('x', { loopId: 'new1' });
    hand.say('a', { loopId: 'new1', agency: 'machine' });
    expect(hand.send('CancelQueuedInput', { targetCommandId: 'a' })).toMatchInlineSnapshot(`
      "InputCancelled loopId=new1 cause=a(machine) reason=client_retracted message=a
      = done"
    `);
    expect(hand.queue('new1')).toBe('');
  });

  test.each(['first', 'nobody'])('started or unknown (%s): nothing happens', (targetCommandId) => {
    expect(busy('a').send('CancelQueuedInput', { targetCommandId })).toBe('= done');
  });

  test('the last one of a paused queue ends the pause', () => {
    const hand = paused('a');
    hand.send('CancelQueuedInput', { targetCommandId: 'a' });
    expect(hand.queue()).toBe('');
  });
});

describe('Interrupt', () => {
  test('tells a running turn to stop, once', () => {
    const hand = busy();
    expect(hand.send('Interrupt', {})).toMatchInlineSnapshot(`
      "[Interrupt commandId=interrupt agency=user loopId=main]
      -> stopTurn loopId=main turnId=new1
      = ack ack={"cancelled":true}"
    `);
    expect(hand.send('Interrupt', {})).toBe('= ack ack={"cancelled":false}');
  });

  test('idle: it does nothing', () => {
    expect(new ByHand().send('Interrupt', {})).toBe('= ack ack={"cancelled":false}');
  });

  test('means every loop, or the named one', () => {
    const two = (): ByHand => {
      const hand = busy();
      hand.send('StartLoop', {});
      hand.say('other', { loopId: 'new2' });
      return hand;
    };
    expect(two().send('Interrupt', {})).toMatchInlineSnapshot(`
      "[Interrupt commandId=interrupt agency=user loopId=main]
      [Interrupt commandId=interrupt agency=user loopId=new2]
      -> stopTurn loopId=main turnId=new1
      -> stopTurn loopId=new2 turnId=new3
      = ack ack={"cancelled":true}"
    `);
    expect(two().send('Interrupt', { loopId: 'new2' })).toMatchInlineSnapshot(`
      "[Interrupt commandId=interrupt agency=user loopId=new2]
      -> stopTurn loopId=new2 turnId=new3
      = ack ack={"cancelled":true}"
    `);
  });

  test('means the turn that ran when it arrived, not one that has started since', () => {
    const during = (turnId: string) => {
      const hand = busy();
      return hand.take({ ...(command('Interrupt', {}) as object), during: new Map([['main', turnId]]) } as never);
    };
    expect(during('earlier')).toBe('= ack ack={"cancelled":false}');
    expect(during('new1')).toContain('"cancelled":true');
  });

  test('a loop at rest when it arrived is stopped all the same: the input that woke it was sent before', () => {
    const hand = busy();
    expect(hand.take({ ...(command('Interrupt', {}) as object), during: new Map() } as never)).toContain('stopTurn');
  });

  test('stops a summary, which is no turn', () => {
    expect(compacting().send('Interrupt', {})).toMatchInlineSnapshot(`
      "-> stopCompaction loopId=main
      = ack ack={"cancelled":false}"
    `);
  });
});

describe('ResumeQueue', () => {
  test('starts the first entry of a paused queue', () => {
    const hand = paused('a b');
    expect(hand.send('ResumeQueue', {})).toMatchInlineSnapshot(`
      "SessionActive
      TurnStarted loopId=main turnId=new2 turnIndex=2 cause=a message=a
      -> runTurn loopId=main turnId=new2
      = done"
    `);
    expect(hand.queue()).toBe('b');
  });

  test.each([
    ['running', () => busy('a')],
    [
      'stopping',
      () => {
        const hand = busy('a');
        hand.send('Interrupt', {});
        return hand;
      },
    ],
    ['idle', () => new ByHand()],
    [
      'drained',
      () => {
        const hand = paused('a');
        hand.take({ type: 'drain' });
        return hand;
      },
    ],
  ])('%s: it does nothing', (_, made) => {
    expect(made().send('ResumeQueue', {})).toBe('= done');
  });

  test('means the named loop alone', () => {
    const hand = paused('a');
    hand.send('StartLoop', {});
    expect(hand.send('ResumeQueue', { loopId: 'new2' })).toBe('= done');
    expect(hand.send('ResumeQueue', { loopId: 'main' })).toContain('TurnStarted loopId=main');
  });
});

describe('changes of the queue', () => {
  test.each([
    [{ targetCommandId: 'c', beforeCommandId: 'a' }, true, 'c a |b'],
    [{ targetCommandId: 'a' }, true, '|b c a'],
    [{ targetCommandId: 'a', beforeCommandId: 'nobody' }, false, 'a |b c'],
    [{ targetCommandId: 'first' }, false, 'a |b c'],
  ])('MoveQueuedInput %j: moved %s, %s', (fields, moved, queue) => {
    const hand = busy('a |b c');
    const lines = hand.send('MoveQueuedInput', fields);
    expect(lines).toContain(`= ack ack={"moved":${moved}}`);
    expect(lines.includes('[MoveQueuedInput')).toBe(moved);
    expect(hand.queue()).toBe(queue);
  });

  test.each([
    [{ targetCommandId: 'a', noFold: true }, true, '|a |b'],
    [{ targetCommandId: 'b', noFold: false }, true, 'a b'],
    [{ targetCommandId: 'first', noFold: true }, false, 'a |b'],
  ])('SetQueuedInput %j: changed %s, %s', (fields, changed, queue) => {
    const hand = busy('a |b');
    const lines = hand.send('SetQueuedInput', fields);
    expect(lines).toContain(`= ack ack={"changed":${changed}}`);
    expect(lines.includes('[SetQueuedInput')).toBe(changed);
    expect(hand.queue()).toBe(queue);
  });

  test('an entry of one loop does not move before one of another', () => {
    const hand = busy('a');
    hand.send('StartLoop', {});
    hand.say('x', { loopId: 'new2' });
    hand.say('b', { loopId: 'new2' });
    expect(hand.send('MoveQueuedInput', { targetCommandId: 'b', beforeCommandId: 'a' })).toContain('"moved":false');
    expect(hand.send('MoveQueuedInput', { targetCommandId: 'b' })).toContain('"moved":true');
  });
});

describe('Shutdown', () => {
  test('stops what runs; the end is asked for behind all that waits', () => {
    const hand = busy('a');
    expect(hand.send('Shutdown', {})).toMatchInlineSnapshot(`
      "[Interrupt commandId=shutdown agency=user loopId=main]
      [Shutdown commandId=shutdown agency=user]
      -> stopTurn loopId=main turnId=new1
      -> closeWhenQuiet
      = done"
    `);
    expect(hand.state.closing).toBe('shutdown');
  });

  test('also what began between its sending and its turn in the mailbox', () => {
    const hand = busy();
    const shutdown = { ...(command('Shutdown', {}) as object), during: new Map([['main', 'earlier']]) };
    expect(hand.take(shutdown as never)).toContain('stopTurn');
  });
});

describe('administration', () => {
  test('StartLoop goes on with the model of the active loop', () => {
    const hand = new ByHand();
    expect(hand.send('StartLoop', { agentName: 'second' })).toMatchInlineSnapshot(`
      "LoopStarted loopId=new1 agentName=second model=m cause=startloop
      = done"
    `);
    hand.send('SetModel', { model: 'n', provider: 'q' });
    expect(hand.send('StartLoop', {})).toMatchInlineSnapshot(`
      "LoopStarted loopId=new2 agentName=loop-3 model=n cause=startloop
      ModelChanged loopId=new2 model=n provider=q cause=startloop
      = done"
    `);
  });

  test('SetActiveLoop says so once', () => {
    const hand = new ByHand();
    hand.send('StartLoop', {});
    expect(hand.send('SetActiveLoop', { loopId: 'new1' })).toMatchInlineSnapshot(`
      "ActiveLoopChanged loopId=new1 previousLoopId=main activeLoopId=new1 cause=setactiveloop
      = done"
    `);
    expect(hand.send('SetActiveLoop', { loopId: 'new1' })).toBe('= done');
  });

  test('SetModel means the active loop and keeps its provider where none is named', () => {
    const hand = new ByHand();
    hand.send('StartLoop', {});
    hand.send('SetActiveLoop', { loopId: 'new1' });
    expect(hand.send('SetModel', { model: 'n' })).toMatchInlineSnapshot(`
      "ModelChanged loopId=new1 model=n provider=p cause=setmodel
      = done"
    `);
    expect(hand.send('SetModel', { model: 'n', provider: 'q', loopId: 'main' })).toMatchInlineSnapshot(`
      "ModelChanged loopId=main model=n provider=q cause=setmodel
      = done"
    `);
  });

  test('SetModel to what cannot be asked is refused, and says why', () => {
    const hand = new ByHand({ refusalOf: (provider, model) => (provider === 'q' ? `no key for ${model}` : undefined) });
    expect(hand.send('SetModel', { model: 'n', provider: 'q' })).toBe('= invalid message=no key for n');
    expect(hand.send('SetModel', { model: 'n' })).toContain('ModelChanged');
  });

  test('RenameSession', () => {
    expect(new ByHand().send('RenameSession', { name: 'a name' })).toMatchInlineSnapshot(`
      "SessionRenamed name=a name cause=renamesession
      = done"
    `);
  });

  test('a loop that is not there is an invalid command', () => {
    expect(new ByHand().send('Compact', { loopId: 'gone' })).toBe('= invalid message=there is no loop gone');
    expect(new ByHand().say('a', { loopId: 'gone' })).toBe('= invalid message=there is no loop gone');
  });

  test('before its start and after its end a session takes no command', () => {
    const hand = new ByHand();
    hand.send('Shutdown', {});
    hand.take({ type: 'close' });
    expect(hand.say('a')).toBe('= stopped');
  });
});

describe('Compact', () => {
  test('idle: it begins at once', () => {
    const hand = new ByHand();
    hand.say('first');
    hand.commit();
    expect(hand.send('Compact', {})).toMatchInlineSnapshot(`
      "-> compact loopId=main
      = compacting loopId=main"
    `);
    expect(hand.loop().compaction.is).toBe('running');
  });

  test('busy: it waits for the turn’s end', () => {
    const hand = busy();
    expect(hand.send('Compact', { loopId: 'main' })).toBe('= compacting loopId=main');
    expect(hand.loop().compaction.is).toBe('due');
    expect(hand.send('Compact', {})).toContain('a compaction waits for the turn already');
  });

  test('refused, with the reason', () => {
    expect(compacting().send('Compact', {})).toBe(
      '= ack ack={"compacted":false,"reason":"a compaction is running already"}',
    );
    expect(new ByHand().send('Compact', {})).toBe(
      '= ack ack={"compacted":false,"reason":"there is nothing to compact yet"}',
    );
    const closing = busy();
    closing.send('Shutdown', {});
    expect(closing.send('Compact', {})).toBe('= ack ack={"compacted":false,"reason":"the session is ending"}');
  });
});
