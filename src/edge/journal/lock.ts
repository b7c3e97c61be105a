/**
 * One process at a time owns a session (contract: Durability). A lock is a file that names its holder; it is put in
 * place whole by a link, so exactly one of many takers gets it. What a dead holder left is taken over: the taker
 * first gets the lock on exactly that lock (its content names the guard file), looks again, and replaces it by a
 * rename. Two takers thus never both see the same dead lock as theirs, and a taker that dies on the way leaves a
 * guard that is taken over in the same way.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { JournalError } from '../../domain/failure.ts';
import { reasonOf } from './disk-reason.ts';
import { ensurePrivateFolder } from './private-folder.ts';

/** Who holds a lock. A process id alone may have been given to another process since. */
export interface Holder {
  pid: number;
  /** When that process began, as the system tells it; '' where it does not. */
  started: string;
  host: string;
  /** Differs after each start of the machine; '' where the system has none. */
  boot: string;
  /** Within which process ids mean the same (a container has its own); '' where the system has no such thing. */
  space: string;
}

/** Another living process owns the session; the message names it. */
export class SessionInUseError extends JournalError {
  readonly holder: Holder;
  constructor(session: string, holder: Holder, file?: string) {
    const where = file ? ` on ${holder.host || 'another machine'}. If that is over, remove ${file}` : '';
    super(`Session ${session} is in use by process ${holder.pid}${where}.`);
    this.holder = holder;
  }
}

/** What a lock asks of the system. */
export interface ProcessTable {
  /** This process. */
  self(): Promise<Holder>;
  /** When the process began; '' where that cannot be told, undefined where there is none such. */
  startOf(pid: number): Promise<string | undefined>;
}

export interface Lock {
  /** Only ever removes the lock that was taken. Never rejects. */
  release(): Promise<void>;
}

/** Rejects with a SessionInUseError where a living process holds it, and with a JournalError where the disk takes no lock. */
export async function acquireLock(
  path: string,
  session: string,
  processes: ProcessTable = systemProcesses,
): Promise<Lock> {
  try {
    return await acquire(path, session, processes);
  } catch (cause) {
    if (cause instanceof JournalError) throw cause;
    throw new JournalError(`Session ${session} cannot be locked by ${path}: ${reasonOf(cause)}.`, { cause });
  }
}

async function acquire(path: string, session: string, processes: ProcessTable): Promise<Lock> {
  await ensurePrivateFolder(dirname(path));
  const mine = `${JSON.stringify({ ...(await processes.self()), nonce: randomUUID() })}\n`;
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  await writeFile(temporary, mine, { mode: 0o600, flag: 'wx' });
  try {
    await take(path, temporary, session, processes);
  } finally {
    await unlink(temporary).catch(() => {});
  }
  return {
    async release() {
      if ((await contentOf(path)) === mine) await unlink(path).catch(() => {});
    },
  };
}

/** Ends when `path` holds the content of `temporary`. */
async function take(path: string, temporary: string, session: string, processes: ProcessTable): Promise<void> {
  for (;;) {
    if (await linked(temporary, path)) return;
    const found = await contentOf(path);
    if (found === undefined) continue; // released meanwhile
    const holder = holderOf(found);
    if (holder) await refuseIfAlive(holder, path, session, processes);
    const guard = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    await take(guard, temporary, session, processes);
    try {
      if ((await contentOf(path)) !== found) continue; // another taker was faster
      const copy = `${temporary}.copy`;
      await link(temporary, copy);
      await rename(copy, path);
      return;
    } finally {
      await unlink(guard).catch(() => {});
    }
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Locks come into being whole: what cannot be read was left by a machine that went down, and is nobody's. */
function holderOf(content: string): Holder | undefined {
  try {
    const { pid, ...rest } = JSON.parse(content) as Partial<Record<keyof Holder, unknown>>;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    const text = (name: keyof typeof rest): string => String(rest[name] ?? '');
    return { pid, started: text('started'), host: text('host'), boot: text('boot'), space: text('space') };
  } catch {
    return undefined;
  }
}

async function refuseIfAlive(holder: Holder, path: string, session: string, processes: ProcessTable): Promise<void> {
  const self = await processes.self();
  const sameHost = holder.host === self.host;
  if (sameHost && holder.boot !== self.boot) return; // this machine was started anew since
  // another machine or container on a shared home: whether its process lives cannot be seen from here
  if (holder.space !== self.space || (!sameHost && (holder.boot === '' || holder.boot !== self.boot))) {
    throw new SessionInUseError(session, holder, path);
  }
  const started = await processes.startOf(holder.pid);
  if (started === undefined) return;
  if (started !== '' && holder.started !== '' && started !== holder.started) return; // the id was given away again
  throw new SessionInUseError(session, holder);
}

const readTrimmed = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return undefined;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Linux by /proc, others by ps. */
export const systemProcesses: ProcessTable = {
  async self() {
    const boot = (await readTrimmed('/proc/sys/kernel/random/boot_id')) ?? '';
    const space = await readlink('/proc/self/ns/pid').catch(() => '');
    return { pid: process.pid, started: (await this.startOf(process.pid)) ?? '', host: hostname(), boot, space };
  },
  async startOf(pid) {
    if (!isAlive(pid)) return undefined;
    const stat = await readTrimmed(`/proc/${pid}/stat`);
    if (stat !== undefined) {
      // behind the name, which may hold anything: state is the third field of all, the start the 22nd
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '');
    }
    const ps = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    });
    return ps.then(
      ({ stdout }) => stdout.trim(),
      () => (isAlive(pid) ? '' : undefined),
    );
  },
};
