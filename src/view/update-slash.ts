/** What each slash command does. Every action of a key is here as well (contract: The chat on the screen). */
import { type Chat, contextOf, loopOf, type Moment, noticed, only, type Step } from './chat.ts';
import { openGate } from './chat-state.ts';
import {
  answer,
  approve,
  command,
  deny,
  interrupt,
  resend,
  resumeQueue,
  retract,
  retractAll,
  returnedRows,
  sendNow,
  submit,
  textBlocks,
  withoutReturned,
} from './commands.ts';
import { isAtWork, isBusy, type LoopView } from './loop-view.ts';
import type { QueueRow } from './queue.ts';
import { gateRoom } from './screen-gate.ts';
import type { SlashName } from './slash-commands.ts';
import { LOOK_COMMANDS } from './slash-look.ts';
import { PROGRAM_COMMANDS } from './slash-program.ts';
import { SESSION_COMMANDS } from './slash-session.ts';
import { answering, type Run, refused, told, usage } from './told.ts';
import { cardLines } from './tool-card.ts';
import { MODEL_COMMANDS } from './update-model.ts';
import { enterQueue, takeReturned } from './update-queue.ts';
import { quit } from './update-quit.ts';
import { changeActive } from './view-model.ts';

/** The queued row of a number as it stands on the screen, or the last one where none is given. */
function rowNumbered(chat: Chat, argument: string): QueueRow | undefined {
  const rows = loopOf(chat)?.queue.rows ?? [];
  return argument === '' ? rows.at(-1) : rows[Number(argument) - 1];
}
const noRow = (chat: Chat, argument: string, moment: Moment): Step =>
  refused(chat, argument === '' ? 'nothing is queued' : `nothing is queued at ${argument}`, moment);

const hold: Run = (chat, argument, moment) =>
  argument === ''
    ? usage(chat, 'hold', moment)
    : submit(chat, textBlocks(argument), isBusyOrPaused(chat, moment), moment.id);

const isBusyOrPaused = (chat: Chat, { now }: Moment): boolean =>
  isAtWork(loopOf(chat), now) || (loopOf(chat)?.queue.paused ?? false);

const RUN: Record<SlashName, Run> = {
  help: (chat) => only({ ...chat, overlay: { kind: 'help', top: 0 } }),
  retry: (chat, _argument, moment) =>
    isBusy(loopOf(chat))
      ? refused(chat, 'a turn is running: Esc interrupts it', moment)
      : submit(chat, [], false, moment.id),
  queue: (chat, argument, moment) => {
    if (argument !== '') return hold(chat, argument, moment);
    const entered = enterQueue(chat);
    return entered === chat ? refused(chat, 'nothing is queued', moment) : only(entered);
  },
  hold,
  retract: (chat, argument, moment) => {
    if (argument === 'all') return retractAll(chat, moment);
    const row = rowNumbered(chat, argument);
    return row ? retract(chat, row.commandId, false, moment.id) : noRow(chat, argument, moment);
  },
  'send-now': (chat, argument, moment) => {
    const row = rowNumbered(chat, argument);
    return row ? sendNow(chat, row, moment.id) : noRow(chat, argument, moment);
  },
  fold: (chat, argument, moment) => {
    const row = rowNumbered(chat, argument);
    if (!row) return noRow(chat, argument, moment);
    return only(
      chat,
      command(moment.id, { type: 'SetQueuedInput', targetCommandId: row.commandId, noFold: !row.noFold }),
    );
  },
  move: (chat, argument, moment) => {
    const [from = '', to = ''] = argument.split(/\s+/);
    if (!/^\d+$/.test(from) || !/^\d+$/.test(to) || Number(to) < 1) return usage(chat, 'move', moment);
    const row = rowNumbered(chat, from);
    if (!row) return noRow(chat, loopOf(chat)?.queue.rows.length ? from : '', moment);
    const others = (loopOf(chat)?.queue.rows ?? []).filter((one) => one !== row);
    const before = others[Number(to) - 1];
    const place = before ? { beforeCommandId: before.commandId } : {};
    return only(chat, command(moment.id, { type: 'MoveQueuedInput', targetCommandId: row.commandId, ...place }));
  },
  edit: (chat, argument, moment) => {
    const row = rowNumbered(chat, argument);
    const rows = loopOf(chat)?.queue.rows.length ?? 0;
    const returned = argument === '' ? returnedRows(chat).at(-1) : returnedRows(chat)[Number(argument) - 1 - rows];
    if (returned && (!row || argument === '')) return only(takeReturned(chat, returned));
    return row ? retract(chat, row.commandId, true, moment.id) : noRow(chat, argument, moment);
  },
  'resume-queue': (chat, _argument, moment) => {
    const loop = loopOf(chat);
    return loop?.queue.paused ? resumeQueue(chat, loop, moment) : refused(chat, 'the queue is not paused', moment);
  },
  resend: (chat, _argument, moment) =>
    returnedRows(chat).length > 0 ? resend(chat, moment) : refused(chat, 'nothing was returned', moment),
  drop: (chat, argument, moment) => {
    const rows = returnedRows(chat);
    const dropped =
      argument === 'all'
        ? rows
        : rows.filter((_, i) => (argument === '' ? i === rows.length - 1 : i === Number(argument) - 1));
    if (dropped.length === 0) return refused(chat, 'nothing was returned there', moment);
    return only(dropped.reduce((next, row) => withoutReturned(next, row.commandId), chat));
  },
  interrupt: (chat, _argument, moment) =>
    isAtWork(loopOf(chat), moment.now) ? interrupt(chat, moment) : refused(chat, 'nothing is running', moment),
  approve: (chat, argument, moment) => {
    const gate = openGate(chat.view);
    const scope = argument === '' ? 'once' : argument;
    if (gate?.ask.kind !== 'permission') return refused(chat, 'no question is open that a yes would answer', moment);
    if (scope !== 'once' && scope !== 'session' && scope !== 'always') return usage(chat, 'approve', moment);
    if (scope !== 'once' && !gate.ask.request.scopes.some((offer) => offer.scope === scope))
      return refused(chat, `"${scope}" is not offered here`, moment);
    if (gateRoom(gate, chat.size, contextOf(chat, moment.now)) === 'scarce')
      return only({
        ...chat,
        overlay: { kind: 'request', toolExecutionId: gate.toolExecutionId, top: 0, seen: false },
      });
    return approve(chat, gate, scope, moment.id);
  },
  deny: (chat, argument, moment) => {
    const gate = openGate(chat.view);
    return gate ? deny(chat, gate, argument, moment.id) : refused(chat, 'no question is open', moment);
  },
  answer: (chat, argument, moment) => {
    const gate = openGate(chat.view);
    if (gate?.ask.kind !== 'question') return refused(chat, 'no question of the model is open', moment);
    return argument === '' ? usage(chat, 'answer', moment) : answer(chat, gate, argument, moment.id);
  },
  approvals: (chat, argument, moment) => {
    if (argument === '')
      return told(chat, [`approval is ${chat.view.approval}; /approvals ask, auto or deny changes it`], moment.now);
    if (argument !== 'ask' && argument !== 'auto' && argument !== 'deny') return usage(chat, 'approvals', moment);
    return setApproval(chat, argument, moment);
  },
  loops: (chat, argument, moment) => loops(chat, argument, moment),
  output: (chat, _argument, moment) => unfold(chat, moment),
  clear: (chat) => only(chat, { type: 'ClearScreen' }),
  quit: (chat, _argument, moment) => quit(chat, moment),
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
  ...PROGRAM_COMMANDS,
  ...LOOK_COMMANDS,
};

