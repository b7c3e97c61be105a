/** Pictures as they lie on the terminal: their shape, and the empty rows that may stand on top of them. */
import type { Screen } from '../view/screen.ts';
import type { RegionShape } from './screen-output.ts';

export const EMPTY_SHAPE: RegionShape = { widths: [], cursorLine: 0, cursorColumn: 0 };

/** The line of the cursor; behind the last one where it is hidden. */
export const cursorLine = (screen: Screen): number => screen.cursor?.y ?? screen.lines.length;
export const linesIn = (text: string): number => text.split('\n').length - 1;

/** Rows that the region would need above its cursor at half the width, beside the empty ones that it has on top. */
export function mayWrap(screen: Screen, columns: number): number {
  const above = screen.widths.slice(0, cursorLine(screen));
  const empty = above.findIndex((width) => width > 0);
  return above.filter((width) => width > columns / 2).length - Math.max(0, empty);
}

/** With so many empty rows on top. */
export const lowered = ({ lines, widths, cursor, wakeAt }: Screen, rows: number): Screen => ({
  lines: [...Array<string>(rows).fill(''), ...lines],
  widths: [...Array<number>(rows).fill(0), ...widths],
  cursor: cursor && { x: cursor.x, y: cursor.y + rows },
  wakeAt,
});

export const shapeOf = (screen: Screen): RegionShape => ({
  widths: screen.widths,
  cursorLine: cursorLine(screen),
  cursorColumn: screen.cursor?.x ?? 0,
});

/** Ink's canvas: one column more than the widest line, so that nothing is ever cut. */
export const canvas = (screen: Screen): number => Math.max(2, ...screen.widths, screen.cursor?.x ?? 0) + 1;

export function samePicture(a: Screen, b: Screen): boolean {
  return (
    a.lines.length === b.lines.length &&
    a.cursor?.x === b.cursor?.x &&
    a.cursor?.y === b.cursor?.y &&
    a.lines.every((line, i) => line === b.lines[i])
  );
}
