import { describe, expect, test } from 'vitest';
import { takeBackUnsent } from '../../src/view/fold.ts';
import { answered, byUser, ChatDriver, LOOP, STEP, said, TURN, USAGE } from '../support/chat-driver.ts';

const interrupted = { type: 'TurnInterrupted', ...TURN, turnIndex: 1 } as const;
const cancelled = (commandId: string, reason: 'client_retracted' | 'turn_failed' | 'turn_interrupted', text: string) =>
  ({ type: 'InputCancelled', ...LOOP, cause: byUser(commandId), reason, message: said(text) }) as const;
const failed = () =>
  ({
    type: 'TurnFailed',
    ...TURN,
    turnIndex: 1,
    err: new Error('x'),
    failure: { kind: 'unknown', message: 'it broke' },
  }) as const;

describe('the composer', () => {
  test('Enter sends, and the text goes into the history', () => {
    const chat = ChatDriver.started();
    chat.keys('hello<Enter>');
    expect(chat.takeCommands()).toMatchObject([
      { type: 'UserInput', agency: 'user', blocks: said('hello').blocks, loopId: 'loop-1' },
    ]);
    expect(chat.draft).toBe('');
    chat.turnStarted(chat.rows[0]?.commandId ?? '', 'hello');
    chat.keys('<Up>');
    expect(chat.draft).toBe('hello');
  });

  test('Tab holds for the next turn while busy or paused, and does nothing else', () => {
    const idle = ChatDriver.started();
    idle.keys('hello<Tab>');
    expect([idle.takeCommands(), idle.draft]).toEqual([[], 'hello']);
    const busy = ChatDriver.busy();
    busy.keys('<Tab>');
    expect(busy.takeCommands()).toEqual([]);
    busy.keys('later<Tab>');
    expect(busy.takeCommands()).toMatchObject([{ type: 'UserInput', noFold: true }]);
  });

  test('what is sent before the first loop is there is not lost', () => {
    const chat = new ChatDriver();
    chat.keys('early<Enter>');
    const [command] = chat.takeCommands();
    expect(command).toMatchObject({ type: 'UserInput', blocks: said('early').blocks });
    if (command) chat.answer(command, { ok: false, message: 'the journal cannot be written' });
    expect(chat.draft).toBe('early');
  });

  test('white space alone is not sent', () => {
    const chat = ChatDriver.started();
    chat.keys('   <Enter>');
    expect(chat.takeCommands()).toEqual([]);
  });

  test('a paste never sends, whatever it holds', () => {
    const chat = ChatDriver.started();
    chat.paste('one\ntwo\n');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], 'one\ntwo\n']);
  });

  test('an unknown command is never sent to the model; a leading space sends it as text', () => {
    const chat = ChatDriver.started();
    chat.keys('/hlep<Enter>');
    expect([chat.takeCommands(), chat.draft]).toEqual([[], '/hlep']);
    expect(chat.picture).toContain('did you mean /help?');
    chat.keys('<Ctrl+C> /hlep<Enter>');
    expect(chat.takeCommands()).toMatchObject([{ blocks: said('/hlep').blocks }]);
  });
});

