/** What the chat needs to know of a history that it goes on with, without keeping it: seen record by record, once. */
import { addUsage, type InputBlock, type Usage, ZERO_USAGE } from '../domain/content.ts';
import type { Event } from '../domain/event.ts';
import type { CommandId, LoopId, SessionId } from '../domain/identity.ts';
import type { JournalRecord } from '../runtime/ports.ts';
import { ownText } from '../view/attachment.ts';
import type { ReturnReason } from '../view/queue.ts';
import type { Offers } from './chat-offers.ts';

/** Turns of an earlier conversation that are drawn again. */
const TURNS_SHOWN = 3;

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

export class TailWatch {
  /** What is dated later was added as the session was taken up (ms). */
  readonly since: number;
  /** All of the session. */
  turns = 0;
  cwd = '';
  forkedFrom: { sessionId: SessionId; at: number } | undefined;
  /** By loop: the sum over its Steps. */
  readonly usage = new Map<LoopId, Usage>();
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
        if (event.forkedFrom) this.forkedFrom = { sessionId: event.forkedFrom, at: event.forkedAtSeq ?? 0 };
        return;
      case 'TurnStarted':
        this.turns += 1;
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
      }
    }
  }
}
