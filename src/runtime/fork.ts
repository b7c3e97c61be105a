/**
 * A fork: the history of one session up to a record, as the first records of another (contract: --fork). Copied under
 * new ids, without the queue, its gates and its restores; a Turn left open is closed. The other session is only read.
 */
import {
  coordinatesOf,
  type Delivery,
  type Event,
  type EventBody,
  type EventType,
  isTerminal,
} from '../domain/event.ts';
import type { LoopId, SessionId } from '../domain/identity.ts';
import { evolve } from '../loop/evolve.ts';
import { newSession, type SessionState } from '../loop/state.ts';
import { Transition } from '../loop/transition.ts';
import { rest } from '../loop/turn-flow.ts';
import type { IdSource, JournalRecord } from './ports.ts';
import { noteToolUses } from './restore.ts';

/** That record is no place to fork from. */
export class ForkPointError extends Error {
  override readonly name = 'ForkPointError';
}

export interface ForkOptions {
  /** Of the new session. */
  sessionId: SessionId;
  source: SessionId;
  /** A StepDone or a terminal; default: the last one. */
  at?: number;
  cwd: string;
  appVersion: string;
  newId: IdSource;
  /** RFC 3339, for what is synthetic. */
  now: () => string;
}

export interface Fork {
  records: JournalRecord[];
  state: SessionState;
  toolUseIds: ReadonlyMap<LoopId, ReadonlySet<string>>;
  /** What is delivered of it: that the session and its loops are there. */
  opening: Delivery[];
}

/** What is taken over; inputs come with what resolved them, gates and restores are the other session's own affair. */
const COPIED = new Set<EventType>([
  'SessionActive',
  'SessionIdle',
  'LoopIdle',
  'LoopStarted',
  'ActiveLoopChanged',
  'ModelChanged',
  'HistoryCompacted',
  'SessionRenamed',
  'TurnStarted',
  'TurnFoldedInto',
  'StepDone',
  'TurnDone',
  'TurnFailed',
  'TurnInterrupted',
]);
const OPENING = new Set<EventType>(['SessionStarted', 'LoopStarted', 'ActiveLoopChanged']);

/** Rejects with a ForkPointError, or with what reading throws. */
export async function forkOf(source: AsyncIterable<JournalRecord>, options: ForkOptions): Promise<Fork> {
  const copy = new Copy(options);
  let last: number | undefined;
  for await (const record of source) {
    if (options.at !== undefined && record.seq > options.at) break;
    if ('command' in record) continue;
    copy.take(record.event);
    if (record.event.type === 'StepDone' || isTerminal(record.event)) {
      last = record.seq;
      copy.keep();
    }
  }
  if (options.at !== undefined && last !== options.at) {
    const near = last === undefined ? 'there is none before it' : `the last one before it is ${last}`;
    throw new ForkPointError(`record ${options.at} of session ${options.source} is no finished step; ${near}`);
  }
  if (last === undefined) throw new ForkPointError(`session ${options.source} has no finished step to fork from`);
  return copy.finish(last);
}

type Copied = { event: Event } | { command: Extract<JournalRecord, { command: unknown }>['command'] };

class Copy {
  readonly #options: ForkOptions;
  readonly #ids = new Map<string, string>();
  /** Up to the last place to fork from. */
  readonly #kept: Copied[] = [];
  #pending: Copied[] = [];

  constructor(options: ForkOptions) {
    this.#options = options;
  }

  take(event: Event): void {
    if (event.type === 'SessionStarted' && this.#kept.length + this.#pending.length === 0) {
      const { cwd, appVersion, source } = this.#options;
      this.#pending.push({ event: this.#renamed({ ...event, cwd, appVersion, forkedFrom: source }) });
    }
    if (!COPIED.has(event.type)) return;
    const renamed = this.#renamed(event);
    if (renamed.type === 'TurnStarted' || renamed.type === 'TurnFoldedInto') {
      const { cause, message, loopId } = renamed;
      const { commandId, agency } = cause;
      // an input is accepted before the session becomes active for it
      const last = this.#pending.at(-1);
      const at = last && 'event' in last && last.event.type === 'SessionActive' ? -1 : this.#pending.length;
      this.#pending.splice(at, 0, {
        command: { type: 'UserInput', commandId, agency, loopId, blocks: message.blocks },
      });
    }
    this.#pending.push({ event: renamed });
  }

  keep(): void {
    this.#kept.push(...this.#pending);
    this.#pending = [];
  }

  finish(forkedAtSeq: number): Fork {
    const [first] = this.#kept;
    if (first && 'event' in first && first.event.type === 'SessionStarted') first.event.forkedAtSeq = forkedAtSeq;
    const open = this.#kept.reduce<SessionState>(
      (state, copied) => evolve(state, copied),
      newSession(this.#options.sessionId),
    );
    const closing = closed(open);
    const all = [
      ...this.#kept,
      ...closing.changes.flatMap((change) => ('event' in change ? [{ event: this.#stamped(change.event) }] : [])),
    ];
    const records = all.map((copied, i): JournalRecord => ({ seq: i + 1, ...copied }));
    const opening = records.flatMap((record) =>
      'event' in record && OPENING.has(record.event.type) ? [{ event: record.event, journalSeq: record.seq }] : [],
    );
    const toolUseIds = new Map<LoopId, Set<string>>();
    for (const record of records) noteToolUses(toolUseIds, record);
    return { records, state: closing.state, toolUseIds, opening };
  }

  #id<T extends string | undefined>(id: T): T {
    if (id === undefined) return id;
    if (!this.#ids.has(id)) this.#ids.set(id, this.#options.newId());
    return this.#ids.get(id) as T;
  }

  /** The event under new ids; its time stays. */
  #renamed(event: Event): Event {
    const { loopId, turnId, stepId, cause } = coordinatesOf(event);
    const renamed = { ...event, sessionId: this.#options.sessionId, eventId: this.#options.newId() };
    Object.assign(renamed, {
      ...(loopId && { loopId: this.#id(loopId) }),
      ...(turnId && { turnId: this.#id(turnId) }),
      ...(stepId && { stepId: this.#id(stepId) }),
      ...(cause && {
        cause: {
          ...cause,
          commandId: this.#id(cause.commandId),
          ...(cause.loopId && { loopId: this.#id(cause.loopId) }),
        },
      }),
    });
    if (renamed.type === 'ActiveLoopChanged') {
      renamed.previousLoopId = this.#id(renamed.previousLoopId);
      renamed.activeLoopId = this.#id(renamed.activeLoopId);
    }
    if (renamed.type === 'HistoryCompacted') renamed.keptFromStepId = this.#id(renamed.keptFromStepId);
    return renamed;
  }

  #stamped(event: EventBody): Event {
    const { sessionId, newId, now } = this.#options;
    return { ...event, v: 1, sessionId, eventId: newId(), createdAt: now() };
  }
}

/** Brings what is open to rest: one synthetic TurnInterrupted for each Turn, then the loops' LoopIdle. */
function closed(state: SessionState): Transition {
  const next = new Transition(state);
  for (const loopId of state.loops.keys()) {
    const { turn } = next.loop(loopId);
    if (turn) next.emit({ type: 'TurnInterrupted', loopId, turnId: turn.id, turnIndex: turn.index });
    rest(next, loopId);
  }
  return next;
}
