/** The terminal as a device: its modes, what it sends, and how it is given away and given back. */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import type { ReplyInput, TerminalInput } from '../domain/terminal-input.ts';
import { systemClock } from '../edge/system-clock.ts';
import { InputDecoder } from '../edge/terminal/input-decoder.ts';
import { type TerminalMode, TerminalModes } from '../edge/terminal/modes.ts';
import { InkScreen } from '../ui/ink-screen.tsx';
import { LineScreen } from '../ui/line-screen.ts';
import type { Rewraps } from '../ui/screen-output.ts';
import { type Attention, type Calling, callSequence } from '../view/attention.ts';
import type { Screen } from '../view/screen.ts';
import type { ScreenSize } from '../view/screen-gate.ts';
import type { ChatParts, ChatStreams } from './chat.ts';
import { EXIT } from './invocation.ts';

/** Who listens to the terminal. */
export interface DeviceListener {
  input(input: TerminalInput): void;
  reply(reply: ReplyInput): void;
  resized(size: ScreenSize): void;
  /** The terminal went away. */
  gone(): void;
  /** Last of all, however the process ends: what must not outlive it. Synchronous. */
  last(): void;
}

/** What the chat is shown on. */
export type DeviceScreen = InkScreen | LineScreen;

const NOT_STOPPED_MS = 200;

/** Terminals that are known to wrap the line of the cursor anew as well; of others only the lines around it. */
const WRAPS_ALL = ['VTE_VERSION', 'KITTY_WINDOW_ID', 'WEZTERM_PANE', 'ALACRITTY_WINDOW_ID', 'ITERM_SESSION_ID'];

export function rewrapsOf(env: ChatParts['env']): Rewraps {
  if (env.TMUX) return 'all';
  // One that was started from another inherits the other's variables: the surest come first.
  if (env.XTERM_VERSION || env.TERM === 'linux') return 'nothing';
  return env.TERM_PROGRAM !== 'vscode' && WRAPS_ALL.some((name) => env[name]) ? 'all' : 'lines';
}

export class ChatDevice {
  readonly #streams: ChatStreams;
  readonly #env: ChatParts['env'];
  readonly #listener: DeviceListener;
  readonly #modes = new TerminalModes((text) => this.write(text));
  readonly #decoder: InputDecoder;
  #screen: DeviceScreen | undefined;
  /** What is to be on when the terminal, which is somebody else's, comes back. */
  #away: Set<TerminalMode> | undefined;

