/** The composer's history of a folder: read at the start, added to without making anybody wait. */
import { appendHistory, loadHistory } from '../edge/journal/history-file.ts';

export interface ComposerHistory {
  texts: readonly string[];
  add(text: string): void;
  /** Resolves when all that was added is written. */
  settled(): Promise<void>;
}

/** A longer text is not kept: it is in the session's journal. */
const LONGEST_TEXT = 20_000;

/** A file that cannot be read is an empty history; one that cannot be written is passed over. */
export async function openComposerHistory(path: string, cwd: string): Promise<ComposerHistory> {
  const texts = await loadHistory(path, cwd).catch(() => []);
  let last = texts.at(-1);
  let written: Promise<void> = Promise.resolve();
  return {
    texts,
    add(text) {
      if (text.trim() === '' || text === last || text.length > LONGEST_TEXT) return;
      last = text;
      written = written.then(() => appendHistory(path, { text, cwd })).catch(() => {});
    },
    settled: () => written,
  };
}
