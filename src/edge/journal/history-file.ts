/** What was sent before, for the composer: one file for all windows, none of which loses another's lines (contract: Files). */
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseLine, readAt } from './line-reader.ts';

export interface HistoryEntry {
  text: string;
  /** The folder that it was sent in. */
  cwd: string;
}

/** Only so much of the file's end is read. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** One write at the file's end, so that lines of two windows never mix. A line that a crash tore is left behind. */
export async function appendHistory(path: string, entry: HistoryEntry): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'a+', 0o600);
  try {
    const { size, mode } = await handle.stat();
    if (mode & 0o077) await handle.chmod(0o600);
    const whole = size === 0 || (await readAt(handle, size - 1, 1))[0] === 0x0a;
    const bytes = Buffer.from(`${whole ? '' : '\n'}${JSON.stringify({ text: entry.text, cwd: entry.cwd })}\n`);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length) throw new Error(`${path} could not be written whole: the disk may be full`);
  } finally {
    await handle.close();
  }
}

/** The last `limit` texts sent in `cwd`, the newest last; one that was sent again at once stands once. */
export async function loadHistory(path: string, cwd: string, limit = 1000): Promise<string[]> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return [];
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const bytes = await readAt(handle, from, size - from);
    const texts: string[] = [];
    for (let start = from === 0 ? 0 : bytes.indexOf('\n') + 1; start < bytes.length; ) {
      const newline = bytes.indexOf('\n', start);
      const end = newline === -1 ? bytes.length : newline;
      const entry = parseLine(bytes.subarray(start, end)) as Partial<HistoryEntry> | null | undefined;
      if (entry?.cwd === cwd && typeof entry.text === 'string' && entry.text !== texts.at(-1)) texts.push(entry.text);
      start = end + 1;
    }
    return texts.slice(-limit);
  } finally {
    await handle.close();
  }
}
