/** A table that fits: columns as wide as their content, else wrapped cells, else one `name: value` line a cell. */
import type { Tokens } from 'marked';
import { inlineSpans } from './markdown-inline.ts';
import { type Line, lineText, lineWidth, type Span, type Style } from './style.ts';
import { displayWidth } from './width.ts';
import { wrapSpans } from './wrap.ts';

type Cell = { spans: Span[]; width: number };
type Align = 'left' | 'right' | 'center' | null;

/** A column is not squeezed below this many columns of the screen; rather the table becomes a list. */
const NARROWEST = 8;
const HEADER: Style = { bold: true };

/** The table's lines, none wider than `width`. `records`: one `name: value` line a cell, however much room there is. */
export function tableLines(table: Tokens.Table, width: number, ascii: boolean, records = false): Line[] {
  const header = table.header.map((cell) => toCell(cell, HEADER));
  const rows = table.rows.map((row) => row.map((cell) => toCell(cell)));
  const widths = records ? undefined : columnWidths([header, ...rows], width - 3 * (header.length - 1));
  if (!widths) return recordLines(header, rows, width);
  const bar: Span = { text: ascii ? ' | ' : ' │ ', style: { color: 'muted' } };
  const rule = widths.map((columns) => (ascii ? '-' : '─').repeat(columns)).join(ascii ? '-+-' : '─┼─');
  const draw = (row: Cell[]): Line[] => rowLines(row, widths, table.align, bar);
  return [...draw(header), [{ text: rule, style: { color: 'muted' } }], ...rows.flatMap(draw)];
}

function toCell(cell: Tokens.TableCell, style?: Style): Cell {
  const spans = inlineSpans(cell.tokens, style);
  const width = Math.max(...lineText(spans).split('\n').map(displayWidth));
  return { spans, width };
}

/** Columns for each column within the room, the widest ones giving way first; undefined when they cannot be read so. */
function columnWidths(rows: readonly Cell[][], room: number): number[] | undefined {
  const natural = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.width ?? 0), 1),
  );
  let left = room;
  let columns = natural.length;
  let limit = Number.POSITIVE_INFINITY;
  for (const width of natural.toSorted((a, b) => a - b)) {
    limit = Math.floor(left / columns);
    if (width > limit) break;
    limit = Number.POSITIVE_INFINITY;
    left -= width;
    columns -= 1;
  }
  if (limit < NARROWEST) return undefined;
  return natural.map((width) => Math.min(width, limit));
}

function rowLines(row: readonly Cell[], widths: readonly number[], align: readonly Align[], bar: Span): Line[] {
  const cells = widths.map((width, column) => wrapSpans(row[column]?.spans ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => {
    const line: Line = [];
    cells.forEach((lines, column) => {
      if (column > 0) line.push(bar);
      const last = column === cells.length - 1;
      line.push(...aligned(lines[index] ?? [], widths[column] ?? 0, align[column] ?? null, last));
    });
    return line;
  });
}

function aligned(line: Line, width: number, align: Align, last: boolean): Line {
  const free = width - lineWidth(line);
  if (line.length === 0) return spaces(last ? 0 : free);
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  const after = last ? 0 : free - before;
  return [...spaces(before), ...line, ...spaces(after)];
}

function spaces(count: number): Line {
  return count > 0 ? [{ text: ' '.repeat(count) }] : [];
}

function recordLines(header: readonly Cell[], rows: readonly Cell[][], width: number): Line[] {
  if (rows.length === 0) return header.flatMap((cell) => wrapSpans(cell.spans, width, { indent: 2 }));
  return rows.flatMap((row, index) => {
    const lines = header.flatMap((name, column) => {
      const value = row[column]?.spans ?? [];
      const label: Span[] = lineText(name.spans) === '' ? [] : [...name.spans, { text: ': ', style: HEADER }];
      return wrapSpans([...label, ...value], width, { indent: 2 });
    });
    return index > 0 ? [[], ...lines] : lines;
  });
}
