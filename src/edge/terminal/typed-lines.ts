import type { BatchItem } from './input-batch.ts';

/** The program must have been late by this for a read to hold what was typed over some time. */
const LATE_MS = 80;
/** Nobody sends lines faster than this. */
const LINE_MS = 50;
const LINE_LENGTH = 200;

/**
 * Whether what a late read brought is lines that were typed one after another, and not a paste. Both look alike, so all
 * of this must hold, or it is a paste, which sends nothing:
 * - the program was late, and long enough for so many lines;
 * - nothing but text and carriage returns: no line feed, no tab, no other key;
 * - each line has text, begins with no space and is short;
 * - the last line is ended as well, or it is all there is, behind a return that came `before` in the same burst.
 */
export function areTypedLines(items: readonly BatchItem[], before: boolean, late: number): boolean {
  if (late < LATE_MS) return false;
  if (!items.every((item) => item.kind === 'cr' || (item.kind === 'text' && isShortLine(item.text)))) return false;
  const returns = items.filter((item) => item.kind === 'cr').length;
  if (returns === 0) return before && items.length === 1;
  if (items.at(-1)?.kind !== 'cr' || (returns - 1) * LINE_MS > late) return false;
  // the text of the first line may have been read in time
  return items.every((item, at) => item.kind !== 'cr' || (at === 0 ? !before : items[at - 1]?.kind === 'text'));
}

const isShortLine = (text: string): boolean => text.length <= LINE_LENGTH && !text.startsWith(' ');
