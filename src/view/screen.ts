/**
 * The live region as lines: all that is not final yet, never taller than the terminal less two rows. As rows shrink,
 * hints, previews, queue rows, the stream's tail, status and the composer give way in this order; a gate takes the last
 * line (contract: The chat on the screen).
 */
import { ownText } from './attachment.ts';
import type { Chat } from './chat.ts';
import { contextOf, type Overlay, openGate } from './chat-state.ts';
import { span, type ViewContext, wholeSeconds } from './context.ts';
import type { GateView } from './gate.ts';
import type { ToolCard } from './live.ts';
import { isSettling, type LoopView, settlingWake } from './loop-view.ts';
import { pickerDrawing } from './picker.ts';
import type { QueueRow } from './queue.ts';
import { sanitizeText } from './sanitize.ts';
import { type ComposerDrawing, composerDrawing } from './screen-composer.ts';
import { gateLines, roomOf } from './screen-gate.ts';
import { escHint, hintLine } from './screen-hints.ts';
import { overlayLines } from './screen-overlay.ts';
import { chosenLines, queueDrawing } from './screen-queue.ts';
import { cardDrawing, facts, nextSecond, nextTurning, retryLine, tailLines, turnLine } from './screen-turn.ts';
import { settingsDrawing } from './settings-overlay.ts';
import { shellCard } from './shell.ts';
import { spokenScreen } from './spoken-screen.ts';
import { type Line, lineWidth, paintLine } from './style.ts';
import { transcriptDrawing } from './transcript-overlay.ts';
import { activeLoop } from './view-model.ts';
import { cutSpans, wrapSpans } from './wrap.ts';

export interface Screen {
  /** Painted, each at most the terminal's width less one. */
  lines: string[];
  widths: number[];
  /** Where the real cursor stands; undefined hides it. */
  cursor: { x: number; y: number } | undefined;
  /** When time alone changes the picture (ms). */
  wakeAt: number | undefined;
}

export function layout(chat: Chat, now: number): Screen {
  if (chat.settings.spoken) return spokenScreen(chat, now);
  const ctx = contextOf(chat, now);
  const { lines, cursor } = chat.overlay ? overlayRegion(chat, chat.overlay, ctx) : regionLines(chat, ctx);
  const fitted = lines.map((line) => clamped(line, ctx.width));
  const { theme, ascii } = chat.settings;
  return {
    lines: fitted.map((line) => paintLine(line, theme, { ascii, links: false })),
    widths: fitted.map(lineWidth),
    cursor: cursor && { x: Math.min(cursor.x, ctx.width), y: cursor.y },
    wakeAt: wakeTime(chat, now),
  };
}

function overlayRegion(chat: Chat, overlay: Overlay, ctx: ViewContext): Region {
  if (overlay.kind === 'picker') return pickerDrawing(overlay, Math.max(1, chat.size.rows - 1), ctx);
  if (overlay.kind === 'settings') return settingsDrawing(overlay, Math.max(1, chat.size.rows - 1), ctx);
  if (overlay.kind === 'transcript') return transcriptDrawing(chat, overlay, ctx);
  return { lines: overlayLines(chat, ctx), cursor: undefined };
}

/** A line too many columns wide is cut: the screen may never wrap by itself. */
const clamped = (line: Line, width: number): Line =>
  lineWidth(line) <= width ? line : (cutSpans(line, width)[0] ?? []);

interface Region {
  lines: Line[];
  cursor: { x: number; y: number } | undefined;
}

/** Parts of the region from top to bottom; each may be emptied when rows are scarce. */
interface Parts {
  gap: Line[];
  tail: Line[];
  cards: Line[];
  gate: Line[];
  notice: Line[];
  heading: Line[];
  rows: Line[];
  status: Line[];
  hints: Line[];
  composer: Line[];
}
// The composer is last: when a terminal becomes narrower it wraps lines anew, and some (xterm.js) lose the place of the
// cursor by the rows that this makes below it.
const ORDER = ['gap', 'tail', 'cards', 'gate', 'notice', 'heading', 'rows', 'status', 'hints', 'composer'] as const;

function regionLines(chat: Chat, ctx: ViewContext): Region {
  const room = roomOf(chat.size);
  const loop = activeLoop(chat.view);
  const composerRoom = Math.max(1, Math.min(10, Math.floor(room / 2)));
  let composer = composerDrawing(chat, composerRoom, true, ctx);
  const parts = fullParts(chat, loop, composer, ctx);
  // A tail that begins with an empty line brings the gap itself; one that goes on with what was printed needs none.
  const goesOn = parts.tail.length > 0 && (loop?.transcript.stream?.printed.length ?? 0) > 0;
  if (goesOn || parts.tail[0]?.length === 0) parts.gap = [];
  const over = () => ORDER.reduce((sum, name) => sum + parts[name].length, 0) - room;
  const plain = () => shownCards(chat, loop, openGate(chat.view)).flatMap((card) => cardDrawing(card, false, ctx));
  const drop = (name: keyof Parts) => {
    if (over() > 0) parts[name] = [];
  };
  drop('gap');
  drop('hints');
  if (over() > 0) composer = shrunk(parts, composerDrawing(chat, composerRoom, false, ctx));
  if (over() > 0) parts.cards = plain();
  // Who is in the queue sees where: the chosen row outlives the stream's tail.
  if (over() > 0) parts.rows = rowsIn(chat, loop, FEW_ROWS, ctx);
  if (over() > 0) parts.tail = parts.tail.slice(Math.min(parts.tail.length, over()));
  if (over() > 0) parts.cards = parts.cards.slice(0, Math.max(0, parts.cards.length - over()));
  if (over() > 0) parts.rows = rowsIn(chat, loop, 0, ctx);
  drop('notice');
  drop('rows');
  drop('heading');
  drop('status');
  if (over() > 0)
    composer = shrunk(parts, composerDrawing(chat, Math.max(1, composer.lines.length - over()), false, ctx));
  if (over() > 0) drop('composer');
  const top = parts.composer.length === 0 ? undefined : before(parts, 'composer');
  const cursor = top === undefined ? undefined : { x: composer.cursor.x, y: top + composer.cursor.y };
  return { lines: ORDER.flatMap((name) => parts[name]), cursor };
}

