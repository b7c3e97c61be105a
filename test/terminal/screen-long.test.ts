/** Long sessions (field reports R40, R41): taken up soon, in little memory, and a key costs what it costs in a short one. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { generateJournal, type Shape } from '../bench/generated.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

const RECORDS_A_TURN = 7;
const MEGA = 1024 * 1024;
const LETTERS = 'bcdfghjkmnpqrtvwxz'.repeat(3);

describe.skipIf(unavailable())('long sessions', () => {
  let home: string;
  const programs: TerminalProgram[] = [];
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'harness-chat-test-')));
    mkdirSync(join(home, 'sessions'), { mode: 0o700 });
  });
  afterEach(() => {
    for (const program of programs.splice(0)) program.close();
    rmSync(home, { recursive: true, force: true });
  });
  const made = (id: string, shape: Shape): number => {
    const path = join(home, 'sessions', `${id}.jsonl`);
    generateJournal(path, id, home, shape);
    return statSync(path).size / MEGA;
  };
  const resumed = async (id: string): Promise<{ chat: TerminalProgram; ms: number }> => {
    const began = performance.now();
    const chat = new TerminalProgram({ home, args: ['-p', 'demo', '--resume', id] });
    programs.push(chat);
    await chat.shows('Type a message');
    return { chat, ms: performance.now() - began };
  };
  /** Medians of what a key costs: bytes, and milliseconds until it is drawn. */
  const keys = async (chat: TerminalProgram): Promise<{ bytes: number; ms: number }> => {
    const bytes: number[] = [];
    const ms: number[] = [];
    for (const [i, letter] of [...LETTERS].entries()) {
      const from = chat.raw.length;
      const began = performance.now();
      chat.write(letter);
      await chat.until(
        letter,
        () => chat.raw.endsWith('\x1b[?2026l') && chat.screen.includes(`› ${LETTERS.slice(0, i + 1)}`),
      );
      ms.push(performance.now() - began);
      bytes.push(chat.raw.length - from);
    }
    const middle = (values: number[]): number =>
      values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
    return { bytes: middle(bytes), ms: middle(ms) };
  };

  test('a key after 3,000 turns costs what it costs after 10', { timeout: 60_000 }, async () => {
    for (const turns of [10, 3000]) made(`turns-${turns}`, { records: turns * RECORDS_A_TURN, answer: 500 });
    const short = await keys((await resumed('turns-10')).chat);
    const long = await keys((await resumed('turns-3000')).chat);
    // the status line tells other numbers
    expect(Math.abs(long.bytes - short.bytes)).toBeLessThan(short.bytes / 10);
    expect(long.ms).toBeLessThan(Math.max(50, 2 * short.ms));
  });

  test('35 MB with a tool result of 1.5 MB: the prompt, keys, and the first words', { timeout: 60_000 }, async () => {
    const megabytes = made('big', { records: 7_400, answer: 16_500, toolResult: 1_500_000 });
    expect(megabytes).toBeGreaterThan(33);
    const { chat, ms } = await resumed('big');
    expect(ms).toBeLessThan(10_000);
    const status = `/proc/${chat.pty.pid}/status`;
    if (existsSync(status)) {
      const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1];
      expect(Number(peak) / 1024).toBeLessThan(400);
    }
    expect((await keys(chat)).ms).toBeLessThan(50);
    // what is not drawn is not out of reach
    expect(chat.everything).toMatch(/earlier turns: Ctrl\+T shows all/);
    expect(chat.everything.split('\n').length).toBeLessThan(300);
    chat.write('\x15\x14');
    await chat.shows(/turn \d+ of \d+/);
    chat.write('\x1b[H');
    await chat.shows(/question 1$/m);
    expect(chat.raw).not.toMatch(/\x1b\[3J/);
  });
});
