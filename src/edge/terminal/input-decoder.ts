import type { TerminalInput } from '../../domain/terminal-input.ts';
import { BracketedPaste } from './bracketed-paste.ts';
import { Countdown, type Timers } from './countdown.ts';
import { type BatchItem, InputBatch } from './input-batch.ts';
import { readToken, type Token } from './input-token.ts';
import { key, noModifiers, textKey } from './key-codes.ts';
import { Lateness } from './lateness.ts';

export interface DecoderOptions {
  readonly timers: Timers;
  /** Called once for each input, in order, while bytes are fed or a timer runs. */
  readonly sink: (input: TerminalInput) => void;
  /**
   * Milliseconds after which a lone ESC is the Escape key: 25 where nothing is said, 100 over ssh. At 0 the end of the
   * read decides at once. (With the kitty protocol the key comes as a sequence of its own and needs no wait.)
   */
  readonly escapeTimeoutMs?: number;
  /** Milliseconds in which the tail of a sequence may come after its ESC, or after its last byte. */
  readonly tailTimeoutMs?: number;
  /** Milliseconds of silence after which a paste without an end is taken as it is. */
  readonly pasteIdleMs?: number;
}

const ESC = 0x1b;

/**
 * From what stdin delivers, bytes or strings cut anywhere, to inputs (contract: keys of the chat).
 *
 * The grammar lives in input-token.ts and knows no time. Here lives what only time can tell: whether a lone ESC is a key,
 * whether the rest of a sequence or of a paste will still come. Owner of those races: the one countdown below.
 */
export class InputDecoder {
  readonly #batch: InputBatch;
  readonly #wait: Countdown;
  readonly #lateness: Lateness;
  readonly #tailMs: number;
  readonly #pasteIdleMs: number;
  #escapeMs: number;
  #pending: Buffer = Buffer.alloc(0);
  #highSurrogate = '';
  #paste: BracketedPaste | undefined;
  /** Escape was given out, and its ESC may yet turn out to have begun a sequence. */
  #late = false;
  /** `#pending` begins with such an ESC: its key is already given out. */
  #muted = false;

  constructor(options: DecoderOptions) {
    this.#batch = new InputBatch(options.timers, options.sink);
    this.#wait = new Countdown(options.timers);
    this.#lateness = new Lateness(options.timers);
    this.#escapeMs = options.escapeTimeoutMs ?? 25;
    this.#tailMs = options.tailTimeoutMs ?? 150;
    this.#pasteIdleMs = options.pasteIdleMs ?? 1000;
  }

  setEscapeTimeout(ms: number): void {
    this.#escapeMs = ms;
  }

  /** One read. Never throws, whatever the bytes. */
  feed(chunk: Uint8Array | string): void {
    const fresh = this.#bytesOf(chunk);
    if (fresh.length === 0) return;
    const late = this.#lateness.atRead();
    this.#wait.stop();
    const rejoined = this.#rejoin(fresh);
    this.#batch.read(this.#read(rejoined), late);
    this.#startWaiting();
  }

  /** Forgets what is half read, and every timer: after a suspension, or for good. */
  reset(): void {
    this.#wait.stop();
    this.#batch.reset();
    this.#lateness.stop();
    this.#pending = Buffer.alloc(0);
    this.#highSurrogate = '';
    this.#paste = undefined;
    this.#late = false;
    this.#muted = false;
  }

  #bytesOf(chunk: Uint8Array | string): Buffer {
    if (typeof chunk !== 'string') return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const text = this.#highSurrogate + chunk;
    const cut = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#highSurrogate = text.slice(cut);
    return Buffer.from(text.slice(0, cut), 'utf8');
  }

  /** Puts what is pending in front; after a late Escape also its ESC, where what came can be the rest of its sequence. */
  #rejoin(fresh: Buffer): Buffer {
    if (this.#late) {
      this.#late = false;
      this.#muted = '[O]P_'.includes(String.fromCharCode(fresh[0] as number));
      if (this.#muted) return Buffer.concat([Buffer.of(ESC), fresh]);
    }
    return this.#pending.length === 0 ? fresh : Buffer.concat([this.#pending, fresh]);
  }

  #read(bytes: Buffer): BatchItem[] {
    const items: BatchItem[] = [];
    let at = 0;
    while (at < bytes.length) {
      if (this.#paste !== undefined) {
        at = this.#paste.read(bytes, at);
        if (!this.#paste.ended) break;
        items.push({ kind: 'paste', text: this.#paste.text() });
        this.#paste = undefined;
        continue;
      }
      const found = readToken(bytes, at);
      if (found === undefined) break;
      if (found.token.kind === 'paste-start') this.#paste = new BracketedPaste();
      if (!this.#muted) {
        items.push(found.token);
        at = found.end;
      } else {
        this.#muted = false;
        at = endsSequence(found.token, bytes[1] as number) ? found.end : 1;
        if (found.token.kind === 'input' && found.token.input.type !== 'key') items.push(found.token);
      }
    }
    this.#pending = Buffer.from(bytes.subarray(at));
    return items;
  }

  #startWaiting(): void {
    if (this.#paste !== undefined) {
      this.#wait.start(this.#pasteIdleMs, () => this.#giveUpPaste());
      return;
    }
    if (this.#pending[0] !== ESC) return;
    if (this.#muted || this.#pending.some((byte) => byte !== ESC)) {
      this.#wait.start(this.#tailMs, () => this.#giveUpTail());
    } else if (this.#escapeMs > 0) {
      this.#wait.start(this.#escapeMs, () => this.#emitEscape());
    } else {
      this.#emitEscape();
    }
  }

  /** The pending ESC, or two of them, are keys. What arrives soon after may still be the tail of a sequence. */
  #emitEscape(): void {
    const count = this.#pending.length;
    this.#pending = Buffer.alloc(0);
    this.#late = true;
    this.#wait.start(Math.max(1, this.#tailMs - this.#escapeMs), () => {
      this.#late = false;
    });
    this.#batch.read(Array.from({ length: count }, (): Token => ({ kind: 'input', input: key('escape') })));
  }

  /** A sequence that broke off says nothing, unless there is no more of it than Alt and a character make. */
  #giveUpTail(): void {
    const text = this.#pending.toString('latin1', 0, 4);
    const muted = this.#muted;
    this.#pending = Buffer.alloc(0);
    this.#muted = false;
    const found = /^(\x1b?)\x1b([[O\]P_^])$/.exec(text);
    if (found === null) return;
    const keys = [textKey(found[2] as string, { ...noModifiers, alt: !muted })];
    if (found[1] !== '') keys.unshift(key('escape'));
    this.#batch.read(keys.map((input) => ({ kind: 'input', input })));
  }

  #giveUpPaste(): void {
    const text = this.#paste?.text() ?? '';
    this.#paste = undefined;
    this.#batch.read([{ kind: 'paste', text }]);
  }
}

/** Whether what was read behind a late Escape was a sequence, and not the typing of somebody quick. */
function endsSequence(token: Token, introducer: number): boolean {
  if (token.kind === 'nothing') return introducer !== 0x4f;
  if (token.kind !== 'input' || token.input.type !== 'key') return true;
  const { name, alt, shift } = token.input;
  const typed = shift ? name.toUpperCase() : name;
  return !(alt && typed === String.fromCharCode(introducer));
}
