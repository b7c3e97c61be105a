/** The one clock of the screen: who asks for a picture gets it at once, or with the next one. */

export interface UiClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; the answer cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** Pictures a second: for keys as they are typed, for text as it streams. */
const KEY_GAP_MS = 8;
const STREAM_GAP_MS = 50;

export class FrameClock {
  readonly #clock: UiClock;
  readonly #draw: () => void;
  #lastAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: UiClock, draw: () => void) {
    this.#clock = clock;
    this.#draw = draw;
  }

  /** A key, or something that must not wait: drawn before this returns unless a picture was drawn just now. */
  soon(): void {
    this.#at(this.#lastAt + KEY_GAP_MS);
  }
  /** The end of a Turn. */
  atOnce(): void {
    this.#run();
  }
  /** More of what streams: gathered. */
  withStream(): void {
    this.#at(Math.max(this.#lastAt + STREAM_GAP_MS, this.#clock.now() + 1));
  }
  /** When the picture changes by time alone. */
  wakeAt(time: number | undefined): void {
    if (time !== undefined) this.#at(time);
  }
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #at(time: number): void {
    const now = this.#clock.now();
    if (time <= now) {
      this.#run();
      return;
    }
    if (time >= this.#dueAt) return;
    this.#cancel?.();
    this.#dueAt = time;
    this.#cancel = this.#clock.after(Math.max(1, Math.ceil(time - now)), () => this.#run());
  }

  #run(): void {
    this.stop();
    this.#lastAt = this.#clock.now();
    this.#draw();
  }
}
