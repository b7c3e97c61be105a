/** The composer's history on disk: one JSON object a line, the latest last, private to the user. */
import { appendFileSync, chmodSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** No more of the file than this is read. */
const TAIL_BYTES = 256 * 1024;
const MOST_TEXTS = 1000;
/** A longer text is not kept: it is in the session's journal. */
const LONGEST_TEXT = 20_000;

export interface ComposerHistory {
  texts: readonly string[];
  add(text: string): void;
}

/** A file that cannot be read is an empty history; one that cannot be written is passed over. */
export function openComposerHistory(path: string): ComposerHistory {
  const texts = readTail(path);
  let last = texts.at(-1);
  return {
    texts,
    add(text) {
      if (text.trim() === '' || text === last || text.length > LONGEST_TEXT) return;
      last = text;
      try {
        appendFileSync(path, `${JSON.stringify({ text })}\n`, { mode: 0o600 });
        chmodSync(path, 0o600);
      } catch {
        // a history that cannot be kept is no reason to stop the chat
      }
    },
  };
}

function readTail(path: string): string[] {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString('utf8').split('\n');
    return lines
      .slice(size > TAIL_BYTES ? 1 : 0)
      .flatMap(textOfLine)
      .slice(-MOST_TEXTS);
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function textOfLine(line: string): string[] {
  try {
    const { text } = JSON.parse(line) as { text?: unknown };
    return typeof text === 'string' ? [text] : [];
  } catch {
    return [];
  }
}
