/** A chat without a session and without a terminal: keys and events in, intents and pictures out. Time is a number. */
import type { Command } from '../../src/domain/command.ts';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import type { EventBody } from '../../src/domain/event.ts';
import type { KeyInput } from '../../src/domain/terminal-input.ts';
import { type Chat, newChat, type Step } from '../../src/view/chat.ts';
import type { ChatSettings } from '../../src/view/chat-state.ts';
import { composerText } from '../../src/view/composer.ts';
import { type ContextView, tellContext } from '../../src/view/context-lines.ts';
import { foldAnswer, foldDelivery, foldSnapshot } from '../../src/view/fold.ts';
import type { Intent } from '../../src/view/intent.ts';
import { defaultKeymap } from '../../src/view/keymap.ts';
import { layout } from '../../src/view/screen.ts';
import { type Line, lineText } from '../../src/view/style.ts';
import { update } from '../../src/view/update.ts';
import { stamped } from './fake-session.ts';

export const PLAIN: ChatSettings = {
  theme: 'none',
  look: { choice: 'none', background: 'dark', colors: 256 },
  ascii: false,
  links: false,
  label: 'fake-model',
  demo: false,
  keymap: defaultKeymap,
  calling: { when: 'off', by: 'bell' },
};

export const LOOP = { loopId: 'loop-1' };
export const TURN = { ...LOOP, turnId: 'turn-1' };
export const STEP = { ...TURN, stepId: 'step-1' };
export const USAGE = { ...ZERO_USAGE, inputTokens: 1200, outputTokens: 34 };
export const byUser = (commandId: string) => ({ commandId, agency: 'user' as const });
export const said = (text: string) => ({ role: 'user' as const, blocks: [{ type: 'text' as const, text }] });
export const answered = (text: string) => ({
  role: 'assistant' as const,
  blocks: [{ type: 'text' as const, text }],
  usage: USAGE,
});

const NAMED: Record<string, Partial<KeyInput>> = {
  Enter: { name: 'enter' },
  Tab: { name: 'tab' },
  Esc: { name: 'escape' },
  Up: { name: 'up' },
  Down: { name: 'down' },
  Backspace: { name: 'backspace' },
  Delete: { name: 'delete' },
  PageDown: { name: 'pagedown' },
  End: { name: 'end' },
  'Alt+Up': { name: 'up', alt: true },
  'Alt+Down': { name: 'down', alt: true },
  'Shift+Tab': { name: 'tab', shift: true },
  'Ctrl+C': { name: 'c', ctrl: true },
  'Ctrl+D': { name: 'd', ctrl: true },
  'Ctrl+P': { name: 'p', ctrl: true },
  'Ctrl+O': { name: 'o', ctrl: true },
  'Ctrl+S': { name: 's', ctrl: true },
  'Ctrl+R': { name: 'r', ctrl: true },
  'Ctrl+U': { name: 'u', ctrl: true },
};

export class ChatDriver {
  chat: Chat;
  now = 1_000_000;
  intents: Intent[] = [];
  printed: string[] = [];
  /** All that was printed, with its styles. */
  printedLines: Line[] = [];
  #ids = 0;
  #seq = 0;

  constructor(size = { rows: 24, columns: 80 }, settings: Partial<ChatSettings> = {}) {
    this.chat = newChat({ ...PLAIN, ...settings }, size);
  }

  /** With one idle loop. */
  static started(size?: { rows: number; columns: number }, settings?: Partial<ChatSettings>): ChatDriver {
    const driver = new ChatDriver(size, settings);
    const provider = settings?.demo ? 'demo' : 'fake';
    driver.event({ type: 'SessionStarted', model: 'fake-model', provider, cwd: '/work', appVersion: '0' });
    driver.event({ type: 'LoopStarted', ...LOOP, agentName: 'main', model: 'fake-model' });
    return driver;
  }

  /** With a Turn that runs for `command-0`. */
  static busy(size?: { rows: number; columns: number }, settings?: Partial<ChatSettings>): ChatDriver {
    const driver = ChatDriver.started(size, settings);
    driver.turnStarted('command-0', 'go');
    driver.printed = [];
    return driver;
  }

