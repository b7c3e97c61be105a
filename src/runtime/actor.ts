/**
 * The shell around the two pure folds: a mailbox, and one order for every input: decide → append → deliver → effects.
 * Awaiting the append is part of handling; what arrives meanwhile waits and is then handled as one group, so that a
 * burst costs one flush. A group that cannot be appended is tried again input by input, each then with the answer that
 * the contract has for a failed append.
 */

import type { JournaledCommand } from '../domain/command.ts';
import type { Event, EventBody } from '../domain/event.ts';
import { isEnduring } from '../domain/event.ts';
import { type Decision, decide, type Input, type Reply, type Rules } from '../loop/decide.ts';
import { decideFailure } from '../loop/decide-failure.ts';
import type { SessionState } from '../loop/state.ts';
import { type Effect, isJournaledCommand } from '../loop/transition.ts';
import type { Journal, JournalRecord } from './ports.ts';

export interface ActorParts {
  state: SessionState;
  /** The last record of the journal. */
  seq: number;
  journal: Journal;
  rules: Rules;
  /** Fills in the envelope and refuses an event that is not valid. */
  stamp(event: EventBody): Event;
  deliver(event: Event, journalSeq: number): void;
  perform(effect: Effect): void;
  /** Observes an append; the answer is called with how it went. */
  watchAppend(records: readonly JournalRecord[]): (ok: boolean) => void;
  /** The journal failed for good. Called once. */
  fault(cause: unknown): void;
}

interface Letter {
  input: Input;
  resolve(reply: Reply | { type: 'faulted' }): void;
}
interface Group {
  state: SessionState;
  decisions: Decision[];
  events: { event: Event; seq: number }[];
  records: JournalRecord[];
}

export class Actor {
  readonly #parts: ActorParts;
  #state: SessionState;
  #seq: number;
  #mailbox: Letter[] = [];
  #running = false;
  #faulted = false;

  constructor(parts: ActorParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#seq = parts.seq;
  }

  /** What is on disk; never what is only being appended. */
  get state(): SessionState {
    return this.#state;
  }

  /** Resolves when the input was handled and everything it led to is on disk and delivered. Never rejects. */
  post(input: Input): Promise<Reply | { type: 'faulted' }> {
    return new Promise((resolve) => {
      this.#mailbox.push({ input, resolve });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    // one turn of the microtask queue, so that what is sent in one go is one group
    await undefined;
    while (this.#mailbox.length > 0) {
      const letters = this.#mailbox;
      this.#mailbox = [];
      await this.#handle(letters);
    }
    this.#running = false;
  }

  async #handle(letters: Letter[]): Promise<void> {
    if (this.#faulted) {
      for (const letter of letters) letter.resolve({ type: 'faulted' });
      return;
    }
    let group: Group;
    try {
      group = this.#decide(letters.map(({ input }) => input));
      await this.#append(group.records);
    } catch (error) {
      if (letters.length > 1) for (const letter of letters) await this.#handle([letter]);
      else await this.#recover(letters[0] as Letter, error);
      return;
    }
    this.#publish(group, letters);
  }

  /** What is tried instead of a transition that could not be appended; the end of the session where that fails too. */
  async #recover(letter: Letter, cause: unknown): Promise<void> {
    let group: Group;
    try {
      const decision = decideFailure(this.#state, letter.input, cause);
      if (!decision) throw cause;
      group = this.#collect([decision], decision.transition.state);
      await this.#append(group.records);
    } catch (error) {
      this.#faulted = true;
      letter.resolve({ type: 'faulted' });
      this.#parts.fault(error);
      return;
    }
    this.#publish(group, [letter]);
  }

  #decide(inputs: readonly Input[]): Group {
    let state = this.#state;
    const decisions: Decision[] = [];
    for (const input of inputs) {
      const decision = decide(state, input, this.#parts.rules);
      state = decision.transition.state;
      decisions.push(decision);
    }
    return this.#collect(decisions, state);
  }

  #collect(decisions: Decision[], state: SessionState): Group {
    const group: Group = { state, decisions, events: [], records: [] };
    let seq = this.#seq;
    for (const change of decisions.flatMap((decision) => decision.transition.changes)) {
      if ('command' in change) {
        if (isJournaledCommand(change)) group.records.push({ seq: ++seq, command: change.command as JournaledCommand });
        continue;
      }
      const event = this.#parts.stamp(change.event);
      if (isEnduring(event)) group.records.push({ seq: ++seq, event });
      group.events.push({ event, seq: isEnduring(event) ? seq : 0 });
    }
    return group;
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    if (records.length === 0) return;
    const done = this.#parts.watchAppend(records);
    try {
      await this.#parts.journal.append(records);
    } catch (error) {
      done(false);
      throw error;
    }
    done(true);
  }

  #publish(group: Group, letters: readonly Letter[]): void {
    this.#state = group.state;
    this.#seq = group.records.at(-1)?.seq ?? this.#seq;
    for (const { event, seq } of group.events) this.#parts.deliver(event, seq);
    for (const { transition } of group.decisions) for (const effect of transition.effects) this.#parts.perform(effect);
    for (const [i, letter] of letters.entries()) letter.resolve(group.decisions[i]?.reply ?? { type: 'done' });
  }
}
