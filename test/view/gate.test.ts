import { describe, expect, test } from 'vitest';
import type { PermissionRequested } from '../../src/domain/runtime-event.ts';
import { ChatDriver, STEP, TURN } from '../support/chat-driver.ts';

const CALL = { ...STEP, toolExecutionId: 'run-1', toolUseId: 'use-1' };
const asks = (detail = 'rm -rf build'): PermissionRequested => ({
  type: 'PermissionRequested',
  ...CALL,
  request: {
    toolName: 'shell',
    summary: detail.split('\n')[0] ?? '',
    detail,
    scopes: [{ scope: 'session', covers: detail }],
  },
});
const question = (choices: string[]) =>
  ({ type: 'UserInputRequested', ...CALL, question: 'Which one?', choices }) as const;

const gated = (size?: { rows: number; columns: number }, detail?: string): ChatDriver => {
  const chat = ChatDriver.busy(size);
  chat.event(asks(detail));
  return chat;
};

describe('the grace time', () => {
  test('what is typed before 350 ms without a key goes to the draft, digits and Enter too', () => {
    const chat = gated();
    chat.keys('yes 1 2 y a<Enter>', 60);
    expect([chat.takeCommands(), chat.draft]).toEqual([[], 'yes 1 2 y a']);
  });

  test('every key begins the quiet anew', () => {
    const chat = gated();
    chat.wait(300);
    chat.keys('a');
    chat.wait(300);
    chat.keys('1');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], 'a1']);
    chat.wait(350);
    chat.keys('1', 0);
    expect(chat.takeCommands()).toMatchObject([{ type: 'ApproveToolCall', scope: 'once', toolExecutionId: 'run-1' }]);
    expect(chat.draft).toBe('a1');
  });

  test.each([
    ['at once, at human speed', 1200, 'please use 2 spaces', 150],
    ['after a hesitation before each key', 1200, 'use python3, 4 of it', 500],
    ['begun before it, gone on with after it', 400, ' and then 2 more', 150],
  ])('a digit within running text is text: %s', (_, wait, text, gap) => {
    const chat = ChatDriver.busy();
    chat.keys('so');
    chat.event(asks());
    chat.wait(wait);
    chat.keys(text, gap);
    expect([chat.takeCommands(), chat.draft]).toEqual([[], `so${text}`]);
    expect(chat.picture).toContain('↑↓ and Enter answer');
    chat.keys('<Down><Enter>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'ApproveToolCall', scope: 'once' }]);
  });

  test.each([
    ['a draft from before', 'so', ''],
    ['a single stray key', '', 'y'],
    ['a text that was taken away again', '', 'no<Backspace><Backspace>'],
  ])('a digit after a pause answers: %s', (_, before, after) => {
    const chat = ChatDriver.busy();
    chat.keys(before);
    chat.event(asks());
    chat.wait(400);
    chat.keys(after);
    chat.wait(400);
    const { draft } = chat;
    chat.keys('4');
    expect([chat.takeCommands().map(({ type }) => type), chat.draft]).toEqual([['DenyToolCall'], draft]);
  });

  test('a paste is writing too', () => {
    const chat = gated();
    chat.wait(1000);
    chat.paste('port');
    chat.wait(1000);
    chat.keys('2');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], 'port2']);
  });

  test('a paste never answers, and counts as typing', () => {
    const chat = gated();
    chat.wait(1000);
    chat.paste('1');
    chat.paste('y\n');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], '1y\n']);
  });

  test('what an overlay hid appears anew when it closes', () => {
    const chat = ChatDriver.busy();
    chat.keys('?');
    chat.event(asks());
    chat.wait(5000);
    chat.keys('1<Esc>1');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], '1']);
  });
});

