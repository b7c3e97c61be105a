/** An open question, drawn: whole where it fits, else one line that offers only `no` and `view`. */
import { muted, span, type ViewContext } from './context.ts';
import { type GateRoom, type GateRow, type GateView, gateRows, isWriting } from './gate.ts';
import { sanitizeText } from './sanitize.ts';
import type { Line } from './style.ts';
import { truncate } from './width.ts';
import { wrapSpans } from './wrap.ts';

export interface ScreenSize {
  rows: number;
  columns: number;
}

/** The live region may take this many lines. */
export const roomOf = (size: ScreenSize): number => Math.max(1, size.rows - 2);

/** What is asked: the heading and all of the request. */
export function gateRequestLines(gate: GateView, ctx: ViewContext): Line[] {
  const bar = span('? ', { color: 'warning', bold: true });
  if (gate.ask.kind === 'question') {
    const text = sanitizeText(gate.ask.question, ctx).trimEnd();
    return wrapSpans([bar, span(text, { bold: true })], ctx.width, { indent: 2 });
  }
  const { toolName, summary, detail } = gate.ask.request;
  const head = [bar, span(sanitizeText(toolName, ctx), { bold: true }), span(' wants to run')];
  const shown = sanitizeText(detail || summary, ctx).trimEnd();
  const lines = shown.split('\n').flatMap((line) => wrapSpans([span(line)], Math.max(1, ctx.width - 2)));
  return [...wrapSpans(head, ctx.width, { indent: 2 }), ...lines.map((line): Line => [span('  '), ...paintDiff(line)])];
}

/** Added and removed lines of a diff. */
function paintDiff(line: Line): Line {
  const first = line[0]?.text.charAt(0);
  const color = first === '+' ? 'added' : first === '-' ? 'removed' : undefined;
  return color ? line.map((one) => ({ ...one, style: { color } as const })) : line;
}

export function gateRowLines(gate: GateView, rows: readonly GateRow[], ctx: ViewContext): Line[] {
  return rows.flatMap((row, i) => {
    const marked = gate.marked === i;
    const sign = marked ? ctx.signs.selected : ' ';
    const lead = span(`${sign} ${row.digit ?? ' '} `, { color: marked ? 'accent' : 'muted', bold: marked });
    const whole = sanitizeText(row.label, ctx).replaceAll('\n', ' ');
    const label = repeats(gate, row) ? truncate(whole, ctx.width - 4, ctx.signs.ellipsis) : whole;
    return wrapSpans([lead, span(label, marked ? { bold: true } : undefined)], ctx.width, { indent: 4 });
  });
}

/** What the grant covers stands in the request above, all of it: one line of it will do. */
function repeats(gate: GateView, { choice }: GateRow): boolean {
  if (gate.ask.kind !== 'permission') return false;
  const { scopes, detail, summary } = gate.ask.request;
  const covers = scopes.find(({ scope }) => scope === choice.kind)?.covers;
  return covers !== undefined && (detail || summary).includes(covers);
}

function wholeLines(gate: GateView, ctx: ViewContext): Line[] {
  return [...gateRequestLines(gate, ctx), ...gateRowLines(gate, gateRows(gate, 'whole'), ctx)];
}

/** The request, and short answers on one line below it. */
function requestLines(gate: GateView, ctx: ViewContext): Line[] {
  return [...gateRequestLines(gate, ctx), shortRows(gate, gateRows(gate, 'request'), ctx)];
}

/** What fits above a composer of one line. */
export function gateRoom(gate: GateView, size: ScreenSize, ctx: ViewContext): GateRoom {
  if (ctx.spoken) return 'whole';
  const room = roomOf(size) - 1;
  if (wholeLines(gate, ctx).length <= room) return 'whole';
  return requestLines(gate, ctx).length <= room ? 'request' : 'scarce';
}

export function gateLines(gate: GateView, size: ScreenSize, ctx: ViewContext): Line[] {
  const room = gateRoom(gate, size, ctx);
  if (room === 'whole') return wholeLines(gate, ctx);
  if (room === 'request') return requestLines(gate, ctx);
  return scarceLines(gate, roomOf(size), ctx);
}

function scarceLines(gate: GateView, room: number, ctx: ViewContext): Line[] {
  const rows = gateRows(gate, 'scarce');
  const request = gateRequestLines(gate, ctx);
  const cut = request.slice(0, Math.max(0, room - 3));
  if (cut.length === 0) return [oneLine(gate, rows, ctx)];
  return [...cut, [muted(`  ${ctx.signs.ellipsis} +${request.length - cut.length} lines`)], shortRows(gate, rows, ctx)];
}

function shortRows(gate: GateView, rows: readonly GateRow[], ctx: ViewContext): Line {
  return rows.flatMap((row, i): Line => {
    const marked = gate.marked === i;
    const color = marked ? 'accent' : 'muted';
    return [
      span(`${marked ? ctx.signs.selected : ' '} ${row.digit ?? ''} `, { color }),
      span(row.label, { bold: marked }),
    ];
  });
}

/** `? 4 no  6 view · shell`: the answers come first, they may not be cut off. */
function oneLine(gate: GateView, rows: readonly GateRow[], ctx: ViewContext): Line {
  const name = gate.ask.kind === 'permission' ? gate.ask.request.toolName : 'a question';
  const bar = span('?', { color: 'warning', bold: true });
  return [bar, ...shortRows(gate, rows, ctx), muted(` ${ctx.signs.dot} ${sanitizeText(name, ctx)}`)];
}

/** What answers now: the digits that are offered, or the arrows while the person writes. */
export function howToAnswer(gate: GateView, rows: readonly GateRow[], draftIsEmpty: boolean, ctx: ViewContext): string {
  const arrows = `${ctx.signs.arrows} and Enter`;
  if (isWriting(gate, draftIsEmpty)) return `${arrows} answer`;
  const words = rows.find(({ choice }) => choice.kind === 'words');
  if (words && rows.length === 2) return `press ${words.digit} to answer, or ${arrows}`;
  const digits = rows.flatMap(({ digit }) => digit ?? []);
  const [first, last] = [digits[0] ?? '', digits.at(-1) ?? ''];
  const run = Number(last) - Number(first) === digits.length - 1;
  const shown =
    run && digits.length > 2 ? `${first}${ctx.spoken ? ' to ' : ctx.ascii ? '-' : '–'}${last}` : digits.join(' ');
  return `${shown} answer, or ${arrows}`;
}
