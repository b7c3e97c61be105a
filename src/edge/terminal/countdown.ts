/** The timers of the program, or of a test. */
export interface Timers {
  set(run: () => void, ms: number): unknown;
  clear(timer: unknown): void;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
}

/**
 * One timer that can be started again and stopped. It runs in two legs: bytes that arrived while the program was busy are
 * read between them, so a busy moment never passes for a silent terminal.
 */
export class Countdown {
  readonly #timers: Timers;
  #timer: unknown;
  #running = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Calls `run` once after `ms` milliseconds; a countdown that was running is forgotten. */
  start(ms: number, run: () => void): void {
    this.stop();
    this.#running = true;
    const last = () => {
      this.#running = false;
      run();
    };
    this.#timer = this.#timers.set(
      () => {
        this.#timer = this.#timers.set(last, 1);
      },
      Math.max(0, ms - 1),
    );
  }

  stop(): void {
    if (this.#running) this.#timers.clear(this.#timer);
    this.#running = false;
  }
}
