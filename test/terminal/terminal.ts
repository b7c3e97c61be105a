/** The built program in a real pseudo-terminal, read through a terminal emulator. Waits for the screen, never for time. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPty } from '@lydell/node-pty';
import type { Terminal as Emulator } from '@xterm/headless';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'bin', 'harness-chat.js');

/** Why no terminal test can run here; undefined where they can. */
export function unavailable(): string | undefined {
  if (!existsSync(join(ROOT, 'dist'))) return 'the program is not built';
  try {
    require('@lydell/node-pty');
    return undefined;
  } catch {
    return 'no pseudo-terminal on this machine';
  }
}

export interface OpenOptions {
  columns?: number;
  rows?: number;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Run this shell command instead, with $PROGRAM in it. */
  shell?: string;
  /** The home and workspace of another program, which removes it. */
  home?: string;
}

const WAIT_MS = 15_000;

export class TerminalProgram {
  readonly emulator: Emulator;
  readonly pty: IPty;
  /** All bytes so far. */
  raw = '';
  exitCode: number | undefined;
  readonly home: string;
  readonly #ownsHome: boolean;
  #watchers = new Set<() => void>();

  constructor({ columns = 80, rows = 24, args = [], env = {}, shell, home }: OpenOptions = {}) {
    this.home = home ?? realpathSync(mkdtempSync(join(tmpdir(), 'harness-chat-test-')));
    this.#ownsHome = home === undefined;
    const { Terminal } = require('@xterm/headless') as typeof import('@xterm/headless');
    const { spawn } = require('@lydell/node-pty') as typeof import('@lydell/node-pty');
    this.emulator = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true, logLevel: 'off' });
    const [file, words] = shell ? ['/bin/sh', ['-c', shell]] : [process.execPath, [PROGRAM, ...args]];
    this.pty = spawn(file, words, {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: this.home,
      // a fresh environment: CI and the like change what Ink does
      env: {
        PATH: process.env.PATH ?? '',
        HOME: this.home,
        HARNESS_CHAT_HOME: this.home,
        LANG: 'C.UTF-8',
        TERM: 'xterm-256color',
        NODE: process.execPath,
        PROGRAM,
        ...env,
      },
    });
    this.emulator.onData((data) => this.pty.write(data));
    this.pty.onData((data) => {
      this.raw += data;
      this.emulator.write(data, () => this.#look());
    });
    this.pty.onExit(({ exitCode }) => {
      this.exitCode = exitCode;
      this.emulator.write('', () => this.#look());
    });
  }

  write(keys: string | Buffer): void {
    // a pseudo-terminal takes bytes as well, although its types say text
    this.pty.write(keys as string);
  }
  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.pty.resize(columns, rows);
  }

  #lines(from: number): string {
    const buffer = this.emulator.buffer.active;
    const lines: string[] = [];
    for (let y = from; y < buffer.length; y += 1) lines.push(buffer.getLine(y)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }
  get screen(): string {
    return this.#lines(this.emulator.buffer.active.baseY);
  }
  /** With the scrollback. */
  get everything(): string {
    return this.#lines(0);
  }
  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.emulator.buffer.active;
    return { x, y };
  }

  /** Resolves when it holds; rejects with the screen when it does not in time. */
  until(what: string, holds: (program: this) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`never came: ${what}; the screen is\n${this.screen}`));
      }, WAIT_MS);
      const look = (): void => {
        if (!holds(this)) return;
        clearTimeout(late);
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
  shows(text: string | RegExp): Promise<void> {
    return this.until(String(text), () =>
      typeof text === 'string' ? this.screen.includes(text) : text.test(this.screen),
    );
  }
  gone(text: string): Promise<void> {
    return this.until(`${text} gone`, () => !this.screen.includes(text));
  }
  ended(): Promise<void> {
    return this.until('the end of the program', () => this.exitCode !== undefined);
  }

  /** Types text and waits until it stands in the composer. */
  async type(text: string): Promise<void> {
    this.write(text);
    await this.shows(`› ${text}`);
  }
  /** Types a line and sends it. */
  async send(text: string): Promise<void> {
    await this.type(text);
    this.write('\r');
    await this.shows(`${text}  · started`);
  }

  close(): void {
    if (this.exitCode === undefined) this.pty.kill('SIGKILL');
    this.emulator.dispose();
    if (this.#ownsHome) rmSync(this.home, { recursive: true, force: true });
  }

  #look(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
