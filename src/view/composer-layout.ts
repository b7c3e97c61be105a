import { type ComposerState, lineAt, type Position } from './composer-state.ts';
import { type Paste, pasteLabel } from './composer-text.ts';
import { characterWidth, nextBorder, unitPattern } from './grapheme.ts';

/**
 * The draft as rows of the screen. Lines are broken behind blanks and beside wide characters, else where the row is full;
 * blanks that do not fit hang over its end. `width` is in cells, at least 2; the cursor may stand in the cell behind it.
 */
export interface ComposerRow {
  /** What is drawn: tabs as blanks, a paste as its label. At most `width` cells. */
  readonly text: string;
  readonly line: number;
  /** Offsets in the line, in code units. */
  readonly start: number;
  readonly end: number;
}

export interface ComposerRows {
  readonly rows: readonly ComposerRow[];
  /** The cell of the cursor: `row` counts within `rows`. */
  readonly cursor: { readonly row: number; readonly column: number };
}

export interface ComposerWindow extends ComposerRows {
  /** Rows that are not shown. */
  readonly above: number;
  readonly below: number;
}

type Laid = Pick<ComposerState, 'lines' | 'cursor' | 'pastes'>;

const TAB = '    ';

/** Every row. The work grows with the text and no faster. */
export function composerRows(state: Laid, width: number): ComposerRows {
  const { rows, cursor } = composerWindow(state, width, Number.POSITIVE_INFINITY);
  return { rows, cursor };
}

/** At most `height` rows around the cursor. */
export function composerWindow(state: Laid, width: number, height: number): ComposerWindow {
  const cells = Math.max(2, width);
  const breaks = breaksOf(state, cells);
  const total = breaks.reduce((sum, starts) => sum + starts.length, 0);
  const above = breaks.slice(0, state.cursor.line).reduce((sum, starts) => sum + starts.length, 0);
  const cursorRow = above + rowOf(breaks[state.cursor.line] ?? [0], state.cursor.offset);
  const first = Math.max(0, Math.min(cursorRow - Math.floor((height - 1) / 2), total - height));
  const rows: ComposerRow[] = [];
  let index = 0;
  for (const [line, starts] of breaks.entries()) {
    const text = lineAt(state, line);
    for (let at = Math.max(0, first - index); at < starts.length && rows.length < height; at += 1) {
      const start = starts[at] as number;
      const end = starts[at + 1] ?? text.length;
      rows.push({ text: drawn(text.slice(start, end), cells, state.pastes), line, start, end });
    }
    index += starts.length;
  }
  const column = columnOf(state, cells, breaks[state.cursor.line] ?? [0]);
  return { rows, cursor: { row: cursorRow - first, column }, above: first, below: total - first - rows.length };
}

interface Breaks {
  readonly width: number;
  readonly pastes: readonly Paste[];
  readonly starts: readonly (readonly number[])[];
}

// What was laid out is laid out: frames come faster than keys, and only a key makes other lines.
const laidOut = new WeakMap<readonly string[], Breaks>();

function breaksOf({ lines, pastes }: Laid, width: number): Breaks['starts'] {
  const known = laidOut.get(lines);
  if (known !== undefined && known.width === width && known.pastes === pastes) return known.starts;
  const starts = lines.map((line) => rowStarts(line, width, pastes));
  laidOut.set(lines, { width, pastes, starts });
  return starts;
}

/**
 * The position one row up or down, at the column that the cursor aims at, and that column. Nothing at the first and the
 * last row of the text.
 */
export function verticalFrom(
  state: Laid & Pick<ComposerState, 'goal'>,
  step: 1 | -1,
  width: number,
): { readonly cursor: Position; readonly goal: number } | undefined {
  const cells = Math.max(2, width);
  const { line, offset } = state.cursor;
  const starts = rowStarts(lineAt(state, line), cells, state.pastes);
  const goal = goalOf(state, width);
  const row = rowOf(starts, offset) + step;
  if (row >= 0 && row < starts.length) return { cursor: positionAt(state, line, starts, row, goal), goal };
  const next = line + step;
  if (next < 0 || next >= state.lines.length) return undefined;
  const others = rowStarts(lineAt(state, next), cells, state.pastes);
  return { cursor: positionAt(state, next, others, step > 0 ? 0 : others.length - 1, goal), goal };
}

