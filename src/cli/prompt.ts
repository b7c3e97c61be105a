/** The prompt of `exec`: words, standard input, or both, the words first. */
import type { Readable } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** "-" as the only word, or no word: standard input. Throws a UsageError where nothing was said. */
export async function promptOf(words: readonly string[], stdin: Readable & { isTTY?: boolean }): Promise<string> {
  const said = words.length === 1 && words[0] === '-' ? '' : words.join(' ');
  const wanted = said.trim() === '';
  const piped = wanted || !stdin.isTTY ? await readAll(stdin, wanted) : '';
  const prompt = [said.trim() === '' ? '' : said, piped.replace(/\n+$/, '')].filter((part) => part !== '').join('\n\n');
  if (prompt.trim() === '') throw new UsageError('there is no prompt: give it as words, or on standard input');
  return prompt;
}

async function readAll(stdin: Readable & { isTTY?: boolean }, wanted: boolean): Promise<string> {
  if (stdin.isTTY && !wanted) return '';
  const parts: Buffer[] = [];
  try {
    for await (const part of stdin) parts.push(Buffer.from(part));
  } catch {
    // a closed standard input says nothing
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
