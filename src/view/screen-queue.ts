/** The queue and the returned inputs as rows: heading, marks, the boundary behind which nothing folds, `+N more`. */
import { muted, span, type ViewContext } from './context.ts';
import { inputLabel, markOf, type QueueRow, type QueueView, type ReturnedRow } from './queue.ts';
import { sanitizeText } from './sanitize.ts';
import { type Line, lineWidth } from './style.ts';
import { displayWidth, truncate } from './width.ts';

const MAX_ROWS = 5;

export interface QueueDrawing {
  heading: Line[];
  rows: Line[];
}

/** `selected`: the command id of the chosen row, queued or returned. `waiting`: rows that are shown as queued. */
export function queueDrawing(
  queue: QueueView,
  rows: readonly QueueRow[],
  selected: string | undefined,
  hints: boolean,
  ctx: ViewContext,
  limit = MAX_ROWS,
): QueueDrawing {
  const heading: Line[] = [];
  const lines: Line[] = [];
  if (rows.length > 0) {
    const title: Line = [span(`${ctx.signs.queued} queued ${rows.length}`, { color: 'accent' })];
    if (queue.recovered) title.push(span(` ${ctx.signs.dot} recovered`, { color: 'accent' }));
    if (queue.paused) title.push(span(` ${ctx.signs.dot} paused`, { color: 'warning', bold: true }));
    heading.push(fitted(title, hints ? queueHints(queue, rows, selected, ctx) : [], ctx));
    lines.push(...windowed(rows, selected, (row, i) => rowLines(row, i, rows, selected, ctx), limit, ctx));
  }
  if (queue.returned.length > 0) {
    const title: Line = [span(`${ctx.signs.returned} returned ${queue.returned.length}`, { color: 'warning' })];
    const whole = fitted(title, hints ? returnedHints(queue, selected, ctx) : [], ctx);
    if (heading.length > 0) lines.push(whole);
    else heading.push(whole);
    lines.push(
      ...windowed(queue.returned, selected, (row) => [returnedLine(row, row.commandId === selected, ctx)], limit, ctx),
    );
  }
  return { heading, rows: lines };
}

/** Up to `limit`, around the chosen one; what is left out is counted where it stands. */
function windowed<T extends { commandId: string }>(
  rows: readonly T[],
  selected: string | undefined,
  draw: (row: T, index: number) => Line[],
  limit: number,
  ctx: ViewContext,
): Line[] {
  const at = rows.findIndex((row) => row.commandId === selected);
  const from = Math.max(0, Math.min(at, at - limit + 2, rows.length - limit));
  const shown = rows.slice(from, from + limit);
  const more = (hidden: number): Line[] => (hidden > 0 ? [[muted(`    ${ctx.signs.ellipsis} +${hidden} more`)]] : []);
  return [...more(from), ...shown.flatMap((row, i) => draw(row, from + i)), ...more(rows.length - from - shown.length)];
}

/** Nothing but the row of that id: what is left of a queue that somebody is in. */
export function chosenLines(queue: QueueView, rows: readonly QueueRow[], selected: string, ctx: ViewContext): Line[] {
  const index = rows.findIndex((row) => row.commandId === selected);
  const row = rows[index];
  if (row) return [queuedLine(row, index, true, ctx)];
  const returned = queue.returned.find((one) => one.commandId === selected);
  return returned ? [returnedLine(returned, true, ctx)] : [];
}

function rowLines(
  row: QueueRow,
  index: number,
  rows: readonly QueueRow[],
  selected: string | undefined,
  ctx: ViewContext,
): Line[] {
  const boundary = rows.findIndex((one) => one.noFold);
  const line = queuedLine(row, index, row.commandId === selected, ctx);
  if (index !== boundary) return [line];
  const words = ctx.width < 50 ? ' nothing below folds ' : ' nothing below folds into this turn ';
  return [[muted(`  ${ctx.signs.rule.repeat(3)}${words}${ctx.signs.rule.repeat(3)}`)], line];
}

function queuedLine(row: QueueRow, index: number, chosen: boolean, ctx: ViewContext): Line {
  const sign = chosen ? ctx.signs.selected : ' ';
  const lead = span(`${sign} ${index + 1} `, { color: chosen ? 'accent' : 'muted', bold: chosen });
  const color = row.state === 'retracting' ? 'warning' : row.noFold ? 'number' : 'success';
  const marked = span(markOf(row).padEnd(10), { color });
  const from = row.agency === 'machine' ? 'machine: ' : '';
  const room = Math.max(1, ctx.width - lead.text.length - 11);
  const label = truncate(
    sanitizeText(from + inputLabel(row.blocks), ctx).replaceAll('\n', ' '),
    room,
    ctx.signs.ellipsis,
  );
  return [
    lead,
    marked,
    span(` ${label}`, chosen ? { bold: true } : row.state === 'retracting' ? { dim: true } : undefined),
  ];
}

function returnedLine(row: ReturnedRow, chosen: boolean, ctx: ViewContext): Line {
  const lead = span(`${chosen ? ctx.signs.selected : ' '} `, { color: 'accent', bold: true });
  const mark = `returned (${row.reason}) `;
  const room = Math.max(1, ctx.width - 2 - mark.length);
  const label = truncate(sanitizeText(inputLabel(row.blocks), ctx).replaceAll('\n', ' '), room, ctx.signs.ellipsis);
  return [lead, span(mark, { color: 'warning' }), span(label, chosen ? { bold: true } : undefined)];
}

/** As many of the words as fit behind what stands there. */
function fitted(before: Line, words: readonly string[], ctx: ViewContext): Line {
  let text = '';
  for (const word of words) {
    const next = `${text} ${ctx.signs.dot} ${word}`;
    if (lineWidth(before) + displayWidth(next) <= ctx.width) text = next;
  }
  return [...before, muted(text)];
}

function queueHints(
  queue: QueueView,
  rows: readonly QueueRow[],
  selected: string | undefined,
  ctx: ViewContext,
): string[] {
  const { up, arrows } = ctx.signs;
  const chosen = rows.find((row) => row.commandId === selected);
  if (chosen)
    return [
      'e edit',
      'd retract',
      chosen.noFold ? 't fold' : 't hold',
      'Ctrl+S now',
      `Alt+${arrows} move`,
      'Esc back',
      'D all',
    ];
  if (!queue.paused) return [`${up} chooses`];
  const first = rows.length === 1 ? 'it goes first' : `these ${rows.length} go first`;
  return ['Enter goes on', `${up} chooses`, `${first}`];
}

function returnedHints(queue: QueueView, selected: string | undefined, ctx: ViewContext): string[] {
  if (queue.returned.some((row) => row.commandId === selected)) return ['e edit', 'd drop', 'D all', 'Esc back'];
  const send = queue.paused ? [] : [queue.returned.length === 1 ? 'Enter sends it' : 'Enter sends all'];
  return [...send, `${ctx.signs.up} chooses`];
}
