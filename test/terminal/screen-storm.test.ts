/** Sizes in quick succession (field report R35), and drafts of many rows: one picture, one draft, an intact transcript. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

const BEFORE = 'i=1; while [ $i -le 100 ]; do echo "mark-$i-"; i=$((i+1)); done; exec "$NODE" "$PROGRAM"';
const SIZES = [
  [40, 24],
  [120, 24],
  [60, 12],
  [80, 24],
] as const;
const STEP_MS = 50;
const count = (text: string, part: string): number => text.split(part).length - 1;
const words = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `w${String(from + i).padStart(2, '0')}`);
/** The storm's own rhythm: it is time that is tested. */
const step = (ms = STEP_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(unavailable())('a storm of sizes', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
    chat = new TerminalProgram({ shell: BEFORE, env: server.env });
    await chat.shows('Type a message');
  });
  afterEach(() => {
    chat.close();
    server.stop();
  });
  const untouched = (): void => {
    const marks = [...chat.everything.matchAll(/mark-(\d+)-/g)].map(([, n]) => Number(n));
    expect(marks).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(chat.raw).not.toMatch(/\x1b\[[23]J/);
  };
  const settled = async (): Promise<void> => {
    const from = chat.raw.length;
    chat.write('.');
    await chat.until('a key in the picture', () => chat.raw.length > from && chat.raw.endsWith('\x1b[?2026l'));
    await chat.shows(/\.$/m);
  };

  test('while it streams and is typed into, every 50 ms', { timeout: 40_000 }, async () => {
    await chat.send('go');
    const asked = await server.next();
    const typed = words(0, 60);
    let said = 0;
    for (let round = 0; round < 20; round += 1)
      for (const [columns, rows] of SIZES) {
        chat.resize(columns, rows);
        asked.text(`said-${said}-\n\n`);
        if (said < typed.length) chat.write(`${typed[said]} `);
        said += 1;
        await step();
      }
    asked.end();
    await chat.shows('done');
    await settled();
    const lines = [...chat.everything.matchAll(/^said-(\d+)-$/gm)].map(([, n]) => Number(n));
    expect(lines).toEqual(Array.from({ length: said }, (_, i) => i));
    const drawn = chat.everything.slice(chat.everything.indexOf('› w00'));
    expect(drawn.split(/\s+/).filter((word) => /^w\d\d$/.test(word))).toEqual(typed);
    for (const once of ['  scripted at ', 'asks before changes', '› w00']) expect(count(chat.everything, once)).toBe(1);
    const row = chat.emulator.buffer.active.baseY + chat.cursor.y;
    const under = chat.emulator.buffer.active.getLine(row)?.translateToString(true) ?? '';
    expect(under).toBe(under.slice(0, chat.cursor.x));
    untouched();
  });

  test.each([15, 100])('a draft of many rows, idle, every %i ms', async (ms) => {
    chat.write(words(0, 60).join(' '));
    await chat.shows('w59');
    for (let round = 0; round < 10; round += 1)
      for (const [columns, rows] of SIZES) {
        chat.resize(columns, rows);
        await step(ms);
      }
    await settled();
    for (const word of words(0, 60)) expect([word, count(chat.everything, word)]).toEqual([word, 1]);
    untouched();
  });

  test('a draft of many rows, each size drawn: what a narrower terminal pushes up leaves no copy', async () => {
    chat.write(words(0, 60).join(' '));
    await chat.shows('w59');
    for (let round = 0; round < 4; round += 1)
      for (const [columns, rows] of SIZES) {
        const from = chat.raw.length;
        chat.resize(columns, rows);
        await chat.until('its picture', () => chat.raw.length > from && chat.raw.endsWith('\x1b[?2026l'));
        for (const word of ['w00', 'w20', 'w40', 'w59'])
          expect([round, columns, word, count(chat.everything, word)]).toEqual([round, columns, word, 1]);
        expect(count(chat.everything, 'asks before changes')).toBe(1);
      }
    // rows that went up into the scrollback are empty ones, and few
    chat.write('\r');
    const asked = await server.next();
    asked.text('an answer\n\n');
    asked.end();
    await chat.shows('done');
    const between = /scripted at .*\n(\n*)› w00/.exec(chat.everything)?.[1];
    expect(between?.length).toBeLessThan(2 * 4 * SIZES.length);
    untouched();
  });
});
