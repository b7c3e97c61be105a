/** What a screen reader is given: one labelled line for each thing that happens. */
import { describe, expect, test } from 'vitest';
import { announce, announceFirst } from '../../src/view/announce.ts';
import type { Chat } from '../../src/view/chat.ts';
import { layout } from '../../src/view/screen.ts';
import { lineText } from '../../src/view/style.ts';
import { fillPicker } from '../../src/view/update-picker.ts';
import { answered, byUser, ChatDriver, LOOP, STEP, said, TURN, USAGE } from '../support/chat-driver.ts';

const SPOKEN = { spoken: true };
const run = (n: number, toolName: string, summary: string) => ({
  ...STEP,
  toolExecutionId: `r${n}`,
  toolUseId: `u${n}`,
  toolName,
  summary,
});

/** What is said while `act` runs: printed and announced, in order, but for empty lines. */
function heard(chat: ChatDriver, act: () => void): string[] {
  chat.printed = [];
  const before = chat.chat;
  act();
  return [...chat.printed, ...announce(before, chat.chat, chat.now).map(lineText)].filter((line) => line.trim() !== '');
}

const busy = (): ChatDriver => ChatDriver.busy(undefined, SPOKEN);

describe('a turn is heard', () => {
  test('as it begins, works, and ends', () => {
    const chat = ChatDriver.started(undefined, SPOKEN);
    expect(heard(chat, () => chat.turnStarted('command-1', 'fix it\nplease'))).toEqual([
      'You: fix it',
      'please (started)',
    ]);
    expect(heard(chat, () => chat.text('I look at **both** files.'))).toEqual([]);
    // what was said comes before what it led to
    expect(heard(chat, () => chat.event({ type: 'ToolCallStarted', ...run(1, 'shell', 'shell npm test') }))).toEqual([
      'Assistant: I look at both files.',
      'Tool shell: npm test, running',
    ]);
    const use = { type: 'tool_use' as const, id: 'u1', name: 'shell', input: {} };
    const done = { isError: true, resultPreview: '1 failed\n2 passed', durationMs: 2100 };
    expect(heard(chat, () => chat.event({ type: 'ToolCallCompleted', ...run(1, 'shell', ''), ...done }))).toEqual([]);
    const message = {
      ...answered('I look at **both** files.'),
      blocks: [...answered('I look at **both** files.').blocks, use],
    };
    const result = { type: 'tool_result' as const, toolUseId: 'u1', content: said('1 failed').blocks, isError: true };
    expect(
      heard(chat, () =>
        chat.event({ type: 'StepDone', ...STEP, messages: [message, { role: 'tool', blocks: [result] }] }),
      ),
    ).toEqual(['Tool shell: failed after 2.1s: npm test', 'Output: 1 failed', '2 passed']);
    expect(heard(chat, () => chat.text('First line.\n\nSecond', 'step-2'))).toEqual(['Assistant: First line.']);
    const last = { type: 'StepDone' as const, ...STEP, stepId: 'step-2' };
    expect(heard(chat, () => chat.event({ ...last, messages: [answered('First line.\n\nSecond one.')] }))).toEqual([
      'Second one.',
    ]);
    chat.wait(3000);
    const message2 = answered('First line.\n\nSecond one.');
    expect(
      heard(chat, () => chat.event({ type: 'TurnDone', ...TURN, turnIndex: 1, message: message2, usage: USAGE })),
    ).toEqual(['Done: 2 steps, 3.0s, 1.2k in, 34 out']);
  });

  test('as it fails, and what to do', () => {
    const chat = busy();
    const failure = { kind: 'provider_auth', message: 'the key was refused' } as const;
    expect(
      heard(chat, () => chat.event({ type: 'TurnFailed', ...TURN, turnIndex: 1, err: new Error(''), failure })),
    ).toEqual([
      'Failed: provider auth: the key was refused',
      'What to do: /doctor says which key is used; set it, start again with -c, then /retry',
    ]);
  });

  test('as it is interrupted, with what streamed', () => {
    const chat = busy();
    chat.queued('later');
    chat.text('half an ans');
    expect(heard(chat, () => chat.keys('<Esc>'))).toEqual(['Stopping.']);
    const words = heard(chat, () => chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 }));
    expect(words[0]).toBe('Assistant: half an ans');
    expect(words[1]).toMatch(/^Note: the lines above are discarded/);
    expect(words[2]).toMatch(/^Interrupted: after .*s, the queue is paused, 1 input waits: Enter goes on$/);
  });

  test('while it waits for the server, and while it thinks', () => {
    const chat = busy();
    const err = { kind: 'provider_rate_limit', message: 'slow down' } as const;
    const retry = { type: 'InferenceRetrying' as const, ...STEP, attempt: 1, maxAttempts: 5, waitMs: 8000, err };
    expect(heard(chat, () => chat.event(retry))).toEqual(['Waiting: again in 8s, attempt 2 of 5: slow down']);
    const thought = {
      type: 'TokenDelta' as const,
      ...STEP,
      turnIndex: 1,
      chunk: { type: 'thinking' as const, text: 'hm' },
    };
    expect(heard(chat, () => chat.event(thought))).toEqual(['Thinking.']);
    expect(heard(chat, () => chat.event(thought))).toEqual([]);
    expect(heard(chat, () => chat.wait(60_000))).toEqual([]);
  });
});

