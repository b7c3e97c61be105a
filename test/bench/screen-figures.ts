/** What the chat on the screen costs, and the floor beside it: a bare program that writes the same text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, ModelServer } from '../terminal/model-server.ts';
import { PtyProgram } from './pty-program.ts';
import { median } from './timings.ts';

export interface Extent {
  starts: number;
  keys: number;
  /** Chunks at once. */
  chunks: number;
  /** Turns between the first and the second look at what one costs. */
  turns: number;
}
export const FULL: Extent = { starts: 7, keys: 60, chunks: 20_000, turns: 200 };

/** Milliseconds; `bytes` for a character of the answer; CPU is NaN where the system does not tell it. */
export interface ScreenFigures {
  start: number;
  keyIdle: number;
  keyStreaming: number;
  streamingCpuPercent: number;
  streamingBytes: number;
  burstCpu: number;
  burstBytes: number;
  burstTail: number;
  turnCpuFirst: number;
  turnCpuLast: number;
  turnBytesFirst: number;
  turnBytesLast: number;
  /** The start that goes on with those turns; NaN for a program that keeps none. */
  reopening: number;
}

const READY = 'Type a message';
/** No other text holds them, and no control sequence. */
const LETTERS = 'αβγδεζηθικλμνξοπρστυφχψω';
const CHUNK = 5;
const PER_SECOND = 200;
const MARKDOWN = [
  '## A heading\n\n',
  'Some words of a paragraph with **strong** ones and `code`, long enough to be wrapped on a line.\n\n',
  '- an item of a list\n- another one\n\n',
  '```js\nconst answer = 41 + 1;\nif (answer > 41) console.log(answer);\n```\n\n',
  '| name | value |\n| --- | --- |\n| one | 1 |\n| two | 2 |\n\n',
].join('');

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const share = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

function* chunksOf(count: number): Generator<string> {
  const text = MARKDOWN.repeat(Math.ceil((count * CHUNK) / MARKDOWN.length));
  for (let i = 0; i < count; i += 1) yield text.slice(i * CHUNK, (i + 1) * CHUNK);
}

/** `args`: the program behind `node`; `again`: its options that go on with the last session, where it keeps one. */
export async function screenFigures(
  root: string,
  args: readonly string[],
  again: readonly string[] | undefined,
  extent: Extent,
): Promise<ScreenFigures> {
  const home = mkdtempSync(join(tmpdir(), 'harness-chat-bench-'));
  const server = await new ModelServer().start();
  const open = async (more: readonly string[] = []): Promise<{ program: PtyProgram; ms: number }> => {
    const began = performance.now();
    const program = new PtyProgram({ root, args: [...args, ...more], home, env: server.env });
    return { ms: (await program.until(READY)) - began, program };
  };
  try {
    const starts: number[] = [];
    for (let n = 0; n < extent.starts; n += 1) {
      const { program, ms } = await open();
      starts.push(ms);
      await program.quit();
    }
    const { program } = await open();
    // what a chat loads behind its first picture
    await sleep(1000);
    const run = new Measuring(program, server);
    const keyIdle = await run.keys(extent.keys);
    const streaming = await run.streaming(extent.keys);
    const burst = await run.burst(extent.chunks);
    await program.quit();
    const { program: long } = await open();
    await sleep(1000);
    const first = await new Measuring(long, server).turns(Math.min(10, extent.turns));
    await new Measuring(long, server).turns(extent.turns);
    const last = await new Measuring(long, server).turns(Math.min(10, extent.turns));
    await long.quit();
    const reopenings: number[] = [];
    for (let n = 0; again && n < extent.starts; n += 1) {
      const { program: reopened, ms } = await open(again);
      reopenings.push(ms);
      await reopened.quit();
    }
    return {
      start: median(starts),
      keyIdle,
      ...streaming,
      ...burst,
      turnCpuFirst: first.cpu,
      turnCpuLast: last.cpu,
      turnBytesFirst: first.bytes,
      turnBytesLast: last.bytes,
      reopening: reopenings.length > 0 ? median(reopenings) : Number.NaN,
    };
  } finally {
    server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

class Measuring {
  readonly #program: PtyProgram;
  readonly #server: ModelServer;

  constructor(program: PtyProgram, server: ModelServer) {
    this.#program = program;
    this.#server = server;
  }

  /** The 95th percentile of the time from a key to its letter. */
  async keys(count: number): Promise<number> {
    const took: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const letter = LETTERS[n % LETTERS.length] as string;
      // each letter is new to what is drawn
      if (n > 0 && n % LETTERS.length === 0) {
        this.#program.write('\x15');
        await sleep(100);
      }
      await sleep(30 + ((n * 37) % 50));
      const began = performance.now();
      this.#program.write(letter);
      took.push((await this.#program.until(letter)) - began);
    }
    this.#program.write('\x15');
    await sleep(100);
    return share(took, 0.95);
  }

  async #ask(): Promise<Asked> {
    this.#program.write('go\r');
    return this.#server.next();
  }

  async #end(asked: Asked): Promise<number> {
    asked.text('\n\nthe-very-end\n\n');
    asked.end();
    const at = await this.#program.until('the-very-end');
    await this.#program.until('done');
    return at;
  }

  async streaming(keys: number) {
    const asked = await this.#ask();
    const began = performance.now();
    const chunks = chunksOf(1_000_000);
    let sent = 0;
    const timer = setInterval(() => {
      for (; sent < ((performance.now() - began) * PER_SECOND) / 1000; sent += 1) asked.text(chunks.next().value ?? '');
    }, 2);
    await sleep(500);
    const from = { at: performance.now(), cpu: this.#program.cpu, bytes: this.#program.bytes, sent };
    await sleep(Math.min(5000, 100 * keys));
    const ms = performance.now() - from.at;
    const figures = {
      streamingCpuPercent: ((this.#program.cpu - from.cpu) * 100) / ms,
      streamingBytes: (this.#program.bytes - from.bytes) / ((sent - from.sent) * CHUNK),
    };
    const keyStreaming = await this.keys(keys);
    clearInterval(timer);
    await this.#end(asked);
    return { ...figures, keyStreaming };
  }

  async burst(count: number) {
    const from = { cpu: this.#program.cpu, bytes: this.#program.bytes };
    const asked = await this.#ask();
    for (const text of chunksOf(count)) asked.text(text);
    asked.text('\n\nthe-very-end\n\n');
    asked.end();
    const shown = await this.#program.until('the-very-end');
    const burstTail = Math.max(0, shown - (await asked.sent));
    await this.#program.until('done');
    await sleep(300);
    return {
      burstTail,
      burstCpu: this.#program.cpu - from.cpu,
      burstBytes: (this.#program.bytes - from.bytes) / (count * CHUNK),
    };
  }

  /** What one of so many costs. */
  async turns(count: number) {
    const from = { cpu: this.#program.cpu, bytes: this.#program.bytes };
    for (let n = 0; n < count; n += 1) {
      const asked = await this.#ask();
      for (const text of chunksOf(120)) asked.text(text);
      await this.#end(asked);
    }
    return {
      cpu: (this.#program.cpu - from.cpu) / count,
      bytes: (this.#program.bytes - from.bytes) / (count * 120 * CHUNK),
    };
  }
}
