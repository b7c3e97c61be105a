/** The chat on a terminal: its modes, its signals, its end. Whatever happens, the terminal is left as it was found. */
import type { ReplyInput } from '../domain/terminal-input.ts';
import { systemClock } from '../edge/system-clock.ts';
import { InputDecoder } from '../edge/terminal/input-decoder.ts';
import { queries, TerminalModes } from '../edge/terminal/modes.ts';
import type { Subscription } from '../runtime/session.ts';
import { InkScreen } from '../ui/ink-screen.tsx';
import { type ChatPorts, ChatStore } from '../ui/store.ts';
import { type Chat, noticed, only } from '../view/chat.ts';
import type { Line } from '../view/style.ts';
import { leaving } from '../view/update-quit.ts';
import type { ChatParts, ChatStreams } from './chat.ts';
import { editInEditor } from './chat-editor.ts';
import { themeFor } from './chat-theme.ts';
import { EXIT } from './invocation.ts';
import { onStopSignal } from './stop-signal.ts';

const NOT_STOPPED_MS = 200;
/** When colours for code are loaded: after the first picture, and what the first keys need. */
const COLORS_AFTER_MS = 400;
export const EVENTS = { enduring: 'all', ephemeral: 'all' } as const;

export class ChatTerminal {
  readonly #parts: ChatParts;
  readonly #streams: ChatStreams;
  readonly #modes: TerminalModes;
  readonly #decoder: InputDecoder;
  #store!: ChatStore;
  #screen!: InkScreen;
  #code = EXIT.done as number;
  #over = false;

  constructor(parts: ChatParts, streams: ChatStreams) {
    this.#parts = parts;
    this.#streams = streams;
    this.#modes = new TerminalModes((text) => this.#writeSafely(text));
    this.#decoder = new InputDecoder({
      timers: { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
      sink: (input) => (input.type === 'reply' ? this.#hear(input) : this.#store.input(input)),
      escapeTimeoutMs: parts.env.SSH_CONNECTION || parts.env.SSH_TTY ? 100 : 25,
    });
  }

