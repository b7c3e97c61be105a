import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../src/domain/event.ts';
import { type Calling, callSequence } from '../../src/view/attention.ts';
import { answered, byUser, ChatDriver, LOOP, STEP, said, TURN, USAGE } from '../support/chat-driver.ts';

const DONE: EventBody = { type: 'TurnDone', ...TURN, turnIndex: 1, message: answered('42'), usage: USAGE };
const FAILED: EventBody = {
  type: 'TurnFailed',
  ...TURN,
  turnIndex: 1,
  err: new Error('no server'),
  failure: { kind: 'provider_unavailable', message: 'no server' },
};
const STOPPED: EventBody = { type: 'TurnInterrupted', ...TURN, turnIndex: 1 };
const ASKS: EventBody = {
  type: 'PermissionRequested',
  ...STEP,
  toolExecutionId: 'r1',
  toolUseId: 'u1',
  request: { toolName: 'shell', summary: 'ls', detail: 'ls', scopes: [] },
};
const QUESTION: EventBody = {
  type: 'UserInputRequested',
  ...STEP,
  toolExecutionId: 'r1',
  toolUseId: 'u1',
  question: 'Which?',
  choices: [],
};

const busy = (when: Calling['when'], by: Calling['by'] = 'bell'): ChatDriver =>
  ChatDriver.busy(undefined, { calling: { when, by } });
const calls = (chat: ChatDriver) =>
  chat.intents.flatMap((one) => (one.type === 'Call' ? [one.what ?? 'taken back'] : []));

describe('who looks elsewhere is called', () => {
  test.each([
    ['TurnDone', DONE, ['done']],
    ['TurnFailed', FAILED, ['failed']],
    ['PermissionRequested', ASKS, ['asks']],
    ['UserInputRequested', QUESTION, ['asks']],
    ['TurnInterrupted', STOPPED, []],
    ['StepDone', { type: 'StepDone', ...STEP, messages: [answered('x')] } as EventBody, []],
  ] as const)('%s', (_name, event, expected) => {
    for (const when of ['on', 'unfocused', 'off'] as const) {
      const chat = busy(when);
      chat.focus(false);
      chat.event(event);
      expect(calls(chat), when).toEqual(when === 'off' ? [] : expected);
    }
  });

  test('not while the terminal is looked at, or does not say', () => {
    const looking = busy('unfocused');
    looking.focus(false);
    looking.focus(true);
    looking.event(DONE);
    expect(calls(looking)).toEqual([]);
    const silent = busy('unfocused');
    silent.event(DONE);
    expect(calls(silent)).toEqual([]);
    const always = busy('on');
    always.event(DONE);
    expect(calls(always)).toEqual(['done']);
  });

  test('a key is somebody who is here, whatever the terminal said last', () => {
    const chat = busy('unfocused');
    chat.focus(false);
    chat.keys('x');
    chat.event(DONE);
    expect(calls(chat)).toEqual([]);
    expect(chat.draft).toBe('x');
  });

  test('not between two turns of the queue: only what stops is of interest', () => {
    const chat = busy('unfocused');
    chat.queued('and then');
    chat.focus(false);
    chat.event(DONE);
    expect(calls(chat)).toEqual([]);
    chat.event({
      type: 'TurnStarted',
      ...LOOP,
      turnId: 'turn-2',
      cause: byUser('command-9'),
      turnIndex: 2,
      message: said('and then'),
    });
    chat.event(FAILED);
    expect(calls(chat)).toEqual(['failed']);
  });

  test('the call is taken back when the person is here, once', () => {
    for (const here of [(chat: ChatDriver) => chat.focus(true), (chat: ChatDriver) => chat.keys('x')]) {
      const chat = busy('unfocused', 'title');
      chat.focus(false);
      chat.event(DONE);
      here(chat);
      here(chat);
      expect(calls(chat)).toEqual(['done', 'taken back']);
    }
  });
});

test.each([
  ['bell', 'done', '\x07'],
  ['osc9', 'asks', '\x1b]9;harness-chat: a question waits\x07'],
  ['title', 'failed', '\x1b]2;harness-chat: the turn failed\x07'],
] as const)('by %s', (by, what, bytes) => {
  expect(callSequence(what, by)).toBe(bytes);
});
