/** What is true of a session after a record, and which histories cannot have been. */
import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/command.ts';
import type { EventBody } from '../../src/domain/event.ts';
import { type Change, evolve } from '../../src/loop/evolve.ts';
import { ImpossibleHistoryError } from '../../src/loop/impossible.ts';
import { newSession, type SessionState } from '../../src/loop/state.ts';
import { ByHand } from './by-hand.ts';

const SAID = { agency: 'user', commandId: 'a' } as const;
const events = (...list: EventBody[]): Change[] => list.map((event) => ({ event }));
const evolved = (state: SessionState, ...changes: Change[]): SessionState => changes.reduce(evolve, state);
const started: EventBody = { type: 'SessionStarted', model: 'm', provider: 'p', cwd: '/w', appVersion: '1' };
const loop = (loopId: string, model = 'm'): EventBody => ({ type: 'LoopStarted', loopId, agentName: loopId, model });
const begun = (): SessionState => evolved(newSession('session'), ...events(started, loop('main'), loop('other')));

test('a session before its first record', () => {
  expect(newSession('id')).toEqual({
    sessionId: 'id',
    phase: 'new',
    closing: undefined,
    name: undefined,
    model: '',
    provider: '',
    cwd: '',
    loops: new Map(),
    activeLoopId: '',
    active: false,
    grants: [],
  });
});

test('a session and a loop as they begin', () => {
  const state = evolved(newSession('session'), ...events(started, loop('main', 'n')));
  expect(state).toMatchObject({ phase: 'running', model: 'm', provider: 'p', cwd: '/w', activeLoopId: 'main' });
  expect(state.loops.get('main')).toEqual({
    id: 'main',
    agentName: 'main',
    model: 'n',
    provider: 'p',
    history: undefined,
    inbox: [],
    held: false,
    turn: undefined,
    turnIndex: 0,
    worked: false,
    owed: undefined,
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
    measured: { tokens: 0, thought: 0, total: 0, upTo: 0 },
    compaction: { is: 'none' },
  });
});

describe('events of the session', () => {
  test('the first loop is the active one, until another is made it', () => {
    expect(begun().activeLoopId).toBe('main');
    const changed: EventBody = {
      type: 'ActiveLoopChanged',
      loopId: 'other',
      previousLoopId: 'main',
      activeLoopId: 'other',
    };
    expect(evolved(begun(), ...events(changed)).activeLoopId).toBe('other');
  });

  test('marks, names and the end', () => {
    expect(evolved(begun(), ...events({ type: 'SessionActive' })).active).toBe(true);
    expect(evolved(begun(), ...events({ type: 'SessionActive' }, { type: 'SessionIdle' })).active).toBe(false);
    expect(evolved(begun(), ...events({ type: 'SessionRenamed', name: 'n' })).name).toBe('n');
    const errored: EventBody = { type: 'RestoreErrored', err: { kind: 'unknown', message: 'no' } };
    const state = begun();
    expect(evolved(state, ...events(errored))).toBe(state);
  });

  test.each([
    ['SessionStopped', 'stopped'],
    ['RestoreStarted', 'running'],
  ] as const)('%s ends what lives only in the process', (type, phase) => {
    const state = { ...begun(), closing: 'drain' as const, grants: [{ toolName: 'shell', covers: 'ls' }] };
    expect(evolved(state, ...events({ type }))).toMatchObject({ phase, closing: undefined, grants: [] });
  });

  test('what is queued when a restore is done is paused', () => {
    const input: Command = { type: 'UserInput', ...SAID, blocks: [], loopId: 'main' };
    const state = evolved(begun(), { command: input }, ...events({ type: 'RestoreDone' }));
    expect([...state.loops.values()].map(({ held }) => held)).toEqual([true, false]);
  });

  test('an event touches no other loop', () => {
    const state = begun();
    const changed: EventBody = { type: 'ModelChanged', loopId: 'other', model: 'n', provider: 'q' };
    const next = evolved(state, ...events(changed));
    expect(next.loops.get('main')).toBe(state.loops.get('main'));
    expect(next.loops.get('other')).toMatchObject({ model: 'n', provider: 'q' });
    expect(next.model).toBe('m');
  });
});

