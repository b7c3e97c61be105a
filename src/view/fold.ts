/** Deliveries and answers of the session, folded into the chat: what they change beside the view itself. */
import type { Command, UserInput } from '../domain/command.ts';
import type { Delivery } from '../domain/event.ts';
import { ownText } from './attachment.ts';
import { calledBy } from './attention.ts';
import { type Chat, contextOf, noticed, only, type Step } from './chat.ts';
import { editComposer, isEmpty } from './composer.ts';
import { followSummary, summarised } from './fold-summary.ts';
import { lookedAt } from './named-images.ts';
import { addReturned, changeRow, dropRow, type Receipt } from './queue.ts';
import { told } from './told.ts';
import { committedInto } from './transcript-overlay.ts';
import { settleFocus, takeText, withOutputs } from './update-queue.ts';
import { apply, applySnapshot, changeActive, type SnapshotView } from './view-model.ts';

/** Neighbouring deltas of one Step and kind are one: a frame folds them once. */
export function mergeDeltas(deliveries: readonly Delivery[]): Delivery[] {
  const merged: Delivery[] = [];
  for (let from = 0, end = 0; from < deliveries.length; from = end) {
    end = from + 1;
    const first = deliveries[from] as Delivery;
    while (goesOn(first, deliveries[end])) end += 1;
    merged.push(end > from + 1 ? joined(first, deliveries.slice(from, end)) : first);
  }
  return merged;
}

function goesOn(first: Delivery, next: Delivery | undefined): boolean {
  if (first.event.type !== 'TokenDelta' || next?.event.type !== 'TokenDelta' || next.dropped) return false;
  const { type } = first.event.chunk;
  return type !== 'tool_use' && next.event.chunk.type === type && next.event.stepId === first.event.stepId;
}

function joined(first: Delivery, run: readonly Delivery[]): Delivery {
  if (first.event.type !== 'TokenDelta' || first.event.chunk.type === 'tool_use') return first;
  const texts = run.map(({ event }) =>
    event.type === 'TokenDelta' && event.chunk.type !== 'tool_use' ? event.chunk.text : '',
  );
  return { ...first, event: { ...first.event, chunk: { ...first.event.chunk, text: texts.join('') } } };
}

export function foldDelivery(chat: Chat, delivery: Delivery, now: number): Step {
  const ctx = contextOf(chat, now);
  const { state: view, print, receipt } = apply(chat.view, delivery, ctx);
  // said is what was announced
  const notice = delivery.event.type === 'HistoryCompacted' ? undefined : chat.notice;
  const next = committedInto(settleFocus(chat, { ...chat, view, notice }), delivery);
  const step = receipt ? onReceipt(next, receipt, now) : only(next);
  const intents = [...step.intents, ...followSummary(chat, delivery.event)];
  return lookedAt(chat, calledBy({ ...step, intents, print: [...print, ...step.print] }, delivery.event));
}

/** A retracted text goes into the history or, to be edited, into the composer; a rejected one goes back there. */
function onReceipt(chat: Chat, receipt: Receipt, now: number): Step {
  const text = ownText(receipt.blocks);
  if (receipt.outcome === 'retracted') {
    if (text === '' || receipt.agency !== 'user') return only(chat);
    const kept = withOutputs(chat, receipt.blocks);
    if (receipt.edit) return only(takeText(kept, text));
    return only({ ...kept, history: [...chat.history, text] }, { type: 'Remember', text });
  }
  if (receipt.outcome === 'rejected' && receipt.agency === 'user' && receipt.blocks.length > 0)
    return only(backToComposer(chat, receipt));
  if (receipt.late && receipt.outcome !== 'returned')
    return only(
      noticed(
        chat,
        `too late to take it back: it was ${receipt.outcome === 'folded' ? receipt.text.replace(', too late to retract', '') : 'started'}`,
        now,
        'warning',
      ),
    );
  return only(chat);
}

/** Into an empty composer; where a draft stands, among the returned inputs. */
function backToComposer(chat: Chat, input: { commandId: string; blocks: Receipt['blocks'] }): Chat {
  const text = ownText(input.blocks);
  if (isEmpty(chat.composer) && text !== '')
    return { ...withOutputs(chat, input.blocks), composer: editComposer(chat.composer, { type: 'set', text }) };
  return {
    ...chat,
    view: changeActive(chat.view, (loop) => ({ ...loop, queue: addReturned(loop.queue, input, 'rejected') })),
  };
}

