/** A Session whose events are delivered by hand: it records what it was asked and decides nothing. */
import type { Command } from '../../src/domain/command.ts';
import type { InputBlock } from '../../src/domain/content.ts';
import type { Delivery, Event, EventBody } from '../../src/domain/event.ts';
import { isEnduring } from '../../src/domain/event.ts';
import type { CommandId, LoopId } from '../../src/domain/identity.ts';
import type {
  Answer,
  ApprovalMode,
  LoopContext,
  Session,
  SessionSnapshot,
  SubmitOptions,
  Subscription,
} from '../../src/runtime/session.ts';

export interface Submitted {
  commandId: CommandId;
  blocks: readonly InputBlock[];
  noFold: boolean;
}

export class FakeSession implements Session {
  async begin(): Promise<undefined> {
    return undefined;
  }

  readonly id = 'session-1';
  readonly loopId: LoopId = 'loop-1';
  readonly submitted: Submitted[] = [];
  readonly cancelled: CommandId[] = [];
  readonly executed: Command[] = [];
  interrupts = 0;
  approval: ApprovalMode = 'ask';
  /** What the next commands are answered. */
  answer: Answer = { ok: true };
  /** Called for each submitted input, where a test wants to answer it. */
  onSubmit: ((input: Submitted) => void) | undefined;
  snapshotQueue: SessionSnapshot['loops'][number]['queue'] = [];
  paused = false;
  readonly ended: Promise<Error | undefined>;
  #end: (error: Error | undefined) => void = () => {};
  #seq = 0;
  readonly #subscribers = new Set<Feed>();

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Hands out one event, stamped. */
  deliver(body: EventBody, extra: { dropped?: number } = {}): Delivery {
    const event = stamped(body, this.#seq + 1);
    const journalSeq = isEnduring(event) ? ++this.#seq : 0;
    const delivery: Delivery = { event, journalSeq, ...extra };
    for (const feed of this.#subscribers) feed.push(delivery);
    return delivery;
  }

  submit(blocks: InputBlock[], options: SubmitOptions = {}): Promise<CommandId> {
    const commandId = options.commandId ?? `command-${this.submitted.length + 1}`;
    const input = { commandId, blocks, noFold: options.noFold ?? false };
    this.submitted.push(input);
    this.onSubmit?.(input);
    return Promise.resolve(commandId);
  }
  cancelQueuedInput(target: CommandId): void {
    this.cancelled.push(target);
  }
  interrupt(): Promise<boolean> {
    this.interrupts += 1;
    return Promise.resolve(true);
  }
  execute(command: Command): Promise<Answer> {
    this.executed.push(command);
    return Promise.resolve(this.answer);
  }
  shutdown(): Promise<void> {
    this.deliver({ type: 'SessionStopped' });
    for (const feed of this.#subscribers) feed.close();
    this.#end(undefined);
    return Promise.resolve();
  }
  drain(): Promise<void> {
    return this.shutdown();
  }
  setApproval(mode: ApprovalMode): void {
    this.approval = mode;
  }
  snapshot(): SessionSnapshot {
    const loop = {
      loopId: this.loopId,
      agentName: 'main',
      model: 'fake-model',
      provider: 'fake',
      busy: false,
      paused: this.paused,
      queue: this.snapshotQueue,
    };
    return { sessionId: this.id, activeLoopId: this.loopId, approval: this.approval, loops: [loop] };
  }
  context(): Promise<LoopContext> {
    return Promise.resolve({
      loopId: this.loopId,
      model: 'fake-model',
      provider: 'fake',
      parts: [],
      total: 0,
      estimated: 0,
      leftOut: 0,
      learned: false,
      queued: { inputs: 0, tokens: 0 },
    });
  }
  async *readEvents(): AsyncIterable<Delivery> {}
  subscribeEvents(): Subscription {
    const feed = new Feed(() => this.#subscribers.delete(feed));
    this.#subscribers.add(feed);
    return feed;
  }
}

export function stamped(body: EventBody, n = 1): Event {
  const createdAt = '2026-01-01T00:00:00.000Z';
  return { ...body, v: 1, sessionId: 'session-1', eventId: `event-${n}`, createdAt } as Event;
}

class Feed implements Subscription {
  readonly err = undefined;
  readonly #onClose: () => void;
  #waiting: Delivery[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }
  push(delivery: Delivery): void {
    this.#waiting.push(delivery);
    this.#wake?.();
  }
  close(): void {
    this.#closed = true;
    this.#onClose();
    this.#wake?.();
  }
  async *[Symbol.asyncIterator](): AsyncIterator<Delivery> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
