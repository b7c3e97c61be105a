/**
 * One subscriber's own buffer (contract: Subscriptions). A full one first merges neighbouring TokenDeltas of one Step
 * and kind; then ephemeral events are dropped for it alone; an enduring one that does not fit ends the subscription.
 * A slow subscriber never slows the loop.
 */
import { type Delivery, type Event, eventTraits, isEnduring } from '../domain/event.ts';
import { SubscriptionLossError } from '../domain/failure.ts';
import type { TokenDelta } from '../domain/turn-event.ts';
import type { EventFilter, Subscription } from './session.ts';

export interface BufferLimit {
  /** Deliveries that may wait. */
  deliveries: number;
}
export const DEFAULT_LIMIT: BufferLimit = { deliveries: 256 };

const passes = (event: Event, filter: EventFilter): boolean => {
  const { scope, class: eventClass } = eventTraits[event.type];
  if (scope === 'session') return true;
  const loops = filter[eventClass];
  if (loops === undefined) return false;
  return loops === 'all' || ('loopId' in event && loops.has(event.loopId as string));
};

type DeltaEvent = Event<TokenDelta>;
const isDelta = (event: Event): event is DeltaEvent => event.type === 'TokenDelta';

/** Two neighbouring deltas as one, where they are of one Step and kind; else undefined. */
export function mergeDeltas(a: Event, b: Event): Event | undefined {
  if (!isDelta(a) || !isDelta(b) || a.stepId !== b.stepId) return undefined;
  const [x, y] = [a.chunk, b.chunk];
  if (x.type === 'tool_use') {
    if (y.type !== 'tool_use' || x.index !== y.index) return undefined;
    return { ...a, chunk: { ...x, inputJson: x.inputJson + y.inputJson } };
  }
  if (y.type !== x.type) return undefined;
  return { ...a, chunk: { type: x.type, text: x.text + y.text } };
}

export class BufferedSubscription implements Subscription {
  err: Error | undefined;
  readonly #filter: EventFilter;
  readonly #limit: BufferLimit;
  readonly #onClose: (self: BufferedSubscription) => void;
  #buffer: Delivery[] = [];
  /** Up to here the buffer was taken. */
  #head = 0;
  #dropped = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(filter: EventFilter, limit: BufferLimit, onClose: (self: BufferedSubscription) => void) {
    this.#filter = filter;
    this.#limit = limit;
    this.#onClose = onClose;
  }

  /** Called by the hub, in order; never blocks and never throws. */
  offer(delivery: Delivery): void {
    if (this.#ended || !passes(delivery.event, this.#filter)) return;
    if (this.#isFull() && !this.#makeRoom(delivery)) return;
    if (this.#dropped > 0) {
      delivery = { ...delivery, dropped: this.#dropped };
      this.#dropped = 0;
    }
    this.#buffer.push(delivery);
    this.#wake?.();
  }

  /** No more will come; what waits is still read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  close(): void {
    if (!this.#ended) this.#onClose(this);
    this.#buffer = [];
    this.#head = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Delivery> {
    try {
      for (;;) {
        const next = this.#take();
        if (next) yield next;
        else if (this.#ended) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      this.close();
    }
  }

  /** The oldest one that waits. What was taken is let go of in blocks: a long buffer is not moved for each. */
  #take(): Delivery | undefined {
    const next = this.#buffer[this.#head];
    if (!next) return undefined;
    this.#head += 1;
    if (this.#head >= 1024 || this.#head === this.#buffer.length) this.#compact();
    return next;
  }

  #compact(): void {
    this.#buffer = this.#buffer.slice(this.#head);
    this.#head = 0;
  }

  #isFull(): boolean {
    return this.#buffer.length - this.#head >= this.#limit.deliveries;
  }

  /** Whether there is a place now. An enduring event that finds none is the end of the subscription. */
  #makeRoom(delivery: Delivery): boolean {
    this.#merge();
    if (!this.#isFull()) return true;
    if (!isEnduring(delivery.event)) return this.#absorb(delivery);
    // an ephemeral one that waits gives its place to the enduring one
    const at = this.#buffer.findLastIndex((waiting) => waiting.journalSeq === 0);
    if (at >= 0) {
      this.#drop(at);
      return true;
    }
    this.err = new SubscriptionLossError('The subscriber was too slow: an enduring event did not fit into its buffer.');
    this.#onClose(this);
    this.end();
    return false;
  }

  /** A delta may still join the last one that waits; anything else is dropped and counted. */
  #absorb(delivery: Delivery): boolean {
    const last = this.#buffer.at(-1);
    const merged = last && mergeDeltas(last.event, delivery.event);
    if (last && merged) this.#buffer[this.#buffer.length - 1] = { ...last, event: merged };
    else this.#dropped += 1;
    return false;
  }

  #drop(at: number): void {
    const [gone] = this.#buffer.splice(at, 1);
    const count = 1 + (gone?.dropped ?? 0);
    const behind = this.#buffer[at];
    if (behind) this.#buffer[at] = { ...behind, dropped: (behind.dropped ?? 0) + count };
    else this.#dropped += count;
  }

  #merge(): void {
    this.#compact();
    const merged: Delivery[] = [];
    for (const delivery of this.#buffer) {
      const last = merged.at(-1);
      const event = last && delivery.dropped === undefined && mergeDeltas(last.event, delivery.event);
      if (last && event) merged[merged.length - 1] = { ...last, event };
      else merged.push(delivery);
    }
    this.#buffer = merged;
  }
}
