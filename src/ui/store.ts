/**
 * The one writer of the chat's state. Keys are folded and drawn at once; deliveries gather and are folded when the next
 * picture is drawn; intents are carried out on the session. No rules live here: they are in view/.
 */
import type { Command } from '../domain/command.ts';
import { type Delivery, isTerminal } from '../domain/event.ts';
import type { TerminalInput } from '../domain/terminal-input.ts';
import type { Session } from '../runtime/session.ts';
import { announce, announceFirst } from '../view/announce.ts';
import type { AttachedBlocks } from '../view/attachment.ts';
import type { Attention } from '../view/attention.ts';
import { type Chat, only, type Step } from '../view/chat.ts';
import type { Errand } from '../view/errand.ts';
import { attachedTo, foldAnswer, foldDelivery, foldSnapshot, mergeDeltas, needsSnapshot } from '../view/fold.ts';
import type { Intent } from '../view/intent.ts';
import { lookedAt } from '../view/named-images.ts';
import { layout, type Screen } from '../view/screen.ts';
import type { ScreenSize } from '../view/screen-gate.ts';
import { type Line, lineText, paintLine } from '../view/style.ts';
import { update } from '../view/update.ts';
import { takeEdited } from '../view/update-composer.ts';
import { CommandOrder } from './command-order.ts';
import { FrameClock, type UiClock } from './frame-clock.ts';

/** What the store needs of the outside beside the session. None of these may throw. */
export interface ChatPorts {
  /** None while a session is only being chosen. */
  session: Session | undefined;
  clock: UiClock;
  newId(): string;
  /** Keeps a text of the composer's history. */
  remember(text: string): void;
  /** The draft in the person's editor; undefined when it was left without saving. */
  editOutside(text: string): Promise<string | undefined>;
  /** Calls the person to the terminal, or takes the call back. */
  call(what: Attention | undefined): void;
  /** Ctrl+Z. */
  suspend(): void;
  /** Something outside the session; what comes of it is told by `change`. */
  errand(errand: Errand): void;
  /** What goes with an input that names these files; it may take a moment. */
  attach(paths: readonly string[]): Promise<AttachedBlocks>;
  /** The composer holds another text. */
  edited(): void;
  /** The person leaves: the session is to be shut down. */
  quit(): void;
}

/** What draws: called with the next picture and the lines to print above it, in one frame. */
export interface ScreenPort {
  draw(screen: Screen, above: string, overlay: boolean): void;
  redraw(): void;
  clear(): void;
}

export class ChatStore {
  #chat: Chat;
  readonly #ports: ChatPorts;
  readonly #frames: FrameClock;
  #port: ScreenPort | undefined;
  #pending: Delivery[] = [];
  #print: Line[] = [];
  #lastSeq: number;
  readonly #commands: CommandOrder;
  #closed = false;

