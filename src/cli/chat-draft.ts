/** Keeps what stands in the composer, so that it survives a crash. */
import type { DraftFile } from '../edge/journal/draft-file.ts';
import { ownText } from '../view/attachment.ts';
import type { Chat, Step } from '../view/chat.ts';
import { draftText } from '../view/composer.ts';
import { told } from '../view/told.ts';

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
