/** The chat on a terminal: one session after another on one screen, its signals, its end. */
import type { ReplyInput, TerminalInput } from '../domain/terminal-input.ts';
import { systemClock } from '../edge/system-clock.ts';
import { queries } from '../edge/terminal/modes.ts';
import { type ChatPorts, ChatStore } from '../ui/store.ts';
import { noticed, only } from '../view/chat.ts';
import { draftText } from '../view/composer.ts';
import type { Errand, Opening } from '../view/errand.ts';
import { takeBackUnsent } from '../view/fold.ts';
import { withLook } from '../view/theme.ts';
import { openRefused } from '../view/update-picker.ts';
import { leaving } from '../view/update-quit.ts';
import type { ChatParts, ChatStreams } from './chat.ts';
import { attached } from './chat-attached.ts';
import { ChatDevice, type DeviceScreen } from './chat-device.ts';
import { DraftKeeper, unsaved } from './chat-draft.ts';
import { editInEditor } from './chat-editor.ts';
import { runErrand } from './chat-errands.ts';
import { follow } from './chat-follow.ts';
import { startLater } from './chat-later.ts';
import { PersonCommand } from './chat-shell.ts';
import { type Live, lastWords, type Stage } from './chat-stage.ts';
import { backgroundOf } from './chat-theme.ts';
import { EXIT } from './invocation.ts';
import { refusalOf } from './open-session.ts';
import { onStopSignal } from './stop-signal.ts';

/** How long the end waits for what runs in the background to end politely. */
const POLITE_MS = 800;

export class ChatTerminal {
  readonly #parts: ChatParts;
  readonly #streams: ChatStreams;
  readonly #device: ChatDevice;
  #store!: ChatStore;
  #screen: DeviceScreen | undefined;
  #draft: DraftKeeper | undefined;
  #stage!: Stage;
  /** The session that comes onto the screen when this one is over. */
  #next: Stage | undefined;
  readonly #early: TerminalInput[] = [];
  #opening = false;
  /** Ends the wait of a stage without a session. */
  #put: () => void = () => undefined;
  readonly #shell = new PersonCommand();
  readonly #lives: Live[] = [];
  readonly #closing: Promise<void>[] = [];
  #code = EXIT.done as number;
  #leaving = false;
  #over = false;

