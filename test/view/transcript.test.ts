import { describe, expect, test } from 'vitest';
import type { AssistantMessage } from '../../src/domain/content.ts';
import { toolMessage } from '../../src/domain/content.ts';
import type { EventBody } from '../../src/domain/event.ts';
import { answered, byUser, ChatDriver, STEP, said, TURN, USAGE } from '../support/chat-driver.ts';

const stepDone = (text: string): EventBody => ({ type: 'StepDone', ...STEP, messages: [answered(text)] });
const turnDone = (text: string) =>
  ({ type: 'TurnDone', ...TURN, turnIndex: 1, message: answered(text), usage: USAGE }) as const;
const DISCARDED = '┄┄ the lines above are discarded: they are not part of the conversation';

describe('a stream', () => {
  test('finished lines are printed as they come, its StepDone prints only the rest', () => {
    const chat = ChatDriver.busy();
    chat.text('first line\n\nsecond');
    expect(chat.printed).toEqual(['', 'first line']);
    expect(chat.picture).toContain('second');
    chat.text(' line');
    chat.event(stepDone('first line\n\nsecond line'));
    expect(chat.printed).toEqual(['', 'first line', '', 'second line']);
  });

  test('a resize in the middle prints nothing twice', () => {
    const chat = ChatDriver.busy();
    const text =
      'a paragraph of several words that is longer than a narrow screen\n\nanother paragraph of several words';
    chat.text(text.slice(0, 80));
    chat.chat = { ...chat.chat, size: { rows: 24, columns: 30 } };
    chat.text(text.slice(80));
    chat.event(stepDone(text));
    const words = chat.printed.join(' ').split(/\s+/).filter(Boolean);
    expect(words.filter((word) => word === 'paragraph')).toHaveLength(2);
  });

  test('what is committed beyond what was seen is printed too', () => {
    const chat = ChatDriver.busy();
    chat.text('one\n\ntwo');
    chat.event(stepDone('one\n\ntwo and three'));
    expect(chat.printed).toEqual(['', 'one', '', 'two and three']);
  });

  test('where what was printed is no prefix of it, the whole Step is printed under a line that says why', () => {
    const chat = ChatDriver.busy();
    chat.text('one\n\ntwo');
    chat.event(stepDone('other\n\ntwo'));
    expect(chat.printed).toEqual([
      '',
      'one',
      '',
      '↩ what was kept differs from what streamed: here is all of it',
      '',
      'other',
      '',
      'two',
    ]);
  });

  test('where nothing was printed yet, no line needs to say why', () => {
    const chat = ChatDriver.busy();
    chat.text('one');
    chat.event(stepDone('other'));
    expect(chat.printed).toEqual(['', 'other']);
  });

  test('after a loss nothing is printed before the StepDone, which makes it whole', () => {
    const chat = ChatDriver.busy();
    chat.text('one\n\n');
    chat.event(
      { type: 'TokenDelta', ...STEP, turnIndex: 1, chunk: { type: 'text', text: 'ee\n\nfour\n\n' } },
      { dropped: 3 },
    );
    expect(chat.printed).toEqual(['', 'one']);
    chat.event(stepDone('one\n\ntwo\n\nthree\n\nfour'));
    expect(chat.printed).toEqual(['', 'one', '', 'two', '', 'three', '', 'four']);
  });
});

describe('a terminal without a StepDone', () => {
  test('its text stays, all of it, and is marked', () => {
    const chat = ChatDriver.busy();
    chat.text('one\n\ntwo');
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed.slice(0, 5)).toEqual(['', 'one', '', 'two', DISCARDED]);
  });

  test('where nothing was shown nothing is discarded', () => {
    const chat = ChatDriver.busy();
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed).toEqual(['', '■ interrupted · after 0.0s']);
  });

  test('a running tool is shown as stopped', () => {
    const chat = ChatDriver.busy();
    chat.event({
      type: 'ToolCallStarted',
      ...STEP,
      toolExecutionId: 'r',
      toolUseId: 'u',
      toolName: 'shell',
      summary: 'sleep 60',
    });
    chat.wait(2000);
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed.slice(0, 3)).toEqual(['', '■ shell sleep 60 · stopped · 2.0s', DISCARDED]);
  });

  test('the steps before it are not marked', () => {
    const chat = ChatDriver.busy();
    chat.text('one');
    chat.event(stepDone('one'));
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed).not.toContain(DISCARDED);
  });
});

