/** Deliveries of a session to the screen's store. */
import type { ChatStore } from '../ui/store.ts';
import { noticed, only } from '../view/chat.ts';
import { watchMcp } from './chat-mcp.ts';
import { EVENTS, type Live } from './chat-stage.ts';

/** Until the session is over. A subscription that was lost is taken up again from the journal. */
export async function follow(live: Live, store: ChatStore): Promise<void> {
  const { session, subscription: first } = live;
  watchMcp(live, (step) => store.change(step));
  for (let subscription = first; ; ) {
    await store.follow(subscription);
    if (!subscription.err) return;
    const missed = session.readEvents({ after: store.lastSeq });
    subscription = session.subscribeEvents(EVENTS);
    await store.follow(missed);
    store.change((chat, now) =>
      only(noticed(chat, 'the screen fell behind: it was rebuilt from the journal', now, 'warning')),
    );
  }
}
