/**
 * Commands that are hard to live with, through whole turns of the built program: it stays small, an interrupt works,
 * and what is sent to the model next is valid (field reports: processes and their output).
 */
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { readProcessTable } from '../../src/edge/process/process-table.ts';
import { blackBox, type Case, type Chat, script, type WireEvent } from '../cli/black-box.ts';
import { until } from '../edge/process/until.ts';

const { say, call, finish, toolCall } = script;
const KEY = 'sk-TEST-0123456789abcdef';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const shell = (command: string, more = {}) => call('shell', { command, ...more });
const file = (t: Case, name: string) => join(t.sandbox.workspace, name);
const alive = (pid: number) => readProcessTable().some((row) => row.pid === pid);

/** The most that the program ever held in memory, in MB. */
const peak = (chat: Chat): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${chat.child.pid}/status`, 'utf8'))?.[1]) / 1000;

const resultsOf = (chat: Chat) =>
  chat
    .events('StepDone')
    .flatMap(({ messages = [] }) => messages.slice(1).flatMap(({ blocks = [] }) => blocks))
    .map((block) => ({
      text: (block.content as { text?: string }[]).map((part) => part.text ?? '').join('\n'),
      isError: block.is_error === true,
    }));

/** Every request is one that a strict server takes, also where a text was cut or binary. */
function strict(t: Case, chat: Chat): void {
  t.sound(chat);
  for (const { body } of t.model.requests) {
    const sent = JSON.stringify(body);
    expect(sent).not.toMatch(/\\ud[89a-f][0-9a-f]{2}/i);
    expect(sent).not.toContain('\\u0000');
  }
}

/** Says it, and gives the terminal of its Turn. */
async function turn(chat: Chat, text = 'go', ms = 30_000): Promise<WireEvent> {
  const from = chat.deliveries.length;
  chat.submit(text);
  return chat.untilTerminal(from, { ms });
}

describe('output', () => {
  blackBox('of 1 GB, on one line: head and tail reach the model, memory does not grow', async (t) => {
    t.model.reply(shell('echo first; head -c 1000000000 /dev/zero | tr "\\0" x; echo; echo last'), say('done'));
    const chat = t.chat();
    await chat.until('LoopStarted');
    expect((await turn(chat)).type).toBe('TurnDone');
    const [result] = resultsOf(chat);
    expect(result?.text).toMatch(
      /^first\nx+\n\[\.{3} \d+ of 1000000012 bytes left out here; the first 16777216 bytes are in \S+ \.{3}\]\nx+\nlast$/,
    );
    expect(peak(chat)).toBeLessThan(200);
    expect((await turn(chat, 'next')).type).toBe('TurnDone');
    await chat.close();
    strict(t, chat);
  });

  for (const [what, command] of [
    ['lines', 'echo $$ > pid; yes'],
    ['lines on standard error, deaf to a polite end', "trap '' TERM; echo $$ > pid; while :; do yes >&2; done"],
    ['bytes that are no text', 'echo $$ > pid; cat /dev/urandom'],
    ['nothing', 'echo $$ > pid; sleep 300'],
    ['from a child that left its group', "setsid sh -c 'echo $$ > pid; exec yes' & wait"],
  ] as const) {
    blackBox(`without an end, ${what}: an interrupt ends it in time with all that it started`, async (t) => {
      t.model.reply(shell(command));
      const chat = t.chat();
      chat.submit('go');
      await chat.until('ToolCallStarted');
      const pid = () => Number(existsSync(file(t, 'pid')) && readFileSync(file(t, 'pid'), 'utf8'));
      await until(() => pid() > 0);
      const began = performance.now();
      chat.interrupt();
      await chat.until('TurnInterrupted', { ms: 5_000 });
      expect(performance.now() - began).toBeLessThan(3_000);
      await until(() => !alive(pid()), 1_000);
      expect(peak(chat)).toBeLessThan(200);
      expect((await turn(chat, 'next')).type).toBe('TurnDone');
      await chat.close();
      strict(t, chat);
    });
  }

  blackBox('that is binary is said, and the next request is valid, also after a restart', async (t) => {
    writeFileSync(file(t, 'utf16.txt'), Buffer.from('\uFEFFwide words 🙂', 'utf16le'));
    writeFileSync(file(t, 'image.png'), Buffer.from(PIXEL, 'base64'));
    t.model.reply(
      [
        toolCall('shell', { command: 'head -c 3000 /bin/ls' }),
        toolCall('shell', { command: "printf 'a\\000b'" }),
        toolCall('shell', { command: "printf '\\377\\376'" }),
        toolCall('shell', { command: "printf 'a long enough line \\xed\\xa0\\xbd with half of a pair'" }),
        toolCall('read_file', { path: 'utf16.txt' }),
        toolCall('read_file', { path: 'image.png' }),
        finish('tool_calls'),
      ],
      say('done'),
    );
    const chat = t.chat();
    expect((await turn(chat)).type).toBe('TurnDone');
    await chat.close();
    expect(resultsOf(chat).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[binary output, 3000 bytes, not shown; it begins with 7f 45/),
      expect.stringMatching(/^\[binary output, 3 bytes/),
      expect.stringMatching(/^\[binary output, 2 bytes/),
      expect.stringMatching(/^a long enough line \uFFFD+ with half/),
      expect.stringMatching(/wide words 🙂/),
      expect.stringMatching(/^\[image\/png, 70 bytes\]/),
    ]);
    const again = t.chat({ args: ['--continue'] });
    expect((await turn(again, 'next')).type).toBe('TurnDone');
    await again.close();
    strict(t, again);
  });

  blackBox('of files without an end or of a size that no memory holds', async (t) => {
    writeFileSync(file(t, 'huge.txt'), 'begin\n');
    truncateSync(file(t, 'huge.txt'), 3_000_000_000);
    t.model.reply(
      [
        toolCall('read_file', { path: 'huge.txt' }),
        toolCall('search', { pattern: 'begin' }),
        toolCall('search', { pattern: 'begin', path: 'huge.txt' }),
        toolCall('edit_file', { path: 'huge.txt', old_text: 'begin', new_text: 'end' }),
        finish('tool_calls'),
      ],
      say('done'),
    );
    const chat = t.chat();
    await chat.until('LoopStarted');
    expect((await turn(chat)).type).toBe('TurnDone');
    expect(peak(chat)).toBeLessThan(200);
    await chat.close();
    strict(t, chat);
  });
});

describe('a command', () => {
  blackBox('has no terminal and no input: it cannot write to the one, and does not wait for the other', async (t) => {
    t.model.reply(
      [
        toolCall('shell', { command: 'echo STRAY > /dev/tty' }),
        toolCall('shell', { command: 'read x; echo "got:$x"; cat; python3 -c "input()" 2>&1 | tail -1' }),
        finish('tool_calls'),
      ],
      say('done'),
    );
    const chat = t.chat();
    expect((await turn(chat)).type).toBe('TurnDone');
    await chat.close();
    expect(resultsOf(chat)[0]).toMatchObject({ isError: true, text: expect.stringContaining('/dev/tty') });
    expect(resultsOf(chat)[1]?.text).toMatch(/^got:\n/);
    expect(chat.stderr).not.toContain('STRAY');
    strict(t, chat);
  });

  blackBox('is stopped at the time limit of the settings, and says what it printed until then', async (t) => {
    t.model.reply(
      shell('echo step-3; sleep 30; touch LATE'),
      shell("trap '' TERM; echo A; sleep 30", { timeout_ms: 400 }),
      say('done'),
    );
    const chat = t.chat({ env: { HARNESS_CHAT_TOOL_TIMEOUT_MS: '700' } });
    expect((await turn(chat)).type).toBe('TurnDone');
    await chat.close();
    expect(resultsOf(chat)).toEqual([
      { text: expect.stringMatching(/^step-3\n\[stopped after 0\.7 s/), isError: true },
      { text: expect.stringMatching(/^A\n\[stopped after 0\.4 s/), isError: true },
    ]);
    expect(existsSync(file(t, 'LATE'))).toBe(false);
    strict(t, chat);
  });

  for (const [what, start] of [
    ['a quiet child', 'sleep 300 & echo $! > pid; echo ready'],
    ['a child without an output', '(sleep 300 >/dev/null 2>&1 & echo $! > pid); echo ready'],
    [
      'a child of its own session',
      "setsid sh -c 'echo $$ > pid; exec sleep 300' & until test -s pid; do sleep 0.01; done; echo ready",
    ],
    [
      'a child that talks',
      '(echo $BASHPID > pid; while :; do echo tick; sleep 0.02; done) & until test -s pid; do sleep 0.01; done; echo ready',
    ],
  ] as const) {
    blackBox(`that leaves ${what}: told at once, and ended with the program`, async (t) => {
      t.model.reply(shell(start), say('done'));
      const chat = t.chat();
      await chat.until('LoopStarted');
      const began = performance.now();
      expect((await turn(chat)).type).toBe('TurnDone');
      expect(performance.now() - began).toBeLessThan(4_000);
      const pid = Number(readFileSync(file(t, 'pid'), 'utf8'));
      const [result] = resultsOf(chat);
      expect(result?.text).toContain('ready');
      expect(result?.text).toContain(`[still running: process ${pid} `);
      expect(alive(pid)).toBe(true);
      expect(await chat.close()).toEqual({ code: 0, signal: null });
      await until(() => !alive(pid), 3_000);
      strict(t, chat);
    });
  }

  blackBox('in the background goes on over an interrupt, its end is told to the next input, once', async (t) => {
    const command = 'echo $$ > pid; until test -e go; do sleep 0.02; done; echo over; touch gone';
    t.model.reply(shell(command, { background: true }), say('done'));
    const chat = t.chat();
    expect((await turn(chat)).type).toBe('TurnDone');
    t.model.reply(shell('sleep 300'));
    const from = chat.deliveries.length;
    chat.submit('go');
    await chat.until('ToolCallStarted', { from });
    chat.interrupt();
    await chat.until('TurnInterrupted', { from });
    expect(alive(Number(readFileSync(file(t, 'pid'), 'utf8')))).toBe(true);
    writeFileSync(file(t, 'go'), '');
    await until(() => !alive(Number(readFileSync(file(t, 'pid'), 'utf8'))));
    const told = () =>
      t.model.requests.filter(({ body }) => /ended with exit code 0/.test(JSON.stringify(body.messages[0])));
    for (let n = 0; told().length === 0 && n < 20; n += 1) await turn(chat, 'next');
    await turn(chat, 'and next');
    expect(told()).toHaveLength(1);
    expect(chat.events('TurnStarted').every(({ cause }) => cause?.agency === 'user')).toBe(true);
    await chat.close();
  });

  blackBox('finds no key, neither in its own environment nor in that of the program', async (t) => {
    t.model.reply(shell("env; tr '\\0' '\\n' < /proc/$PPID/environ; git --version"), say('done'));
    const chat = t.chat({
      env: {
        OPENAI_API_KEY: KEY,
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1',
        MY_TOKEN: 'a-second-secret',
      },
    });
    expect((await turn(chat)).type).toBe('TurnDone');
    await chat.close();
    const [result] = resultsOf(chat);
    for (const name of ['PATH', 'HOME', 'LANG', 'HTTPS_PROXY', 'NO_PROXY'])
      expect(result?.text).toMatch(new RegExp(`^${name}=`, 'm'));
    expect(result?.text.split('\n').filter((line) => line.startsWith('MY_TOKEN='))).toHaveLength(1);
    const seen = JSON.stringify([chat.deliveries, t.model.requests.map(({ body }) => body), chat.stderr]);
    const folder = join(t.sandbox.home, 'harness-chat', 'sessions');
    const journal = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(seen + journal.join('')).not.toContain(KEY);
    strict(t, chat);
  });
});