describe('status lines', () => {
  test('done: steps, time, tokens', () => {
    const chat = ChatDriver.busy();
    chat.text('one');
    chat.event(stepDone('one'));
    chat.wait(61_000);
    chat.event(turnDone('one'));
    expect(chat.printed.at(-1)).toBe('✔ done · 1 step · 1m01s · 1.2k in, 34 out');
  });

  test('failed: kind, message, what to do', () => {
    const chat = ChatDriver.busy();
    chat.queued('later');
    chat.printed = [];
    const failure = { kind: 'provider_auth', message: 'the key was refused' } as const;
    chat.event({ type: 'TurnFailed', ...TURN, turnIndex: 1, err: new Error('x'), failure });
    expect(chat.printed).toEqual([
      '',
      '✖ failed · provider_auth: the key was refused',
      '  /doctor says which key is used; set it, start again with -c, then /retry',
    ]);
  });

  test('thirty inputs that a failure returns are five receipts and a count, said once', () => {
    const chat = ChatDriver.busy();
    const ids = chat.queued(...Array.from({ length: 30 }, (_, i) => `input ${i + 1}`));
    const failure = { kind: 'provider_auth', message: 'the key was refused' } as const;
    chat.event({ type: 'TurnFailed', ...TURN, turnIndex: 1, err: new Error('x'), failure });
    chat.printed = [];
    for (const [i, id] of ids.entries()) {
      const message = said(`input ${i + 1}`);
      chat.event({ type: 'InputCancelled', ...TURN, cause: byUser(id), turnIndex: 1, reason: 'turn_failed', message });
    }
    expect(chat.printed).toEqual([
      ...[1, 2, 3, 4, 5].map((n) => `↩ input ${n}  · returned (failed)`),
      '↩ … +25 returned',
    ]);
    expect(chat.picture).toContain('returned 30');
  });

  test('what is counted is told before anything else, where some of the queue stays', () => {
    const chat = ChatDriver.busy();
    const ids = chat.queued('a', 'b', 'c', 'd', 'e', 'f', 'g', 'stays');
    chat.printed = [];
    for (const id of ids.slice(0, 7)) {
      const cause = { commandId: id, agency: 'machine' } as const;
      chat.event({
        type: 'InputCancelled',
        ...TURN,
        cause,
        turnIndex: 1,
        reason: 'turn_interrupted',
        message: said(id),
      });
    }
    expect(chat.printed).toHaveLength(6);
    chat.turnStarted(ids[7] ?? '', 'stays', 'turn-2', 2);
    expect(chat.printed.slice(6)).toEqual(['↩ … +2 returned', '', '› stays  · started']);
  });

  test('leaving: the queue is offered again, nothing says that Enter goes on', () => {
    const chat = ChatDriver.busy();
    chat.queued('a', 'b');
    chat.keys('<Ctrl+D><Ctrl+D>');
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed.at(-1)).toMatch(/^■ interrupted · .* 2 queued inputs are offered again by -c$/);
    expect(chat.printed.join(' ')).not.toContain('Enter goes on');
  });

  test('interrupted: what became of the queue', () => {
    const chat = ChatDriver.busy({ rows: 24, columns: 120 });
    chat.queued('a', 'b');
    chat.snapshot([
      { commandId: chat.rows[0]?.commandId ?? '', text: 'a' },
      { commandId: chat.rows[1]?.commandId ?? '', text: 'b' },
      { commandId: 'm', text: 'c', agency: 'machine' },
    ]);
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed.at(-1)).toMatch(
      /^■ interrupted · .*the queue is paused, 2 inputs wait: Enter goes on · 1 machine input returned$/,
    );
  });
});

