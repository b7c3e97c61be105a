/** Places in the transcript and ways between them. Only the entries that are passed are drawn, so a step costs a page. */
import type { Line } from './style.ts';
import type { Entry } from './transcript-overlay-entry.ts';
import { type DrawContext, entryLines } from './transcript-overlay-lines.ts';

/** A line of an entry. */
export interface Place {
  entry: number;
  line: number;
}

export interface PlacedLine extends Place {
  text: Line;
}

type Entries = readonly Entry[];
const START: Place = { entry: 0, line: 0 };

const heightOf = (entries: Entries, at: number, draw: DrawContext): number => {
  const entry = entries[at];
  return entry ? entryLines(entry, draw).length : 0;
};

/** `lines` further down, or up where it is negative; not beyond the first and the last line. */
export function moved(entries: Entries, from: Place, lines: number, draw: DrawContext): Place {
  let entry = Math.min(from.entry, Math.max(0, entries.length - 1));
  let line = Math.min(from.line, Math.max(0, heightOf(entries, entry, draw) - 1)) + lines;
  while (line < 0) {
    if (entry === 0) return START;
    entry -= 1;
    line += heightOf(entries, entry, draw);
  }
  for (let height = heightOf(entries, entry, draw); line >= height; height = heightOf(entries, entry, draw)) {
    if (entry >= entries.length - 1) return { entry, line: Math.max(0, height - 1) };
    line -= height;
    entry += 1;
  }
  return { entry, line };
}

/** The top of the last page. */
export function lastTop(entries: Entries, height: number, draw: DrawContext): Place {
  if (entries.length === 0) return START;
  const entry = entries.length - 1;
  return moved(entries, { entry, line: heightOf(entries, entry, draw) - 1 }, 1 - height, draw);
}

/** A page from `top` on; without a top, or with one too far down for a full page, the last one. */
export function pageFrom(entries: Entries, top: Place | undefined, height: number, draw: DrawContext): PlacedLine[] {
  const last = lastTop(entries, height, draw);
  const from = top === undefined || isAfter(top, last) ? last : moved(entries, top, 0, draw);
  const page: PlacedLine[] = [];
  for (let { entry, line } = from; entry < entries.length && page.length < height; entry += 1, line = 0) {
    const one = entries[entry];
    const lines = one ? entryLines(one, draw) : [];
    for (; line < lines.length && page.length < height; line += 1) page.push({ entry, line, text: lines[line] ?? [] });
  }
  return page;
}

export const isAfter = (a: Place, b: Place): boolean => a.entry > b.entry || (a.entry === b.entry && a.line > b.line);