describe('the queue', () => {
  test('a row is there at once and leaves with its event only', () => {
    const chat = ChatDriver.busy();
    const [id = ''] = chat.queued('fix it');
    chat.keys('<Up>d');
    expect(chat.rows[0]).toMatchObject({ commandId: id, state: 'retracting' });
    expect(chat.picture).toContain('retracting');
    expect(chat.takeCommands().at(-1)).toMatchObject({ type: 'CancelQueuedInput', targetCommandId: id });
    chat.keys('d');
    expect(chat.takeCommands()).toEqual([]);
    chat.event(cancelled(id, 'client_retracted', 'fix it'));
    expect(chat.rows).toEqual([]);
    expect(chat.chat.focus.kind).toBe('composer');
    expect(chat.printed.join('\n')).toContain('fix it  · retracted');
    chat.keys('<Up>');
    expect(chat.draft).toBe('fix it');
  });

  test('a retract that came too late says where the input went', () => {
    const chat = ChatDriver.busy();
    const [id = ''] = chat.queued('fix it');
    chat.keys('<Up>d');
    chat.event({ type: 'StepDone', ...STEP, messages: [answered('x')] });
    chat.event({ type: 'TurnFoldedInto', ...TURN, cause: byUser(id), turnIndex: 1, message: said('fix it') });
    expect(chat.printed.join('\n')).toContain('fix it  · folded at step 1, too late to retract');
    expect(chat.picture).toContain('too late to take it back: it was folded at step 1');
  });

  test('e retracts into the composer and brings the draft back after', () => {
    const chat = ChatDriver.busy();
    const [id = ''] = chat.queued('renmae it');
    chat.keys('half a dra<Alt+Up>e');
    expect([chat.chat.focus.kind, chat.draft]).toEqual(['composer', 'half a dra']);
    chat.keys('ft');
    chat.event(cancelled(id, 'client_retracted', 'renmae it'));
    expect(chat.draft).toBe('renmae it');
    chat.takeCommands();
    chat.keys('!<Enter>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'UserInput', blocks: said('renmae it!').blocks }]);
    expect(chat.draft).toBe('half a draft');
  });

  test('e on a row that is folded meanwhile leaves the draft alone', () => {
    const chat = ChatDriver.busy();
    const [id = ''] = chat.queued('renmae it');
    chat.keys('draft<Alt+Up>e');
    chat.event({ type: 'TurnFoldedInto', ...TURN, cause: byUser(id), turnIndex: 1, message: said('renmae it') });
    expect(chat.draft).toBe('draft');
  });

  test('D retracts all, t asks for the other mark, Alt with an arrow moves', () => {
    const chat = ChatDriver.busy();
    const [a = '', b = '', c = ''] = chat.queued('a', 'b', 'c');
    chat.takeCommands();
    chat.keys('<Up>t');
    expect(chat.takeCommands()).toMatchObject([{ type: 'SetQueuedInput', targetCommandId: c, noFold: true }]);
    chat.keys('<Alt+Up>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'MoveQueuedInput', targetCommandId: c, beforeCommandId: b }]);
    chat.keys('<Up><Alt+Down>');
    const [down] = chat.takeCommands();
    expect(down).toMatchObject({ type: 'MoveQueuedInput', targetCommandId: b });
    expect(down).not.toHaveProperty('beforeCommandId');
    chat.keys('D');
    expect(chat.takeCommands().map((one) => 'targetCommandId' in one && one.targetCommandId)).toEqual([a, b, c]);
  });

  test('the order of the session is the order of the rows', () => {
    const chat = ChatDriver.busy();
    const [a = '', b = ''] = chat.queued('a', 'b');
    chat.snapshot([
      { commandId: b, text: 'b' },
      { commandId: a, text: 'a', noFold: true },
    ]);
    expect(chat.rows.map((row) => [row.commandId, row.noFold])).toEqual([
      [b, false],
      [a, true],
    ]);
  });

  test('any other printable key goes back and is typed; Esc only goes back', () => {
    const chat = ChatDriver.busy();
    chat.queued('a');
    chat.keys('<Up>x');
    expect([chat.chat.focus.kind, chat.draft]).toEqual(['composer', 'x']);
    chat.keys('<Backspace><Up><Esc>');
    expect(chat.chat.focus.kind).toBe('composer');
    expect(chat.commands.some((one) => one.type === 'Interrupt')).toBe(false);
  });

  test('↓ behind the last row goes back to the composer', () => {
    const chat = ChatDriver.busy();
    chat.queued('a', 'b');
    chat.keys('<Up><Up><Down><Down>');
    expect(chat.chat.focus.kind).toBe('composer');
  });
});

describe('an interrupt', () => {
  test('Esc once: stopping at once, paused with its event, Enter on nothing goes on', () => {
    const chat = ChatDriver.busy();
    chat.queued('later');
    chat.takeCommands();
    chat.keys('<Esc>');
    expect(chat.picture).toContain('stopping');
    chat.keys('<Esc>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'Interrupt', loopId: 'loop-1' }]);
    chat.event(interrupted);
    expect(chat.printed.join('\n')).toContain('interrupted · after');
    expect(chat.picture).toContain('queued 1 · paused');
    chat.keys('<Enter>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'ResumeQueue', loopId: 'loop-1' }]);
  });

  test('an interrupt that came too late shows no stopping', () => {
    const chat = ChatDriver.busy();
    chat.keys('<Esc>');
    const [command] = chat.takeCommands();
    if (command) chat.answer(command, { ok: true, ack: { cancelled: false } });
    expect(chat.picture).not.toContain('stopping');
  });

  test('Esc while idle keeps the draft', () => {
    const chat = ChatDriver.started();
    chat.keys('draft<Esc><Esc>');
    expect([chat.draft, chat.takeCommands()]).toEqual(['draft', []]);
  });

  test('Esc closes the topmost layer only', () => {
    const chat = ChatDriver.busy();
    chat.keys('?');
    expect(chat.chat.overlay?.kind).toBe('help');
    chat.keys('<Esc>/re<Esc>');
    expect(chat.draft).toBe('/re');
    chat.keys('<Ctrl+C><Ctrl+R><Esc>');
    expect(chat.takeCommands()).toEqual([]);
    chat.keys('<Esc>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'Interrupt' }]);
  });
});

describe('returned inputs', () => {
  const afterFailure = (): ChatDriver => {
    const chat = ChatDriver.busy();
    const ids = chat.queued('one', 'two');
    chat.event(failed());
    for (const [i, id] of ids.entries()) chat.event(cancelled(id, 'turn_failed', i === 0 ? 'one' : 'two'));
    chat.takeCommands();
    return chat;
  };

  test('Enter on nothing sends all, in order, under new ids', () => {
    const chat = afterFailure();
    const before = chat.returned.map((row) => row.commandId);
    chat.keys('<Enter>');
    const sent = chat.takeCommands();
    expect(sent).toMatchObject([{ blocks: said('one').blocks }, { blocks: said('two').blocks }]);
    expect(new Set([...before, ...sent.map((one) => one.commandId)]).size).toBe(4);
    expect(chat.returned).toEqual([]);
  });

  test('e takes one into the composer, d drops one', () => {
    const chat = afterFailure();
    chat.keys('<Up>e');
    expect([chat.draft, chat.returned.length]).toEqual(['two', 1]);
    chat.keys('<Ctrl+C><Up>d');
    expect(chat.returned).toEqual([]);
  });

  test('a rejected text goes back into the composer; where a draft stands, among the returned', () => {
    const chat = ChatDriver.busy();
    chat.keys('one<Enter>');
    const id = chat.rows[0]?.commandId ?? '';
    chat.event({ type: 'TurnRejected', ...LOOP, cause: byUser(id), reason: 'queue_full' });
    expect(chat.draft).toBe('one');
    chat.keys('<Ctrl+C>two<Enter>draft');
    const second = chat.rows[0]?.commandId ?? '';
    chat.event({ type: 'TurnRejected', ...LOOP, cause: byUser(second), reason: 'queue_full' });
    expect([chat.draft, chat.returned.map((row) => row.reason)]).toEqual(['draft', ['rejected']]);
  });

  test('an input that the session refuses is not lost', () => {
    const chat = ChatDriver.started();
    chat.keys('one<Enter>');
    const [command] = chat.takeCommands();
    if (command) chat.answer(command, { ok: false, message: 'the disk is full' });
    expect([chat.draft, chat.rows]).toEqual(['one', []]);
    expect(chat.picture).toContain('the disk is full');
  });
});

describe('leaving', () => {
  const quits = (chat: ChatDriver) => chat.intents.filter((intent) => intent.type === 'Quit').length;

  test('Ctrl+C: the draft into the history, then an interrupt, then twice within 2 s', () => {
    const chat = ChatDriver.busy();
    chat.keys('draft<Ctrl+C>');
    expect([chat.draft, chat.chat.history]).toEqual(['', ['draft']]);
    chat.keys('<Ctrl+C>');
    expect(chat.takeCommands()).toMatchObject([{ type: 'Interrupt' }]);
    chat.event(interrupted);
    chat.keys('<Ctrl+C>');
    chat.wait(2100);
    chat.keys('<Ctrl+C>');
    expect(quits(chat)).toBe(0);
    chat.keys('<Ctrl+C>');
    expect(quits(chat)).toBe(1);
  });

  test('Ctrl+D on nothing leaves; with work at hand it says so first', () => {
    const idle = ChatDriver.started();
    idle.keys('<Ctrl+D>');
    expect(quits(idle)).toBe(1);
    const busy = ChatDriver.busy();
    busy.queued('later');
    busy.keys('<Ctrl+D>');
    expect(quits(busy)).toBe(0);
    expect(busy.picture).toContain('a turn is running, 1 input is queued: once more to leave');
    busy.keys('<Ctrl+D>');
    expect(quits(busy)).toBe(1);
  });

  test('Ctrl+D in a draft erases to the right', () => {
    const chat = ChatDriver.started();
    chat.keys('ab<Ctrl+D>');
    expect([chat.draft, quits(chat)]).toEqual(['ab', 0]);
  });
});

test('approval mode goes round with Shift+Tab', () => {
  const chat = ChatDriver.started();
  chat.keys('<Shift+Tab><Shift+Tab><Shift+Tab>');
  expect(chat.intents.flatMap((one) => (one.type === 'SetApproval' ? [one.mode] : []))).toEqual([
    'auto',
    'deny',
    'ask',
  ]);
});

test('Ctrl+R finds in the history, the latest first', () => {
  const chat = ChatDriver.started();
  for (const text of ['fix one', 'other', 'fix two']) {
    chat.keys(`${text}<Enter>`);
    chat.turnStarted(chat.rows[0]?.commandId ?? '', text);
  }
  chat.keys('<Ctrl+R>fix<Ctrl+R><Enter>');
  expect(chat.draft).toBe('fix one');
});

describe('what is said is true', () => {
  const last = (chat: ChatDriver) => chat.chat.notice?.text;

  test.each([
    ['nothing waits', (chat: ChatDriver) => chat, '↑ brings it back', '<Up>'],
    ['something is queued', (chat: ChatDriver) => chat.queued('later'), 'Ctrl+P brings it back', '<Ctrl+P>'],
  ])('Ctrl+C on a draft names the key that has it: %s', (_, before, words, key) => {
    const chat = ChatDriver.busy();
    before(chat);
    chat.keys('half a thought<Ctrl+C>');
    expect(last(chat)).toContain(words);
    chat.keys(key);
    expect(chat.draft).toBe('half a thought');
  });

  test('"Ctrl+C again leaves" stands as long as it holds', () => {
    const chat = ChatDriver.started();
    chat.keys('<Ctrl+C>');
    expect(chat.picture).toContain('Ctrl+C again leaves');
    chat.wait(2000);
    expect(chat.picture).not.toContain('Ctrl+C again leaves');
  });

  test.each([
    ['/move 1 2', 'nothing is queued'],
    ['/move', 'usage: /move N M'],
    ['/loops 1', 'loop 1 is on the screen already'],
  ])('%s', (typed, words) => {
    const chat = ChatDriver.started();
    chat.keys(`${typed}<Enter>`);
    expect([chat.takeCommands(), last(chat)]).toEqual([[], words]);
  });

  test('what was announced is not said any more once it is done', () => {
    const chat = ChatDriver.busy();
    chat.keys('/compact<Enter>');
    expect(last(chat)).toBe('summarised when the turn is over');
    chat.event({ type: 'HistoryCompacted', ...LOOP, summary: 'x', usage: USAGE });
    expect(last(chat)).toBeUndefined();
  });

  test('/context asks the session', () => {
    const chat = ChatDriver.started();
    chat.keys('/context<Enter>');
    expect(chat.intents).toContainEqual({ type: 'Errand', errand: { type: 'TellContext', ...LOOP } });
  });

  test('/status asks for the server as well', () => {
    const chat = ChatDriver.started();
    chat.keys('/status<Enter>');
    expect(chat.intents).toContainEqual({
      type: 'Errand',
      errand: { type: 'TellServer', provider: 'fake', model: 'fake-model' },
    });
  });
});

test('a session that is over before it answered gives back what was being sent', () => {
  const chat = ChatDriver.started();
  chat.keys('save this<Enter>and this<Enter>');
  chat.chat = takeBackUnsent(chat.chat);
  expect([chat.draft, chat.rows, chat.chat.view.loops[0]?.queue.returned]).toMatchObject([
    'save this',
    [],
    [{ blocks: said('and this').blocks, reason: 'rejected' }],
  ]);
});

test('what answers a command is set apart from what was told before', () => {
  const chat = ChatDriver.started();
  chat.keys('/loops<Enter>');
  chat.keys('/loops<Enter>');
  const told = ['  * 1 main (fake-model): idle', '  /loops N shows one, /loops new starts another'];
  expect(chat.printed.slice(-6)).toEqual(['', ...told, '', ...told]);
});