describe('messages', () => {
  test('every input has its receipt beside it', () => {
    const chat = ChatDriver.started();
    chat.turnStarted('a', 'hello');
    chat.event({
      type: 'TurnFoldedInto',
      ...TURN,
      cause: { commandId: 'b', agency: 'machine' },
      turnIndex: 1,
      message: said('and this'),
    });
    expect(chat.printed).toEqual(['', '› hello  · started', '', '› and this  · folded at step 1, from a machine']);
  });

  test('an input without blocks says what it asks for', () => {
    const chat = ChatDriver.started();
    chat.event({
      type: 'TurnStarted',
      ...TURN,
      cause: byUser('a'),
      turnIndex: 1,
      message: { role: 'user', blocks: [] },
    });
    expect(chat.printed).toEqual(['', '› (retry)  · started']);
  });

  test('tool calls: name, summary, state, time, output folded; in call order', () => {
    const chat = ChatDriver.busy();
    const call = (n: number) => ({
      ...STEP,
      toolExecutionId: `r${n}`,
      toolUseId: `u${n}`,
      toolName: 'read_file',
      summary: `read_file f${n}`,
    });
    chat.event({ type: 'ToolCallStarted', ...call(1) });
    chat.event({ type: 'ToolCallStarted', ...call(2) });
    const output = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join('\n');
    chat.event({ type: 'ToolCallCompleted', ...call(2), isError: true, resultPreview: 'no such file', durationMs: 20 });
    chat.event({ type: 'ToolCallCompleted', ...call(1), isError: false, resultPreview: output, durationMs: 1200 });
    const message: AssistantMessage = {
      role: 'assistant',
      blocks: [1, 2].map((n) => ({ type: 'tool_use', id: `u${n}`, name: 'read_file', input: { path: `f${n}` } })),
    };
    chat.event({
      type: 'StepDone',
      ...STEP,
      messages: [message, toolMessage('u1', output), toolMessage('u2', 'no such file', true)],
    });
    expect(chat.printed).toEqual([
      '',
      '✔ read_file f1 · 1.2s',
      '  line 1',
      '  line 2',
      '  line 3',
      '  … +6 lines',
      '✖ read_file f2 · error · 0.0s',
      '  no such file',
    ]);
    chat.printed = [];
    chat.keys('<Ctrl+O>');
    expect(chat.printed).toContain('  line 9');
  });

  test.each([
    ['user', 'not here', ['✖ shell rm x · error, you said no', '  not here']],
    ['user', undefined, ['✖ shell rm x · error, you said no']],
    ['policy', undefined, ['✖ shell rm x · error · 0.0s', '  The call was refused.']],
  ] as const)('a call that was refused by %s with %j', (source, reason, printed) => {
    const chat = ChatDriver.busy();
    const ids = { ...STEP, toolExecutionId: 'r', toolUseId: 'u' };
    const request = { toolName: 'shell', summary: 'rm x', detail: 'rm x', scopes: [] };
    chat.event({ type: 'PermissionRequested', ...ids, request });
    chat.event({ type: 'PermissionDecided', ...ids, effect: 'deny', source, ...(reason && { reason }) });
    const call = { ...ids, toolName: 'shell', summary: 'rm x' };
    chat.event({ type: 'ToolCallStarted', ...call });
    const resultPreview = 'The call was refused.';
    chat.event({ type: 'ToolCallCompleted', ...call, isError: true, resultPreview, durationMs: 0 });
    const blocks = [{ type: 'tool_use' as const, id: 'u', name: 'shell', input: { command: 'rm x' } }];
    const messages = [{ role: 'assistant', blocks }, toolMessage('u', resultPreview, true)] as const;
    chat.event({ type: 'StepDone', ...STEP, messages: [...messages] });
    expect(chat.printed.slice(1)).toEqual(printed);
  });

  test('questions that were declined, whose calls begin later', () => {
    const chat = ChatDriver.busy();
    const asked = ['a', 'b'].map((id) => ({ ...STEP, toolExecutionId: `run-${id}`, toolUseId: id }));
    for (const ids of asked) {
      chat.event({ type: 'UserInputRequested', ...ids, question: 'Which?', choices: [] });
      chat.event({ type: 'PermissionDecided', ...ids, effect: 'deny', source: 'user', reason: `no ${ids.toolUseId}` });
    }
    for (const ids of asked) {
      const call = { ...ids, toolName: 'ask_user', summary: 'Which?' };
      chat.event({ type: 'ToolCallStarted', ...call });
      chat.event({ type: 'ToolCallCompleted', ...call, isError: true, resultPreview: 'refused', durationMs: 0 });
    }
    const uses = asked.map(({ toolUseId: id }) => ({ type: 'tool_use' as const, id, name: 'ask_user', input: {} }));
    const results = asked.map(({ toolUseId }) => toolMessage(toolUseId, 'refused', true));
    chat.event({ type: 'StepDone', ...STEP, messages: [{ role: 'assistant', blocks: uses }, ...results] });
    const head = '✖ ask_user Which? · error, you said no';
    expect(chat.printed.slice(1)).toEqual([head, '  no a', head, '  no b']);
  });

  test('what a restored conversation shows comes from its messages alone', () => {
    const chat = ChatDriver.busy();
    const message: AssistantMessage = {
      role: 'assistant',
      blocks: [{ type: 'tool_use', id: 'u', name: 'shell', input: { command: 'ls' } }],
    };
    chat.event({ type: 'StepDone', ...STEP, messages: [message, toolMessage('u', 'a\nb')] });
    expect(chat.printed).toEqual(['', '✔ shell ls', '  a', '  b']);
  });
});

