/** Submits one input and watches it to its end: the Turn that took it, whichever that is, and how that Turn ended. */
import type { InputBlock, Session, TurnDone } from '../index.ts';
import { isReply, isTerminal, replyTo } from '../index.ts';

/**
 * Resolves with the TurnDone of the input's Turn. Rejects where the input did not reach a Turn, where its Turn failed
 * (the very error is the `cause`) or was interrupted, and with the signal's reason: then nobody watches any more, and
 * the Turn runs on, for it belongs to the loop.
 */
export async function observeInput(session: Session, blocks: InputBlock[], signal?: AbortSignal): Promise<TurnDone> {
  // before the submit: a subscription has no replay
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  const stop = () => subscription.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const commandId = await session.submit(blocks, { signal });
    let turnId: string | undefined;
    for await (const { event } of subscription) {
      signal?.throwIfAborted();
      if (isReply(event) && replyTo(event) === commandId) {
        if (event.type === 'TurnRejected' || event.type === 'InputCancelled') {
          throw new Error(`the input reached no turn: ${event.type}, ${event.reason}`);
        }
        if (event.type !== 'InputQueued') turnId = event.turnId;
      }
      if (!isTerminal(event) || event.turnId !== turnId) continue;
      if (event.type === 'TurnDone') return event;
      if (event.type === 'TurnFailed') throw new Error('the turn failed', { cause: event.err });
      throw new Error('the turn was interrupted');
    }
    signal?.throwIfAborted();
    throw subscription.err ?? new Error('the session is over');
  } finally {
    signal?.removeEventListener('abort', stop);
    subscription.close();
  }
}