/** The column that up and down aim at: that of the cursor when the first of them was pressed. */
export function goalOf(state: Laid & Pick<ComposerState, 'goal'>, width: number): number {
  const cells = Math.max(2, width);
  return state.goal ?? columnOf(state, cells, rowStarts(lineAt(state, state.cursor.line), cells, state.pastes));
}

function positionAt(state: Laid, line: number, starts: readonly number[], row: number, goal: number): Position {
  const text = lineAt(state, line);
  const start = starts[row] as number;
  const last = row === starts.length - 1;
  const end = starts[row + 1] ?? text.length;
  let column = 0;
  let offset = start;
  while (offset < end) {
    const after = nextBorder(text, offset);
    column += widthOf(text.slice(offset, after), state.pastes);
    // the end of a row that is broken belongs to the next one
    if (column > goal || (after >= end && !last)) break;
    offset = after;
  }
  return { line, offset };
}

/** Which row an offset is in: at a break, the row that begins there. */
function rowOf(starts: readonly number[], offset: number): number {
  let row = starts.length - 1;
  while (row > 0 && (starts[row] as number) > offset) row -= 1;
  return row;
}

function columnOf(state: Laid, width: number, starts: readonly number[]): number {
  const { line, offset } = state.cursor;
  const start = starts[rowOf(starts, offset)] ?? 0;
  return Math.min(width, cellsOf(lineAt(state, line).slice(start, offset), state.pastes));
}

function cellsOf(text: string, pastes: readonly Paste[]): number {
  if (isPlain(text)) return text.length;
  let cells = 0;
  for (let at = 0; at < text.length; ) {
    const after = nextBorder(text, at);
    cells += widthOf(text.slice(at, after), pastes);
    at = after;
  }
  return cells;
}

function widthOf(character: string, pastes: readonly Paste[]): number {
  if (character === '\t') return TAB.length;
  return isUnit(character) ? pasteLabel(character, pastes).length : characterWidth(character);
}

function isUnit(character: string): boolean {
  return character >= '\ufdd0' && character < '\ufde0';
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function drawn(text: string, width: number, pastes: readonly Paste[]): string {
  const shown = isPlain(text)
    ? text
    : text.replaceAll('\t', TAB).replace(unitPattern, (unit) => pasteLabel(unit, pastes).slice(0, width));
  const hangs = shown.endsWith(' ') && cellsOf(shown, pastes) > width;
  return hangs ? shown.trimEnd() : shown;
}

/** Where the rows of a line begin, the first at 0. */
export function rowStarts(line: string, width: number, pastes: readonly Paste[]): readonly number[] {
  return isPlain(line) ? plainStarts(line, width) : mixedStarts(line, width, pastes);
}

function plainStarts(line: string, width: number): number[] {
  const starts = [0];
  let start = 0;
  while (line.length - start > width) {
    let end = start + width;
    if (line[end] === ' ') {
      while (line[end] === ' ') end += 1;
      if (end === line.length) break;
    } else {
      let blank = end - 1;
      while (blank >= start && line[blank] !== ' ') blank -= 1;
      if (blank >= start) end = blank + 1;
    }
    starts.push(end);
    start = end;
  }
  return starts;
}

function mixedStarts(line: string, width: number, pastes: readonly Paste[]): number[] {
  const starts = [0];
  let start = 0;
  let column = 0;
  // the last place at which the row may be broken, and the cells before it
  let place = { at: 0, column: 0 };
  for (let at = 0; at < line.length; ) {
    const after = nextBorder(line, at);
    const character = line.slice(at, after);
    const cells = Math.min(width, widthOf(character, pastes));
    const breaks = cells > 1;
    if (breaks) place = { at, column };
    while (column + cells > width && at > start && character !== ' ') {
      const found: { at: number; column: number } = place.at > start ? place : { at, column };
      start = found.at;
      starts.push(start);
      column -= found.column;
      place = { at: start, column: 0 };
    }
    column += cells;
    if (breaks || character === ' ') place = { at: after, column };
    at = after;
  }
  return starts;
}