describe('the queue is heard', () => {
  test('as inputs enter it, are chosen, changed and leave', () => {
    const chat = busy();
    expect(heard(chat, () => chat.queued('one'))).toEqual(['Queued 1, fold: one']);
    expect(
      heard(chat, () => {
        chat.keys('two<Tab>');
        chat.event({ type: 'InputQueued', ...LOOP, cause: byUser(chat.rows.at(-1)?.commandId ?? '') });
      }),
    ).toEqual(['Queued 2, next turn: two']);
    expect(heard(chat, () => chat.keys('<Up>'))).toEqual([
      'Queue: 2',
      '1 fold: one',
      '2 next turn: two',
      'Chosen 2 next turn: two. e edits, d retracts, t folds or holds, Ctrl+S sends it now, Esc goes back.',
    ]);
    expect(heard(chat, () => chat.keys('<Up>'))).toEqual(['Chosen 1 fold: one']);
    expect(heard(chat, () => chat.keys('d'))).toEqual(['Queue 1, now retracting: one']);
    const id = chat.rows[0]?.commandId ?? '';
    const words = heard(chat, () =>
      chat.event({
        type: 'InputCancelled',
        ...LOOP,
        cause: byUser(id),
        reason: 'client_retracted',
        message: said('one'),
      }),
    );
    expect(words).toContain('Retracted: one');
    expect(words.at(-1)).toMatch(/Chosen 1 next turn: two|Out of the queue/);
    expect(heard(chat, () => chat.keys('<Esc>'))).toEqual(['Out of the queue.']);
    expect(
      heard(chat, () =>
        chat.event({ type: 'TurnFoldedInto', ...TURN, cause: byUser('x'), turnIndex: 1, message: said('hi') }),
      ),
    ).toEqual(['You: hi (folded at step 1)']);
  });

  test('as it stands when the program begins', () => {
    const chat = ChatDriver.started(undefined, SPOKEN);
    chat.snapshot([{ commandId: 'a', text: 'kept' }], true);
    expect(announceFirst(chat.chat, chat.now).map(lineText)).toEqual([
      'Queued 1, fold: kept',
      'The queue is paused: Enter on nothing goes on.',
    ]);
  });
});

describe('a question is heard', () => {
  test('whole, with its answers numbered, however low the screen is', () => {
    const chat = ChatDriver.busy({ rows: 5, columns: 30 }, SPOKEN);
    const detail = Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n');
    const request = { toolName: 'shell', summary: 'x', detail, scopes: [{ scope: 'session' as const, covers: 'x' }] };
    const asked = heard(chat, () =>
      chat.event({ type: 'PermissionRequested', ...STEP, toolExecutionId: 'r1', toolUseId: 'u1', request }),
    );
    expect(asked.slice(0, 2)).toEqual(['Question: shell wants to run: line 0', 'line 1']);
    expect(asked.slice(12)).toEqual([
      '1 yes, once',
      '2 yes, for this session: x',
      '4 no',
      '5 no, and say why',
      '1 2 4 5 answer, or Up, Down and Enter.',
    ]);
    chat.wait(400);
    expect(heard(chat, () => chat.keys('<Down>'))).toEqual(['Marked 1 yes, once. Enter gives it.']);
    expect(heard(chat, () => chat.keys('1'))).toEqual(['Question answered.']);
    expect(chat.commands.at(-1)).toMatchObject({ type: 'ApproveToolCall', scope: 'once' });
  });

  test('that it is closed by an interrupt', () => {
    const chat = busy();
    const request = { toolName: 'shell', summary: 'x', detail: 'x', scopes: [] };
    const call = { ...STEP, toolExecutionId: 'r1', toolUseId: 'u1' };
    chat.event({ type: 'PermissionRequested', ...call, request });
    const decided = {
      type: 'PermissionDecided' as const,
      ...call,
      effect: 'deny' as const,
      source: 'abandoned' as const,
    };
    expect(heard(chat, () => chat.event(decided))).toEqual(['The question is closed.']);
  });
});

