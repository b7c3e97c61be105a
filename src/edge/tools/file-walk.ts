/** The files under a folder, without what .gitignore leaves out, without links and without other file systems. */
import { type Dirent, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { mountsUnder, wayDown } from './workspace.ts';

const MAX_FILES = 200_000;
/** A pattern with more stars than this could take for ever. */
const MAX_STARS = 8;

/** The rules of one folder, for paths below it. */
interface Rules {
  folder: string;
  rules: Ignore;
}

/** Absolute paths, folder by folder in the order of names. `workspace` is where rules from above begin to count. */
export async function* walkFiles(folder: string, workspace: string, signal: AbortSignal): AsyncGenerator<string> {
  const mounts = new Set(mountsUnder(folder));
  const open: { path: string; rules: readonly Rules[] }[] = [{ path: folder, rules: rulesAbove(folder, workspace) }];
  let count = 0;
  while (open.length > 0) {
    signal.throwIfAborted();
    const { path, rules: above } = open.pop() as (typeof open)[number];
    const rules = [...rulesOf(path), ...above];
    const below: typeof open = [];
    for (const entry of await entriesOf(path)) {
      const at = join(path, entry.name);
      const isFolder = entry.isDirectory();
      if ((!isFolder && !entry.isFile()) || entry.name === '.git' || mounts.has(at)) continue;
      if (isIgnored(at, isFolder, rules)) continue;
      if (isFolder) below.push({ path: at, rules });
      else if (++count > MAX_FILES) return;
      else yield at;
    }
    open.push(...below.reverse());
  }
}

/** A folder that is named outright is walked even where the rules above leave it out. */
function rulesAbove(folder: string, workspace: string): Rules[] {
  const way = wayDown(workspace, folder);
  if (way === undefined) return [];
  const names = way.split(sep);
  const rules = names.flatMap((_, depth) => rulesOf(join(workspace, ...names.slice(0, depth)))).reverse();
  const ignored = names.some((_, depth) => isIgnored(join(workspace, ...names.slice(0, depth + 1)), true, rules));
  return ignored ? [] : rules;
}

function rulesOf(folder: string): Rules[] {
  let text: string;
  try {
    text = readFileSync(join(folder, '.gitignore'), 'utf8');
  } catch {
    return [];
  }
  const lines = text.split(/\r?\n/).filter((line) => line.length < 1000 && line.split('*').length <= MAX_STARS + 1);
  return [{ folder, rules: ignore().add(lines) }];
}

/** The nearest folder that has a say decides. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, rules: own } of rules) {
    const way = wayDown(folder, path);
    if (way === undefined) continue;
    const { ignored, unignored } = own.test(way.split(sep).join('/') + (isFolder ? '/' : ''));
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
