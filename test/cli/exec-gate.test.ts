/** `exec` in a real terminal: what it asks there, and which lines answer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { describe, expect } from 'vitest';
import { blackBox, type Case, driver, script } from './black-box.ts';

const { say, hold, call, toolCall, finish } = script;

interface Terminal {
  /** All that was printed, the echo of what was typed as well. */
  text(): string;
  /** Resolves when that has been printed `times` times. */
  shows(what: string, times?: number): Promise<void>;
  type(keys: string): void;
  code: Promise<number>;
}

function open(t: Case, args: string[]): Terminal {
  const env = driver.baseEnv(t.sandbox, t.model);
  const pty = spawn(process.execPath, [driver.binPath(), 'exec', ...args], {
    cwd: t.sandbox.workspace,
    env,
    cols: 200,
    rows: 40,
  });
  let text = '';
  const waiting = new Set<() => void>();
  pty.onData((part) => {
    text += part;
    for (const look of waiting) look();
  });
  const code = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    text: () => text,
    code,
    type: (keys) => pty.write(keys),
    shows: (what, times = 1) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${what} in: ${text}`)), 10_000);
        const look = (): void => {
          if (text.split(what).length <= times) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
const made = (t: Case, file: string) => existsSync(join(t.sandbox.workspace, file));
const touch = (file: string) => toolCall('shell', { command: `touch ${file}` });
const toldModel = (t: Case, n: number) => JSON.stringify(t.model.requests[n]?.body.messages.at(-1));

describe('a gate on the terminal', () => {
  blackBox('shows the command and its answers; 1 runs it, 4 refuses it, words refuse it with a reason', async (t) => {
    t.model.reply([touch('P1'), touch('P2'), touch('P3'), finish('tool_calls')], say('all done'));
    const terminal = open(t, ['go']);
    await terminal.shows('touch P1');
    await terminal.shows('> ');
    terminal.type('1\r');
    await terminal.shows('> ', 2);
    terminal.type('4\r');
    await terminal.shows('> ', 3);
    terminal.type('not that one\r');
    expect(await terminal.code).toBe(0);
    expect(['P1', 'P2', 'P3'].map((file) => made(t, file))).toEqual([true, false, false]);
    expect(toldModel(t, 1)).toContain('not that one');
    expect(terminal.text()).toContain('all done');
  });

  blackBox('neither Enter on nothing nor a digit that is not offered answers; 2 holds for the session', async (t) => {
    t.model.reply([touch('P1'), finish('tool_calls')], [touch('P1'), finish('tool_calls')], say('all done'));
    const terminal = open(t, ['go']);
    await terminal.shows('> ');
    terminal.type('\r');
    await terminal.shows('> ', 2);
    terminal.type('9\r');
    await terminal.shows('> ', 3);
    expect(made(t, 'P1')).toBe(false);
    terminal.type('2\r');
    expect(await terminal.code).toBe(0);
    expect(terminal.text().split('touch P1').length).toBeLessThan(6);
    expect(t.model.requests).toHaveLength(3);
    expect(made(t, 'P1')).toBe(true);
  });

  blackBox('what was typed before it appeared answers nothing', async (t) => {
    t.model.reply([hold('a'), touch('P1'), finish('tool_calls')], say('all done'));
    const terminal = open(t, ['go']);
    await t.model.reached('a');
    terminal.type('1\r1\r1\r');
    await terminal.shows('1\r\n', 3);
    t.model.release('a');
    await terminal.shows('> ');
    terminal.type('4\r');
    expect(await terminal.code).toBe(0);
    expect(made(t, 'P1')).toBe(false);
  });

  blackBox('the end of the input declines, for the gates behind it too', async (t) => {
    t.model.reply([touch('P1'), touch('P2'), finish('tool_calls')], say('all done'));
    const terminal = open(t, ['go']);
    await terminal.shows('> ');
    terminal.type('\u0004');
    expect(await terminal.code).toBe(0);
    expect([made(t, 'P1'), made(t, 'P2')]).toEqual([false, false]);
    expect(terminal.text()).toContain('all done');
  });

  blackBox('Ctrl+C at it: nothing runs, exit 130', async (t) => {
    t.model.reply([touch('P1'), finish('tool_calls')]);
    const terminal = open(t, ['go']);
    await terminal.shows('> ');
    terminal.type('\u0003');
    expect(await terminal.code).toBe(130);
    expect(made(t, 'P1')).toBe(false);
  });

  blackBox('a question: a digit is its choice, other words are the answer', async (t) => {
    const ask = { question: 'Which colour?', choices: ['red', 'blue'] };
    t.model.reply(call('ask_user', ask), call('ask_user', ask), say('all done'));
    const terminal = open(t, ['go']);
    await terminal.shows('2 blue');
    await terminal.shows('> ');
    terminal.type('2\r');
    await terminal.shows('> ', 2);
    terminal.type('green, rather\r');
    expect(await terminal.code).toBe(0);
    expect(toldModel(t, 1)).toContain('blue');
    expect(toldModel(t, 2)).toContain('green, rather');
  });
});

describe('in a terminal', () => {
  blackBox('neither the answer nor a question can drive it', async (t) => {
    t.model.reply(
      [toolCall('shell', { command: 'true \u001b]0;title\u0007' }), finish('tool_calls')],
      say('a\u001b[31mred\u009b2J'),
    );
    const terminal = open(t, ['go']);
    await terminal.shows('> ');
    terminal.type('4\r');
    expect(await terminal.code).toBe(0);
    expect(terminal.text()).toContain('red');
    expect(terminal.text()).not.toMatch(/[\u001b\u0007\u009b]/);
  });

  blackBox('a prompt that is typed ends with Ctrl+D; then nobody can be asked', async (t) => {
    t.model.reply([touch('P1'), finish('tool_calls')], say('all done'));
    const terminal = open(t, []);
    await terminal.shows('Ctrl+D');
    terminal.type('typed words\r');
    await terminal.shows('typed words');
    terminal.type('\u0004');
    expect(await terminal.code).toBe(0);
    expect(t.model.requests[0]?.body.messages.at(-1)?.content).toBe('typed words');
    expect(made(t, 'P1')).toBe(false);
  });
});
