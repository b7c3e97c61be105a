/** A journal's records become the state they describe, through the same `evolve` that runs live. */

import { coordinatesOf } from '../domain/event.ts';
import type { CommandId, SessionId } from '../domain/identity.ts';
import { evolve } from '../loop/evolve.ts';
import { newSession, type SessionState } from '../loop/state.ts';
import type { JournalRecord } from './ports.ts';

export interface Restored {
  state: SessionState;
  /** The last record. */
  seq: number;
  /** Those that were used: a second command of the same id is refused. */
  commandIds: ReadonlySet<CommandId>;
}

/** Folds the records. Throws what reading them throws, or an ImpossibleHistoryError; an empty journal gives nothing. */
export async function restoreFrom(records: AsyncIterable<JournalRecord>): Promise<Restored | undefined> {
  let state: SessionState | undefined;
  let seq = 0;
  const commandIds = new Set<CommandId>();
  for await (const record of records) {
    state ??= newSession(sessionOf(record));
    state = evolve(state, record);
    seq = record.seq;
    const id = 'command' in record ? record.command.commandId : coordinatesOf(record.event).cause?.commandId;
    if (id !== undefined) commandIds.add(id);
  }
  return state && { state, seq, commandIds };
}

const sessionOf = (record: JournalRecord): SessionId => ('event' in record ? record.event.sessionId : '');