test('escape sequences of models, tools and people are shown, not sent', () => {
  const evil = '\u001b]0;x\u0007\u001b[2J\u202e';
  const chat = ChatDriver.busy();
  chat.text(`${evil}\n\n`);
  chat.event({
    type: 'ToolCallStarted',
    ...STEP,
    toolExecutionId: 'r',
    toolUseId: 'u',
    toolName: `t${evil}`,
    summary: evil,
  });
  chat.queued(`q`);
  chat.snapshot([{ commandId: chat.rows[0]?.commandId ?? '', text: evil }]);
  const drawn = [...chat.printed, ...chat.screen()].join('\n');
  expect(drawn).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(drawn).toContain('␛[2J');
});

test('a thought in which the turn broke off stays, and is marked as discarded', () => {
  const chat = ChatDriver.busy();
  const chunk = { type: 'thinking', text: 'It may be the parser.\nOr the lexer.' } as const;
  chat.event({ type: 'TokenDelta', ...STEP, turnIndex: 1, chunk });
  chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
  expect(chat.printed.slice(0, 4)).toEqual(['', 'It may be the parser.', 'Or the lexer.', DISCARDED]);
});

test('a preview that was cut says where the rest is, not a number that it does not know', () => {
  const chat = ChatDriver.busy();
  const call = { ...STEP, toolExecutionId: 'r1', toolUseId: 'u1', toolName: 'write_file', summary: 'a.txt' };
  const lines = Array.from({ length: 19 }, (_, i) => `+ ${i}`);
  const resultPreview = [...lines, '… cut'].join('\n');
  chat.event({ type: 'ToolCallStarted', ...call });
  chat.event({ type: 'ToolCallCompleted', ...call, isError: false, durationMs: 3, resultPreview });
  const use = { type: 'tool_use', id: 'u1', name: 'write_file', input: {} } as const;
  const calling: AssistantMessage = { role: 'assistant', blocks: [use], usage: USAGE };
  chat.event({ type: 'StepDone', ...STEP, messages: [calling, toolMessage('u1', 'done')] });
  expect(chat.printed.slice(-2)).toEqual(['  + 2', '  … more under Ctrl+T']);
  chat.printed = [];
  chat.keys('<Ctrl+O>');
  expect(chat.printed).toHaveLength(22);
  expect(chat.printed.at(-1)).toBe('  … more under Ctrl+T');
});
