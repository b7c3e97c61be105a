import { expect, test } from 'vitest';
import { readTranscript } from '../../src/cli/chat-transcript.ts';
import type { Delivery } from '../../src/domain/event.ts';
import type { Session } from '../../src/runtime/session.ts';
import { type Chat, newChat } from '../../src/view/chat.ts';
import { foldDelivery } from '../../src/view/fold.ts';
import { openTranscript, type TranscriptOverlay } from '../../src/view/transcript-overlay.ts';
import { PLAIN, said } from '../support/chat-driver.ts';
import { stamped } from '../support/fake-session.ts';

/** A journal of turns, and a chat that reads it into its transcript. */
class Reading {
  chat: Chat = openTranscript(newChat(PLAIN, { rows: 24, columns: 80 })).chat;
  readonly journal: Delivery[] = [];
  folded = 0;
  /** Called for each delivery that is read. */
  onRead: (seq: number) => void = () => undefined;

  commit(count: number): void {
    for (let i = 0; i < count; i += 1) {
      const journalSeq = this.journal.length + 1;
      const cause = { commandId: `command-${journalSeq}`, agency: 'user' as const };
      const of = { loopId: 'loop-1', turnId: `turn-${journalSeq}` };
      const message = said(`question ${journalSeq}`);
      this.journal.push({
        event: stamped({ type: 'TurnStarted', ...of, cause, turnIndex: 0, message }),
        journalSeq,
      });
    }
  }
  /** The session delivers what was committed last. */
  deliver(): void {
    const last = this.journal.at(-1);
    if (!last) return;
    this.folded = last.journalSeq;
    this.chat = foldDelivery(this.chat, last, 0).chat;
  }
  run(): Promise<void> {
    const { journal } = this;
    const read = (seq: number) => this.onRead(seq);
    const session: Pick<Session, 'readEvents'> = {
      async *readEvents({ after = 0 } = {}) {
        const there = journal.length;
        for (const delivery of journal.slice(after, there)) {
          yield delivery;
          read(delivery.journalSeq);
        }
      },
    };
    return readTranscript(
      session as Session,
      () => this.folded,
      (step) => {
        this.chat = step(this.chat, 0).chat;
      },
    );
  }
  get overlay(): TranscriptOverlay {
    return this.chat.overlay as TranscriptOverlay;
  }
}

test('everything is read, in order', async () => {
  const reading = new Reading();
  reading.commit(4500);
  await reading.run();
  expect(reading.overlay.reading).toBe(false);
  expect(reading.overlay.entries.map(({ text }) => text)).toEqual(
    Array.from({ length: 4500 }, (_, i) => `question ${i + 1}`),
  );
});

test('what is committed while it is read is there once', async () => {
  const reading = new Reading();
  reading.commit(10);
  reading.onRead = (seq) => {
    if (seq !== 5) return;
    reading.commit(1);
    reading.deliver();
  };
  await reading.run();
  reading.commit(1);
  reading.deliver();
  expect(reading.overlay.entries.map(({ text }) => text)).toEqual(
    Array.from({ length: 12 }, (_, i) => `question ${i + 1}`),
  );
});

test('a transcript that was closed is not read on; one that was opened again gets nothing of the old reading', async () => {
  const reading = new Reading();
  reading.commit(5000);
  let last = 0;
  reading.onRead = (seq) => {
    last = seq;
    if (seq === 2500) reading.chat = openTranscript({ ...reading.chat, overlay: undefined }).chat;
  };
  await reading.run();
  expect(last).toBeLessThan(5000);
  expect(reading.overlay.entries).toEqual([]);
});
