/** A program on a pseudo-terminal as the benchmark sees it: what it wrote, when, and what it cost. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IPty } from '@lydell/node-pty';

export interface Started {
  /** The project, from which the pseudo-terminal is taken. */
  root: string;
  /** Behind `node`. */
  args: readonly string[];
  home: string;
  env: Record<string, string>;
}

/** Ticks of /proc are hundredths of a second on every Linux. */
const TICK_MS = 10;
const LATE_MS = 60_000;
/** Characters in which a text is looked for, beside the last ones that came. */
const RECENT = 8192;

export class PtyProgram {
  readonly #pty: IPty;
  readonly #ended: Promise<unknown>;
  #recent = '';
  #watch: (() => void) | undefined;
  /** Bytes it wrote. */
  bytes = 0;

  constructor({ root, args, home, env }: Started) {
    const { spawn } = createRequire(join(root, 'package.json'))(
      '@lydell/node-pty',
    ) as typeof import('@lydell/node-pty');
    this.#pty = spawn(process.execPath, [...args], {
      name: 'xterm-256color',
      cols: 120,
      rows: 40,
      cwd: home,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        HARNESS_CHAT_HOME: home,
        LANG: 'C.UTF-8',
        TERM: 'xterm-256color',
        ...env,
      },
    });
    this.#pty.onData((data) => {
      this.bytes += Buffer.byteLength(data);
      this.#recent = (this.#recent + data).slice(-RECENT - data.length);
      this.#watch?.();
    });
    this.#ended = new Promise((resolve) => this.#pty.onExit(resolve));
  }

  /** Writes keys; what was written before counts no more for `until`. */
  write(keys: string): void {
    this.#recent = '';
    this.#pty.write(keys);
  }

  /** The time at which the text had come, since the last keys. */
  until(text: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`never came: ${text}; last ${this.#recent.slice(-500)}`)),
        LATE_MS,
      );
      this.#watch = () => {
        if (!this.#recent.includes(text)) return;
        clearTimeout(timer);
        this.#watch = undefined;
        resolve(performance.now());
      };
      this.#watch();
    });
  }

  /** Milliseconds of the processor so far; NaN without /proc. */
  get cpu(): number {
    const path = `/proc/${this.#pty.pid}/stat`;
    if (!existsSync(path)) return Number.NaN;
    const stat = readFileSync(path, 'utf8');
    // behind the name, which may hold anything: user and system time are the 12th and 13th field
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  async quit(): Promise<void> {
    this.#pty.write('\x03');
    const again = setTimeout(() => this.#pty.write('\x03'), 100);
    const enough = setTimeout(() => this.#pty.kill('SIGKILL'), 5000);
    await this.#ended;
    clearTimeout(again);
    clearTimeout(enough);
  }
}