  /** `lastSeq`: the last journaled event that `chat` has folded. */
  constructor(chat: Chat, ports: ChatPorts, lastSeq = 0) {
    this.#chat = chat;
    this.#lastSeq = lastSeq;
    this.#ports = ports;
    this.#commands = new CommandOrder({
      attach: ports.attach,
      execute: (command) => this.#execute(command),
      whole: (input) => this.change((chat) => only(attachedTo(chat, input))),
      refused: (input, message) => this.change((chat, now) => foldAnswer(chat, input, { ok: false, message }, now)),
    });
    this.#frames = new FrameClock(ports.clock, () => this.#drawFrame());
  }

  get chat(): Chat {
    return this.#chat;
  }

  /** The first picture, and from then on every one. */
  attach(port: ScreenPort): void {
    if (!this.#port) this.#print.push(...announceFirst(this.#chat, this.#ports.clock.now()));
    this.#port = port;
    this.#frames.soon();
  }

  /** The picture as it is now, without drawing it. */
  screen(): Screen {
    return layout(this.#chat, this.#ports.clock.now());
  }

  input(input: TerminalInput): void {
    if (this.#closed) return;
    const { clock, newId } = this.#ports;
    this.#take(update(this.#chat, input, { now: clock.now(), id: newId() }));
    this.#frames.soon();
  }

  /** Another Chat by a function of view: a size, a theme, a line of the program's own. */
  change(step: (chat: Chat, now: number) => Step): void {
    if (this.#closed) return;
    this.#take(step(this.#chat, this.#ports.clock.now()));
    this.#frames.soon();
  }

  /** The terminal has another size: drawn for it before this returns. */
  resize(size: ScreenSize): void {
    if (this.#closed) return;
    this.#chat = { ...this.#chat, size };
    this.#frames.atOnce();
  }

  /** Reads deliveries until the subscription ends. */
  async follow(deliveries: AsyncIterable<Delivery>): Promise<void> {
    for await (const delivery of deliveries) this.deliver(delivery);
  }

  /** A journaled event that was taken before is passed over. */
  deliver(delivery: Delivery): void {
    if (this.#closed) return;
    if (delivery.journalSeq > 0) {
      if (delivery.journalSeq <= this.#lastSeq) return;
      this.#lastSeq = delivery.journalSeq;
    }
    this.#pending.push(delivery);
    if (delivery.event.type === 'TokenDelta') this.#frames.withStream();
    else if (isTerminal(delivery.event)) this.#frames.atOnce();
    else this.#frames.soon();
  }

  /** The number of the last journaled event that was taken. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Folds and prints what has gathered, then draws nothing any more. */
  close(): void {
    if (this.#closed) return;
    this.#frames.stop();
    this.#drawFrame();
    this.#frames.stop();
    this.#closed = true;
  }

  #take(step: Step): void {
    const before = this.#chat;
    this.#chat = step.chat;
    if (step.chat.composer !== before.composer) this.#ports.edited();
    for (const line of step.print) this.#print.push(line);
    for (const line of announce(before, step.chat, this.#ports.clock.now())) this.#print.push(line);
    for (const intent of step.intents) this.#carryOut(intent);
  }

  #foldPending(now: number): void {
    if (this.#pending.length === 0) return;
    const deliveries = mergeDeltas(this.#pending);
    this.#pending = [];
    for (const delivery of deliveries) this.#take(foldDelivery(this.#chat, delivery, now));
    if (needsSnapshot(this.#chat)) this.#refresh();
  }

  #refresh(): void {
    const { session } = this.#ports;
    if (session) this.#take(only(foldSnapshot(this.#chat, session.snapshot())));
  }

  #drawFrame(): void {
    if (this.#closed) return;
    const now = this.#ports.clock.now();
    this.#foldPending(now);
    if (!this.#port) return;
    const overlay = this.#chat.overlay !== undefined && !this.#chat.settings.spoken;
    // What commits while an overlay is open is printed when it closes.
    const lines = overlay ? [] : this.#print;
    if (!overlay) this.#print = [];
    const screen = layout(this.#chat, now);
    this.#port.draw(screen, this.#paint(lines), overlay);
    this.#frames.wakeAt(screen.wakeAt);
  }

  #paint(lines: readonly Line[]): string {
    const { theme, ascii, links, spoken } = this.#chat.settings;
    const shown = spoken ? lines.filter((line) => lineText(line).trim() !== '') : lines;
    if (shown.length === 0) return '';
    return `${shown.map((line) => paintLine(line, theme, { ascii, links })).join('\n')}\n`;
  }

  #carryOut(intent: Intent): void {
    const { remember, suspend, session } = this.#ports;
    switch (intent.type) {
      case 'Command':
        this.#commands.give(intent.command, intent.attach ?? []);
        break;
      case 'SetApproval':
        session?.setApproval(intent.mode);
        break;
      case 'Remember':
        remember(intent.text);
        break;
      case 'EditOutside':
        void this.#editOutside(intent.text);
        break;
      case 'Errand':
        this.#ports.errand(intent.errand);
        break;
      case 'Suspend':
        suspend();
        break;
      case 'Call':
        this.#ports.call(intent.what);
        break;
      case 'Redraw':
        this.#port?.redraw();
        break;
      case 'ClearScreen':
        this.#port?.clear();
        break;
      case 'Quit':
        this.#ports.quit();
    }
  }

  async #execute(command: Command): Promise<void> {
    const answer = await this.#ports.session?.execute(command);
    if (this.#closed || !answer) return;
    const said = answer.ok ? { ok: true, ack: answer.ack } : { ok: false, message: answer.message };
    this.#take(foldAnswer(this.#chat, command, said, this.#ports.clock.now()));
    if (REORDERS.has(command.type)) this.#refresh();
    this.#frames.soon();
  }

  async #editOutside(text: string): Promise<void> {
    const edited = await this.#ports.editOutside(text);
    if (edited !== undefined) this.change((chat) => lookedAt(chat, only(takeEdited(chat, edited))));
  }
}

/** What changes the queue without an event. */
const REORDERS = new Set<Command['type']>(['MoveQueuedInput', 'SetQueuedInput', 'SendQueuedInput', 'ResumeQueue']);
