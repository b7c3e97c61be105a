/** What runs right now: the unfinished tail, tool cards, and the line that says what the program is doing. */
import { duration, muted, plural, span, type ViewContext, wholeSeconds } from './context.ts';
import type { ToolCard, TurnView } from './live.ts';
import type { LoopView } from './loop-view.ts';
import { sanitizeText } from './sanitize.ts';
import type { Line } from './style.ts';
import { cardSummary, previewLines } from './tool-card.ts';
import { truncate } from './width.ts';
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
  const { waiting, running, done, failed } = ctx.signs;
  const sign = { waiting, running, done, error: failed }[card.state];
  const color = ({ waiting: 'warning', running: 'accent', done: 'success', error: 'error' } as const)[card.state];
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

/** `hint`: what Esc will do. */
export function turnLine(turn: TurnView, hint: string, ctx: ViewContext): Line {
  const dot = ` ${ctx.signs.dot} `;
  if (turn.stopping)
    return [
      span(`${ctx.signs.stopped} stopping`, { color: 'warning', bold: true }),
      muted(dot + wholeSeconds(ctx.now - turn.since)),
    ];
  if (turn.retry) {
    const { attempt, maxAttempts, until, message } = turn.retry;
    const wait = Math.max(0, Math.ceil((until - ctx.now) / 1000));
    const when = wait > 0 ? `again in ${wait}s` : 'trying again';
    const lead = `${ctx.signs.waiting} ${when} (attempt ${attempt + 1} of ${maxAttempts})`;
    const room = Math.max(0, ctx.width - lead.length - dot.length * 2 - hint.length);
    const why = truncate(sanitizeText(message, ctx).replaceAll('\n', ' '), room, ctx.signs.ellipsis);
    return [span(lead, { color: 'warning' }), muted(`${why ? dot + why : ''}${hint ? dot + hint : ''}`)];
  }
  const doing = activity(turn, ctx);
  const step = turn.steps > 0 ? `${dot}step ${turn.steps + 1}` : '';
  return [
    span(`${ctx.signs.running} `, { color: 'accent' }),
    span(doing),
    muted(`${dot}${wholeSeconds(ctx.now - turn.since)}${step}${hint ? dot + hint : ''}`),
  ];
}

function activity(turn: TurnView, ctx: ViewContext): string {
  const running = turn.cards.filter((card) => card.state === 'running').length;
  if (turn.cards.some((card) => card.state === 'waiting')) return 'waiting for your answer';
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

/** When the counters of this Turn show something else. */
export function nextSecond(turn: TurnView, now: number): number {
  const marks = [turn.since, ...turn.cards.filter((card) => card.state === 'running').map((card) => card.since)];
  if (turn.retry) marks.push(turn.retry.until);
  return Math.min(...marks.map((mark) => now + 1000 - ((((now - mark) % 1000) + 1000) % 1000)));
}
