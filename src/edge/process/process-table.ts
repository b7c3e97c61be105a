/** Which processes there are, from /proc, else from ps. Zombies are left out: they only wait to be read. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  pid: number;
  ppid: number;
  pgid: number;
  /** When it began, in units of the system; tells a pid used again from the old one. */
  start: string;
}

const hasProc = existsSync('/proc/self/stat');

export function readProcessTable(): ProcessRow[] {
  return hasProc ? fromProc() : fromPs();
}

function fromProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const row = procRow(name);
    if (row) rows.push(row);
  }
  return rows;
}

function procRow(pid: string): ProcessRow | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // the name of the program stands in parentheses and may hold any character
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields || fields.length < 20 || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { pid: Number(pid), ppid: Number(fields[1]), pgid: Number(fields[2]), start: fields[19] as string };
}

function fromPs(): ProcessRow[] {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  const lines = execFileSync('ps', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).split('\n');
  return lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[4]?.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), ppid: Number(match[2]), pgid: Number(match[3]), start: match[5] as string }];
  });
}

/** Whether that process was started with `assignment` ("NAME=value") in its environment; unknown counts as no. */
export function startedWith(pid: number, assignment: string): boolean {
  if (!hasProc) return false;
  return readIfThere(`/proc/${pid}/environ`)?.split('\0').includes(assignment) ?? false;
}

/** The command line of a process, for people. */
export function commandLineOf(pid: number): string {
  if (hasProc) return (readIfThere(`/proc/${pid}/cmdline`) ?? '').split('\0').join(' ').trim();
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
