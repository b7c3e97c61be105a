/** Keeps what stands in the composer, so that it survives a crash. */
import type { DraftFile } from '../edge/journal/draft-file.ts';

const QUIET_MS = 300;

export class DraftKeeper {
  readonly #file: DraftFile;
  readonly #text: () => string;
  /** Undefined: what the file holds is not known. */
  #saved: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: DraftFile, text: () => string) {
    this.#file = file;
    this.#text = text;
  }

  edited(): void {
    this.#timer ??= setTimeout(() => void this.save(), QUIET_MS);
  }

  /** At once. A draft that cannot be kept is no reason to stop the chat. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text();
    if (text === this.#saved) return;
    this.#saved = text;
    await this.#file.save(text).catch(() => {});
  }
}
