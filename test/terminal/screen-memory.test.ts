/** Many turns in one session (field report R42): memory and time by what is kept, not by what was drawn. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

/** The report's own size is 1500 turns with HARNESS_CHAT_TEST_MEMORY_TURNS=1500; a test of every day takes fewer. */
const TURNS = Number(process.env.HARNESS_CHAT_TEST_MEMORY_TURNS ?? 40);
const EARLY = Math.max(20, Math.floor(TURNS / 7.5));
const PROBE = pathToFileURL(join(import.meta.dirname, 'memory-probe.mjs')).href;
const MEGA = 1024 * 1024;

describe.skipIf(unavailable() ?? process.platform === 'win32')('memory', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
    chat = new TerminalProgram({
      args: ['--approval', 'auto'],
      env: {
        ...server.env,
        HARNESS_CHAT_TEST_HEAP: 'heap.txt',
        NODE_OPTIONS: `--max-old-space-size=512 --import ${PROBE}`,
      },
    });
    await chat.shows('Type a message');
  });
  afterEach(() => {
    chat.close();
    server.stop();
  });

  const turn = async (n: number): Promise<void> => {
    chat.write(`turn ${n}\r`);
    const first = await server.next();
    first.call('shell', { command: `head -c 100000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo out-${n}-` });
    first.end();
    const second = await server.next();
    for (let word = 0; word < 400; word += 1) second.text(word % 20 === 19 ? 'end.\n' : 'word ');
    second.text(`\n\nanswer-${n}-\n\n`);
    second.end();
    await chat.until(`answer ${n}`, () => chat.screen.includes(`answer-${n}-`) && chat.screen.includes('? keys'));
  };
  const heap = async (): Promise<number> => {
    const file = join(chat.home, 'heap.txt');
    const sizes = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
    const before = sizes().length;
    process.kill(chat.pty.pid, 'SIGUSR2');
    for (let look = 0; sizes().length === before; look += 1) {
      if (look > 500) throw new Error('the program did not tell its heap');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return Number(sizes().at(-1)) / MEGA;
  };

  test(`the heap after ${TURNS} turns is less than twice that after ${EARLY}`, { timeout: TURNS * 3000 }, async () => {
    for (let n = 1; n <= EARLY; n += 1) await turn(n);
    const early = await heap();
    for (let n = EARLY + 1; n <= TURNS; n += 1) await turn(n);
    expect(await heap()).toBeLessThan(2 * early);
    expect(chat.exitCode).toBeUndefined();
    chat.write('still here');
    await chat.shows('› still here');
  });
});