  constructor(parts: ChatParts, streams: ChatStreams) {
    this.#parts = parts;
    this.#streams = streams;
    this.#device = new ChatDevice(streams, parts.env, {
      input: (input) => this.#hand(input),
      reply: (reply) => this.#hear(reply),
      resized: (size) => this.#store.resize(size),
      gone: () => this.#stop(EXIT.hangup),
      last: () => this.#killAll(),
    });
  }

  /** From the first picture to the last. */
  async run(first: Stage): Promise<number> {
    this.#enter(first);
    const dispose = [onStopSignal((code) => this.#stop(code)), this.#device.guard()];
    const screen = this.#device.open(this.#store.screen(), this.#store.chat.settings.spoken ?? false);
    this.#screen = screen;
    this.#watchFocus();
    screen.whenReady(() => this.#store.attach(screen));
    const colors = this.#store.chat.settings.theme !== 'none';
    this.#device.write(queries.kitty + (colors ? queries.background : ''));
    startLater(this.#parts, colors, (step) => this.#store.change(step));
    const fault = await this.#playAll();
    this.#finish(fault);
    await this.#settled();
    for (const off of dispose) off();
    this.#killAll();
    return this.#code;
  }

  /** The sessions, one after another; the answer is why the last one failed, where it did. */
  async #playAll(): Promise<Error | undefined> {
    for (;;) {
      const fault = await this.#play(this.#stage);
      const next = this.#next;
      this.#next = undefined;
      if (!next || this.#leaving) {
        await next?.live?.session.shutdown();
        return fault;
      }
      this.#enter(next);
      if (fault) this.#store.change((chat, now) => only(noticed(chat, fault.message, now, 'error')));
    }
  }

  #enter(stage: Stage): void {
    const { live, above, chat, lastSeq } = stage;
    this.#stage = stage;
    if (live) this.#lives.push(live);
    const store = new ChatStore(chat, this.#ports(stage), lastSeq);
    this.#store = store;
    this.#draft = live && new DraftKeeper(live.draft, () => draftText(store.chat.composer));
    // An empty line where another session stands above.
    store.change((one) => ({ ...only(one), print: this.#lives.length > 1 ? [[], ...above] : [...above] }));
    const screen = this.#screen;
    if (screen) screen.whenReady(() => store.attach(screen));
    for (const input of this.#early.splice(0)) store.input(input);
  }

  /** What is typed while one session ends is meant for the next. */
  #hand(input: TerminalInput): void {
    if (this.#next) this.#early.push(input);
    else this.#store.input(input);
  }

  /** Until the session of the stage is over, or, without one, until a choice was made. */
  async #play({ live }: Stage): Promise<Error | undefined> {
    if (!live) {
      await new Promise<void>((resolve) => {
        this.#put = resolve;
      });
      this.#store.close();
      return undefined;
    }
    const followed = follow(live, this.#store);
    const fault = await live.session.ended;
    await followed;
    const store = this.#store;
    store.change((chat, now) => (fault ? unsaved(takeBackUnsent(chat), now) : only(takeBackUnsent(chat))));
    store.close();
    const kept = Promise.all([this.#draft?.save(), live.offers.save(store.chat, store.lastSeq)]);
    this.#closing.push(kept.then(() => live.close()));
    return fault;
  }

  /** What the terminal answers to the questions of the start. */
  #hear({ kind, data }: ReplyInput): void {
    if (kind === 'kitty' && !this.#over) this.#device.turnOn('kitty');
    const background = kind === 'background' ? backgroundOf(data) : undefined;
    if (background) this.#store.change((chat) => only({ ...chat, settings: withLook(chat.settings, { background }) }));
  }

  #ports({ live }: Stage): ChatPorts {
    return {
      session: live?.session,
      newId: this.#parts.newId,
      clock: systemClock,
      remember: (text) => this.#parts.history.add(text),
      errand: (errand) => this.#run(errand),
      attach: (paths) => attached(paths, live, this.#parts.cwd, this.#store),
      edited: () => this.#draft?.edited(),
      quit: () => this.#stop(EXIT.done),
      call: (what) => this.#device.call(what, this.#store.chat.settings.calling.by),
      suspend: () => this.#device.suspend(),
      editOutside: (text) => this.#editOutside(text),
    };
  }

  #run(errand: Errand): void {
    if (errand.type === 'Open') void this.#open(errand.opening);
    else {
      const store = this.#store;
      void runErrand(errand, {
        parts: this.#parts,
        live: this.#stage.live,
        change: (step) => {
          store.change(step);
          this.#watchFocus();
        },
        folded: () => store.lastSeq,
        shell: this.#shell,
        write: (text) => this.#device.write(text),
      });
    }
  }

  #watchFocus(): void {
    if (this.#store.chat.settings.calling.when === 'unfocused' && !this.#over) this.#device.turnOn('focus');
  }

  /** The other session is there before this one ends: where it cannot be had, nothing has changed. */
  async #open(opening: Opening): Promise<void> {
    if (this.#opening || this.#next || this.#leaving) return;
    const present = this.#stage.live?.session.id;
    if (opening.kind === 'session' && opening.sessionId === present) {
      this.#store.change((chat, now) => openRefused(chat, 'that session is open here', now));
      return;
    }
    this.#opening = true;
    const { settings, size, history } = this.#store.chat;
    try {
      const stage = await this.#parts.open(opening, present, { settings, size, history });
      if (this.#leaving) await stage.live?.session.shutdown();
      else {
        this.#next = stage;
        this.#end();
      }
    } catch (error) {
      const why = refusalOf(error) ?? (error instanceof Error ? error.message : String(error));
      this.#store.change((chat, now) => openRefused(chat, why, now));
    } finally {
      this.#opening = false;
    }
  }

  /** The session of this stage ends as by a stop. */
  #end(): void {
    this.#store.change((chat) => only(leaving(chat)));
    if (this.#stage.live) void this.#stage.live.session.shutdown();
    else this.#put();
  }

  #stop(code: number): void {
    this.#code ||= code;
    this.#leaving = true;
    this.#end();
  }

  #finish(fault: Error | undefined): void {
    this.#over = true;
    this.#screen?.end(lastWords(this.#stage, this.#store.chat, this.#parts.cwd));
    this.#device.restore(true);
    if (!fault) return;
    this.#code ||= EXIT.failed;
    this.#streams.stderr.write(`harness-chat: ${fault.message}\n`);
  }

  /** What runs beside the session ends politely, in bounded time. */
  async #settled(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, POLITE_MS).unref());
    await Promise.race([Promise.all([...this.#closing, this.#parts.history.settled()]), late]);
  }

  #killAll(): void {
    for (const live of this.#lives) live.killAll();
  }

  async #editOutside(text: string): Promise<string | undefined> {
    try {
      return await this.#device.lend(() => editInEditor(text, this.#parts.env));
    } catch (error) {
      const { message } = error as Error;
      this.#store.change((chat, now) => only(noticed(chat, message, now, 'error')));
      return undefined;
    }
  }
}