describe('answers', () => {
  test.each([
    ['1', { type: 'ApproveToolCall', scope: 'once' }],
    ['2', { type: 'ApproveToolCall', scope: 'session' }],
    ['4', { type: 'DenyToolCall' }],
    ['<Down><Down><Enter>', { type: 'ApproveToolCall', scope: 'session' }],
    ['<Up><Up><Enter>', { type: 'DenyToolCall' }],
  ])('%s', (keys, command) => {
    const chat = gated();
    chat.keys('draft');
    chat.wait(400);
    chat.keys(keys);
    expect(chat.takeCommands()).toMatchObject([command]);
    expect(chat.draft).toBe('draft');
  });

  test('a row that is not offered leaves its digit unused: it is typed', () => {
    const chat = gated();
    chat.wait(400);
    chat.keys('3678');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], '3678']);
  });

  test('letters go to the draft, Enter without a mark does nothing, a letter takes the mark away', () => {
    const chat = gated();
    chat.wait(400);
    chat.keys('y<Enter>');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], 'y']);
    chat.keys('<Down>x<Enter>');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], 'yx']);
  });

  test('Enter that answers nothing says what does', () => {
    const chat = gated();
    chat.wait(400);
    chat.keys('<Enter>');
    expect(chat.picture).toMatch(/^1 2 4 5 answer, or ↑↓ and Enter$/m);
    expect(chat.picture).not.toContain('Enter queues');
  });

  test('at a question without choices it says which key opens the answer', () => {
    const chat = ChatDriver.busy();
    chat.event(question([]));
    chat.wait(400);
    chat.keys('<Enter>');
    expect(chat.chat.notice?.text).toBe('press 1 to answer, or ↑↓ and Enter');
  });

  test('no with a word: the draft is put aside and comes back', () => {
    const chat = gated();
    chat.keys('draft');
    chat.wait(400);
    chat.keys('5');
    expect(chat.draft).toBe('');
    chat.keys('too risky<Enter>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'DenyToolCall', reason: 'too risky' }]);
    expect(chat.draft).toBe('draft');
  });

  test('Esc goes back from the word to the question, and from there interrupts', () => {
    const chat = gated();
    chat.keys('draft');
    chat.wait(400);
    chat.keys('5no<Esc>');
    expect([chat.draft, chat.takeCommands()]).toEqual(['draft', []]);
    chat.keys('<Esc>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'Interrupt' }]);
  });

  test('a question that goes away while its word is written leaves the word in the composer', () => {
    const chat = gated();
    chat.wait(400);
    chat.keys('5because');
    chat.event({ type: 'PermissionDecided', ...CALL, effect: 'deny', source: 'abandoned' });
    expect([chat.draft, chat.chat.focus.kind]).toEqual(['because', 'composer']);
  });

  test('an answer is given once', () => {
    const chat = gated();
    chat.wait(400);
    chat.keys('11');
    expect(chat.takeCommands()).toHaveLength(1);
    expect(chat.draft).toBe('1');
  });
});

describe('a request that does not fit', () => {
  const long = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n');

  test('offers only no and view; view shows all, and its end must be seen to approve', () => {
    const chat = gated({ rows: 20, columns: 60 }, long);
    expect(chat.screen().length).toBeLessThanOrEqual(18);
    expect(chat.picture).toMatch(/4 no\s+6 view/);
    expect(chat.picture).not.toContain('1 yes');
    chat.wait(400);
    chat.keys('1');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], '1']);
    chat.keys('6');
    expect(chat.picture).toContain('read to the end to approve');
    chat.keys('1');
    expect(chat.takeCommands()).toEqual([]);
    chat.keys('<End>');
    expect(chat.picture).toContain('line 40');
    chat.keys('1');
    expect(chat.takeCommands()).toMatchObject([{ type: 'ApproveToolCall', scope: 'once' }]);
    expect(chat.chat.overlay).toBeUndefined();
  });

  test('on three rows it takes the last line', () => {
    const chat = gated({ rows: 3, columns: 30 });
    expect(chat.screen()).toEqual(['?  4 no  6 view · shell']);
  });

  test('without room for the grants it offers what it shows whole', () => {
    const chat = gated({ rows: 7, columns: 60 });
    expect(chat.picture).toMatch(/1 yes, once\s+4 no\s+6 view/);
  });
});

describe('questions of the model', () => {
  test('a digit gives a choice', () => {
    const chat = ChatDriver.busy();
    chat.event(question(['red', 'blue']));
    chat.wait(400);
    chat.keys('2');
    expect(chat.takeCommands()).toMatchObject([{ type: 'ProvideUserInput', answer: 'blue' }]);
  });

  test('own words, and none', () => {
    const chat = ChatDriver.busy();
    chat.event(question(['red', 'blue']));
    chat.wait(400);
    chat.keys('3<Enter>');
    expect(chat.takeCommands()).toEqual([]);
    chat.keys('green<Enter>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'ProvideUserInput', answer: 'green' }]);
    const other = ChatDriver.busy();
    other.event(question([]));
    other.wait(400);
    other.keys('2');
    expect(other.takeCommands()).toMatchObject([{ type: 'DenyToolCall' }]);
  });
});

test('the next question appears with its own grace time', () => {
  const chat = gated();
  chat.event({ ...asks('touch P2'), toolExecutionId: 'run-2', toolUseId: 'use-2' });
  chat.wait(400);
  chat.keys('1');
  chat.event({ type: 'PermissionDecided', ...CALL, effect: 'approve', source: 'user', scope: 'once' });
  chat.takeCommands();
  expect(chat.picture).toContain('touch P2');
  chat.keys('1');
  expect(chat.takeCommands()).toEqual([]);
});

test('an interrupt closes what is open', () => {
  const chat = gated();
  chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
  expect(chat.picture).not.toContain('wants to run');
});

test('a stray key takes no digit its meaning, a word does', () => {
  for (const [typed, answers] of [
    ['x', true],
    ['xy', false],
  ] as const) {
    const chat = gated();
    chat.wait(400);
    chat.keys(typed);
    chat.keys('1');
    expect(chat.takeCommands().length > 0).toBe(answers);
  }
});
