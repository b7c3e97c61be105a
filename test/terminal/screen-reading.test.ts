/** Reading back while text streams (field report R34): what stands above is the terminal's, and is left alone. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Asked, ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

/** What could reach or move what stands above the region: absolute moves, erasing upwards, scrolling, inserting. */
const REACHES_UP = /\x1b\[(?:\d*;?\d*[Hf]|[123]J|\d*[STLMd]|\d*;\d*r)|\x1bM|\x1b[78]/;

describe.skipIf(unavailable())('reading back', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  let asked: Asked;
  const open = async (columns: number, rows: number): Promise<void> => {
    chat = new TerminalProgram({ columns, rows, env: server.env });
    await chat.shows('Type a message');
    await chat.send('go');
    asked = await server.next();
  };
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat.close();
    server.stop();
  });
  /** The rows that are seen, wherever was scrolled to. */
  const seen = (): string[] => {
    const buffer = chat.emulator.buffer.active;
    return Array.from({ length: chat.emulator.rows }, (_, y) =>
      String(buffer.getLine(buffer.viewportY + y)?.translateToString(true)),
    );
  };
  /** All rows that have left the screen. */
  const above = (): string[] => chat.everything.split('\n').slice(0, chat.emulator.buffer.active.baseY);
  const said = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1) {
      // an open paragraph, a list and a fence by turns: each has a tail of its own
      const kind = n % 3;
      asked.text(kind === 0 ? `line-${n}- of a ` : kind === 1 ? `- line-${n}- of **a** ` : `~~~js\nline-${n}- of a `);
      asked.text(kind === 2 ? 'block\n~~~\n\n' : 'paragraph\n\n');
      if (n % 5 === 4) await chat.until(`line ${n}`, () => chat.everything.includes(`line-${n}-`));
    }
  };

  test.each([
    [80, 24],
    [40, 12],
    [20, 6],
  ])('scrolled up at %ix%i, what is read does not change while lines come', async (columns, rows) => {
    await open(columns, rows);
    await said(0, 60);
    const from = chat.raw.length;
    const read = above();
    chat.emulator.scrollLines(-Math.min(50, read.length));
    const picture = seen();
    await said(60, 100);
    expect(seen()).toEqual(picture);
    expect(above().slice(0, read.length)).toEqual(read);
    chat.write('x');
    await said(100, 120);
    expect(seen()).toEqual(picture);
    asked.end();
    await chat.until('the end', () => chat.everything.includes('✔ done'));
    expect(above().slice(0, read.length)).toEqual(read);
    const written = chat.raw.slice(from);
    expect(written).not.toMatch(REACHES_UP);
    for (const [, up] of written.matchAll(/\x1b\[(\d*)A/g)) expect(Number(up || 1)).toBeLessThanOrEqual(rows - 2);
    const lines = [...chat.everything.matchAll(/line-(\d+)-/g)].map(([, n]) => Number(n));
    expect(lines).toEqual(Array.from({ length: 120 }, (_, i) => i));
  });

  test('what was finished is written once: its bytes come a second time only while it is still open', async () => {
    await open(80, 24);
    await said(0, 30);
    await chat.until('the first line above', () => above().join('\n').includes('line-0-'));
    const from = chat.raw.length;
    await said(30, 90);
    asked.end();
    await chat.until('the end', () => chat.everything.includes('✔ done'));
    expect(chat.raw.slice(from)).not.toMatch(/line-[0-9]-/);
  });
});
