/** Searching the transcript: entries by their text, lines within those by what is drawn. */
import { type Line, lineText, type Span } from './style.ts';
import type { Entry } from './transcript-overlay-entry.ts';
import { type DrawContext, entryLines } from './transcript-overlay-lines.ts';
import { isAfter, type Place } from './transcript-overlay-place.ts';

/** Letters of any case; what is written as one space may be any; marks of emphasis may stand between. */
export function patternOf(query: string): RegExp | undefined {
  const wanted = query.trim();
  if (wanted === '') return undefined;
  const parts = Array.from(wanted.replace(/\s+/g, ' '), (char) =>
    char === ' ' ? '\\s+' : char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  return new RegExp(parts.join('[*_`]*'), 'giu');
}

/** The nearest line with a match in that direction, `from` itself left out; undefined where there is none. */
export function findFrom(
  entries: readonly Entry[],
  query: string,
  from: Place,
  step: 1 | -1,
  draw: DrawContext,
): Place | undefined {
  const pattern = patternOf(query);
  if (!pattern) return undefined;
  for (let at = from.entry; at >= 0 && at < entries.length; at += step) {
    const places = matchesIn(entries, at, pattern, draw);
    const found =
      step > 0 ? places.find((place) => isAfter(place, from)) : places.findLast((place) => isAfter(from, place));
    if (found) return found;
  }
  return undefined;
}

/** Where the line break of the screen is within a match, it is the entry's first line of text. */
function matchesIn(entries: readonly Entry[], at: number, pattern: RegExp, draw: DrawContext): Place[] {
  const entry = entries[at];
  if (!entry || !(has(pattern, entry.text) || has(pattern, entry.title ?? ''))) return [];
  const lines = entryLines(entry, draw);
  const places = lines.flatMap((line, i) => (has(pattern, lineText(line)) ? [{ entry: at, line: i }] : []));
  return places.length > 0 ? places : [{ entry: at, line: entry.goesOn ? 0 : 1 }];
}

function has(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

/** The line with its matches marked. */
export function markMatches(line: Line, pattern: RegExp): Line {
  const ranges = Array.from(
    lineText(line).matchAll(pattern),
    ({ 0: found, index }) => [index, index + found.length] as const,
  );
  if (ranges.length === 0) return line;
  const marked: Line = [];
  let offset = 0;
  for (const span of line) {
    const end = offset + span.text.length;
    let at = offset;
    const take = (to: number, inverse: boolean): void => {
      if (to > at) marked.push(piece(span, at - offset, to - offset, inverse));
      at = Math.max(at, to);
    };
    for (const [from, to] of ranges) {
      if (to <= at || from >= end) continue;
      take(Math.min(end, Math.max(from, offset)), false);
      take(Math.min(end, to), true);
    }
    take(end, false);
    offset = end;
  }
  return marked;
}

function piece(span: Span, from: number, to: number, inverse: boolean): Span {
  const text = span.text.slice(from, to);
  return inverse ? { ...span, text, style: { ...span.style, inverse: true } } : { ...span, text };
}
