/**
 * For a screen reader: what changed between two states of the chat, one line for each thing that happened. What becomes
 * part of the transcript is printed as for everybody (spoken.ts words it); here is what others see drawn and drawn again.
 */
import type { Chat } from './chat.ts';
import { contextOf, openGate } from './chat-state.ts';
import { completions, type Offer } from './completion.ts';
import { span, type ViewContext } from './context.ts';
import { type GateView, gateRows } from './gate.ts';
import { searchMatch } from './history-search.ts';
import type { TurnView } from './live.ts';
import type { LoopView } from './loop-view.ts';
import { inputLabel, markOf, type QueueRow } from './queue.ts';
import { sanitizeLine, sanitizeText } from './sanitize.ts';
import { howToAnswer } from './screen-gate.ts';
import { overlayWords } from './spoken-overlay.ts';
import type { Line } from './style.ts';
import { cardSummary } from './tool-card.ts';
import { activeLoop, EMPTY_VIEW } from './view-model.ts';

/** Lines without a style and without an end; none where nothing changed. */
export function announce(before: Chat, after: Chat, now: number): Line[] {
  if (before === after || !after.settings.spoken) return [];
  const ctx = contextOf(after, now);
  const said = [
    ...loopWords(activeLoop(before.view), activeLoop(after.view), ctx),
    ...gateWords(openGate(before.view), openGate(after.view), after, ctx),
    ...shellWords(before, after),
    ...focusWords(before, after),
    ...overlayWords(before, after, ctx),
    ...offerWords(before, after),
    ...(after.notice && after.notice !== before.notice ? [`Note: ${after.notice.text}`] : []),
  ];
  return said.flatMap((text) => sanitizeText(text, ctx).split('\n')).map((text) => [span(text)]);
}

/** What stands already when the screen begins: a queue that was kept, a list to choose from. */
export const announceFirst = (chat: Chat, now: number): Line[] =>
  announce({ ...chat, view: EMPTY_VIEW, overlay: undefined, notice: undefined }, chat, now);

function loopWords(before: LoopView | undefined, after: LoopView | undefined, ctx: ViewContext): string[] {
  if (!after || before === after) return [];
  const known = before?.loopId === after.loopId ? before : undefined;
  return [
    ...turnWords(known?.turn, after.turn, ctx),
    ...queueWords(known, after),
    ...(after.settling?.asked && !known?.settling?.asked ? ['Summarising the conversation. Esc interrupts.'] : []),
  ];
}

function turnWords(before: TurnView | undefined, after: TurnView | undefined, ctx: ViewContext): string[] {
  if (!after || before === after) return [];
  const known = before?.turnId === after.turnId ? before : undefined;
  const running = after.cards.filter(
    ({ toolExecutionId: id, state }) =>
      state === 'running' && !known?.cards.some((one) => one.toolExecutionId === id && one.state === 'running'),
  );
  const { retry } = after;
  return [
    ...(after.thinkingSince !== undefined && known?.thinkingSince === undefined ? ['Thinking.'] : []),
    ...running.map((card) => `Tool ${card.toolName}: ${cardSummary(card).replaceAll('\n', ' ')}, running`),
    ...(retry && retry !== known?.retry
      ? [
          `Waiting: again in ${Math.max(0, Math.ceil((retry.until - ctx.now) / 1000))}s, attempt ${retry.attempt + 1} of ${retry.maxAttempts}: ${retry.message}`,
        ]
      : []),
    ...(after.stopping && !known?.stopping ? ['Stopping.'] : []),
  ];
}

const isShown = (row: QueueRow | undefined): row is QueueRow =>
  row !== undefined && row.state !== 'sending' && !row.bare;
/** `fold: then the docs`. */
const rowWords = (row: QueueRow): string =>
  `${row.agency === 'machine' ? 'machine, ' : ''}${markOf(row)}: ${inputLabel(row.blocks)}`;

function queueWords(before: LoopView | undefined, after: LoopView): string[] {
  const { queue } = after;
  const words = queue.rows.flatMap((row, i) => {
    if (!isShown(row)) return [];
    const old = before?.queue.rows.find(({ commandId }) => commandId === row.commandId);
    if (!isShown(old)) return [`Queued ${i + 1}, ${rowWords(row)}`];
    return markOf(old) === markOf(row) ? [] : [`Queue ${i + 1}, now ${rowWords(row)}`];
  });
  const moved = before?.queue.rows.length === queue.rows.length && orderOf(before) !== orderOf(after);
  if (moved) words.push(...queueList(after));
  if (queue.paused && queue.rows.length > 0 && !before) words.push('The queue is paused: Enter on nothing goes on.');
  if (queue.returned.length > 0 && !before?.queue.returned.length)
    words.push('Returned: Enter on nothing sends it again, Up chooses.');
  return words;
}

