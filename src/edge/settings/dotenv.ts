/** The workspace's `.env`: read for model, base URL and key only; anything else in it is ignored with a word. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from './one-line.ts';
import type { DotenvSource } from './sources.ts';
import { someOf } from './wording.ts';

const READ = new Set(['MODEL', 'BASE_URL', 'API_KEY'].flatMap((part) => [`OPENAI_${part}`, `HARNESS_CHAT_${part}`]));
/** Nobody's settings are larger; something else lies there under that name. */
const LARGEST = 1_000_000;

export interface DotenvRead {
  dotenv?: DotenvSource;
  warnings: string[];
}

export function readDotenv(folder: string): DotenvRead {
  const path = join(folder, '.env');
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { warnings: [] };
    if (!stats.isFile() || stats.size > LARGEST)
      return { warnings: [`${oneLine(path)} is no file of settings, ignored`] };
    return parseDotenv(path, readFileSync(path, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { warnings: code === 'ENOENT' ? [] : [`${oneLine(path)} cannot be read (${code}), ignored`] };
  }
}

export function parseDotenv(path: string, text: string): DotenvRead {
  const all = assignments(text.replace(/^\ufeff/, '').split(/\r\n?|\n/));
  const values = Object.fromEntries(all.filter(([name]) => READ.has(name)));
  const others = new Set(all.map(([name]) => name).filter((name) => !READ.has(name)));
  const ignored = someOf([...others]);
  const warnings = ignored ? [`${oneLine(path)} is read for model, base URL and key only, ignored: ${ignored}`] : [];
  return { dotenv: { path, values }, warnings };
}

/**
 * Node's own parser joins a line that is no assignment with the one behind it, and so loses a key. Values of several
 * lines are passed over whole, since none of ours has any and a private key must not be taken for names.
 */
function assignments(lines: readonly string[]): [string, string][] {
  const found: [string, string][] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length; at += 1) {
    const [, name, rest = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (!name) continue;
    const quote = /^["'`]/.exec(rest)?.[0];
    const end = quote ? rest.indexOf(quote, 1) : -1;
    if (!quote) found.push([name, rest.replace(/(?:^|\s)#.*$/, '').trim()]);
    else if (end > 0) found.push([name, rest.slice(1, end)]);
    else {
      found.push([name, rest.trim()]);
      if (unclosed.has(quote)) continue;
      let last = at + 1;
      while (last < lines.length && !lines[last]?.includes(quote)) last += 1;
      if (last < lines.length) at = last;
      else unclosed.add(quote);
    }
  }
  return found;
}
