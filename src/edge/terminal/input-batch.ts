import type { FocusInput, ReplyInput, TerminalInput } from '../../domain/terminal-input.ts';
import { Countdown, type Timers } from './countdown.ts';
import type { Token } from './input-token.ts';
import { controlKey, key, textKey } from './key-codes.ts';
import { areTypedLines } from './typed-lines.ts';

/**
 * Tells typing from pasting where the terminal does not mark a paste. A carriage return with more behind it in one read
 * is a new line (contract: keys of the composer; keys that write nothing do not count), and what stands around it is a paste: it must not answer a gate or
 * complete a word. Slow lines deliver a paste in small reads, so a return in the midst of a burst waits a moment
 * for what follows it before it is the Enter key.
 *
 * Where the program was late, one read holds what was typed meanwhile: lines as a person sends them, each ended by its
 * return (`typed-lines.ts`), are then typed lines.
 */
export type BatchItem = Token | { readonly kind: 'paste'; readonly text: string };

/** How long a burst may pause: of typing as far as is known, and once it is known to be a paste. */
const BURST_MS = 8;
const PASTE_BURST_MS = 30;
/** A run of this many characters in one read was not typed. */
const LONG_RUN = 64;

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'tab' | 'lf' | 'newline' };

export class InputBatch {
  readonly #sink: (input: TerminalInput) => void;
  readonly #burst: Countdown;
  /** A return that is not yet known to be the Enter key. */
  #held = false;
  /** The burst that goes on had a new line … */
  #newline = false;
  /** … and text behind it, which shows it to be a paste. */
  #pasting = false;

  constructor(timers: Timers, sink: (input: TerminalInput) => void) {
    this.#sink = sink;
    this.#burst = new Countdown(timers);
  }

  /** Everything that one read brought, in order; `late` says by how many milliseconds too late it was read. */
  read(items: readonly BatchItem[], late = 0): void {
    if (!this.#pasting && areTypedLines(items, this.#held, late)) this.#readTyped(items);
    else this.#readBurst(items);
  }

  #readTyped(items: readonly BatchItem[]): void {
    const held = this.#held;
    this.reset();
    if (held) this.#sink(key('enter'));
    for (const item of items) {
      if (item.kind === 'text') this.#emitTyped(item);
      if (item.kind === 'cr') this.#sink(key('enter'));
    }
  }

  #readBurst(items: readonly BatchItem[]): void {
    let span: Piece[] = [];
    let wrote = false;
    for (const item of items) {
      if (item.kind === 'nothing' || item.kind === 'paste-start') continue;
      if (saysItself(item)) {
        this.#emitSpan(span);
        span = [];
        this.#sink(item.input);
        continue;
      }
      const piece = pieceOf(item);
      if (this.#held) {
        this.#held = false;
        if (piece !== undefined || item.kind === 'cr') {
          span.push({ kind: 'newline' });
          wrote = true;
          if (item.kind === 'lf') continue;
        } else {
          this.#emitSpan(span);
          span = [];
          this.#sink(key('enter'));
        }
      }
      if (item.kind === 'cr') {
        this.#held = true;
      } else if (piece !== undefined) {
        span.push(piece);
        wrote = true;
      } else {
        this.#emitSpan(span);
        span = [];
        if (item.kind === 'input') this.#sink(item.input);
        if (item.kind === 'paste') this.#sink({ type: 'paste', text: item.text });
      }
    }
    this.#emitSpan(span);
    this.#endRead(wrote);
  }

  /** Forgets a burst that was going on. */
  reset(): void {
    this.#burst.stop();
    this.#held = false;
    this.#newline = false;
    this.#pasting = false;
  }

  #endRead(wrote: boolean): void {
    if (this.#held && !wrote && !this.#burst.running) {
      this.#held = false;
      this.#sink(key('enter'));
    }
    if (wrote || this.#held) this.#burst.start(this.#pasting ? PASTE_BURST_MS : BURST_MS, () => this.#endBurst());
  }

  #endBurst(): void {
    const held = this.#held;
    this.reset();
    if (held) this.#sink(key('enter'));
  }

  #emitSpan(span: readonly Piece[]): void {
    if (span.length === 0) return;
    for (const piece of span) {
      if (piece.kind === 'text') this.#pasting ||= this.#newline;
      else this.#newline ||= piece.kind !== 'tab';
    }
    if (this.#pasting) this.#sink({ type: 'paste', text: span.map(textOf).join('') });
    else for (const piece of span) this.#emitTyped(piece);
  }

  #emitTyped(piece: Piece): void {
    if (piece.kind === 'tab') this.#sink(controlKey(9));
    else if (piece.kind !== 'text') this.#sink(controlKey(10));
    else if (piece.text.length >= LONG_RUN) this.#sink({ type: 'paste', text: piece.text });
    else for (const char of piece.text) this.#sink(textKey(char));
  }
}

function pieceOf(item: BatchItem): Piece | undefined {
  if (item.kind === 'text') return item;
  return item.kind === 'tab' || item.kind === 'lf' ? { kind: item.kind } : undefined;
}

function textOf(piece: Piece): string {
  if (piece.kind === 'text') return piece.text;
  return piece.kind === 'tab' ? '\t' : '\n';
}

/** What the terminal says by itself may come between any two keys: it tells nothing about a return before it. */
function saysItself(item: BatchItem): item is { kind: 'input'; input: FocusInput | ReplyInput } {
  return item.kind === 'input' && (item.input.type === 'focus' || item.input.type === 'reply');
}
