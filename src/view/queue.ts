/**
 * Inputs that are not yet resolved, as the person sees them. A row leaves only when the event that resolves its input
 * is folded (contract: The chat on the screen); a key press only marks it.
 */
import type { InputBlock } from '../domain/content.ts';
import type { EventBody } from '../domain/event.ts';
import type { Agency, CommandId } from '../domain/identity.ts';
import { attachmentNames, namelessImages, ownText } from './attachment.ts';
import { plural } from './context.ts';

export interface QueueRow {
  commandId: CommandId;
  blocks: readonly InputBlock[];
  /** Hold: waits for a Turn of its own. */
  noFold: boolean;
  agency: Agency;
  /** `sending`: shown before the loop answered. `retracting`, `first`: asked back or to start now, not yet decided. */
  state: 'sending' | 'queued' | 'retracting' | 'first';
  /** Retracted to be edited: its text goes into the composer. */
  edit?: boolean;
  /** Known by its InputQueued alone; blocks and hold are asked of the session. */
  bare?: boolean;
}

export type ReturnReason = 'interrupted' | 'failed' | 'shutting down' | 'rejected';

/** Resolved without a Turn; offered to the person again. */
export interface ReturnedRow {
  commandId: CommandId;
  blocks: readonly InputBlock[];
  reason: ReturnReason;
}

export interface QueueView {
  rows: readonly QueueRow[];
  returned: readonly ReturnedRow[];
  paused: boolean;
  /** Something came back since the program began. */
  gaveBack?: boolean;
  /** It was there before the program began: a crash kept it. */
  recovered?: boolean;
}

export const EMPTY_QUEUE: QueueView = { rows: [], returned: [], paused: false };

/** What became of one input. */
export interface Receipt {
  commandId: CommandId;
  outcome: 'started' | 'folded' | 'retracted' | 'returned' | 'rejected';
  /** As it is written beside the input: `folded at step 2`. */
  text: string;
  blocks: readonly InputBlock[];
  agency: Agency;
  /** A retract was asked for and came too late. */
  late: boolean;
  /** Was asked back for editing. */
  edit: boolean;
}

export interface QueueFacts {
  /** Steps the running Turn has committed. */
  steps: number;
  stopping: 'turn' | 'session' | undefined;
}

export interface QueueFold {
  queue: QueueView;
  receipt?: Receipt;
}

const REJECTED: Record<string, string> = {
  queue_full: 'the queue is full',
  shutting_down: 'shutting down',
  internal: 'it could not be saved',
};

/** The folds of one loop's events into its queue. */
export function applyQueue(queue: QueueView, event: EventBody, facts: QueueFacts): QueueFold {
  switch (event.type) {
    case 'InputQueued':
      return { queue: queuedRow(queue, event.cause.commandId, event.cause.agency) };
    case 'TurnStarted':
      return resolved(
        { ...queue, paused: false, recovered: false },
        event.cause,
        event.message.blocks,
        'started',
        'started',
      );
    case 'TurnFoldedInto':
      return resolved(queue, event.cause, event.message.blocks, 'folded', `folded at step ${Math.max(1, facts.steps)}`);
    case 'InputCancelled': {
      if (event.reason === 'client_retracted')
        return resolved(queue, event.cause, event.message.blocks, 'retracted', 'retracted');
      const reason = returnReason(event.reason, facts);
      const fold = resolved(queue, event.cause, event.message.blocks, 'returned', `returned (${reason})`);
      return event.cause.agency === 'user' ? offerAgain(fold, reason) : fold;
    }
    case 'TurnRejected':
      return resolved(queue, event.cause, undefined, 'rejected', `rejected: ${REJECTED[event.reason] ?? event.reason}`);
    case 'TurnInterrupted':
      return { queue: settle({ ...queue, paused: true }) };
    default:
      return { queue };
  }
}

function returnReason(reason: string, facts: QueueFacts): ReturnReason {
  if (reason === 'turn_failed') return 'failed';
  return facts.stopping === 'session' ? 'shutting down' : 'interrupted';
}

function queuedRow(queue: QueueView, commandId: CommandId, agency: Agency): QueueView {
  const known = queue.rows.find((row) => row.commandId === commandId);
  if (!known) {
    const row: QueueRow = { commandId, blocks: [], noFold: false, agency, state: 'queued', bare: true };
    return { ...queue, rows: [...queue.rows, row] };
  }
  return changeRow(queue, commandId, { state: known.state === 'sending' ? 'queued' : known.state });
}

