/** Which calls are asked about, and what each answer does (contract: Gates). */
import { describe, expect, test } from 'vitest';
import { ByHand } from './by-hand.ts';

function working(): ByHand {
  const hand = new ByHand();
  hand.say('first');
  return hand;
}
/** A Turn that waits for an answer. */
function asking(kind: 'change' | 'ask' = 'change'): ByHand {
  const hand = working();
  hand.ask(kind);
  return hand;
}
const ID = { toolExecutionId: 'call' };

describe('a call', () => {
  test('that is free is not asked about', () => {
    expect(working().ask('free')).toBe('= free');
  });

  test('that changes something is asked about, its request journaled first', () => {
    const hand = working();
    expect(hand.ask()).toMatchInlineSnapshot(`
      "PermissionRequested loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use request={"toolName":"change","summary":"changes","detail":"all","scopes":[{"scope":"once","covers":"this"},{"scope":"session","covers":"all"}]}
      = asked"
    `);
    expect(hand.loop().turn?.gate).toMatchObject({ kind: 'permission', toolName: 'change', toolExecutionId: 'call' });
  });

  test('that is a question is its own gate', () => {
    const hand = working();
    expect(hand.ask('ask')).toMatchInlineSnapshot(`
      "UserInputRequested loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use question=which? choices=[]
      = asked"
    `);
    expect(hand.loop().turn?.gate).toMatchObject({ kind: 'question', toolExecutionId: 'call', scopes: [] });
  });

  test('that a mode, a grant or nobody’s presence decides is settled, and said', () => {
    expect(working().ask('change', { mode: 'auto' })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=approve source=policy reason=the approval mode is auto
      = settled decision={"effect":"approve"} source=policy"
    `);
    expect(working().ask('change', { attended: false })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=policy reason=nobody is there to answer
      = settled decision={"effect":"deny","reason":"nobody is there to answer"} source=policy"
    `);
  });

  test('while the session is drained nobody is there', () => {
    const hand = working();
    hand.take({ type: 'drain' });
    expect(hand.ask()).toContain('= settled decision={"effect":"deny","reason":"nobody is there to answer"}');
  });

  test('of a turn that is over, or told to stop, is discarded', () => {
    const hand = working();
    const { turnId } = hand;
    const call = { loopId: 'main', turnId, stepId: 'step', toolExecutionId: 'call', toolUseId: 'use' };
    expect(hand.ask('free', { call: { ...call, turnId: 'earlier' } })).toBe('= discarded');
    hand.send('Interrupt', {});
    expect(hand.ask('free')).toBe('= discarded');
    hand.end();
    expect(hand.ask('free', { call })).toBe('= discarded');
  });
});

describe('an answer', () => {
  test('approves once', () => {
    const hand = asking();
    expect(hand.send('ApproveToolCall', { ...ID, scope: 'once' })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=approve source=user scope=once cause=approvetoolcall
      -> settleGate toolExecutionId=call decision={"effect":"approve"}
      = done"
    `);
    expect(hand.loop().turn?.gate).toBeUndefined();
    expect(hand.state.grants).toEqual([]);
  });

  test('approves for the session, which then has a grant', () => {
    const hand = asking();
    expect(hand.send('ApproveToolCall', { ...ID, scope: 'session' })).toContain('scope=session');
    expect(hand.state.grants).toEqual([{ toolName: 'change', covers: 'all' }]);
  });

  test('approves once where the scope was not offered', () => {
    const hand = asking();
    expect(hand.send('ApproveToolCall', { ...ID, scope: 'always' })).toContain('scope=once');
    expect(hand.state.grants).toEqual([]);
  });

  test('denies, with and without a word', () => {
    expect(asking().send('DenyToolCall', { ...ID, reason: 'not now' })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=user cause=denytoolcall reason=not now
      -> settleGate toolExecutionId=call decision={"effect":"deny","reason":"not now"}
      = done"
    `);
    expect(asking().send('DenyToolCall', { ...ID, reason: '' })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=deny source=user cause=denytoolcall
      -> settleGate toolExecutionId=call decision={"effect":"deny"}
      = done"
    `);
    const hand = asking();
    hand.send('DenyToolCall', ID);
    expect(hand.state.grants).toEqual([]);
  });

  test('is the text of a question’s result; a question can be declined too', () => {
    expect(asking('ask').send('ProvideUserInput', { ...ID, answer: 'that' })).toMatchInlineSnapshot(`
      "PermissionDecided loopId=main turnId=new1 stepId=step toolExecutionId=call toolUseId=use effect=approve source=user cause=provideuserinput
      -> settleGate toolExecutionId=call decision={"effect":"approve","answer":"that"}
      = done"
    `);
    expect(asking('ask').send('DenyToolCall', ID)).toContain('effect=deny');
  });

  test('of the other kind does nothing', () => {
    expect(asking('ask').send('ApproveToolCall', { ...ID, scope: 'once' })).toBe('= done');
    expect(asking().send('ProvideUserInput', { ...ID, answer: 'that' })).toBe('= done');
  });

  test('that is stale, or late by an interrupt, does nothing', () => {
    const late = { toolExecutionId: 'earlier' };
    expect(asking().send('DenyToolCall', late)).toBe('= done');
    expect(working().send('DenyToolCall', ID)).toBe('= done');
    expect(new ByHand().send('DenyToolCall', ID)).toBe('= done');
    const stopping = asking();
    stopping.send('Interrupt', {});
    expect(stopping.send('DenyToolCall', ID)).toBe('= done');
  });

  test('finds its gate in whichever loop asks', () => {
    const hand = new ByHand();
    hand.send('StartLoop', {});
    hand.say('x', { loopId: 'new1' });
    const call = { loopId: 'new1', turnId: 'new2', stepId: 'step', toolExecutionId: 'other', toolUseId: 'use' };
    hand.ask('change', { call });
    expect(hand.send('DenyToolCall', { toolExecutionId: 'other' })).toContain('loopId=new1 turnId=new2');
  });
});

describe('when nobody is left who could answer', () => {
  test('gates of turns that were told to stop are left to their end', () => {
    const hand = asking();
    hand.send('Interrupt', {});
    expect(hand.take({ type: 'drain' })).toBe('-> closeWhenQuiet\n= done');
  });

  test('turns without a gate go on', () => {
    expect(working().take({ type: 'drain' })).toBe('-> closeWhenQuiet\n= done');
  });
});
