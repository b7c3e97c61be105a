/** Notices that nothing came for a while. Time in which the process was stopped does not count (contract: Provider). */
import type { Clock } from '../../runtime/ports.ts';

/** Looks this often; what a look is later than due by more than the slack was spent stopped, and is not counted. */
const LOOK_MS = 1000;
const SLACK_MS = 500;

export interface StallTimer {
  /** From now on `limitMs` of waiting count. Cheap: called for each read. */
  wait(limitMs: number): void;
  /** Something came: until the next `wait` nothing counts, however long what came is dealt with. */
  rest(): void;
  stop(): void;
}

export function startStallTimer(clock: Clock, firstLimitMs: number, onStall: (limitMs: number) => void): StallTimer {
  let limit = firstLimitMs;
  let waiting = true;
  let idle = 0;
  let mark = clock.now();
  let cancel = () => {};
  const arm = () => {
    const due = Math.max(1, Math.min(LOOK_MS, limit - idle));
    cancel = clock.after(due, () => {
      const now = clock.now();
      const passed = now - mark;
      mark = now;
      if (waiting && passed > 0 && passed <= due + SLACK_MS) idle += passed;
      if (waiting && idle >= limit) onStall(limit);
      else arm();
    });
  };
  arm();
  return {
    wait(limitMs) {
      waiting = true;
      idle = 0;
      mark = clock.now();
      if (limitMs === limit) return;
      limit = limitMs;
      cancel();
      arm();
    },
    rest() {
      waiting = false;
    },
    stop: () => cancel(),
  };
}
