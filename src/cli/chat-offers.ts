/**
 * Which returned inputs are still offered, kept beside the draft: the journal knows what came back, not what was dropped
 * or sent again since. Its file says so up to one record; what is behind that record, the journal alone says.
 */
import type { InputBlock } from '../domain/content.ts';
import type { CommandId, LoopId } from '../domain/identity.ts';
import { DraftFile } from '../edge/journal/draft-file.ts';
import type { Chat } from '../view/chat.ts';

export interface Offer {
  loopId: LoopId;
  commandId: CommandId;
  /** Of an input that the journal does not have: it was rejected. */
  blocks?: readonly InputBlock[];
}

export interface Offers {
  /** The last record that is counted in. */
  upTo: number;
  rows: readonly Offer[];
}

export class OfferFile {
  readonly #file: DraftFile;
  #known = false;

  constructor(draft: string) {
    this.#file = new DraftFile(draft.replace(/\.json$/, '.offers.json'));
  }

  /** Undefined where nothing is known but the journal. */
  async load(): Promise<Offers | undefined> {
    const offers = parsed(await this.#file.load());
    this.#known = offers !== undefined;
    return offers;
  }

  /** No file where nothing ever came back. What cannot be kept is no reason to stop the chat. */
  async save({ view }: Chat, upTo: number): Promise<void> {
    if (!this.#known && !view.loops.some(({ queue }) => queue.gaveBack)) return;
    this.#known = true;
    const rows = view.loops.flatMap(({ loopId, queue }) =>
      queue.returned.map(({ commandId, reason, blocks }): Offer => {
        return { loopId, commandId, ...(reason === 'rejected' && { blocks }) };
      }),
    );
    await this.#file.save(JSON.stringify({ upTo, rows } satisfies Offers)).catch(() => {});
  }
}

function parsed(text: string): Offers | undefined {
  try {
    const offers = JSON.parse(text) as Partial<Offers> | null;
    return typeof offers?.upTo === 'number' && Array.isArray(offers.rows) ? (offers as Offers) : undefined;
  } catch {
    return undefined;
  }
}