/** What goes with an input is read: its row says so. */
export const attachedTo = (chat: Chat, { commandId, blocks }: Pick<UserInput, 'commandId' | 'blocks'>): Chat => ({
  ...chat,
  view: changeActive(chat.view, (loop) => ({ ...loop, queue: changeRow(loop.queue, commandId, { blocks }) })),
});

/** The session is over before it answered: what was only being sent is the person's again. */
export function takeBackUnsent(chat: Chat): Chat {
  const unsent = chat.view.loops.flatMap(({ queue }) => queue.rows).filter(({ state }) => state === 'sending');
  const loops = chat.view.loops.map((loop) => ({
    ...loop,
    queue: unsent.reduce((queue, row) => dropRow(queue, row.commandId), loop.queue),
  }));
  return unsent.reduce(backToComposer, { ...chat, view: { ...chat.view, loops } });
}

/** What a session answered beside its events. */
export interface AnswerView {
  ok: boolean;
  message?: string;
  ack?: {
    cancelled?: boolean;
    moved?: boolean;
    changed?: boolean;
    sent?: boolean;
    compacted?: boolean;
    reason?: string;
  };
}

export function foldAnswer(chat: Chat, command: Command, answer: AnswerView, now: number): Step {
  if (command.type === 'Compact' && command.loopId) chat = summarised(chat, command.loopId, undefined, now);
  if (!answer.ok && command.type === 'SetModel')
    return told(chat, [`the model stays: ${answer.message ?? 'the session refused this'}`], now);
  if (!answer.ok) {
    const message = answer.message ?? 'the session refused this';
    return lookedAt(chat, only(refusedCommand(chat, command, message, now)));
  }
  const { ack } = answer;
  if (command.type === 'SendQueuedInput') chat = asked(chat, command.targetCommandId, ack?.sent === true);
  if (ack?.moved === false || ack?.changed === false || ack?.sent === false)
    return only(noticed(chat, ack.reason ?? 'too late: it is not queued any more', now));
  if (ack?.compacted === false)
    return only(noticed(chat, `not summarised: ${ack.reason ?? 'nothing would be saved'}`, now));
  if (command.type === 'Interrupt' && ack?.cancelled === false) return only(notStopping(chat));
  if (command.type === 'ResumeQueue' && command.loopId)
    return only(chat, { type: 'Errand', errand: { type: 'FollowSummary', loopId: command.loopId } });
  return only(chat);
}

/** The row is still there: its event is on the way, or it stays queued. */
function asked(chat: Chat, target: string, sent: boolean): Chat {
  const view = changeActive(chat.view, (loop) => {
    const row = loop.queue.rows.find(({ commandId }) => commandId === target);
    if (row?.state !== 'first') return loop;
    if (!sent) return { ...loop, queue: changeRow(loop.queue, target, { state: 'queued' }) };
    return loop.turn ? { ...loop, turn: { ...loop.turn, stopping: true } } : loop;
  });
  return { ...chat, view };
}

/** Nothing was told to stop: the Turn was over, or its last Step had committed. */
const notStopping = (chat: Chat): Chat => ({
  ...chat,
  view: changeActive(chat.view, (loop) => (loop.turn ? { ...loop, turn: { ...loop.turn, stopping: false } } : loop)),
});

function refusedCommand(chat: Chat, command: Command, message: string, now: number): Chat {
  const said = noticed(chat, message, now, 'error');
  if (command.type === 'SendQueuedInput') return asked(said, command.targetCommandId, false);
  if (command.type === 'CancelQueuedInput') {
    const { targetCommandId } = command;
    return {
      ...said,
      view: changeActive(said.view, (loop) => ({
        ...loop,
        queue: changeRow(loop.queue, targetCommandId, { state: 'queued', edit: false }),
      })),
    };
  }
  if (command.type !== 'UserInput') return said;
  const dropped = {
    ...said,
    view: changeActive(said.view, (loop) => ({ ...loop, queue: dropRow(loop.queue, command.commandId) })),
  };
  return command.blocks.length > 0 ? backToComposer(dropped, command) : dropped;
}

export const foldSnapshot = (chat: Chat, snapshot: SnapshotView): Chat =>
  settleFocus(chat, { ...chat, view: applySnapshot(chat.view, snapshot) });

/** Order, holds or texts of the queue are to be read from the session. */
export const needsSnapshot = (chat: Chat): boolean =>
  chat.view.loops.some((loop) => loop.queue.rows.some((row) => row.bare));
