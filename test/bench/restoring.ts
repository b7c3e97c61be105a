/** How long a process takes to go on with a session, and what memory it needs for it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readJournal } from '../../src/edge/journal/read-journal.ts';
import { restoreFrom } from '../../src/runtime/restore.ts';
import { generateJournal, type Shape } from './generated.ts';

export interface Restoring {
  megabytes: number;
  records: number;
  /** Seconds from the start of the process to its RestoreDone, less those of an empty session. */
  seconds: number;
  /** The same in seconds of the processor, and in MB of memory at most; none without /proc. */
  cpu?: number;
  peak?: number;
  /** MB that the restored state holds. */
  live: number;
}

interface Measured {
  seconds: number;
  cpu?: number;
  peak?: number;
}

const MEGA = 1024 * 1024;

/** `root`: the project, built. */
async function start(root: string, home: string, args: string[], until: string): Promise<Measured> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'bin/harness-chat.js'), 'stdio', '-p', 'demo', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, HARNESS_CHAT_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise((done) => child.once('exit', done));
  try {
    await line(child, until);
    return { seconds: (performance.now() - began) / 1000, ...usageOf(child) };
  } finally {
    child.stdin?.end();
    await exited;
  }
}

const line = (child: ChildProcess, type: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes(`"type":"${type}"`)) resolve();
    });
    child.once('exit', () => reject(new Error(`the program ended before ${type} came: ${text.slice(-500)}`)));
  });

/** Ticks of /proc are hundredths of a second on every Linux. */
const TICKS = 100;

function usageOf({ pid }: ChildProcess): Pick<Measured, 'cpu' | 'peak'> {
  if (!existsSync(`/proc/${pid}/status`)) return {};
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // behind the name, which may hold anything: user and system time are the 12th and 13th field
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, peak: (Number(kilobytes) * 1024) / MEGA };
}

/** What is left of a restore when all that it needed on the way is gone. */
async function liveSize(path: string): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const restored = await restoreFrom(readJournal(path));
  collect();
  const size = (process.memoryUsage().heapUsed - before) / MEGA;
  if (!restored) throw new Error('nothing was restored');
  return size;
}

const less = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a - b);

/** The quickest of so many: the others waited for the machine. */
async function best(runs: number, root: string, home: string, id: string): Promise<Measured> {
  const measured: Measured[] = [];
  for (let n = 0; n < runs; n += 1) measured.push(await start(root, home, ['--resume', id], 'RestoreDone'));
  return measured.reduce((a, b) => (b.seconds < a.seconds ? b : a));
}

/** Restores a generated journal of each shape in a process of its own, the quickest of so many. */
export async function restoreTimes(
  root: string,
  folder: string,
  shapes: Record<string, Shape>,
  runs = 3,
): Promise<Record<string, Restoring>> {
  const home = resolve(folder, 'home');
  const sessions = join(home, 'sessions');
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const make = (id: string, shape: Shape): number => generateJournal(join(sessions, `${id}.jsonl`), id, home, shape);
  make('empty', { records: 7, answer: 100 });
  const base = await best(3, root, home, 'empty');
  const found: Record<string, Restoring> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const id = name.replace(/\W+/g, '-');
    const records = make(id, shape);
    const path = join(sessions, `${id}.jsonl`);
    const megabytes = statSync(path).size / MEGA;
    const live = await liveSize(path);
    const took = await best(runs, root, home, id);
    rmSync(path);
    found[name] = {
      megabytes,
      records,
      live,
      seconds: took.seconds - base.seconds,
      cpu: less(took.cpu, base.cpu),
      peak: less(took.peak, base.peak),
    };
  }
  return found;
}
