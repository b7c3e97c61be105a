/** The journal of the running session, read into the transcript that is open. */
import type { Delivery } from '../domain/event.ts';
import type { Session } from '../runtime/session.ts';
import { only } from '../view/chat.ts';
import { readInto } from '../view/transcript-overlay.ts';
import type { Change } from './chat-errands.ts';

/** Events that are handed over at once, in the order of the journal: a picture each, and keys in between. */
const BATCH = 2000;

/**
 * Reads until nothing is missing between the journal and what is folded as it happens. `folded`: the last journaled event
 * that the chat was given. Stops where another transcript was opened, or this one closed.
 */
export async function readTranscript(session: Session, folded: () => number, change: Change): Promise<void> {
  let open = true;
  let read = 0;
  const hand = (batch: readonly Delivery[], more: boolean): void =>
    change((chat) => {
      const { overlay } = chat;
      open &&= overlay?.kind === 'transcript' && overlay.reading && overlay.seq === read;
      read = batch.at(-1)?.journalSeq ?? read;
      return only(open ? readInto(chat, batch, more) : chat);
    });
  do {
    let batch: Delivery[] = [];
    for await (const delivery of session.readEvents({ after: read })) {
      batch.push(delivery);
      if (batch.length < BATCH) continue;
      hand(batch, true);
      batch = [];
      if (!open) return;
    }
    hand(batch, true);
  } while (open && read < folded());
  hand([], false);
}
