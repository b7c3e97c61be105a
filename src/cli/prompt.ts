/** The prompt of `exec`: words, standard input, or both, the words first. */
import type { Streams } from './invocation.ts';
import { UsageError } from './usage-error.ts';

/** A pipe that has not ended by then is named, so that nobody waits without knowing for what. */
const SILENCE_MS = 2000;

/** "-" as the only word, or no word: standard input. Throws a UsageError where nothing was said. */
export async function promptOf(words: readonly string[], { stdin, stderr }: Streams): Promise<string> {
  const joined = words.length === 1 && words[0] === '-' ? '' : words.join(' ');
  const said = joined.trim() === '' ? '' : joined;
  const isTerminal = 'isTTY' in stdin && stdin.isTTY === true;
  const tell = (text: string): void => void stderr.write(`harness-chat: ${text}\n`);
  let piped = '';
  if (!isTerminal) {
    const overdue = setTimeout(() => tell('waiting for the end of standard input'), SILENCE_MS);
    piped = await readAll(stdin);
    clearTimeout(overdue);
  } else if (said === '') {
    tell('type the prompt; Ctrl+D on a line of its own ends it');
    piped = await readAll(stdin);
  }
  const prompt = [said, piped.replace(/\n+$/, '')].filter((part) => part !== '').join('\n\n');
  if (prompt.trim() === '') throw new UsageError('there is no prompt: give it as words, or on standard input');
  return prompt;
}

async function readAll(stdin: Streams['stdin']): Promise<string> {
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
