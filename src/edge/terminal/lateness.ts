import type { Timers } from './countdown.ts';

/**
 * How late the program was just now. What a read brings then may have been typed over all of that time, and looks like
 * one burst all the same. A beat tells, for as long as somebody types: an idle program wakes up for nothing.
 */
export class Lateness {
  readonly #timers: Timers;
  #timer: unknown;
  /** When the next beat should come; undefined while there is none. */
  #due: number | undefined;
  #until = 0;
  #found = { late: 0, at: Number.NEGATIVE_INFINITY };

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Called at each read: milliseconds that the program was late by, up to now or very shortly before. */
  atRead(): number {
    const now = this.#timers.now();
    const late = this.#lateBy(now);
    this.#until = now + WATCH_MS;
    if (this.#due === undefined) {
      this.#found = { late, at: now };
      this.#beat(now);
    }
    return late;
  }

  stop(): void {
    if (this.#due !== undefined) this.#timers.clear(this.#timer);
    this.#due = undefined;
    this.#found = { late: 0, at: Number.NEGATIVE_INFINITY };
  }

  /** A beat may have come before what had gathered is read, and other timers with it: its lateness holds until the next. */
  #lateBy(now: number): number {
    const holds = this.#due !== undefined || now - this.#found.at <= BEAT_MS;
    return Math.max(this.#overdue(now), holds ? this.#found.late : 0);
  }

  #overdue(now: number): number {
    return this.#due === undefined ? 0 : Math.max(0, now - this.#due);
  }

  #beat(now: number): void {
    this.#due = now + BEAT_MS;
    this.#timer = this.#timers.set(() => {
      const at = this.#timers.now();
      this.#found = { late: this.#overdue(at), at };
      this.#due = undefined;
      if (at < this.#until) this.#beat(at);
    }, BEAT_MS);
  }
}

const BEAT_MS = 40;
const WATCH_MS = 3000;
