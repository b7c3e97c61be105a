/** Keys in the queue and the returned inputs: choose, retract, edit, hold, move. Rows change with their events only. */
import type { InputBlock } from '../domain/content.ts';
import type { CommandId } from '../domain/identity.ts';
import { outputsOf, ownText } from './attachment.ts';
import { type Chat, loopOf, type Moment, noticed, only, type Step } from './chat.ts';
import { CALM } from './chat-state.ts';
import { command, retract, retractAll, returnedRows, sendNow, withoutReturned } from './commands.ts';
import { composerText, editComposer, isEmpty } from './composer.ts';
import type { QueueRow, ReturnedRow } from './queue.ts';

type Listed = { kind: 'queued'; row: QueueRow } | { kind: 'returned'; row: ReturnedRow };

/** Queued rows, then returned ones: the order of the screen. */
export function listedRows(chat: Chat): Listed[] {
  const queue = loopOf(chat)?.queue;
  if (!queue) return [];
  return [
    ...queue.rows.map((row) => ({ kind: 'queued', row }) as const),
    ...queue.returned.map((row) => ({ kind: 'returned', row }) as const),
  ];
}

/** Into the queue, at the last row. Nothing where there is none. */
export function enterQueue(chat: Chat): Chat {
  const last = listedRows(chat).at(-1);
  return last ? { ...chat, focus: { kind: 'queue', commandId: last.row.commandId } } : chat;
}

export const leaveQueue = (chat: Chat): Chat => (chat.focus.kind === 'queue' ? { ...chat, focus: CALM } : chat);

/** After rows went away: the row that now stands in the chosen one's place, else back to the composer. */
export function settleFocus(before: Chat, after: Chat): Chat {
  const { focus } = after;
  if (focus.kind === 'word') return hasGate(after, focus.toolExecutionId) ? after : wordGone(after);
  if (focus.kind !== 'queue') return after;
  const rows = listedRows(after);
  if (rows.some(({ row }) => row.commandId === focus.commandId)) return after;
  const at = listedRows(before).findIndex(({ row }) => row.commandId === focus.commandId);
  const next = rows[Math.min(Math.max(0, at), rows.length - 1)];
  return { ...after, focus: next ? { kind: 'queue', commandId: next.row.commandId } : CALM };
}

const hasGate = (chat: Chat, id: string): boolean =>
  loopOf(chat)?.gates.some((gate) => gate.toolExecutionId === id) ?? false;

/** The question is gone while its word was written: what was written stays, as text of the draft. */
function wordGone(chat: Chat): Chat {
  const word = composerText(chat.composer);
  const back = editComposer(chat.composer, { type: 'bring-back' });
  const composer = isEmpty(back) ? editComposer(back, { type: 'set', text: word }) : back;
  return { ...chat, focus: CALM, composer };
}

export type QueueAction =
  | 'previous'
  | 'next'
  | 'retract'
  | 'retract-all'
  | 'edit'
  | 'hold'
  | 'send-now'
  | 'move-up'
  | 'move-down';

/** Undefined: the action means nothing on this row. */
export function queueAction(chat: Chat, action: QueueAction, moment: Moment): Step | undefined {
  const rows = listedRows(chat);
  const at = chat.focus.kind === 'queue' ? rows.findIndex(({ row }) => row.commandId === focusId(chat)) : -1;
  const chosen = rows[at];
  if (!chosen) return only(leaveQueue(chat));
  if (action === 'previous') return only(chosenAt(chat, rows, Math.max(0, at - 1)));
  if (action === 'next') return only(at === rows.length - 1 ? leaveQueue(chat) : chosenAt(chat, rows, at + 1));
  return chosen.kind === 'queued' ? onQueued(chat, chosen.row, action, moment) : onReturned(chat, chosen.row, action);
}

const focusId = (chat: Chat): CommandId | undefined => (chat.focus.kind === 'queue' ? chat.focus.commandId : undefined);

function chosenAt(chat: Chat, rows: Listed[], at: number): Chat {
  const commandId = rows[at]?.row.commandId;
  return commandId === undefined ? chat : { ...chat, focus: { kind: 'queue', commandId } };
}

function onQueued(chat: Chat, row: QueueRow, action: QueueAction, moment: Moment): Step | undefined {
  switch (action) {
    case 'retract':
      return retract(chat, row.commandId, false, moment.id);
    case 'retract-all':
      return retractAll(chat, moment);
    case 'edit': {
      const step = retract(chat, row.commandId, true, moment.id);
      return { ...step, chat: leaveQueue(step.chat) };
    }
    case 'hold': {
      const asked = { type: 'SetQueuedInput', targetCommandId: row.commandId, noFold: !row.noFold } as const;
      return only(chat, command(moment.id, asked));
    }
    case 'send-now':
      return sendNow(leaveQueue(chat), row, moment.id);
    case 'move-up':
      return moveRow(chat, row, -1, moment);
    case 'move-down':
      return moveRow(chat, row, 1, moment);
    default:
      return undefined;
  }
}

function onReturned(chat: Chat, row: ReturnedRow, action: QueueAction): Step | undefined {
  if (action === 'edit') return only(takeReturned(leaveQueue(chat), row));
  if (action === 'retract') return only(settleFocus(chat, withoutReturned(chat, row.commandId)));
  if (action !== 'retract-all') return undefined;
  return only(leaveQueue(returnedRows(chat).reduce((next, one) => withoutReturned(next, one.commandId), chat)));
}

/** Its text goes into the composer; a draft that stands there is put aside and comes back after. */
export function takeReturned(chat: Chat, row: ReturnedRow): Chat {
  return takeText(withOutputs(withoutReturned(chat, row.commandId), row.blocks), ownText(row.blocks));
}

/** Output that went with an input which is taken back goes with the next one. */
export const withOutputs = (chat: Chat, blocks: readonly InputBlock[]): Chat => ({
  ...chat,
  outputs: [...chat.outputs, ...outputsOf(blocks)],
});

export function takeText(chat: Chat, text: string): Chat {
  const type = isEmpty(chat.composer) ? 'set' : 'put-aside';
  return { ...chat, composer: editComposer(chat.composer, { type, text }) };
}

export function moveRow(chat: Chat, row: QueueRow, step: 1 | -1, moment: Moment): Step {
  const rows = loopOf(chat)?.queue.rows ?? [];
  const at = rows.indexOf(row);
  const to = at + step;
  if (to < 0 || to >= rows.length)
    return only(noticed(chat, step < 0 ? 'it is the first already' : 'it is the last already', moment.now));
  // Down: before the row behind the next one; none there means to the end.
  const before = step < 0 ? rows[to] : rows[to + 1];
  const place = before ? { beforeCommandId: before.commandId } : {};
  return only(chat, command(moment.id, { type: 'MoveQueuedInput', targetCommandId: row.commandId, ...place }));
}
