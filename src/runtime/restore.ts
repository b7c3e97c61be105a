/** A journal's records become the state they describe, through the same `evolve` that runs live. */

import { toolUsesOf } from '../domain/content.ts';
import { coordinatesOf } from '../domain/event.ts';
import type { CommandId, LoopId, SessionId } from '../domain/identity.ts';
import { evolve } from '../loop/evolve.ts';
import { newSession, type SessionState } from '../loop/state.ts';
import type { JournalRecord } from './ports.ts';

export interface Restored {
  state: SessionState;
  /** The last record. */
  seq: number;
  /** Those that were used: a second command of the same id is refused. */
  commandIds: ReadonlySet<CommandId>;
  /** By loop: the tool call ids of all its Steps, also of those that a summary stands for now. */
  toolUseIds: ReadonlyMap<LoopId, ReadonlySet<string>>;
}

/** Folds the records. Throws what reading them throws, or an ImpossibleHistoryError; an empty journal gives nothing. */
export async function restoreFrom(records: AsyncIterable<JournalRecord>): Promise<Restored | undefined> {
  let state: SessionState | undefined;
  let seq = 0;
  const commandIds = new Set<CommandId>();
  const toolUseIds = new Map<LoopId, Set<string>>();
  for await (const record of records) {
    state ??= newSession(sessionOf(record));
    state = evolve(state, record);
    seq = record.seq;
    noteToolUses(toolUseIds, record);
    const id = 'command' in record ? record.command.commandId : coordinatesOf(record.event).cause?.commandId;
    if (id !== undefined) commandIds.add(id);
  }
  return state && { state, seq, commandIds, toolUseIds };
}

const sessionOf = (record: JournalRecord): SessionId => ('event' in record ? record.event.sessionId : '');

/** Adds the tool call ids of a Step to those of its loop. */
export function noteToolUses(ids: Map<LoopId, Set<string>>, record: JournalRecord): void {
  if (!('event' in record) || record.event.type !== 'StepDone') return;
  const { loopId, messages } = record.event;
  const known = ids.get(loopId) ?? new Set();
  for (const { id } of toolUsesOf(messages[0])) known.add(id);
  ids.set(loopId, known);
}