  /** From the first picture to the last. `above`: the first lines of the screen. */
  async run(chat: Chat, lastSeq: number, above: readonly Line[], subscription: Subscription): Promise<number> {
    const { session } = this.#parts;
    this.#store = new ChatStore(chat, this.#ports(), lastSeq);
    this.#store.change((one) => ({ ...only(one), print: [...above] }));
    const dispose = [onStopSignal((code) => this.#stop(code)), this.#guardTerminal()];
    // Before the prompt is shown: what is typed at it is echoed by nobody else.
    this.#streams.stdin.setRawMode(true);
    this.#modes.turnOn('bracketed-paste');
    this.#screen = this.#openScreen();
    this.#screen.whenReady(() => this.#store.attach(this.#screen));
    this.#writeSafely(queries.kitty + (this.#parts.autoTheme ? queries.background : ''));
    setTimeout(() => void this.#loadColors(), COLORS_AFTER_MS).unref();
    const followed = this.#follow(subscription);
    const fault = await session.ended;
    await followed;
    this.#finish(fault);
    for (const off of dispose) off();
    this.#parts.killAll();
    return this.#code;
  }

  /** What the terminal answers to the questions of the start. */
  #hear({ kind, data }: ReplyInput): void {
    if (kind === 'kitty' && !this.#over) this.#modes.turnOn('kitty');
    const theme = kind === 'background' && this.#parts.autoTheme ? themeFor(data) : undefined;
    if (theme) this.#store.change((chat) => only({ ...chat, settings: { ...chat.settings, theme } }));
  }

  async #loadColors(): Promise<void> {
    if (this.#store.chat.settings.theme === 'none') return;
    const { highlight } = await import('./chat-colors.ts');
    this.#store.change((chat) => only({ ...chat, settings: { ...chat.settings, highlight } }));
  }

  #openScreen(): InkScreen {
    const { stdin, stdout, stderr } = this.#streams;
    return new InkScreen(this.#store.screen(), {
      stdin,
      stdout,
      stderr,
      clock: systemClock,
      listen: (chunk) => this.#decoder.feed(chunk),
      alternate: (on) => (on ? this.#modes.turnOn('alternate-screen') : this.#modes.turnOff('alternate-screen')),
      rewraps: !this.#parts.env.XTERM_VERSION && this.#parts.env.TERM !== 'linux',
      resized: (size) => this.#store.change((chat) => only({ ...chat, size })),
    });
  }

  #ports(): ChatPorts {
    const { session, newId, history } = this.#parts;
    return {
      session,
      newId,
      clock: systemClock,
      remember: (text) => history.add(text),
      quit: () => void session.shutdown(),
      suspend: () => this.#suspend(),
      editOutside: (text) => this.#editOutside(text),
    };
  }

  /** Deliveries to the store. A subscription that was lost is taken up again from the journal. */
  async #follow(first: Subscription): Promise<void> {
    for (let subscription = first; ; ) {
      await this.#store.follow(subscription);
      if (!subscription.err) return;
      const missed = this.#parts.session.readEvents({ after: this.#store.lastSeq });
      subscription = this.#parts.session.subscribeEvents(EVENTS);
      await this.#store.follow(missed);
      this.#store.change((chat, now) =>
        only(noticed(chat, 'the screen fell behind: it was rebuilt from the journal', now, 'warning')),
      );
    }
  }

  #stop(code: number): void {
    this.#code ||= code;
    this.#store.change((chat) => only(leaving(chat)));
    void this.#parts.session.shutdown();
  }

  /** Everything that ends the process leaves the terminal usable: errors are told after it is restored. */
  #guardTerminal(): () => void {
    const { stdin, stdout } = this.#streams;
    const restore = () => this.#restore();
    const crash = (error: unknown) => {
      this.#restore();
      process.stderr.write(
        `harness-chat: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      process.exit(EXIT.failed);
    };
    const gone = () => this.#stop(EXIT.hangup);
    process.on('exit', restore);
    process.on('uncaughtException', crash);
    process.on('unhandledRejection', crash);
    stdin.on('error', gone);
    stdin.on('end', gone);
    stdout.on('error', gone);
    return () => {
      process.off('exit', restore);
      process.off('uncaughtException', crash);
      process.off('unhandledRejection', crash);
      stdin.off('end', gone);
    };
  }

  #finish(fault: Error | undefined): void {
    this.#over = true;
    this.#store.close();
    this.#screen.end(this.#lastWords());
    this.#restore();
    if (!fault) return;
    this.#code ||= EXIT.failed;
    this.#streams.stderr.write(`harness-chat: ${fault.message}\n`);
  }

  #lastWords(): string {
    const { loops } = this.#store.chat.view;
    return loops.some((loop) => loop.endedAt > 0) ? 'harness-chat -c goes on with this session\n' : '';
  }

  #restore(): void {
    this.#modes.restore();
    this.#writeSafely(this.#over ? '' : '\x1b[?25h');
    try {
      if (this.#streams.stdin.isRaw) this.#streams.stdin.setRawMode(false);
    } catch {
      // the terminal is gone: nobody sees what state it is in
    }
  }

  /** Gives the terminal away until `back` is called. */
  #giveAway(): () => void {
    const { stdin } = this.#streams;
    const modes = [...this.#modes.active];
    this.#screen.pause();
    this.#modes.restore();
    this.#writeSafely('\x1b[?25h');
    stdin.setRawMode(false);
    this.#decoder.reset();
    return () => {
      stdin.setRawMode(true);
      for (const mode of modes) this.#modes.turnOn(mode);
      this.#screen.resume();
    };
  }

  /** Ctrl+Z: stopped like any program of the shell; what runs goes on with `fg`. */
  #suspend(): void {
    const give = this.#giveAway();
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

  async #editOutside(text: string): Promise<string | undefined> {
    const { stdin } = this.#streams;
    const back = this.#giveAway();
    stdin.pause();
    try {
      return await editInEditor(text, this.#parts.env);
    } catch (error) {
      const { message } = error as Error;
      this.#store.change((chat, now) => only(noticed(chat, message, now, 'error')));
      return undefined;
    } finally {
      stdin.resume();
      back();
    }
  }

  #writeSafely(text: string): void {
    if (text === '') return;
    try {
      this.#streams.stdout.write(text);
    } catch {
      // the terminal is gone
    }
  }
}
