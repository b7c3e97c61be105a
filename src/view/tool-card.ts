/** One tool call as lines: name, summary, state, and its output with the rest folded away. */
import { type AssistantMessage, type ToolMessage, textOf, toolUsesOf } from '../domain/content.ts';
import { duration, hanging, muted, plural, span, type ViewContext } from './context.ts';
import type { ToolCard } from './live.ts';
import { sanitizeText } from './sanitize.ts';
import { moreLines, spokenCard } from './spoken.ts';
import type { Line, SemanticColor } from './style.ts';
import { truncate } from './width.ts';

export interface PrintedCard {
  toolName: string;
  summary: string;
  state: 'done' | 'error' | 'stopped';
  durationMs: number | undefined;
  preview: string;
  /** By the person. */
  refused?: boolean;
  /** Lines of it that are shown at once; default: by its state. */
  limit?: number;
}

/** The last line of a preview that the runtime cut. */
const CUT = '… cut';
const FOLDED = { done: 3, error: 6, stopped: 3 } as const;
const COLOR: Record<PrintedCard['state'], SemanticColor> = { done: 'success', error: 'error', stopped: 'warning' };

/** `unfolded`: all that is known of the output. */
export function cardLines(card: PrintedCard, ctx: ViewContext, unfolded = false): Line[] {
  if (ctx.spoken) return spokenLines(card, unfolded, ctx);
  const sign = { done: ctx.signs.done, error: ctx.signs.failed, stopped: ctx.signs.stopped }[card.state];
  const color = COLOR[card.state];
  const word = card.state === 'done' ? '' : ` ${ctx.signs.dot} ${card.state}${card.refused ? ', you said no' : ''}`;
  const time = card.durationMs === undefined || card.refused ? '' : ` ${ctx.signs.dot} ${duration(card.durationMs)}`;
  const summary = truncate(
    sanitizeText(cardSummary(card), ctx).replaceAll('\n', ' '),
    Math.max(8, ctx.width * 2),
    ctx.signs.ellipsis,
  );
  const head = hanging(
    span(`${sign} `, { color }),
    [
      span(sanitizeText(card.toolName, ctx), { bold: true }),
      span(summary === '' ? '' : ` ${summary}`),
      span(word, { color }),
      muted(time),
    ],
    ctx.width,
    2,
  );
  return [...head, ...previewLines(card.preview, limitOf(card, unfolded), ctx)];
}

function spokenLines(card: PrintedCard, unfolded: boolean, ctx: ViewContext): Line[] {
  const { lines, more } = keptLines(card.preview, limitOf(card, unfolded), ctx);
  return spokenCard({ ...card, summary: cardSummary(card) }, lines, more === 0 ? '' : moreLines(more), ctx);
}

/** A summary often begins with the tool's name; it is written once. */
export function cardSummary(card: { toolName: string; summary: string }): string {
  const { toolName, summary } = card;
  return summary === toolName || summary.startsWith(`${toolName} `)
    ? summary.slice(toolName.length).trimStart()
    : summary;
}

const limitOf = (card: PrintedCard, unfolded: boolean): number =>
  unfolded ? Number.POSITIVE_INFINITY : (card.limit ?? FOLDED[card.state]);

export function previewLines(preview: string, limit: number, ctx: ViewContext): Line[] {
  const { lines, more } = keptLines(preview, limit, ctx);
  const shown = lines.map((line): Line => [muted(`  ${truncate(line, ctx.width - 2, ctx.signs.ellipsis)}`)]);
  if (more === 'unknown') return [...shown, [muted(`  ${ctx.signs.ellipsis} more under Ctrl+T`)]];
  return more > 0 ? [...shown, [muted(`  ${ctx.signs.ellipsis} +${plural(more, 'line')}`)]] : shown;
}

/** The first lines of an output, and how many are left out. */
function keptLines(preview: string, limit: number, ctx: ViewContext): { lines: string[]; more: number | 'unknown' } {
  const text = sanitizeText(preview, ctx).trimEnd();
  if (text === '') return { lines: [], more: 0 };
  const all = text.split('\n');
  // the event brings the beginning only: how much more there is, it does not say
  const cut = all.at(-1) === CUT;
  const lines = cut ? all.slice(0, -1) : all;
  const kept = lines.length > limit + (cut ? 0 : 1) ? lines.slice(0, limit) : lines;
  return { lines: kept, more: cut ? 'unknown' : lines.length - kept.length };
}

/** The calls of a Step that committed. */
export function printedCards(
  message: AssistantMessage,
  results: readonly ToolMessage[],
  cards: readonly ToolCard[],
): PrintedCard[] {
  return toolUsesOf(message).map((use, i) => {
    const card = cards.find((one) => one.toolUseId === use.id);
    const result = results[i]?.blocks[0];
    const output = result ? textOf({ blocks: result.content }) : '';
    return {
      toolName: use.name,
      summary: card?.summary ?? inputSummary(use.input),
      state: result?.isError ? 'error' : 'done',
      durationMs: card?.durationMs,
      ...answerOf(card, output),
    };
  });
}

/** A refusal is told by what the person said, not by what the model is told to do about it. */
const answerOf = (card: ToolCard | undefined, output: string): { preview: string; refused?: boolean } =>
  card?.refusedWith === undefined ? { preview: card?.preview ?? output } : { preview: card.refusedWith, refused: true };

/** What stands for a call of which only the arguments are known: its texts, by their first lines. */
const inputSummary = (input: Record<string, unknown>): string =>
  Object.values(input)
    .map((value) => (typeof value === 'string' ? (value.split('\n')[0] ?? '') : JSON.stringify(value)))
    .join(' ');

/** A call of a Step that never committed. */
export const stoppedCard = (card: ToolCard, ctx: ViewContext): PrintedCard => ({
  toolName: card.toolName,
  summary: card.summary,
  state: card.state === 'waiting' || card.state === 'running' ? 'stopped' : card.state,
  durationMs: card.durationMs ?? (card.state === 'running' ? ctx.now - card.since : undefined),
  ...answerOf(card, ''),
});
