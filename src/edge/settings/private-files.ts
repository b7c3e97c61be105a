/** Folders 0700 and files 0600, whatever the umask; loose old ones are tightened with a word. */
import { accessSync, chmodSync, constants, mkdirSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { oneLine } from './one-line.ts';
import type { HomePaths } from './paths.ts';

/** Modes mean nothing there. */
const withoutModes = process.platform === 'win32';

/** Creates the folder where it is missing. The answer is a warning, or undefined. Throws where it cannot be made. */
export function ensureFolder(path: string): string | undefined {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return tighten(path, 0o700);
}

/** Takes from group and others what they have. The answer is a warning, or undefined; a missing file is none. */
export function tighten(path: string, mode: 0o600 | 0o700): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || withoutModes || (stats.mode & 0o077) === 0) return undefined;
  const was = (stats.mode & 0o777).toString(8).padStart(4, '0');
  if (shared(path, stats)) return `${oneLine(path)} is open to others (${was}): choose a folder of your own for it`;
  try {
    chmodSync(path, mode);
    return `${oneLine(path)} was open to others (${was}) and is now yours alone`;
  } catch {
    return `${oneLine(path)} is open to others (${was}) and cannot be tightened`;
  }
}

/** The program's folders and files that are there, tightened; its own folders are created. Warnings. Throws where nothing can be written. */
export function ensureHome(paths: HomePaths): string[] {
  const folders = [...new Set([paths.configFolder, paths.dataFolder])].map(ensureFolder);
  // says that the disk is read-only, where making a folder there would only say that something is missing
  accessSync(paths.dataFolder, constants.W_OK);
  const parts = [paths.sessions, paths.drafts, paths.outputs, paths.locks].map((path) => tighten(path, 0o700));
  const files = [paths.config, paths.history].map((path) => tighten(path, 0o600));
  return [...folders, ...parts, ...files].filter((warning) => warning !== undefined);
}

/** A folder that others need as well (/tmp, the user's whole home) must not be closed to them. */
function shared(path: string, stats: Stats): boolean {
  return stats.isDirectory() && ((stats.mode & 0o1000) !== 0 || path === homedir() || path === '/');
}
