/** Hands deliveries to every subscriber, in order. Enduring events come here only after they are on disk. */
import type { Delivery } from '../domain/event.ts';
import type { EventFilter } from './session.ts';
import { BufferedSubscription, type BufferLimit, DEFAULT_LIMIT } from './subscription.ts';

export class Hub {
  readonly #subscribers = new Set<BufferedSubscription>();
  #ended = false;

  /** Registered when the call returns. */
  subscribe(filter: EventFilter, limit: BufferLimit = DEFAULT_LIMIT): BufferedSubscription {
    const subscription = new BufferedSubscription(filter, limit, (self) => this.#subscribers.delete(self));
    if (this.#ended) subscription.end();
    else this.#subscribers.add(subscription);
    return subscription;
  }

  publish(delivery: Delivery): void {
    for (const subscriber of this.#subscribers) subscriber.offer(delivery);
  }

  /** No more will come: every iterator ends after what it still holds. */
  end(): void {
    this.#ended = true;
    for (const subscriber of this.#subscribers) subscriber.end();
    this.#subscribers.clear();
  }
}