describe('what opens is heard once', () => {
  test('the help, and that it closed', () => {
    const chat = ChatDriver.started(undefined, SPOKEN);
    const words = heard(chat, () => chat.keys('?'));
    expect(words[0]).toBe('Keys and commands');
    expect(words.at(-1)).toBe('Esc closes.');
    expect(words).toContain('Ctrl+L: draw the screen anew (/redraw)');
    expect(words.length).toBeGreaterThan(chat.chat.size.rows);
    expect(heard(chat, () => chat.keys('<Down>'))).toEqual([]);
    expect(heard(chat, () => chat.keys('<Esc>'))).toEqual(['Closed.']);
  });

  test('a list, numbered, and what is chosen in it', () => {
    const chat = ChatDriver.started(undefined, SPOKEN);
    expect(heard(chat, () => chat.keys('/sessions<Enter>')).at(-1)).toBe('Looking.');
    const items = ['first', 'second'].map((title) => ({ id: title, title, facts: ['1 turn'] }));
    const before: Chat = chat.chat;
    chat.chat = fillPicker(before, 'sessions', items);
    expect(announce(before, chat.chat, chat.now).map(lineText)).toEqual([
      '2 to choose from, type to search:',
      '1 first, 1 turn',
      '2 second, 1 turn',
      'Chosen 1 first, 1 turn',
      'Up and Down choose, Enter takes it, Esc closes.',
    ]);
    expect(heard(chat, () => chat.keys('<Down>'))).toEqual(['Chosen 2 second, 1 turn']);
    expect(heard(chat, () => chat.keys('zz')).at(-1)).toBe('Nothing found.');
    expect(layout(chat.chat, chat.now).lines).toEqual(['search: zz']);
  });

  test('completions and notes', () => {
    const chat = ChatDriver.started(undefined, SPOKEN);
    expect(heard(chat, () => chat.keys('/'))[0]).toMatch(
      /^\d+ to complete, Tab takes \/help, keys and commands\. Down/,
    );
    expect(heard(chat, () => chat.keys('<Down>'))[0]).toMatch(/^2 of \d+: \/retry, /);
    expect(heard(chat, () => chat.keys('zz<Enter>'))[0]).toMatch(/^Note: .*\/zz/);
  });
});

test('the screen is the line that is written, and does not change by itself', () => {
  const chat = busy();
  chat.queued('one', 'two');
  chat.text('streaming');
  expect(layout(chat.chat, chat.now)).toEqual({
    lines: ['> '],
    widths: [2],
    cursor: { x: 2, y: 0 },
    wakeAt: undefined,
  });
  chat.keys('draft');
  chat.wait(60_000);
  expect(layout(chat.chat, chat.now)).toMatchObject({ lines: ['> draft'], cursor: { x: 7, y: 0 }, wakeAt: undefined });
  chat.keys('x'.repeat(200));
  const { widths, cursor } = layout(chat.chat, chat.now);
  expect(widths[0]).toBeLessThan(80);
  expect(cursor?.y).toBe(0);
});

test('/context is words: no bars, no signs', () => {
  const chat = ChatDriver.started(undefined, SPOKEN);
  const parts = [{ kind: 'toolResults' as const, count: 2, tokens: 9400, estimated: 400 }];
  const said = heard(chat, () =>
    chat.context({ parts, total: 9400, estimated: 400, leftOut: 50, window: 20_000, shortenAt: 6000, compactAt: 8000 }),
  );
  expect(said.join('\n')).toContain('tool results (2): about 9.4k, 100 %');
  expect(said.join('\n')).not.toMatch(/[█░≈~#]/);
});

test('a row that is sent now says that it goes first', () => {
  const chat = busy();
  chat.queued('then the docs');
  expect(heard(chat, () => chat.keys('<Up><Ctrl+S>'))).toContain('Queue 1, now goes first: then the docs');
});

test('nothing is said to those who see', () => {
  const chat = ChatDriver.busy();
  const before = chat.chat;
  chat.keys('?');
  expect(announce(before, chat.chat, chat.now)).toEqual([]);
});

test('the settings are a list as well, and what is typed for a secret is not echoed', () => {
  const chat = ChatDriver.started(undefined, SPOKEN);
  const row = { origin: { from: 'default', name: 'default' }, choices: [], atOnce: true };
  const rows = [
    { ...row, key: 'theme', value: 'auto', help: 'The colours.', allowed: 'auto or dark', secret: false },
    { ...row, key: 'apiKey', value: '', help: 'The key.', allowed: 'a key', secret: true },
  ];
  const open = { kind: 'settings', rows, query: '', index: 0, note: undefined } as const;
  const before = chat.chat;
  chat.chat = { ...before, overlay: open };
  expect(announce(before, chat.chat, chat.now).map(lineText)).toEqual([
    'Settings',
    '2 to choose from, type to search:',
    '1 theme: auto',
    '2 apiKey: not set',
    'Chosen 1 theme: auto. The colours.',
    'Up and Down choose, Enter changes it, Esc closes.',
  ]);
  expect(heard(chat, () => chat.keys('<Down>'))).toEqual(['Chosen 2 apiKey: not set. The key.']);
  const chosen = chat.chat;
  chat.chat = { ...chosen, overlay: { ...open, index: 1, edit: { key: 'apiKey', text: 'sk-1', saving: false } } };
  expect(announce(chosen, chat.chat, chat.now).map(lineText)).toEqual([
    'Writing apiKey. Allowed: a key. Enter keeps it.',
  ]);
  expect(layout(chat.chat, chat.now).lines).toEqual(['apiKey = ****']);
  const query = 'keys.hold';
  const unset = { ...open, query, edit: { key: query, text: '', saving: false } };
  chat.chat = { ...chosen, overlay: unset };
  expect(announce({ ...chosen, overlay: { ...open, query } }, chat.chat, chat.now).map(lineText)).toEqual([
    'Writing keys.hold. Allowed: any value. Enter keeps it.',
  ]);
});
