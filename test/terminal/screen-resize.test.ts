/** Resizing, idle, while it streams and in a question: one clean picture, and every finished line once. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const BEFORE = 'i=1; while [ $i -le 100 ]; do echo "mark-$i-"; i=$((i+1)); done; exec "$NODE" "$PROGRAM"';
const count = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(unavailable())('resizing', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat?.close();
    server.stop();
  });
  const open = async (options: OpenOptions = {}): Promise<void> => {
    chat = new TerminalProgram({ shell: BEFORE, ...options, env: { ...server.env, ...options.env } });
    await chat.shows('Type a message');
  };
  /** Resizes and waits until the picture was drawn for that size. */
  const resize = async (columns: number, rows: number): Promise<void> => {
    const from = chat.raw.length;
    chat.resize(columns, rows);
    await chat.until(
      `a picture of ${columns}x${rows}`,
      () => chat.raw.length > from && chat.raw.endsWith('\x1b[?2026l'),
    );
  };
  const untouched = (): void => {
    const marks = [...chat.everything.matchAll(/mark-(\d+)-/g)].map(([, n]) => Number(n));
    expect(marks).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(chat.raw).not.toMatch(/\x1b\[[23]J/);
  };

  test('idle, over many sizes: one prompt, one line of hints, the draft and the cursor behind it', async () => {
    await open();
    await chat.type('half a draft');
    for (const [columns, rows] of [
      [40, 24],
      [120, 24],
      [60, 12],
      [80, 24],
      [24, 24],
      [20, 50],
      [200, 50],
      [80, 5],
      [80, 3],
      [40, 3],
      [80, 24],
    ] as const) {
      await resize(columns, rows);
      expect([columns, rows, count(chat.everything, '› half a draft')]).toEqual([columns, rows, 1]);
      expect(count(chat.everything, 'asks before changes')).toBeLessThanOrEqual(1);
    }
    chat.write('!');
    await chat.shows('› half a draft!');
    expect(chat.cursor.x).toBe('› half a draft!'.length);
    untouched();
  });

  test('a draft of several rows is rewrapped and leaves no copy', async () => {
    await open();
    const draft = Array.from({ length: 30 }, (_, i) => `w${String(i).padStart(2, '0')}`).join(' ');
    chat.write(draft);
    await chat.shows('w29');
    for (const [columns, rows] of [
      [60, 24],
      [100, 24],
      [44, 24],
      [80, 24],
    ] as const) {
      await resize(columns, rows);
      for (const word of ['w00', 'w15', 'w29'])
        expect([columns, word, count(chat.everything, word)]).toEqual([columns, word, 1]);
    }
    untouched();
  });

  test('while it streams, twenty rounds in a hurry: every word once, one prompt, one banner', async () => {
    await open();
    await chat.send('go');
    const asked = await server.next();
    let said = 0;
    for (let round = 0; round < 20; round += 1)
      for (const [columns, rows] of [
        [40, 24],
        [120, 24],
        [60, 12],
        [80, 24],
      ] as const) {
        chat.resize(columns, rows);
        asked.text(`word-${said}-\n\n`);
        said += 1;
        // a burst of sizes now and then, a settled one between
        if (said % 3 === 0) await chat.until('the word', () => chat.everything.includes(`word-${said - 1}-`));
      }
    asked.end();
    await chat.shows('done');
    await chat.until('one prompt', () => count(chat.everything, 'Type a message') === 1);
    expect([...chat.everything.matchAll(/^word-(\d+)-$/gm)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: said }, (_, i) => i),
    );
    expect(count(chat.everything, '  scripted at ')).toBe(1);
    untouched();
  });

  test('with a question open it is asked once, at every size', async () => {
    await open();
    await chat.send('go');
    const asked = await server.next();
    asked.call('shell', { command: 'echo hello' });
    asked.end();
    await chat.shows('1 ');
    for (const [columns, rows] of [
      [60, 24],
      [100, 12],
      [40, 30],
      [80, 8],
      [80, 4],
      [80, 24],
    ] as const) {
      await resize(columns, rows);
      expect([columns, rows, count(chat.everything, 'waiting for your answer')]).toEqual([
        columns,
        rows,
        rows > 8 ? 1 : count(chat.screen, 'waiting for your answer'),
      ]);
    }
    chat.write('\x1b');
    await chat.shows('interrupted');
    untouched();
  });

  test('with an overlay open: what stands below is whole when it closes', async () => {
    await open();
    await chat.send('go');
    const asked = await server.next();
    asked.text('first-line\n\n');
    await chat.shows('first-line');
    chat.write('?');
    await chat.shows('Keys and commands');
    asked.text('second-line\n\n');
    for (const [columns, rows] of [
      [60, 20],
      [100, 30],
      [80, 24],
    ] as const)
      await resize(columns, rows);
    chat.write('\x1b');
    await chat.shows('second-line');
    asked.end();
    await chat.shows('done');
    for (const line of ['first-line', 'second-line', 'Type a message'])
      expect([line, count(chat.everything, line)]).toEqual([line, 1]);
    untouched();
  });
});
