/** From what the person meant to commands of the session, with the marks that the view shows until their events come. */
import type { Command, GrantScope } from '../domain/command.ts';
import type { InputBlock } from '../domain/content.ts';
import type { CommandId } from '../domain/identity.ts';
import { type Chat, loopOf, type Moment, type Step } from './chat.ts';
import type { GateView } from './gate.ts';
import type { Asked, Intent } from './intent.ts';
import { CommandIds } from './intent.ts';
import { isAtWork, type LoopView } from './loop-view.ts';
import { addRow, changeRow, dropReturned, type QueueRow, type ReturnedRow } from './queue.ts';
import { changeActive } from './view-model.ts';

export const command = (id: CommandId, asked: Asked): Intent => ({
  type: 'Command',
  command: { ...asked, commandId: id, agency: 'user' } as Command,
});

export const textBlocks = (text: string): InputBlock[] => [{ type: 'text', text }];

/** Shown as a row at once; the loop's events say what becomes of it. Before the first loop is there the session takes it. */
export function submit(
  chat: Chat,
  blocks: readonly InputBlock[],
  noFold: boolean,
  id: CommandId,
  attach: readonly string[] = [],
): Step {
  const loopId = loopOf(chat)?.loopId;
  const row: QueueRow = { commandId: id, blocks, noFold, agency: 'user', state: 'sending' };
  const view = changeActive(chat.view, (one) => ({ ...one, queue: addRow(one.queue, row) }));
  const asked: Asked = { type: 'UserInput', blocks: [...blocks], ...(loopId && { loopId }), ...(noFold && { noFold }) };
  const intent = { ...command(id, asked), ...(attach.length > 0 && { attach }) };
  return { chat: { ...chat, view }, intents: [intent], print: [] };
}

/** Marks the row and asks; the row leaves with its event. */
export function retract(chat: Chat, target: CommandId, edit: boolean, id: CommandId): Step {
  const row = loopOf(chat)?.queue.rows.find((one) => one.commandId === target);
  if (!row) return { chat, intents: [], print: [] };
  const change = { state: 'retracting' as const, ...(edit ? { edit } : {}) };
  const view = changeActive(chat.view, (loop) => ({ ...loop, queue: changeRow(loop.queue, target, change) }));
  const intents =
    row.state === 'retracting' ? [] : [command(id, { type: 'CancelQueuedInput', targetCommandId: target })];
  return { chat: { ...chat, view }, intents, print: [] };
}

export function retractAll(chat: Chat, moment: Moment): Step {
  const ids = new CommandIds(moment.id);
  return (loopOf(chat)?.queue.rows ?? []).reduce<Step>(
    (step, row) => {
      const next = retract(step.chat, row.commandId, false, ids.next());
      return { ...next, intents: [...step.intents, ...next.intents] };
    },
    { chat, intents: [], print: [] },
  );
}

/** Marks the row and asks: what runs is interrupted, and the row starts first. */
export function sendNow(chat: Chat, row: QueueRow, id: CommandId): Step {
  const { commandId: targetCommandId, state } = row;
  const view = changeActive(chat.view, (loop) => ({
    ...loop,
    queue: state === 'queued' ? changeRow(loop.queue, targetCommandId, { state: 'first' }) : loop.queue,
  }));
  const intents =
    state === 'first' || state === 'retracting' ? [] : [command(id, { type: 'SendQueuedInput', targetCommandId })];
  return { chat: { ...chat, view }, intents, print: [] };
}

/** `stopping` is shown at once. A second interrupt under way does nothing. */
export function interrupt(chat: Chat, moment: Moment): Step {
  const loop = loopOf(chat);
  if (!loop || !isAtWork(loop, moment.now) || loop.turn?.stopping) return { chat, intents: [], print: [] };
  const view = changeActive(chat.view, (one) => (one.turn ? { ...one, turn: { ...one.turn, stopping: true } } : one));
  return {
    chat: { ...chat, view },
    intents: [command(moment.id, { type: 'Interrupt', loopId: loop.loopId })],
    print: [],
  };
}

/** Enter on nothing: a paused queue goes on, else the returned inputs are sent in order. */
export function goOn(chat: Chat, moment: Moment): Step {
  const loop = loopOf(chat);
  if (loop?.queue.paused && loop.queue.rows.length > 0) return resumeQueue(chat, loop, moment);
  return resend(chat, moment);
}

export const resumeQueue = (chat: Chat, loop: LoopView, moment: Moment): Step => ({
  chat,
  intents: [command(moment.id, { type: 'ResumeQueue', loopId: loop.loopId })],
  print: [],
});

export function resend(chat: Chat, moment: Moment): Step {
  const ids = new CommandIds(moment.id);
  return (loopOf(chat)?.queue.returned ?? []).reduce<Step>(
    (step, row) => {
      const next = submit(withoutReturned(step.chat, row.commandId), row.blocks, false, ids.next());
      return { ...next, intents: [...step.intents, ...next.intents] };
    },
    { chat, intents: [], print: [] },
  );
}

export const withoutReturned = (chat: Chat, commandId: CommandId): Chat => ({
  ...chat,
  view: changeActive(chat.view, (loop) => ({ ...loop, queue: dropReturned(loop.queue, commandId) })),
});

export const returnedRows = (chat: Chat): readonly ReturnedRow[] => loopOf(chat)?.queue.returned ?? [];

export function changeGate(chat: Chat, toolExecutionId: string, change: (gate: GateView) => GateView): Chat {
  const view = changeActive(chat.view, (loop) => ({
    ...loop,
    gates: loop.gates.map((gate) => (gate.toolExecutionId === toolExecutionId ? change(gate) : gate)),
  }));
  return { ...chat, view };
}

/** The answer is marked and sent; the gate closes with its event. */
function decided(chat: Chat, gate: GateView, id: CommandId, asked: Asked): Step {
  const answered = changeGate(chat, gate.toolExecutionId, (one) => ({ ...one, answered: true, marked: undefined }));
  return { chat: { ...answered, overlay: undefined }, intents: [command(id, asked)], print: [] };
}

export const approve = (chat: Chat, gate: GateView, scope: GrantScope, id: CommandId): Step =>
  decided(chat, gate, id, { type: 'ApproveToolCall', toolExecutionId: gate.toolExecutionId, scope });

export const deny = (chat: Chat, gate: GateView, reason: string, id: CommandId): Step =>
  decided(chat, gate, id, {
    type: 'DenyToolCall',
    toolExecutionId: gate.toolExecutionId,
    ...(reason === '' ? {} : { reason }),
  });

export const answer = (chat: Chat, gate: GateView, text: string, id: CommandId): Step =>
  decided(chat, gate, id, { type: 'ProvideUserInput', toolExecutionId: gate.toolExecutionId, answer: text });
