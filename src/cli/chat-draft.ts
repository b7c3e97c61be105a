/** Keeps what stands in the composer, so that it survives a crash. */
import type { DraftFile } from '../edge/journal/draft-file.ts';
import { ownText } from '../view/attachment.ts';
import type { Chat, Step } from '../view/chat.ts';
import { draftText } from '../view/composer.ts';
import { told } from '../view/told.ts';

/** So long after the last key it is kept, and never later than that after the first one. */
const QUIET_MS = 300;
const LONGEST_MS = 900;

export class DraftKeeper {
  readonly #file: DraftFile;
  readonly #text: () => string;
  /** Undefined: what the file holds is not known. */
  #saved: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When what is not kept yet was begun. */
  #since: number | undefined;

  constructor(file: DraftFile, text: () => string) {
    this.#file = file;
    this.#text = text;
  }

  edited(): void {
    const now = performance.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), Math.min(QUIET_MS, Math.max(0, this.#since + LONGEST_MS - now)));
  }

  /** At once. A draft that cannot be kept is no reason to stop the chat. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#since = undefined;
    const text = this.#text();
    if (text === this.#saved) return;
    this.#saved = text;
    // one that failed is tried again with the next key
    await this.#file.save(text).catch(() => {
      if (this.#saved === text) this.#saved = undefined;
    });
  }
}

/** The session ended because nothing can be saved: what the disk may not take either stays on the screen. */
export function unsaved(chat: Chat, now: number): Step {
  const returned = chat.view.loops.flatMap(({ queue }) => queue.returned.map(({ blocks }) => ownText(blocks)));
  const texts = [...returned, draftText(chat.composer)].filter((text) => text.trim() !== '');
  return told(
    chat,
    texts.map((text) => `not sent: ${text}`),
    now,
  );
}