describe('commands that change state by themselves', () => {
  const input = (commandId: string, loopId?: string): Change => ({
    command: {
      type: 'UserInput',
      agency: 'machine',
      commandId,
      blocks: [{ type: 'text', text: 'x' }],
      ...(loopId && { loopId }),
    },
  });
  const queue = (state: SessionState, loopId: string) =>
    state.loops.get(loopId)?.inbox.map(({ commandId, noFold }) => (noFold ? `|${commandId}` : commandId));

  test('an input joins the end of its inbox', () => {
    const state = evolved(begun(), input('a'), input('b', 'other'), input('c'));
    expect([queue(state, 'main'), queue(state, 'other')]).toEqual([['a', 'c'], ['b']]);
    expect(state.loops.get('main')?.inbox[0]).toEqual({
      commandId: 'a',
      agency: 'machine',
      message: { role: 'user', blocks: [{ type: 'text', text: 'x' }] },
      noFold: false,
    });
  });

  test('a move and a hold find the inbox that holds their target', () => {
    const queued = evolved(begun(), input('a'), input('b', 'other'), input('c', 'other'));
    const moved = {
      command: { type: 'MoveQueuedInput', ...SAID, targetCommandId: 'c', beforeCommandId: 'b' },
    } as const;
    expect(queue(evolved(queued, moved), 'other')).toEqual(['c', 'b']);
    const held = { command: { type: 'SetQueuedInput', ...SAID, targetCommandId: 'c', noFold: true } } as const;
    expect(queue(evolved(queued, held), 'other')).toEqual(['b', '|c']);
  });

  test('an interrupt marks the turn of its loop; where none runs it is nothing', () => {
    const hand = new ByHand();
    hand.say('first');
    const interrupt = { command: { type: 'Interrupt', ...SAID, loopId: 'main' } } as const;
    expect(evolved(hand.state, interrupt).loops.get('main')?.turn?.stopping).toBe(true);
    const state = begun();
    expect(evolved(state, interrupt)).toBe(state);
  });

  test('a shutdown begins the end', () => {
    expect(evolved(begun(), { command: { type: 'Shutdown', ...SAID } }).closing).toBe('shutdown');
  });
});

describe('a history that cannot have been is refused by name', () => {
  const message = { role: 'user', blocks: [] } as { role: 'user'; blocks: [] };
  const cause = SAID;
  const said: Command = { type: 'UserInput', ...SAID, blocks: [] };
  const input: Change = { command: said };
  const turn = { loopId: 'main', turnId: 't', turnIndex: 1, cause, message };
  const call = { loopId: 'main', turnId: 't', stepId: 's', toolExecutionId: 'x', toolUseId: 'u' };
  const request = { toolName: 'change', summary: '', detail: '', scopes: [] };
  const open = (): SessionState => evolved(begun(), input, ...events({ type: 'TurnStarted', ...turn }));
  const answer = { role: 'assistant' as const, blocks: [{ type: 'text' as const, text: 'said' }] };
  const final: EventBody = { type: 'StepDone', loopId: 'main', turnId: 't', stepId: 's', messages: [answer] };
  const most = {
    inputTokens: 0,
    outputTokens: Number.MAX_SAFE_INTEGER,
    reasoningTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
  };
  const tools: EventBody = {
    type: 'StepDone',
    loopId: 'main',
    turnId: 't',
    stepId: 's',
    messages: [
      { role: 'assistant', blocks: [{ type: 'tool_use', id: 'u', name: 'look', input: {} }], usage: most },
      { role: 'tool', blocks: [{ type: 'tool_result', toolUseId: 'u', content: [] }] },
    ],
  };

  test.each<[string, SessionState, Change]>([
    ['a session was started twice', begun(), { event: started }],
    ['a loop was started twice', begun(), { event: loop('main') }],
    [
      'ActiveLoopChanged of a loop that was never started',
      begun(),
      { event: { type: 'ActiveLoopChanged', loopId: 'x', previousLoopId: 'main', activeLoopId: 'x' } },
    ],
    ['LoopIdle of a loop that was never started', begun(), { event: { type: 'LoopIdle', loopId: 'x' } }],
    ['an input of a loop that was never started', newSession('s'), input],
    ['an interrupt of a loop that was never started', begun(), { command: { type: 'Interrupt', ...SAID } }],
    [
      'PermissionDecided of a loop that was never started',
      begun(),
      { event: { type: 'PermissionDecided', ...call, loopId: 'x', effect: 'deny', source: 'user' } },
    ],
    ['an input was accepted twice', evolved(begun(), input), input],
    [
      'a change of an input that is not queued',
      begun(),
      { command: { type: 'SetQueuedInput', ...SAID, targetCommandId: 'x', noFold: true } },
    ],
    [
      'a queued input moved to where nothing is',
      evolved(begun(), input),
      { command: { type: 'MoveQueuedInput', ...SAID, targetCommandId: 'a', beforeCommandId: 'x' } },
    ],
    [
      'a queued input was sent past a turn that does not run',
      evolved(begun(), input),
      { command: { type: 'SendQueuedInput', ...SAID, targetCommandId: 'a' } },
    ],
    [
      'a queued input was sent past a turn that does not run',
      open(),
      { command: { type: 'SendQueuedInput', ...SAID, targetCommandId: 'x' } },
    ],
    ['RenameSession changes nothing by itself', begun(), { command: { type: 'RenameSession', ...SAID, name: 'n' } }],
    [
      'TurnStarted while a turn is open',
      evolved(open(), input),
      { event: { type: 'TurnStarted', ...turn, turnId: 'u', turnIndex: 2 } },
    ],
    ['turn_index 2 after 0', evolved(begun(), input), { event: { type: 'TurnStarted', ...turn, turnIndex: 2 } }],
    ['an input was resolved that was not queued', begun(), { event: { type: 'TurnStarted', ...turn } }],
    [
      'an input was resolved that was not queued',
      begun(),
      { event: { type: 'InputCancelled', loopId: 'main', cause, reason: 'client_retracted', message } },
    ],
    ['StepDone outside a turn', begun(), { event: final }],
    ['StepDone of another turn than the running one', open(), { event: { ...final, turnId: 'u' } }],
    ['StepDone after the final step of its turn', evolved(open(), { event: final }), { event: final }],
    [
      'TurnFoldedInto does not follow a committed tool step',
      evolved(open(), input),
      { event: { type: 'TurnFoldedInto', ...turn } },
    ],
    [
      'an input was folded that was held',
      evolved(open(), { event: tools }, { command: { ...said, noFold: true } }),
      { event: { type: 'TurnFoldedInto', ...turn } },
    ],
    [
      'TurnDone before its final step',
      evolved(open(), { event: tools }),
      { event: { type: 'TurnDone', loopId: 'main', turnId: 't', turnIndex: 1, message: answer, usage: most } },
    ],
    [
      'TurnInterrupted outside a turn',
      begun(),
      { event: { type: 'TurnInterrupted', loopId: 'main', turnId: 't', turnIndex: 1 } },
    ],
    [
      'TurnInterrupted of another turn than the running one',
      open(),
      { event: { type: 'TurnInterrupted', loopId: 'main', turnId: 'u', turnIndex: 1 } },
    ],
    [
      'HistoryCompacted while a turn is open',
      open(),
      { event: { type: 'HistoryCompacted', loopId: 'main', summary: 's', usage: most } },
    ],
    [
      'a compaction keeps a step that is not in the history',
      begun(),
      { event: { type: 'HistoryCompacted', loopId: 'main', summary: 's', usage: most, keptFromStepId: 'x' } },
    ],
    [
      'a gate was opened while another is open',
      evolved(open(), { event: { type: 'PermissionRequested', ...call, request } }),
      { event: { type: 'UserInputRequested', ...call, question: 'which?', choices: [] } },
    ],
    ['PermissionRequested outside a turn', begun(), { event: { type: 'PermissionRequested', ...call, request } }],
    [
      'PermissionDecided outside a turn',
      begun(),
      { event: { type: 'PermissionDecided', ...call, effect: 'deny', source: 'user' } },
    ],
    [
      'the usage of a loop leaves the safe integers',
      evolved(open(), { event: tools }),
      { event: { ...tools, stepId: 'r' } },
    ],
  ])('%s: %#', (reason, state, change) => {
    expect(() => evolve(state, change)).toThrow(new ImpossibleHistoryError(reason));
  });
});

