/**
 * Where a path really leads. Links are followed one by one, also those whose target is not there yet, so that what is
 * judged is what is then opened; `..` goes up from where a link led, as the system itself does it.
 */
import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Place {
  /** Absolute, without links; its last parts need not exist. */
  real: string;
  /** In the workspace, and not behind a mount point within it. */
  inside: boolean;
  /** Why not, for people; only where `inside` is false. */
  why?: string;
}

const MAX_LINKS = 40;

/** Throws one line for the model where the text is no path. `extraRoots` count as inside for reading. */
export function resolvePlace(path: string, workspace: string, extraRoots: readonly string[] = []): Place {
  const root = canonical(follow(workspace));
  const real = canonical(follow(absolute(path, root)));
  if (extraRoots.some((extra) => within(real, canonical(follow(extra))))) return { real, inside: true };
  if (!within(real, root)) return { real, inside: false, why: 'outside the workspace' };
  const mount = mountsUnder(root).find((point) => within(real, point));
  if (mount !== undefined) return { real, inside: false, why: `on another file system, mounted at ${mount}` };
  return { real, inside: true };
}

function absolute(path: string, workspace: string): string {
  if (/^file:/i.test(path)) return absolute(ofFileUrl(path), workspace);
  if (path.includes('\0')) throw new Error('the path holds a NUL character: leave it out');
  if (path.length > 4096) throw new Error('the path is longer than 4096 characters');
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  // not path.join: that would take away "link/.." before the link is followed
  return isAbsolute(path) ? path : `${workspace}${sep}${path}`;
}

function ofFileUrl(path: string): string {
  try {
    return fileURLToPath(path);
  } catch {
    throw new Error(`${JSON.stringify(path)} is no usable file URL: give the path itself`);
  }
}

/** Every link on the way taken, with what is not there appended as it stands. */
function follow(path: string): string {
  const { root } = parse(path);
  let at = root;
  let links = 0;
  const rest = path.slice(root.length).split(sep).reverse();
  while (rest.length > 0) {
    const part = rest.pop() as string;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const target = linkTarget(next);
    if (target === undefined) {
      at = next;
      continue;
    }
    if (++links > MAX_LINKS) throw new Error(`${path} leads through too many links`);
    if (isAbsolute(target)) at = parse(target).root;
    rest.push(...target.split(sep).reverse());
  }
  return at;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // what cannot be looked at might be anything: a permission is no "not there"
    if (code === 'EACCES' || code === 'EPERM') throw new Error(`${path} cannot be looked at: permission denied`);
    return undefined;
  }
}

/** As the file system itself spells it, where upper and lower case are one. */
function canonical(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const up = dirname(path);
    return up === path ? path : join(canonical(up), basename(path));
  }
}

const within = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** From a folder down to what lies below it; undefined for anything else. Both without links. */
export const wayDown = (folder: string, path: string): string | undefined =>
  path !== folder && within(path, folder) ? relative(folder, path) : undefined;

/** Relative to the workspace where it is in it. */
export const shownPath = (path: string, workspace: string): string => wayDown(workspace, path) ?? path;

/** Mount points below a folder: what lies behind one is another place, whatever its path says. */
export function mountsUnder(root: string): string[] {
  let table: string;
  try {
    table = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // no such table on this system
    return [];
  }
  const points = table.split('\n').map((line) => unescaped(line.split(' ')[4] ?? ''));
  return points.filter((point) => point !== root && within(point, root));
}

const unescaped = (field: string): string =>
  field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