  constructor(streams: ChatStreams, env: ChatParts['env'], listener: DeviceListener) {
    this.#streams = streams;
    this.#env = env;
    this.#listener = listener;
    this.#decoder = new InputDecoder({
      timers: {
        set: (run, ms) => setTimeout(run, ms),
        clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
        now: () => performance.now(),
      },
      sink: (input) => (input.type === 'reply' ? listener.reply(input) : listener.input(input)),
      escapeTimeoutMs: env.SSH_CONNECTION || env.SSH_TTY ? 100 : 25,
    });
  }

  turnOn(mode: TerminalMode): void {
    if (this.#away) this.#away.add(mode);
    else this.#modes.turnOn(mode);
  }

  /** Before the prompt is shown: what is typed at it is echoed by nobody else. */
  open(first: Screen, spoken: boolean): DeviceScreen {
    const { stdin, stdout } = this.#streams;
    stdin.setRawMode(true);
    collectOnceWhenIdle();
    this.#modes.turnOn('bracketed-paste');
    const resized = (size: ScreenSize): void => this.#listener.resized(size);
    stdin.on('data', this.#read);
    this.#screen = spoken ? new LineScreen(stdout, resized) : this.#ink(first, resized);
    return this.#screen;
  }

  #ink(first: Screen, resized: (size: ScreenSize) => void): InkScreen {
    const { stdin, stdout, stderr } = this.#streams;
    return new InkScreen(first, {
      stdin,
      stdout,
      stderr,
      clock: systemClock,
      alternate: (on) => (on ? this.#modes.turnOn('alternate-screen') : this.#modes.turnOff('alternate-screen')),
      rewraps: rewrapsOf(this.#env),
      resized,
    });
  }

  readonly #read = (chunk: Uint8Array): void => this.#decoder.feed(chunk);

  /** Everything that ends the process leaves the terminal usable: errors are told after it is restored. */
  guard(): () => void {
    const { stdin, stdout } = this.#streams;
    const terminals = [0, 1, 2].filter((file) => isatty(file));
    const last = () => {
      this.restore();
      this.#listener.last();
    };
    const crash = (error: unknown) => {
      last();
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`harness-chat: ${words}\n`);
      process.exit(EXIT.failed);
    };
    const gone = () => this.#listener.gone();
    process.on('exit', last);
    // stays: the process ends after the chat
    process.on('exit', () => letGoOfTerminal(terminals));
    process.on('uncaughtException', crash);
    process.on('unhandledRejection', crash);
    stdin.on('error', gone);
    stdin.on('end', gone);
    stdout.on('error', gone);
    return () => {
      process.off('exit', last);
      process.off('uncaughtException', crash);
      process.off('unhandledRejection', crash);
      stdin.off('end', gone);
    };
  }

  /** Where it is given back for good the cursor was shown with the last words. */
  restore(over = false): void {
    this.#modes.restore();
    this.write(over ? '' : '\x1b[?25h');
    // what is typed from here on is the shell's, and nothing keeps the process
    if (over) {
      this.#streams.stdin.off('data', this.#read).pause();
      this.#decoder.reset();
    }
    try {
      if (this.#streams.stdin.isRaw) this.#streams.stdin.setRawMode(false);
    } catch {
      // the terminal is gone: nobody sees what state it is in
    }
  }

  /** Somebody else's until the answer is called. */
  giveAway(): () => void {
    const { stdin } = this.#streams;
    // a title called the person, who is here
    const modes = new Set(this.#modes.active.filter((mode) => mode !== 'title'));
    this.#away = modes;
    this.#screen?.pause();
    this.restore();
    this.#decoder.reset();
    return () => {
      this.#away = undefined;
      stdin.setRawMode(true);
      for (const mode of modes) this.#modes.turnOn(mode);
      this.#screen?.resume();
    };
  }

  /**
   * Given to a program that reads from it, until that program has ended. Nothing is read meanwhile, or each of the two
   * would get some of the keys; and a Ctrl+C is that program's, although the terminal sends it to both.
   */
  async lend<T>(use: () => Promise<T>): Promise<T> {
    const { stdin } = this.#streams;
    const back = this.giveAway();
    const heedAgain = ignoreKeySignals();
    stdin.pause();
    try {
      return await use();
    } finally {
      heedAgain();
      back();
      stdin.resume();
    }
  }

  /** Ctrl+Z: stopped like any program of the shell; what runs goes on with `fg`. */
  suspend(): void {
    const give = this.giveAway();
    const back = (): void => {
      process.off('SIGCONT', back);
      clearTimeout(timer);
      give();
    };
    process.on('SIGCONT', back);
    // Where no shell could bring it back the system does not stop it; then the timer does.
    const timer = setTimeout(back, NOT_STOPPED_MS);
    process.kill(0, 'SIGTSTP');
  }

  /** `undefined`: the person is here again. */
  call(what: Attention | undefined, by: Calling['by']): void {
    if (what === undefined) this.#modes.turnOff('title');
    else {
      if (by === 'title') this.#modes.turnOn('title');
      this.write(callSequence(what, by));
    }
  }

  write(text: string): void {
    if (text === '') return;
    try {
      this.#streams.stdout.write(text);
    } catch {
      // the terminal is gone
    }
  }
}

/**
 * V8 gives memory back seconds after work, and of its several collections the first frees nearly all. Later versions of
 * it do less by themselves, and complain of a flag that they do not know.
 */
function collectOnceWhenIdle(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--memory-reducer-single-gc');
}

/** What the keys of a terminal send to all programs on it does nothing here until the answer is called. */
function ignoreKeySignals(): () => void {
  const ignore = (): void => undefined;
  const undo = (['SIGINT', 'SIGQUIT'] as const).map((signal) => {
    const listeners = process.listeners(signal);
    process.removeAllListeners(signal);
    process.on(signal, ignore);
    return (): void => {
      for (const listener of listeners) process.on(signal, listener);
      process.off(signal, ignore);
    };
  });
  return () => {
    for (const one of undo) one();
  };
}

/**
 * Node gives a terminal back its settings as it exits, and aborts with a core file where the terminal is gone. What is
 * closed it leaves alone.
 */
function letGoOfTerminal(terminals: readonly number[]): void {
  for (const file of terminals) if (!isatty(file)) closeSync(file);
}
