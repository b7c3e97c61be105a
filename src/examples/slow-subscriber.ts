/** A subscriber that is too slow loses its subscription, never the loop its pace; the journal has what it missed. */
import type { Delivery, Session } from '../index.ts';
import { findError, SubscriptionLossError } from '../index.ts';

/**
 * Takes every enduring delivery of the session once and in order, from its first record to its end, however long
 * `work` needs for each. Resolves with how often the subscription was lost on the way.
 */
export async function followSlowly(session: Session, work: (delivery: Delivery) => Promise<void>): Promise<number> {
  let last = 0;
  const take = async (deliveries: AsyncIterable<Delivery>): Promise<void> => {
    for await (const delivery of deliveries) {
      // what the journal gave is not taken again from the subscription
      if (delivery.journalSeq <= last) continue;
      await work(delivery);
      last = delivery.journalSeq;
    }
  };
  for (let losses = 0; ; losses += 1) {
    // first the subscription, then the journal: so nothing falls between them
    const subscription = session.subscribeEvents({ enduring: 'all' });
    await take(session.readEvents({ after: last }));
    await take(subscription);
    if (!subscription.err) return losses;
    if (!findError(subscription.err, SubscriptionLossError)) throw subscription.err;
  }
}
