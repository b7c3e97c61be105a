import { describe, expect, test } from 'vitest';
import type { Errand } from '../../src/view/errand.ts';
import type { PickerItem } from '../../src/view/picker.ts';
import { fillPicker, openRefused } from '../../src/view/update-picker.ts';
import { answered, ChatDriver, LOOP, STEP, TURN, USAGE } from '../support/chat-driver.ts';

const ITEMS: PickerItem[] = [
  { id: 'a', title: 'one', facts: [] },
  { id: 'b', title: 'two', facts: [] },
];
const errands = (chat: ChatDriver): Errand[] =>
  chat.intents.splice(0).flatMap((intent) => (intent.type === 'Errand' ? [intent.errand] : []));
const fill = (chat: ChatDriver, purpose: 'sessions' | 'steps', items = ITEMS): void => {
  chat.chat = fillPicker(chat.chat, purpose, items);
};
const opened = (chat: ChatDriver): void => {
  chat.keys('/sessions<Enter>');
  expect(errands(chat)).toEqual([{ type: 'ListSessions' }]);
  fill(chat, 'sessions');
};

describe('the choice of a session', () => {
  test('typing searches, arrows choose, Enter opens', () => {
    const chat = ChatDriver.started();
    opened(chat);
    chat.keys('tw<Enter>');
    expect(errands(chat)).toEqual([{ type: 'Open', opening: { kind: 'session', sessionId: 'b' } }]);
    expect(chat.draft).toBe('');
  });

  test('digits and spaces are typed, never an answer', () => {
    const chat = ChatDriver.started();
    opened(chat);
    chat.keys('1 2?q');
    chat.paste('x\nnot this');
    expect(chat.chat.overlay).toMatchObject({ kind: 'picker', query: '1 2?qx' });
    chat.keys('<Backspace><Backspace>');
    expect(chat.chat.overlay).toMatchObject({ query: '1 2?' });
  });

  test('with a turn running Enter asks first; another key takes that back', () => {
    const chat = ChatDriver.busy();
    opened(chat);
    chat.keys('<Enter>');
    expect(errands(chat)).toEqual([]);
    expect(chat.picture).toContain('a turn is running');
    chat.keys('<Down><Enter>');
    expect(errands(chat)).toEqual([]);
    chat.keys('<Enter>');
    expect(errands(chat)).toMatchObject([{ type: 'Open', opening: { sessionId: 'b' } }]);
    chat.keys('<Enter><Esc>x');
    expect(errands(chat)).toEqual([]);
    expect(chat.chat.overlay).toMatchObject({ state: 'opening', query: '' });
  });

  test.each(['<Esc>', '<Ctrl+C>', '<Ctrl+D>'])('%s closes it and interrupts nothing', (key) => {
    const chat = ChatDriver.busy();
    opened(chat);
    chat.keys(key);
    expect(chat.chat.overlay).toBeUndefined();
    expect(chat.takeCommands()).toEqual([]);
  });

  test('a question that it hid is answered by no key before it can be seen', () => {
    const chat = ChatDriver.busy();
    opened(chat);
    chat.event({
      ...STEP,
      type: 'UserInputRequested',
      toolExecutionId: 'r1',
      toolUseId: 'u1',
      question: 'Which?',
      choices: ['this', 'that'],
    });
    chat.wait(5000);
    chat.keys('<Esc>1');
    expect(chat.takeCommands()).toEqual([]);
    expect(chat.draft).toBe('1');
  });

  test('rows that come when it was closed open nothing', () => {
    const chat = ChatDriver.started();
    chat.keys('/sessions<Enter><Esc>');
    fill(chat, 'sessions');
    expect(chat.chat.overlay).toBeUndefined();
  });

  test('a session that cannot be had is one line, and the choice stays', () => {
    const chat = ChatDriver.started();
    opened(chat);
    chat.keys('<Enter>');
    chat.chat = openRefused(chat.chat, 'Session a is in use by process 1.', chat.now).chat;
    expect(chat.picture).toContain('in use by process 1');
    chat.keys('<Down><Enter>');
    expect(errands(chat).at(-1)).toMatchObject({ opening: { sessionId: 'b' } });
  });
});

test('/resume is the choice too, with an id that session', () => {
  const chat = ChatDriver.started();
  chat.keys('/resume<Enter>');
  expect(errands(chat)).toEqual([{ type: 'ListSessions' }]);
  chat.keys('<Esc>/resume 0199<Enter>');
  expect(errands(chat)).toEqual([{ type: 'Open', opening: { kind: 'session', sessionId: '0199' } }]);
});

describe('/new', () => {
  test('at rest it begins at once; with work at hand it asks first', () => {
    const idle = ChatDriver.started();
    idle.keys('/new<Enter>');
    expect(errands(idle)).toEqual([{ type: 'Open', opening: { kind: 'new' } }]);
    const busy = ChatDriver.busy();
    busy.keys('/new<Enter>');
    expect(errands(busy)).toEqual([]);
    expect(busy.picture).toContain('a turn is running: once more ends this session first');
    busy.keys('/new<Enter>');
    expect(errands(busy)).toEqual([{ type: 'Open', opening: { kind: 'new' } }]);
  });
});

describe('the choice of a Step to fork from', () => {
  const done = (chat: ChatDriver) =>
    chat.event({ type: 'TurnDone', ...TURN, turnIndex: 1, message: answered('done'), usage: USAGE });
  const idle = (chat: ChatDriver) => chat.event({ type: 'LoopIdle', ...LOOP });

  test('Esc Esc on nothing, a second after the turn', () => {
    const chat = ChatDriver.busy();
    done(chat);
    idle(chat);
    chat.keys('<Esc><Esc><Esc>');
    expect(chat.chat.overlay).toBeUndefined();
    chat.wait(1000);
    chat.keys('<Esc>');
    expect(chat.picture).toContain('Esc again');
    chat.keys('<Esc>');
    expect(errands(chat)).toContainEqual({ type: 'ListSteps' });
    fill(chat, 'steps', [{ id: '12', title: 'go', facts: ['an answer'] }]);
    chat.keys('<Enter>');
    expect(errands(chat)).toEqual([{ type: 'Open', opening: { kind: 'fork', at: 12 } }]);
  });

  test.each([
    ['a draft', (chat: ChatDriver) => chat.keys('x<Esc><Esc>')],
    ['a key between', (chat: ChatDriver) => chat.keys('<Esc>x<Backspace><Esc>')],
    ['too slow', (chat: ChatDriver) => chat.keys('<Esc><Esc>', 1001)],
  ])('not with %s', (_name, press) => {
    const chat = ChatDriver.started();
    chat.wait(5000);
    press(chat);
    expect(errands(chat)).toEqual([]);
  });

  test('while a turn runs Esc interrupts, once', () => {
    const chat = ChatDriver.busy();
    chat.wait(5000);
    chat.keys('<Esc><Esc>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'Interrupt' }]);
    expect(chat.chat.overlay).toBeUndefined();
  });

  test('/fork with a record forks there, with nonsense says how', () => {
    const chat = ChatDriver.started();
    chat.keys('/fork 7<Enter>');
    expect(errands(chat)).toEqual([{ type: 'Open', opening: { kind: 'fork', at: 7 } }]);
    chat.keys('/fork seven<Enter>');
    expect(errands(chat)).toEqual([]);
    expect(chat.picture).toContain('usage: /fork');
  });
});
