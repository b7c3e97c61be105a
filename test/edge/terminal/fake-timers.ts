import type { Timers } from '../../../src/edge/terminal/countdown.ts';

/** A clock that stands still until it is told. */
export class FakeTimers implements Timers {
  #now = 0;
  #next = 0;
  readonly #due = new Map<number, { at: number; run: () => void }>();

  set(run: () => void, ms: number): unknown {
    this.#next += 1;
    this.#due.set(this.#next, { at: this.#now + ms, run });
    return this.#next;
  }

  clear(timer: unknown): void {
    this.#due.delete(timer as number);
  }

  now(): number {
    return this.#now;
  }

  /** Time in which the program is busy: what is due comes later than it should. */
  block(ms: number): void {
    this.#now += ms;
  }

  get pending(): number {
    return this.#due.size;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const first = [...this.#due].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (first === undefined) break;
      this.#due.delete(first[0]);
      this.#now = Math.max(this.#now, first[1].at);
      first[1].run();
    }
    this.#now = end;
  }
}
