/** What costs nothing: an idle prompt, a key in a long session, a picture that did not change. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

/** Milliseconds of the processor; NaN without /proc. */
function cpuMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

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

  test('waiting for a silent model costs two small pictures a second, and nothing turns where that is not wanted', {
    timeout: 60_000,
  }, async () => {
    const waiting = async (...args: string[]): Promise<{ signs: number; frames: number; percent: number }> => {
      chat = new TerminalProgram({ env: server.env, args });
      await chat.shows('Type a message');
      await chat.send('go');
      const asked = await server.next();
      await chat.shows('working');
      const from = chat.raw.length;
      const looks: number[] = [];
      // the least of them: what a start loads behind its first picture, and the collector, are in others
      for (let look = 0; look < 4; look += 1) {
        const before = cpuMs(chat.pty.pid);
        await new Promise((resolve) => setTimeout(resolve, 1500));
        looks.push((cpuMs(chat.pty.pid) - before) / 15);
      }
      const signs = new Set(chat.raw.slice(from).match(/[⠀-⣿●]/g)).size;
      const percent = Math.min(...looks);
      const frames = chat.raw.slice(from).split('\x1b[?2026l').length - 1;
      asked.end();
      chat.close();
      return { signs, frames, percent };
    };
    const turning = await waiting();
    expect(turning.signs).toBe(6);
    // 1.6 % where nothing else runs on the machine
    if (!Number.isNaN(turning.percent)) expect(turning.percent).toBeLessThan(4);
    expect(turning.frames).toBeLessThanOrEqual(14);
    expect((await waiting('--no-spinner')).signs).toBe(1);
  });
});
