/** Clocks of tests: one that stands until it is moved, one that lets no wait last. */
import type { Clock } from '../../../src/runtime/ports.ts';

export interface ManualClock extends Clock {
  /** Moves on by `ms`, calling back in order what falls due, also what is set on the way. */
  advance(ms: number): void;
  /** Jumps: what fell due is called once, late, as after a stop of the process. */
  jump(ms: number): void;
  /** What the waits that now stand were set to, in ms. */
  readonly waits: number[];
}

export function createManualClock(start = 1_700_000_000_000): ManualClock {
  let now = start;
  let timers: { due: number; ms: number; callback: () => void }[] = [];
  const callDue = (until: number, setNow: boolean) => {
    for (;;) {
      const next = timers.filter((timer) => timer.due <= until).sort((a, b) => a.due - b.due)[0];
      if (!next) return;
      timers = timers.filter((timer) => timer !== next);
      if (setNow) now = next.due;
      next.callback();
    }
  };
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { due: now + ms, ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const until = now + ms;
      callDue(until, true);
      now = until;
    },
    jump(ms) {
      now += ms;
      callDue(now, false);
    },
    get waits() {
      return timers.map((timer) => timer.ms);
    },
  };
}

/** Every wait ends in the next turn of the event loop, having taken its time by `now`. */
export function createHastyClock(): Clock {
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    after(ms, callback) {
      const due = now + ms;
      const handle = setImmediate(() => {
        now = Math.max(now, due);
        callback();
      });
      return () => clearImmediate(handle);
    },
  };
}

/** Real time that goes by `times` as fast. */
export function createSwiftClock(times: number): Clock {
  return {
    now: () => performance.now() * times,
    after(ms, callback) {
      const handle = setTimeout(callback, ms / times);
      return () => clearTimeout(handle);
    },
  };
}
