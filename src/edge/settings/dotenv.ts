/** The workspace's `.env`: read for model, base URL and key only; anything else in it is ignored with a word. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
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
  const all = Object.entries(parseEnv(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')));
  const values = Object.fromEntries(all.filter(([name]) => READ.has(name))) as Record<string, string>;
  const others = all.map(([name]) => name).filter((name) => !READ.has(name));
  const warnings =
    others.length > 0 ? [`${oneLine(path)} is read for model, base URL and key only, ignored: ${someOf(others)}`] : [];
  return { dotenv: { path, values }, warnings };
}
