/** The real cursor stands at the caret, and ↑ and ↓ keep the draft (field reports R47, R50 and their neighbours). */
import { afterEach, describe, expect, test } from 'vitest';
import { Conversation } from './conversation.ts';
import { type TerminalProgram, unavailable } from './terminal.ts';

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const LEFT = '\x1b[D';

describe.skipIf(unavailable())('the caret', () => {
  let talk: Conversation;
  afterEach(() => talk?.close());
  /** The cursor is at the column of the row that holds the text. */
  const stands = (chat: TerminalProgram, row: string, x: number): Promise<void> =>
    chat.until(`the cursor at ${x} of ${JSON.stringify(row)}`, () => {
      const y = chat.screen.split('\n').findLastIndex((line) => line.includes(row));
      return y >= 0 && chat.cursor.y === y && chat.cursor.x === x;
    });

  test('stands behind wide characters, between them, in each of several lines', async () => {
    talk = await Conversation.open();
    const { chat } = talk;
    chat.write('한글ab');
    await stands(chat, '› 한글ab', 2 + 6);
    chat.write(LEFT + LEFT);
    await stands(chat, '› 한글ab', 2 + 4);
    chat.write(LEFT);
    await stands(chat, '› 한글ab', 2 + 2);
    chat.write('\x05\nzwei👩‍👩‍👧\n!');
    await stands(chat, '  !', 3);
    chat.write(UP + '\x05');
    await chat.shows('zwei');
    chat.write(UP + '\x01');
    await stands(chat, '› 한글ab', 2);
  });

  test('stands in the next row where a row is full, also with a wide character that does not fit', async () => {
    talk = await Conversation.open({ columns: 20 });
    const { chat } = talk;
    chat.write('a'.repeat(17));
    await stands(chat, `› ${'a'.repeat(17)}`, 19);
    chat.write('b');
    await stands(chat, '  b', 3);
    chat.write('\x7f\x7f한');
    await stands(chat, '  한', 4);
    chat.write(`${LEFT}${LEFT}`);
    await stands(chat, `› ${'a'.repeat(16)}`, 17);
  });

  test('stands there with rows queued, while text streams, and after a resize', async () => {
    talk = await Conversation.open();
    const { chat, server } = talk;
    await chat.send('go');
    const asked = await server.next();
    asked.text('first words\n\n');
    for (const word of ['queued-a', 'queued-b']) {
      await chat.type(word);
      chat.write('\r');
      await chat.shows(`fold       ${word}`);
    }
    chat.write(`한글ab${LEFT}${LEFT}`);
    await stands(chat, '› 한글ab', 6);
    for (let n = 0; n < 10; n += 1) {
      asked.text(`more ${n}\n\n`);
      await chat.until(`more ${n}`, () => chat.everything.includes(`more ${n}\n`));
      await stands(chat, '› 한글ab', 6);
    }
    for (const [columns, rows] of [
      [40, 24],
      [100, 30],
      [60, 12],
      [80, 24],
    ] as const) {
      chat.resize(columns, rows);
      await stands(chat, '› 한글ab', 6);
    }
    await chat.until(
      'a cursor that is seen',
      () => chat.raw.lastIndexOf('\x1b[?25h') > chat.raw.lastIndexOf('\x1b[?25l'),
    );
  });
});

describe.skipIf(unavailable())('↑ and ↓', () => {
  let talk: Conversation;
  afterEach(() => talk?.close());
  /** What stands in the composer: the last prompt on the screen, and the rows below it. */
  const draftOf = ({ screen }: TerminalProgram): string => screen.slice(screen.lastIndexOf('› ') + 2);
  const holds = (chat: TerminalProgram, draft: string): Promise<void> =>
    chat.until(`the draft ${JSON.stringify(draft)}`, () => draftOf(chat) === draft);
  const withHistory = async (columns = 80): Promise<TerminalProgram> => {
    talk = await Conversation.open({ columns });
    for (const text of ['h1', 'h2']) await talk.made(text);
    return talk.chat;
  };

  test('go through the draft first, and the draft is there again with its cursor', async () => {
    const chat = await withHistory();
    chat.write('one\ntwo\nthree');
    await holds(chat, 'one\n  two\n  three');
    chat.write(UP + LEFT);
    const at = () => JSON.stringify(chat.cursor);
    await chat.until('the cursor in the second line', () => chat.cursor.x === 4);
    const draft = at();
    chat.write(UP);
    await chat.until('the first line', () => at() !== draft);
    chat.write(UP);
    await chat.until('the start', () => chat.cursor.x === 2);
    chat.write(UP);
    await holds(chat, 'h2');
    chat.write(UP);
    await holds(chat, 'h1');
    chat.write(DOWN + DOWN);
    await holds(chat, 'one\n  two\n  three');
    chat.write('X');
    // where it stood before it went to the start
    await holds(chat, 'onXe\n  two\n  three');
  });

  test('go by rows of the screen where one line is wrapped', async () => {
    const chat = await withHistory(40);
    chat.write('word '.repeat(20).trimEnd());
    await chat.shows('word word');
    const whole = draftOf(chat);
    const rows = whole.split('\n').length;
    expect(rows).toBeGreaterThan(2);
    for (let row = rows - 1; row > 0; row -= 1) {
      const { y } = chat.cursor;
      chat.write(UP);
      await chat.until('a row up', () => chat.cursor.y === y - 1);
    }
    expect(draftOf(chat)).toBe(whole);
    chat.write(UP);
    await chat.until('the start', () => chat.cursor.x === 2);
    chat.write(UP);
    await holds(chat, 'h2');
  });

  test('keep what was changed in an entry until something is sent', async () => {
    const chat = await withHistory();
    chat.write(UP);
    await holds(chat, 'h2');
    await chat.until('the end of it', () => chat.cursor.x === 4);
    chat.write('x');
    await holds(chat, 'h2x');
    chat.write(`${UP}${UP}`);
    await holds(chat, 'h1');
    chat.write(DOWN);
    await holds(chat, 'h2x');
    chat.write(DOWN);
    await holds(chat, 'Type a message');
  });

  test('on nothing go into the queue, with a draft into the history', async () => {
    const chat = await withHistory();
    await chat.send('go');
    const asked = await talk.server.next();
    asked.text('words');
    await chat.type('waits');
    chat.write('\r');
    await chat.shows('queued 1');
    chat.write(UP);
    await chat.shows('❯ 1');
    chat.write('\x1b');
    await chat.gone('❯ 1');
    await chat.type('a draft');
    chat.write(UP + UP);
    await holds(chat, 'waits');
    chat.write(DOWN);
    await holds(chat, 'a draft');
    expect(chat.screen).toContain('queued 1');
    expect(chat.screen).toContain('working');
  });
});