  turnStarted(commandId: string, text: string, turnId = 'turn-1', turnIndex = 1): void {
    this.event({ type: 'TurnStarted', ...LOOP, turnId, cause: byUser(commandId), turnIndex, message: said(text) });
  }

  event(body: EventBody, extra: { dropped?: number } = {}): void {
    this.#seq += 1;
    this.#take(foldDelivery(this.chat, { event: stamped(body, this.#seq), journalSeq: this.#seq, ...extra }, this.now));
  }

  text(text: string, stepId = 'step-1'): void {
    this.event({ type: 'TokenDelta', ...TURN, stepId, turnIndex: 1, chunk: { type: 'text', text } });
  }

  /** Plain characters, one key each, and `<Enter>`, `<Alt+Up>` and the like. */
  keys(written: string, gapMs = 10): void {
    for (const [piece] of written.matchAll(/<[A-Z][A-Za-z+]*>|[\s\S]/gu)) {
      this.now += gapMs;
      const named = piece.length > 1 ? NAMED[piece.slice(1, -1)] : undefined;
      const key: KeyInput = named
        ? { type: 'key', name: '', ctrl: false, alt: false, shift: false, ...named }
        : { type: 'key', name: piece, text: piece, ctrl: false, alt: false, shift: false };
      this.#take(update(this.chat, key, { now: this.now, id: `command-${++this.#ids}` }));
    }
  }

  focus(focused: boolean): void {
    this.#take(update(this.chat, { type: 'focus', focused }, { now: this.now, id: `command-${++this.#ids}` }));
  }

  paste(text: string): void {
    this.#take(update(this.chat, { type: 'paste', text }, { now: this.now, id: `command-${++this.#ids}` }));
  }

  wait(ms: number): void {
    this.now += ms;
  }

  answer(command: Command, answer: Parameters<typeof foldAnswer>[2]): void {
    this.#take(foldAnswer(this.chat, command, answer, this.now));
  }

  /** What the session says that the next request will hold. */
  context(report: Partial<ContextView> & Pick<ContextView, 'parts' | 'total' | 'estimated'>): void {
    const known = { ...LOOP, model: 'fake-model', provider: 'fake', leftOut: 0, learned: false };
    this.#take(tellContext(this.chat, { ...known, queued: { inputs: 0, tokens: 0 }, ...report }, this.now));
  }

  /** The session's own account of the queue. */
  snapshot(
    queue: { commandId: string; noFold?: boolean; text: string; agency?: 'user' | 'machine' }[],
    paused = false,
  ): void {
    const entries = queue.map(({ commandId, noFold = false, text, agency = 'user' }) => ({
      commandId,
      noFold,
      agency,
      blocks: said(text).blocks,
    }));
    const loop = { ...LOOP, agentName: 'main', model: 'fake-model', provider: 'fake', paused, queue: entries };
    this.chat = foldSnapshot(this.chat, { activeLoopId: 'loop-1', approval: 'ask', loops: [loop] });
  }

  /** Types each text and has the loop take it into its queue. */
  queued(...texts: string[]): string[] {
    return texts.map((text) => {
      this.keys(`${text}<Enter>`);
      const id = this.rows.at(-1)?.commandId ?? '';
      this.event({ type: 'InputQueued', ...LOOP, cause: byUser(id) });
      return id;
    });
  }

  get draft(): string {
    return composerText(this.chat.composer);
  }
  get rows() {
    return this.chat.view.loops[0]?.queue.rows ?? [];
  }
  get returned() {
    return this.chat.view.loops[0]?.queue.returned ?? [];
  }
  /** Commands asked for, in short. */
  get commands(): Command[] {
    return this.intents.flatMap((intent) => (intent.type === 'Command' ? [intent.command] : []));
  }
  /** The commands asked for since the last call. */
  takeCommands(): Command[] {
    const { commands } = this;
    this.intents = [];
    return commands;
  }
  screen(): string[] {
    return layout(this.chat, this.now).lines;
  }
  get picture(): string {
    return this.screen().join('\n');
  }

  #take(step: Step): void {
    this.chat = step.chat;
    this.intents.push(...step.intents);
    this.printed.push(...step.print.map(lineText));
    this.printedLines.push(...step.print);
  }
}