test('the refusal names itself', () => {
  expect(new ImpossibleHistoryError('why').name).toBe('ImpossibleHistoryError');
});

describe('a decision about a call', () => {
  const decide = (hand: ByHand, fields: Partial<Extract<EventBody, { type: 'PermissionDecided' }>>) =>
    hand.evolve({
      type: 'PermissionDecided',
      loopId: 'main',
      turnId: hand.turnId,
      stepId: 'step',
      toolExecutionId: 'call',
      toolUseId: 'use',
      effect: 'approve',
      source: 'user',
      ...fields,
    });
  const asking = (): ByHand => {
    const hand = new ByHand();
    hand.say('first');
    hand.ask();
    return hand;
  };

  test.each([
    ['a grant for the session', { scope: 'session' }, 1],
    ['for once', { scope: 'once' }, 0],
    ['for ever, which was not offered', { scope: 'always' }, 0],
    ['without a scope', {}, 0],
    ['a refusal', { effect: 'deny', scope: 'session' }, 0],
  ] as const)('closes its gate: %s', (_, fields, grants) => {
    const hand = asking();
    decide(hand, fields);
    expect(hand.loop().turn?.gate).toBeUndefined();
    expect(hand.state.grants).toHaveLength(grants);
  });

  test('of a call that asked nothing leaves an open gate alone', () => {
    const hand = asking();
    const { state } = hand;
    decide(hand, { toolExecutionId: 'other', scope: 'session' });
    expect(hand.state).toBe(state);
  });

  test('a second grant joins the first', () => {
    const hand = asking();
    hand.state = { ...hand.state, grants: [{ toolName: 'shell', covers: 'ls' }] };
    decide(hand, { scope: 'session' });
    expect(hand.state.grants).toEqual([
      { toolName: 'shell', covers: 'ls' },
      { toolName: 'change', covers: 'all' },
    ]);
  });
});
