/** What the chat needs to know of a history that it goes on with, without keeping it: seen record by record, once. */
import { addUsage, type InputBlock, type Usage, ZERO_USAGE } from '../domain/content.ts';
import type { Event } from '../domain/event.ts';
import type { CommandId, LoopId, SessionId } from '../domain/identity.ts';
import type { JournalRecord } from '../runtime/ports.ts';
import { ownText } from '../view/attachment.ts';
import type { ReturnReason } from '../view/queue.ts';
import { type Spent, spentOn } from '../view/spending.ts';
import type { Offers } from './chat-offers.ts';

/** Turns of an earlier conversation that are drawn again. */
const TURNS_SHOWN = 3;

const NOBODY = { provider: '', model: '' };

/** Of older ones nothing is kept. */
const RETURNED_KEPT = 200;

export interface ReturnedInput {
  /** Of its record. */
  seq: number;
  loopId: LoopId;
  commandId: CommandId;
  blocks: readonly InputBlock[];
  reason: ReturnReason;
}

type Asked = Omit<Spent, 'usage'>;

export class TailWatch {
  /** What is dated later was added as the session was taken up (ms). */
  readonly since: number;
  /** All of the session. */
  turns = 0;
  cwd = '';
  forkedFrom: { sessionId: SessionId; at: number } | undefined;
  /** By loop: the sum over its Steps. */
  readonly usage = new Map<LoopId, Usage>();
  /** The same by the model that was asked, with the summaries. */
  readonly spent = new Map<LoopId, readonly Spent[]>();
  /** Whom each loop asks: from its next Turn on, and in the one that runs. */
  readonly #models = new Map<LoopId, Asked>();
  readonly #asks = new Map<LoopId, Asked>();
  #provider = '';
  /** That was asked last and was not the demo; '' where there was none. */
  realModel = '';
  /** The text of the input that was started last. */
  lastText = '';
  /** Sequence numbers of the last TurnStarted. */
  #starts: number[] = [];
  /** Of people; returned since the last Turn began. */
  #returned: ReturnedInput[] = [];
  /** Offered by the last stop or failure, and by no later one. */
  #offered: ReturnedInput[] = [];
  /** All that ever came back. */
  #all: ReturnedInput[] = [];
  /** What was started or folded last, by sequence number. */
  #begun: { seq: number; text: string }[] = [];

  constructor(now: number) {
    this.since = now;
  }

  readonly take = (record: JournalRecord): void => {
    if ('event' in record) this.#event(record.event, record.seq);
  };

  /** The last turns begin behind this sequence number. */
  get after(): number {
    return (this.#starts[0] ?? 1) - 1;
  }
  get turnsBefore(): number {
    return this.turns - this.#starts.length;
  }
  /** What the last stop, failure or crash returned, where no Turn began since. */
  get returned(): readonly ReturnedInput[] {
    return [...this.#offered, ...this.#returned];
  }

  /** The same, where it is known up to a record what is still offered. */
  offered(offers: Offers | undefined): readonly Omit<ReturnedInput, 'seq'>[] {
    if (!offers) return this.returned;
    const { upTo, rows } = offers;
    const sent = this.#begun.filter(({ seq }) => seq > upTo).map(({ text }) => text);
    const kept = rows.flatMap(({ loopId, commandId, blocks }) => {
      const input = this.#all.find((one) => one.commandId === commandId);
      const known = blocks ? { loopId, commandId, blocks, reason: 'rejected' as const } : input;
      // the program ended before the file could say that it was sent again
      return known && !sent.includes(ownText(known.blocks)) ? [known] : [];
    });
    return [...kept, ...this.returned.filter(({ seq }) => seq > upTo)];
  }

  #spend(loopId: LoopId, by: ReadonlyMap<LoopId, Asked>, usage: Usage | undefined): void {
    this.spent.set(loopId, spentOn(this.spent.get(loopId) ?? [], by.get(loopId) ?? NOBODY, usage));
  }

  #asksNow(loopId: LoopId): void {
    const asked = this.#models.get(loopId) ?? NOBODY;
    this.#asks.set(loopId, asked);
    if (asked.provider !== 'demo') this.realModel = asked.model || this.realModel;
  }

  #begins(text: string, seq: number): void {
    this.lastText = text;
    this.#begun = [...this.#begun, { seq, text }].slice(-RETURNED_KEPT);
  }

  #comesBack(input: ReturnedInput): void {
    this.#returned.push(input);
    this.#all = [...this.#all, input].slice(-RETURNED_KEPT);
  }

  #event(event: Event, seq: number): void {
    switch (event.type) {
      case 'SessionStarted':
        this.cwd = event.cwd;
        this.#provider = event.provider;
        if (event.forkedFrom) this.forkedFrom = { sessionId: event.forkedFrom, at: event.forkedAtSeq ?? 0 };
        return;
      case 'TurnStarted':
        this.turns += 1;
        this.#asksNow(event.loopId);
        this.#starts = [...this.#starts, seq].slice(-TURNS_SHOWN);
        this.#begins(ownText(event.message.blocks), seq);
        this.#returned = [];
        this.#offered = [];
        return;
      case 'TurnFoldedInto':
        this.#begins(ownText(event.message.blocks), seq);
        return;
      case 'InputCancelled':
        if (event.cause.agency !== 'user' || event.reason === 'client_retracted') return;
        this.#comesBack({
          seq,
          loopId: event.loopId,
          commandId: event.cause.commandId,
          blocks: event.message.blocks,
          reason: event.reason === 'turn_failed' ? 'failed' : 'shutting down',
        });
        return;
      case 'SessionStopped':
        this.#offered = this.#returned;
        this.#returned = [];
        return;
      case 'StepDone': {
        const { usage } = event.messages[0];
        if (usage) this.usage.set(event.loopId, addUsage(this.usage.get(event.loopId) ?? ZERO_USAGE, usage));
        this.#spend(event.loopId, this.#asks, usage);
        return;
      }
      case 'LoopStarted':
        this.#models.set(event.loopId, { provider: this.#provider, model: event.model });
        return;
      case 'ModelChanged':
        this.#models.set(event.loopId, { provider: event.provider, model: event.model });
        return;
      case 'HistoryCompacted':
        this.#spend(event.loopId, this.#models, event.usage);
    }
  }
}
