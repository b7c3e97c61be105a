/** What costs nothing: an idle prompt, a key in a long session, a picture that did not change. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

describe.skipIf(unavailable())('cost', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat?.close();
    server.stop();
  });
  const turn = async (n: number): Promise<void> => {
    chat.write(`question ${n}\r`);
    const asked = await server.next();
    for (let line = 0; line < 20; line += 1) asked.text(`line ${n}.${line} of *an answer*\n`);
    asked.end();
    await chat.until(`turn ${n}`, () => chat.everything.includes(`line ${n}.19 of`) && chat.screen.includes('done'));
  };
  /** Bytes that one key costs, by the median of twelve. */
  const keyCost = async (): Promise<number> => {
    const costs: number[] = [];
    const typed = 'abcdefghijkl';
    for (const [i, key] of [...typed].entries()) {
      const from = chat.raw.length;
      chat.write(key);
      await chat.until(
        'the key',
        () => chat.raw.endsWith('\x1b[?2026l') && chat.screen.includes(`› ${typed.slice(0, i + 1)}`),
      );
      costs.push(chat.raw.length - from);
    }
    chat.write('\x03');
    await chat.shows('Type a message');
    return costs.sort((a, b) => a - b)[6] ?? 0;
  };

  test('idle, nothing is written; a key costs the same after many turns, and only the region', async () => {
    chat = new TerminalProgram({ env: server.env });
    await chat.shows('Type a message');
    await turn(1);
    const few = await keyCost();
    for (let n = 2; n <= 40; n += 1) await turn(n);
    // a row or column may have a digit more
    expect(await keyCost()).toBeLessThanOrEqual(few + 4);
    expect(few).toBeLessThan(600);
    const from = chat.raw.length;
    // what would write by a timer of its own would do it within a second
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(chat.raw.slice(from)).toBe('');
  });
});