export const runSlash = (chat: Chat, name: SlashName, argument: string, moment: Moment): Step =>
  RUN[name]({ ...chat, view: changeActive(chat.view, apart) }, argument, moment);

const apart = (loop: LoopView): LoopView => ({ ...loop, transcript: answering(loop.transcript) });

export function setApproval(chat: Chat, mode: 'ask' | 'auto' | 'deny', { now }: Moment): Step {
  const words = {
    ask: 'tools that change things ask first',
    auto: 'changes inside the workspace run without asking',
    deny: 'tools that change things are refused',
  };
  const next = noticed({ ...chat, view: { ...chat.view, approval: mode } }, `approval ${mode}: ${words[mode]}`, now);
  return only(next, { type: 'SetApproval', mode });
}

/** The output of the last tools again, all of it that is known. */
export function unfold(chat: Chat, moment: Moment): Step {
  const cards = loopOf(chat)?.transcript.cards ?? [];
  if (cards.length === 0) return refused(chat, 'no tool has run yet', moment);
  const ctx = contextOf(chat, moment.now);
  return { chat, intents: [], print: [[], ...cards.flatMap((card) => cardLines(card, ctx, true))] };
}

function loops(chat: Chat, argument: string, moment: Moment): Step {
  const { loops: all } = chat.view;
  const [word = '', agentName] = argument.split(/\s+/);
  if (word === 'new') return only(chat, command(moment.id, { type: 'StartLoop', ...(agentName ? { agentName } : {}) }));
  if (word !== '') {
    const loop = all[Number(word) - 1];
    if (!loop) return refused(chat, `there is no loop ${word}`, moment);
    if (loop === loopOf(chat)) return refused(chat, `loop ${word} is on the screen already`, moment);
    return only(chat, command(moment.id, { type: 'SetActiveLoop', loopId: loop.loopId }));
  }
  const lines = all.map((loop, i) => {
    const state = loop.gates.length > 0 ? 'asks' : loop.turn ? 'busy' : loop.queue.paused ? 'paused' : 'idle';
    const queued = loop.queue.rows.length > 0 ? `, ${loop.queue.rows.length} queued` : '';
    return `${loop === loopOf(chat) ? '*' : ' '} ${i + 1} ${loop.agentName} (${loop.model}): ${state}${queued}`;
  });
  return told(chat, [...lines, '/loops N shows one, /loops new starts another'], moment.now);
}