function resolved(
  queue: QueueView,
  cause: { commandId: CommandId; agency: Agency },
  said: readonly InputBlock[] | undefined,
  outcome: Receipt['outcome'],
  text: string,
): QueueFold {
  const row = queue.rows.find((candidate) => candidate.commandId === cause.commandId);
  const rows = queue.rows.filter((candidate) => candidate !== row);
  const late = row?.state === 'retracting' && outcome !== 'retracted';
  const blocks = said ?? row?.blocks ?? [];
  const receipt: Receipt = {
    commandId: cause.commandId,
    outcome,
    text: late && outcome !== 'returned' ? `${text}, too late to retract` : text,
    blocks,
    agency: cause.agency,
    late,
    edit: row?.edit ?? false,
  };
  return { queue: settle({ ...queue, rows }), receipt };
}

const offerAgain = (fold: QueueFold, reason: ReturnReason): QueueFold => {
  const { receipt } = fold;
  if (!receipt || receipt.blocks.length === 0) return fold;
  return { ...fold, queue: addReturned(fold.queue, receipt, reason) };
};

export function addReturned(
  queue: QueueView,
  input: { commandId: CommandId; blocks: readonly InputBlock[] },
  reason: ReturnReason,
): QueueView {
  const row: ReturnedRow = { commandId: input.commandId, blocks: input.blocks, reason };
  return { ...queue, returned: [...queue.returned, row], gaveBack: true };
}

/** A queue without entries is not paused. */
const settle = (queue: QueueView): QueueView =>
  queue.paused && queue.rows.length === 0 ? { ...queue, paused: false, recovered: false } : queue;

export function changeRow(queue: QueueView, commandId: CommandId, change: Partial<QueueRow>): QueueView {
  return { ...queue, rows: queue.rows.map((row) => (row.commandId === commandId ? { ...row, ...change } : row)) };
}

export const addRow = (queue: QueueView, row: QueueRow): QueueView => ({ ...queue, rows: [...queue.rows, row] });
export const dropRow = (queue: QueueView, commandId: CommandId): QueueView =>
  settle({ ...queue, rows: queue.rows.filter((row) => row.commandId !== commandId) });
export const dropReturned = (queue: QueueView, commandId: CommandId): QueueView => ({
  ...queue,
  returned: queue.returned.filter((row) => row.commandId !== commandId),
});

/** What the session says of a queued entry. */
export interface QueuedEntry {
  commandId: CommandId;
  agency: Agency;
  noFold: boolean;
  blocks: readonly InputBlock[];
}

/**
 * Order, holds and texts as the session has them now. A snapshot is never older than the events folded so far, so it
 * may add and reorder rows but not remove any: their events are on the way.
 */
export function syncQueue(queue: QueueView, entries: readonly QueuedEntry[], paused: boolean): QueueView {
  const known = new Map(queue.rows.map((row) => [row.commandId, row]));
  const listed = entries.map((entry): QueueRow => {
    const row = known.get(entry.commandId);
    known.delete(entry.commandId);
    const state = row?.state === 'retracting' || row?.state === 'first' ? row.state : 'queued';
    return { ...entry, state, ...(row?.edit ? { edit: true } : {}) };
  });
  const unlisted = [...known.values()];
  const gone = unlisted.filter((row) => row.state !== 'sending');
  const sending = unlisted.filter((row) => row.state === 'sending');
  return settle({ ...queue, rows: [...gone, ...listed, ...sending], paused });
}

/** Where a session is read again: why an input was not used. */
export const CANCELLED = {
  client_retracted: 'retracted',
  turn_interrupted: 'returned by an interrupt',
  turn_failed: 'returned by a failure',
} as const;

/** What becomes of a row as things stand. */
export const markOf = ({ state, noFold }: QueueRow): string =>
  state === 'retracting' ? 'retracting' : state === 'first' ? 'goes first' : noFold ? 'next turn' : 'fold';

/** One line that stands for an input. */
export function inputLabel(blocks: readonly InputBlock[]): string {
  const names = attachmentNames(blocks);
  const named = names.filter((name) => name.startsWith('image '));
  const images = namelessImages(blocks);
  const attached = names.length - named.length;
  const text = ownText(blocks).trim();
  const lines = text.split('\n');
  const more = lines.length > 1 ? ` (+${plural(lines.length - 1, 'line')})` : '';
  const shown = text === '' && images + names.length === 0 ? '(retry)' : `${lines[0]}${more}`;
  const beside = [
    ...named,
    ...(images > 0 ? [images === 1 ? 'an image' : `${images} images`] : []),
    ...(attached > 0 ? [`${attached} attached`] : []),
  ];
  return beside.length > 0 ? `${shown} [${beside.join(', ')}]`.trim() : shown;
}