const orderOf = ({ queue }: LoopView): string => queue.rows.map(({ commandId }) => commandId).join(' ');

/** The queue and the returned inputs, numbered. */
function queueList({ queue }: LoopView): string[] {
  const rows = [
    ...queue.rows.map(rowWords),
    ...queue.returned.map(({ reason, blocks }) => `returned, ${reason}: ${inputLabel(blocks)}`),
  ];
  return [`Queue: ${rows.length}${queue.paused ? ', paused' : ''}`, ...rows.map((text, i) => `${i + 1} ${text}`)];
}

function gateWords(before: GateView | undefined, after: GateView | undefined, chat: Chat, ctx: ViewContext): string[] {
  if (before === after) return [];
  if (!after) {
    const gone = activeLoop(chat.view)?.gates.find(({ toolExecutionId: id }) => id === before?.toolExecutionId);
    return [gone?.answered ? 'Question answered.' : 'The question is closed.'];
  }
  const rows = gateRows(after, 'whole');
  const worded = rows.map(({ digit, label }) => `${digit ?? 'or'} ${label}`);
  if (before?.toolExecutionId === after.toolExecutionId) {
    const marked = after.marked === before.marked ? undefined : worded[after.marked ?? -1];
    return marked === undefined ? [] : [`Marked ${marked}. Enter gives it.`];
  }
  const { ask } = after;
  const asked =
    ask.kind === 'question'
      ? ask.question
      : `${ask.request.toolName} wants to run: ${ask.request.detail || ask.request.summary}`;
  return [`Question: ${asked.trimEnd()}`, ...worded, `${howToAnswer(after, rows, true, ctx)}.`, ...draftWords(chat)];
}

/** Who is writing hears that a digit goes on with the text. */
const draftWords = (chat: Chat): string[] =>
  chat.composer.lines.some((line) => line !== '') ? ['Your text stays where it is.'] : [];

function shellWords({ shell: before }: Chat, { shell: after }: Chat): string[] {
  if (!after || before === after) return [];
  if (before?.id !== after.id) return [`Command: ${after.command}, running. Esc stops it.`];
  return after.stopping && !before.stopping ? ['Stopping.'] : [];
}

function focusWords(before: Chat, after: Chat): string[] {
  const [from, to] = [before.focus, after.focus];
  if (to.kind === 'search') {
    if (from === to) return [];
    const match = searchMatch(after);
    const found = match === undefined ? 'nothing found' : inputLabel([{ type: 'text', text: match }]);
    return [`${from.kind === 'search' ? 'Found' : 'History search. Enter takes it, Esc closes. Found'}: ${found}`];
  }
  if (to.kind === 'queue')
    return from.kind === 'queue' && from.commandId === to.commandId ? [] : chosenWords(before, after);
  if (to.kind === 'word' && from.kind !== 'word')
    return [
      to.purpose === 'reason' ? 'Why not? Enter sends, Esc goes back.' : 'Your answer. Enter sends, Esc goes back.',
    ];
  return from.kind === 'queue' ? ['Out of the queue.'] : [];
}

function chosenWords(before: Chat, after: Chat): string[] {
  const loop = activeLoop(after.view);
  if (!loop || after.focus.kind !== 'queue') return [];
  const { commandId } = after.focus;
  const rows = [...loop.queue.rows, ...loop.queue.returned];
  const at = rows.findIndex((row) => row.commandId === commandId);
  const [head = '', ...list] = queueList(loop);
  const keys =
    at < loop.queue.rows.length ? 'e edits, d retracts, t folds or holds, Ctrl+S sends it now' : 'e edits, d drops';
  const chosen = `Chosen ${list[at] ?? ''}`;
  return before.focus.kind === 'queue' ? [chosen] : [head, ...list, `${chosen}. ${keys}, Esc goes back.`];
}

function offerWords(before: Chat, after: Chat): string[] {
  const offers = completions(after);
  const chosen = offers[Math.min(after.completion.index, offers.length - 1)];
  if (!chosen) return [];
  const known = completions(before);
  const counted = `${offers.length}`;
  if (known.length === 0) return [`${counted} to complete, Tab takes ${worded(chosen)}. Down chooses.`];
  return before.completion.index === after.completion.index
    ? []
    : [`${after.completion.index + 1} of ${counted}: ${worded(chosen)}`];
}

const worded = ({ label, help }: Offer): string => sanitizeLine(help === '' ? label : `${label}, ${help}`);
