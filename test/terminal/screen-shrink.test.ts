/** A terminal that becomes lower than the live region: what scrolled out of it stands once in the scrollback, not once a frame. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Asked, ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const count = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(unavailable())('a terminal that becomes lower than the region', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat?.close();
    server.stop();
  });
  const open = async (options: OpenOptions = {}): Promise<Asked> => {
    chat = new TerminalProgram({ ...options, env: { ...server.env, ...options.env } });
    await chat.shows('Type a message');
    await chat.send('go');
    return server.next();
  };
  /** The last change was drawn. */
  const drawn = async (from: number): Promise<void> =>
    chat.until('a frame', () => chat.raw.length > from && chat.raw.endsWith('\x1b[?2026l'));
  const resize = async (columns: number, rows: number): Promise<void> => {
    const from = chat.raw.length;
    chat.resize(columns, rows);
    await drawn(from);
  };
  const type = async (letters: string): Promise<void> => {
    for (const [i, letter] of [...letters].entries()) {
      chat.write(letter);
      await chat.shows(letters.slice(0, i + 1));
    }
  };
  const height = (): number => chat.everything.split('\n').length;

  const sizes = [
    [80, 16],
    [40, 12],
    [80, 6],
  ] as const;

  test.each(sizes)('with a question open, 80x24 to %ix%i', async (columns, rows) => {
    const asked = await open();
    const content = Array.from({ length: 10 }, (_, i) => `row-${i}-`).join('\n');
    asked.call('write_file', { path: 'a.txt', content });
    asked.end();
    await chat.shows('once');
    await resize(columns, rows);
    const before = height();
    await type('abcdefgh');
    expect(height()).toBeLessThanOrEqual(before + 1);
    for (const part of ['row-0-', 'wants to run', 'once'])
      expect([part, count(chat.everything, part)]).toEqual([part, expect.toSatisfy((n) => n <= 2)]);
  });

  test.each(sizes)('while it streams above a queue, 80x24 to %ix%i', async (columns, rows) => {
    const asked = await open();
    asked.text('it streams ');
    await chat.shows('it streams');
    for (let n = 1; n <= 7; n += 1) {
      await chat.type(`input-${n}-`);
      chat.write('\r');
      await chat.shows(`queued ${n}`);
    }
    asked.text('word '.repeat(150));
    await chat.until('the tail', () => count(chat.screen, 'word') > 30);
    await resize(columns, rows);
    const before = height();
    await type('abcdefgh');
    for (let n = 0; n < 10; n += 1) {
      const from = chat.raw.length;
      asked.text(`tick-${n}- `);
      // at six rows the queue's heading takes the tail's place
      if (rows > 6) await drawn(from);
    }
    expect(height()).toBeLessThanOrEqual(before + 6);
    expect(count(chat.everything, 'queued 7')).toBeLessThanOrEqual(2);
    expect(count(chat.everything, 'input-3-')).toBeLessThanOrEqual(2);
  });
});
