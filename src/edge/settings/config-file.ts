/** Reads the user's config. A file that is no JSON object is set aside under another name; it is never overwritten. */
import { existsSync, lstatSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { withLock } from './file-lock.ts';
import { oneLine } from './one-line.ts';
import { ensureFolder } from './private-files.ts';
import type { ConfigSource } from './sources.ts';

export const lockOf = (path: string) => `${path}.lock`;

export interface ConfigRead {
  config: ConfigSource;
  /** What was done about a broken file: one line. */
  warnings: string[];
}

export type Parsed = { ok: true; values: Record<string, unknown> } | { ok: false; why: string };

/** What stands in the file now. A missing one is an empty config, and so is a link that points nowhere yet. */
export function parseConfig(path: string): Parsed {
  let bytes: Uint8Array;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { ok: true, values: {} };
    if (!stats.isFile()) return { ok: false, why: stats.isDirectory() ? 'it is a folder' : 'it is no plain file' };
    // the superuser could read it all the same; what its owner may not read is no config
    if (process.platform !== 'win32' && (stats.mode & 0o400) === 0) return { ok: false, why: 'it may not be read' };
    bytes = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return code === 'ENOENT' ? { ok: true, values: {} } : { ok: false, why: `it cannot be read (${code})` };
  }
  return parseText(bytes);
}

/** Reads the file; sets a broken one aside. Never throws for what is in the file. */
export async function readConfig(path: string): Promise<ConfigRead> {
  const parsed = parseConfig(path);
  if (parsed.ok) return { config: { path, values: parsed.values }, warnings: [] };
  try {
    ensureFolder(dirname(path));
    return await withLock(lockOf(path), () => settle(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    const warning = `${oneLine(path)} is not used: ${parsed.why}, and it cannot be set aside (${oneLine(code)})`;
    return { config: { path, values: {} }, warnings: [warning] };
  }
}

/** Under the lock: looks again, since another process may have put a good file there meanwhile. */
export function settle(path: string): ConfigRead {
  const parsed = parseConfig(path);
  if (parsed.ok) return { config: { path, values: parsed.values }, warnings: [] };
  const aside = freeName(path);
  renameSync(path, aside);
  const warning = `${oneLine(path)} is not used: ${parsed.why}; it is kept as ${oneLine(aside)}`;
  return { config: { path, values: {} }, warnings: [warning] };
}

function parseText(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, why: 'it is no UTF-8 text' };
  }
  if (text.trim() === '') return { ok: false, why: 'it is empty' };
  if (text.startsWith('\ufeff')) return { ok: false, why: 'it begins with a byte order mark' };
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
      return { ok: true, values: values as Record<string, unknown> };
    }
    return { ok: false, why: 'it holds no JSON object' };
  } catch {
    return { ok: false, why: 'it is no valid JSON' };
  }
}

function freeName(path: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
  for (let count = 1; ; count += 1) {
    const name = `${path}.broken-${stamp}${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(name) && !lstatSync(name, { throwIfNoEntry: false })) return name;
  }
}
