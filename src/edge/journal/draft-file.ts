/** The composer's draft of a session, kept so that it survives a crash: one small file, replaced whole. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ensurePrivateFolder } from './private-folder.ts';

export class DraftFile {
  readonly #path: string;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** An empty draft leaves no file. Saves come into effect in their order; rejects where the file cannot be written. */
  save(text: string): Promise<void> {
    const saved = this.#last.then(() => this.#replace(text));
    this.#last = saved.catch(() => {});
    return saved;
  }

  /** '' where there is none, or none that can be read. */
  async load(): Promise<string> {
    try {
      const draft: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      const text = (draft as { text?: unknown } | null)?.text;
      return typeof text === 'string' ? text : '';
    } catch {
      return '';
    }
  }

  async #replace(text: string): Promise<void> {
    if (text === '') return rm(this.#path, { force: true });
    await ensurePrivateFolder(dirname(this.#path));
    // one process owns the session and with it its draft: one name is enough, and a crash leaves at most one
    const temporary = `${this.#path}.new`;
    await writeFile(temporary, JSON.stringify({ text }), { mode: 0o600 });
    await rename(temporary, this.#path);
  }
}
