/**
 * All that a command has started and how it is ended: its group, its descendants, and those that left both, known by
 * a mark in the environment that they inherited. Never this program's own group.
 */
import { type ProcessRow, readProcessTable, startedWith } from './process-table.ts';

export const MARK_VARIABLE = 'HARNESS_PROCESS_MARK';
/** Between the polite and the forced end (contract: Interrupt). */
const GRACE_MS = 2_000;
const KILL_ROUNDS = 10;

export interface ProcessTree {
  /** What of it lives now. */
  living(): ProcessRow[];
  /** The command itself was waited for: its group id holds only as long as a known member keeps it. */
  leaderEnded(): void;
  /** SIGTERM to all, after the grace SIGKILL to all; resolves when none is left, or with those that cannot be killed. */
  stop(graceMs?: number): Promise<ProcessRow[]>;
  /** SIGKILL at once, for a program that exits. */
  killNow(): void;
}

export function createProcessTree(leader: number, mark: string): ProcessTree {
  const known = new Map<number, string>();
  let leaderRunning = true;
  const first = readProcessTable().find((row) => row.pid === leader);
  if (first) known.set(leader, first.start);
  const since = first?.start;

  const living = (): ProcessRow[] => {
    const table = readProcessTable();
    const own = table.find((row) => row.pid === process.pid)?.pgid;
    const candidates = table.filter((row) => row.pid > 1 && row.pid !== process.pid && row.pgid !== own);
    const members = new Map<number, ProcessRow>();
    const add = (row: ProcessRow): void => {
      members.set(row.pid, row);
      known.set(row.pid, row.start);
    };
    for (const row of candidates) {
      if (known.get(row.pid) === row.start || isMarked(row)) add(row);
    }
    const groupIsOurs = leaderRunning || [...members.values()].some((row) => row.pgid === leader);
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const row of candidates) {
        if (members.has(row.pid)) continue;
        if (members.has(row.ppid) || (groupIsOurs && row.pgid === leader)) add(row);
      }
    }
    return [...members.values()];
  };
  // environments are read only of what began after the command did
  const isMarked = (row: ProcessRow): boolean =>
    (since === undefined || !isBefore(row.start, since)) && startedWith(row.pid, `${MARK_VARIABLE}=${mark}`);

  const signalAll = (signal: NodeJS.Signals): number => {
    const rows = living();
    // the group as a whole first: nothing of it can fork away in between
    if (rows.some((row) => row.pgid === leader)) send(-leader, signal);
    for (const row of rows) if (row.pgid !== leader) send(row.pid, signal);
    return rows.length;
  };
  return {
    living,
    leaderEnded() {
      leaderRunning = false;
    },
    async stop(graceMs = GRACE_MS) {
      if (signalAll('SIGTERM') === 0) return [];
      signalAll('SIGCONT');
      const end = performance.now() + graceMs;
      for (let pause = 10; performance.now() < end; pause = Math.min(100, pause * 2)) {
        await wait(Math.min(pause, end - performance.now()));
        if (living().length === 0) return [];
      }
      for (let round = 0; round < KILL_ROUNDS; round++) {
        if (signalAll('SIGKILL') === 0) return [];
        await wait(20);
      }
      return living();
    },
    killNow() {
      signalAll('SIGKILL');
    },
  };
}

const isBefore = (a: string, b: string): boolean => /^\d+$/.test(a) && /^\d+$/.test(b) && Number(a) < Number(b);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended in between, or is not ours to signal
  }
}
