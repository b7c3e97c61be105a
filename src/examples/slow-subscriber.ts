/** A subscriber that is too slow loses its subscription, never the loop its pace; the journal has what it missed. */
import type { Delivery, Session } from '../index.ts';
import { findError, SubscriptionLossError } from '../index.ts';

/**
 * Takes every enduring delivery in order, each after `work` is done with the one before: live for as long as the
 * buffer holds, then from the journal. Resolves with whether there was a loss, when the session is over.
 */
export async function followSlowly(session: Session, work: (delivery: Delivery) => Promise<void>): Promise<boolean> {
  const subscription = session.subscribeEvents({ enduring: 'all' });
  let last = 0;
  for await (const delivery of subscription) {
    await work(delivery);
    last = delivery.journalSeq;
  }
  if (!findError(subscription.err, SubscriptionLossError)) return false;
  await session.ended;
  for await (const delivery of session.readEvents({ after: last })) await work(delivery);
  return true;
}