const FEW_ROWS = 3;
/** Of the queue that the keys are in: at most `limit` rows around the chosen one, or that alone. */
function rowsIn(chat: Chat, loop: LoopView | undefined, limit: number, ctx: ViewContext): Line[] {
  if (chat.focus.kind !== 'queue' || !loop) return [];
  const { commandId } = chat.focus;
  return limit === 0
    ? chosenLines(loop.queue, shownRows(loop), commandId, ctx)
    : queueDrawing(loop.queue, shownRows(loop), commandId, false, ctx, limit).rows;
}

function shrunk(parts: Parts, drawing: ComposerDrawing): ComposerDrawing {
  parts.composer = drawing.lines;
  return drawing;
}

function before(parts: Parts, stop: keyof Parts): number {
  return ORDER.slice(0, ORDER.indexOf(stop)).reduce((sum, name) => sum + parts[name].length, 0);
}

function fullParts(chat: Chat, loop: LoopView | undefined, composer: ComposerDrawing, ctx: ViewContext): Parts {
  const gate = openGate(chat.view);
  const turn = loop?.turn;
  const rows = loop ? shownRows(loop) : [];
  const selected = chat.focus.kind === 'queue' ? chat.focus.commandId : undefined;
  const roomy = chat.size.rows > 10;
  const queue = loop ? queueDrawing(loop.queue, rows, selected, roomy, ctx) : { heading: [], rows: [] };
  return {
    gap: [[]],
    tail: loop ? [...startingLines(loop, ctx), ...spaced(tailLines(loop, ctx))] : [],
    cards: shownCards(chat, loop, gate).flatMap((card) => cardDrawing(card, true, ctx)),
    gate: gate ? gateLines(gate, chat.size, ctx) : [],
    notice: noticeLines(chat, ctx),
    heading: queue.heading,
    rows: queue.rows,
    status: turn ? [turnLine(turn, gate !== undefined, escHint(chat), ctx)] : settlingLines(chat, loop, ctx),
    composer: composer.lines,
    hints: [hintLine(chat, loop, ctx)],
  };
}

function settlingLines(chat: Chat, loop: LoopView | undefined, ctx: ViewContext): Line[] {
  if (!loop?.settling || !isSettling(loop, ctx.now)) return [];
  if (loop.settling.retry) return [retryLine(loop.settling.retry, 'summary ', escHint(chat), ctx)];
  const doing = span(`${ctx.signs.running} summarising the conversation`, { color: 'accent' });
  return [facts(doing, [escHint(chat), wholeSeconds(ctx.now - loop.settling.since)], ctx)];
}

/** The call that a question is about stands in the question. */
const shownCards = (chat: Chat, loop: LoopView | undefined, gate: GateView | undefined): ToolCard[] => [
  ...(loop?.turn?.cards ?? []).filter((card) => card.toolExecutionId !== gate?.toolExecutionId),
  ...(chat.shell ? [shellCard(chat.shell)] : []),
];

const spaced = (lines: Line[]): Line[] => (lines.length > 0 ? [...lines, []] : lines);

/** An input that was just sent on an idle loop stands where it will be printed, not in the queue. */
const isStarting = (loop: LoopView, row: QueueRow): boolean =>
  row.state === 'sending' && !loop.turn && !loop.queue.paused && loop.queue.rows[0] === row;

const shownRows = (loop: LoopView): readonly QueueRow[] => loop.queue.rows.filter((row) => !isStarting(loop, row));

function startingLines(loop: LoopView, ctx: ViewContext): Line[] {
  const [row] = loop.queue.rows;
  if (!row || !isStarting(loop, row)) return [];
  const shown = sanitizeText(ownText(row.blocks), ctx).trimEnd().split('\n').slice(0, 3);
  return [
    ...shown.map(
      (line, i): Line => [
        span(i === 0 ? `${ctx.signs.prompt} ` : '  ', { color: 'accent', bold: true }),
        span(line, { bold: true }),
      ],
    ),
    [],
  ];
}

function noticeLines(chat: Chat, ctx: ViewContext): Line[] {
  const { notice } = chat;
  if (!notice || notice.until <= ctx.now) return [];
  const color = ({ plain: 'muted', warning: 'warning', error: 'error' } as const)[notice.tone];
  return wrapSpans([span(sanitizeText(notice.text, ctx).replaceAll('\n', ' '), { color })], ctx.width).slice(0, 2);
}

function wakeTime(chat: Chat, now: number): number | undefined {
  const loop = activeLoop(chat.view);
  const turn = loop?.turn;
  const times = [
    turn ? nextSecond(turn, now) : settlingWake(loop, now),
    turn && chat.settings.spinner && !chat.overlay
      ? nextTurning(turn, openGate(chat.view) !== undefined, now)
      : undefined,
    chat.shell ? now + 1000 - ((now - chat.shell.since) % 1000) : undefined,
    chat.notice && chat.notice.until > now ? chat.notice.until : undefined,
  ];
  const due = times.filter((time) => time !== undefined);
  return due.length > 0 ? Math.min(...due) : undefined;
}
