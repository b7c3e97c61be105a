/** What runs right now: the unfinished tail, tool cards, and the line that says what the program is doing. */
import { duration, muted, plural, span, type ViewContext, wholeSeconds } from './context.ts';
import { nextSecondOf, type Retry, type ToolCard, type TurnView } from './live.ts';
import type { LoopView } from './loop-view.ts';
import { sanitizeText } from './sanitize.ts';
import { type Line, lineWidth, type Span } from './style.ts';
import { cardSummary, previewLines } from './tool-card.ts';
import { displayWidth, truncate } from './width.ts';
import { wrapSpans } from './wrap.ts';

/** Lines of the unfinished tail that are drawn. */
const TAIL_LINES = 12;
const THOUGHT_LINES = 3;

export function tailLines(loop: LoopView, ctx: ViewContext): Line[] {
  const { stream } = loop.transcript;
  if (!stream) return [];
  if (loop.turn?.thinkingSince !== undefined) return thoughtLines(stream.thinking, ctx);
  if (stream.refusal !== '') return wrapSpans([span(sanitizeText(stream.refusal, ctx))], ctx.width).slice(-TAIL_LINES);
  return stream.markdown.tail.slice(-TAIL_LINES);
}

function thoughtLines(thinking: string, ctx: ViewContext): Line[] {
  const recent = sanitizeText(thinking.slice(-600).trimEnd(), ctx);
  return wrapSpans([span(recent, { color: 'muted', italic: true })], ctx.width).slice(-THOUGHT_LINES);
}

export function cardDrawing(card: ToolCard, previews: boolean, ctx: ViewContext): Line[] {
  const { waiting, running, done, failed, stopped } = ctx.signs;
  const sign = { waiting, running, done, error: failed, stopped }[card.state];
  const color = (
    { waiting: 'warning', running: 'accent', done: 'success', error: 'error', stopped: 'warning' } as const
  )[card.state];
  const time = card.state === 'running' ? wholeSeconds(ctx.now - card.since) : duration(card.durationMs ?? 0);
  const state = card.state === 'waiting' ? 'waiting' : `${card.state === 'done' ? '' : `${card.state} `}${time}`;
  const name = sanitizeText(card.toolName, ctx);
  const room = Math.max(0, ctx.width - name.length - state.length - 6);
  const summary = truncate(sanitizeText(cardSummary(card), ctx).replaceAll('\n', ' '), room, ctx.signs.ellipsis);
  const head: Line = [
    span(`${sign} `, { color }),
    span(name, { bold: true }),
    span(summary === '' ? '' : ` ${summary}`),
    muted(` ${ctx.signs.dot} ${state}`),
  ];
  return previews && card.preview ? [head, ...previewLines(card.preview, 2, ctx)] : [head];
}

/** What is done, since when, and what Esc will do (`hint`); the last of these give way where the line is short. */
export function turnLine(turn: TurnView, asks: boolean, hint: string, ctx: ViewContext): Line {
  const seconds = wholeSeconds(ctx.now - turn.since);
  if (turn.stopping)
    return facts(span(`${ctx.signs.stopped} stopping`, { color: 'warning', bold: true }), [seconds], ctx);
  if (turn.retry) return retryLine(turn.retry, '', hint, ctx);
  const sign = asks ? ctx.signs.running : turningSign(turn.since, ctx);
  const doing = span(`${sign} ${asks ? 'waiting for your answer' : activity(turn, ctx)}`, {
    color: 'accent',
  });
  return facts(doing, [hint, seconds, turn.steps > 0 ? `step ${turn.steps + 1}` : ''], ctx);
}

/** `what` goes before it where it is no Turn's. */
export function retryLine(retry: Retry, what: string, hint: string, ctx: ViewContext): Line {
  const { attempt, maxAttempts, until, message } = retry;
  const wait = Math.max(0, Math.ceil((until - ctx.now) / 1000));
  const when = wait > 0 ? `again in ${wait}s` : 'trying again';
  const lead = span(`${ctx.signs.waiting} ${what}${when} (attempt ${attempt + 1} of ${maxAttempts})`, {
    color: 'warning',
  });
  const line = facts(lead, [hint], ctx);
  const room = ctx.width - lineWidth(line) - 3;
  if (room < 8) return line;
  const why = truncate(sanitizeText(message, ctx).replaceAll('\n', ' '), room, ctx.signs.ellipsis);
  return [...line, muted(` ${ctx.signs.dot} ${why}`)];
}

/** As many of the facts as fit behind the lead. */
export function facts(lead: Span, words: readonly string[], ctx: ViewContext): Line {
  let text = '';
  for (const word of words) {
    const next = word === '' ? text : `${text} ${ctx.signs.dot} ${word}`;
    if (displayWidth(lead.text + next) <= ctx.width) text = next;
  }
  return [lead, muted(text)];
}

function activity(turn: TurnView, ctx: ViewContext): string {
  const running = turn.cards.filter((card) => card.state === 'running').length;
  if (running > 0) return `running ${plural(running, 'tool')}`;
  if (turn.preparing.length > 0) {
    const [one] = turn.preparing;
    const size = turn.preparing.reduce((sum, call) => sum + call.size, 0);
    const what =
      turn.preparing.length === 1 && one?.name
        ? sanitizeText(one.name, ctx)
        : plural(turn.preparing.length, 'tool call');
    return size > 400 ? `writing ${what} (${Math.round(size / 100) / 10} kB)` : `writing ${what}`;
  }
  return turn.thinkingSince === undefined ? 'working' : 'thinking';
}

/** A picture with each; a whole second is one of them, so that its counters come along. */
const SPIN_MS = 500;
const TURNING = { unicode: '⠋⠙⠸⠴⠦⠇', ascii: '|/-\\' };

/** Stands still where there is no spinner. */
function turningSign(since: number, ctx: ViewContext): string {
  if (!ctx.spinner) return ctx.signs.running;
  const signs = ctx.ascii ? TURNING.ascii : TURNING.unicode;
  return signs[Math.max(0, Math.floor((ctx.now - since) / SPIN_MS)) % signs.length] ?? ctx.signs.running;
}

/** When the sign of this Turn has turned; it does not while somebody else is waited for. */
export const nextTurning = (turn: TurnView, asks: boolean, now: number): number | undefined =>
  asks || turn.stopping || turn.retry ? undefined : now + SPIN_MS - Math.max(0, (now - turn.since) % SPIN_MS);

/** When the counters of this Turn show something else. */
export function nextSecond(turn: TurnView, now: number): number {
  const marks = [turn.since, ...turn.cards.filter((card) => card.state === 'running').map((card) => card.since)];
  if (turn.retry) marks.push(turn.retry.until);
  return nextSecondOf(marks, now);
}
