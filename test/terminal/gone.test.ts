/** The terminal goes away, or the program breaks: nothing is left running, and the terminal as it was. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const PATIENCE = { timeout: 5000, interval: 20 };
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(unavailable() || process.platform === 'win32')('the chat that is left alone', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat.close();
    server.stop();
  });
  const open = async (options: OpenOptions = {}): Promise<void> => {
    chat = new TerminalProgram({ ...options, env: { ...server.env, ...options.env } });
    await chat.shows('Type a message');
  };
  /** A number that a command has written. */
  const written = (name: string): Promise<number> =>
    vi.waitFor(() => {
      const path = join(chat.home, name);
      const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
      expect(pid).toBeGreaterThan(1);
      return pid;
    }, PATIENCE);
  /** The other side of the terminal closes it. */
  const hangUp = (): void => (chat.pty as unknown as { destroy(): void }).destroy();
  const journal = (): string => {
    const folder = join(chat.home, 'sessions');
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.jsonl'));
    return readFileSync(join(folder, name), 'utf8');
  };

  describe.each([
    ['with its hangup signal', 'exec "$NODE" "$PROGRAM" --approval auto'],
    ['under nohup', 'trap "" HUP; exec "$NODE" "$PROGRAM" --approval auto 2>"$HOME/errors"'],
  ])('a terminal that closes, %s', (_name, shell) => {
    test('idle: the process is gone, its journal complete', async () => {
      await open({ shell });
      const { pid } = chat.pty;
      hangUp();
      await vi.waitFor(() => expect(lives(pid)).toBe(false), PATIENCE);
      expect(journal()).toMatch(/"SessionStopped"[^\n]*\n$/);
      const errors = join(chat.home, 'errors');
      if (existsSync(errors)) expect(readFileSync(errors, 'utf8')).not.toMatch(/Assertion|at .*:\d+/);
    });

    test('with a tool running: the tool too', async () => {
      await open({ shell });
      await chat.send('run it');
      const asked = await server.next();
      asked.call('shell', { command: 'echo $$ > tool.pid; exec sleep 300' });
      asked.end();
      const tool = await written('tool.pid');
      const { pid } = chat.pty;
      hangUp();
      await vi.waitFor(() => expect([lives(pid), lives(tool)]).toEqual([false, false]), PATIENCE);
      expect(journal()).toMatch(/"TurnInterrupted"/);
      expect(journal()).toMatch(/"SessionStopped"[^\n]*\n$/);
    });

    test('with a command of the person’s own: that too', async () => {
      await open({ shell });
      await chat.type('!echo $$ > own.pid; exec sleep 300');
      chat.write('\r');
      const own = await written('own.pid');
      const { pid } = chat.pty;
      hangUp();
      await vi.waitFor(() => expect([lives(pid), lives(own)]).toEqual([false, false]), PATIENCE);
    });
  });

  test('what a command left running ends with the chat, without making anybody wait', async () => {
    await open();
    await chat.type('!sleep 300 & echo $! > left.pid');
    chat.write('\r');
    const left = await written('left.pid');
    await chat.shows('goes along');
    await chat.type('/processes');
    chat.write('\r');
    await chat.shows('sleep 300');
    chat.write('\x04');
    await chat.ended();
    expect(chat.exitCode).toBe(0);
    await vi.waitFor(() => expect(lives(left)).toBe(false), PATIENCE);
  });

  test.each(['throw', 'reject'])(
    'an error that nobody caught (%s): the terminal first, then the message, exit 1',
    async (how) => {
      const fault = join(process.env.TMPDIR ?? '/tmp', `harness-chat-fault-${process.pid}.cjs`);
      const broken = how === 'throw' ? "throw new Error('injected')" : "void Promise.reject(new Error('injected'))";
      writeFileSync(fault, `process.on('SIGUSR2', () => { ${broken}; });\n`);
      await open({ env: { NODE_OPTIONS: `--require ${fault}` } });
      chat.write('?');
      await chat.shows('Keys and commands');
      chat.pty.kill('SIGUSR2');
      await chat.ended();
      expect(chat.exitCode).toBe(1);
      const message = chat.raw.lastIndexOf('injected');
      for (const mode of ['2004', '1049']) {
        const off = chat.raw.lastIndexOf(`\x1b[?${mode}l`);
        expect(off).toBeGreaterThan(chat.raw.lastIndexOf(`\x1b[?${mode}h`));
        expect(message).toBeGreaterThan(off);
      }
      expect(chat.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(chat.raw.lastIndexOf('\x1b[?25l'));
    },
  );
});
