/** What stands in the scrollback: everything that was finished, once, and what was there before, untouched. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const BEFORE =
  'i=1; while [ $i -le 100 ]; do echo "mark-$i-"; i=$((i+1)); done; exec "$NODE" "$PROGRAM" --approval ask';
/** A question takes no answer before it could be read: 350 ms without a key. The only way there is time. */
const toBeRead = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 450));
const count = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(unavailable())('the scrollback', () => {
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
  /** What was there before is there in order, and nothing cleared a screen. */
  const untouched = (): void => {
    const marks = [...chat.everything.matchAll(/^mark-(\d+)-$/gm)].map(([, n]) => Number(n));
    expect(marks).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(chat.raw).not.toMatch(/\x1b\[[23]J/);
  };

  test('200 streamed lines stand there once and in order, and cost little more than their bytes', async () => {
    await open();
    await chat.send('go');
    const asked = await server.next();
    const from = chat.raw.length;
    const lines = Array.from({ length: 200 }, (_, i) => `line-${i}- ${'word '.repeat(9)}`);
    for (const line of lines) asked.text(`${line}\n\n`);
    asked.end();
    await chat.shows('done');
    expect([...chat.everything.matchAll(/^line-(\d+)-/gm)].map(([, n]) => Number(n))).toEqual(lines.map((_, i) => i));
    expect(chat.raw.length - from).toBeLessThan(3 * lines.join('\n\n').length);
    untouched();
  });

  test('a queue of thirty keeps the region within the screen', async () => {
    await open({ rows: 16 });
    await chat.send('go');
    const asked = await server.next();
    asked.text('it streams\n\n');
    await chat.shows('it streams');
    for (let n = 1; n <= 30; n += 1) {
      await chat.type(`input-${n}-`);
      chat.write('\r');
      await chat.shows(`queued ${n}`);
    }
    await chat.shows(/\+\d+ more/);
    expect(chat.screen).toContain('it streams');
    chat.write('\x1b');
    await chat.shows('paused');
    await chat.until('one heading', () => count(chat.everything, 'queued 30') === 1);
    untouched();
  });

  test('a question about a file of 300 lines stays within the screen, is read as a whole elsewhere, and is gone after', async () => {
    await open({ rows: 20 });
    await chat.send('go');
    const asked = await server.next();
    const content = Array.from({ length: 300 }, (_, i) => `row-${i}-`).join('\n');
    asked.call('write_file', { path: 'a.txt', content });
    asked.end();
    await chat.shows('view');
    await toBeRead();
    chat.write('6');
    await chat.until('the request', () => chat.emulator.buffer.active.type === 'alternate');
    chat.write('\x1b[F');
    await chat.shows('row-299-');
    chat.write('\x1b');
    await chat.until('the main screen', () => chat.emulator.buffer.active.type === 'normal');
    await toBeRead();
    chat.write('4');
    const next = await server.next();
    next.text('then not\n\n');
    next.end();
    await chat.shows('done');
    untouched();
  });

  test('a terminal that knows no synchronized output shows the same', async () => {
    await open();
    chat.emulator.parser.registerCsiHandler({ prefix: '?', final: 'h' }, ([mode]) => mode === 2026);
    await chat.send('go');
    const asked = await server.next();
    for (let n = 0; n < 40; n += 1) asked.text(`line-${n}- **b**\n\n`);
    asked.end();
    await chat.shows('done');
    for (let n = 0; n < 40; n += 1) expect(count(chat.everything, `line-${n}- b`)).toBe(1);
    untouched();
  });

  test('nothing goes up beyond the region: the cursor never rises by more than the screen has rows', async () => {
    await open({ rows: 10 });
    await chat.send('go');
    const asked = await server.next();
    for (let n = 0; n < 60; n += 1) asked.text(`word-${n}- of a paragraph that goes on `);
    asked.end();
    await chat.shows('done');
    for (const [, up] of chat.raw.matchAll(/\x1b\[(\d*)A/g)) expect(Number(up || 1)).toBeLessThanOrEqual(8);
    untouched();
  });
});
