/**
 * Breaking lines to a width. Words stay whole where they fit; a longer word is cut between graphemes; Chinese and
 * Japanese text may break anywhere but before closing punctuation. No output line is ever wider than asked for.
 */
import type { Line, Span } from './style.ts';
import { cutAt, displayWidth } from './width.ts';

export type WrapOptions = {
  /** Columns of space before every line but the first (a hanging indent). At most half the width is used. */
  indent?: number;
};

const PLAIN = /^[\x20-\x7e]*$/;
const HAN = '\\u3041-\\u3096\\u30A1-\\u30FA\\u3400-\\u4DBF\\u4E00-\\u9FFF';
const CLOSING =
  '\\u2019\\u201D\\u3001\\u3002\\u3009\\u300B\\u300D\\u300F\\u3011\\u30FC\\uFF01\\uFF09\\uFF0C\\uFF0E\\uFF1A\\uFF1B\\uFF1F';
const WORDS = new RegExp(`( +)|([${HAN}][${HAN}${CLOSING}]*)|[^ ${HAN}]+`, 'gu');
const CLOSES = new RegExp(`[${CLOSING}]`, 'u');

/** Indices into the text: [from, end). */
type Range = readonly [number, number];

/** Wraps plain text. Newlines stay line ends; spaces at a break are dropped; an empty text is one empty line. */
export function wrapText(text: string, width: number, options: WrapOptions = {}): string[] {
  return wrapSpans([{ text }], width, options).map((line) => line.map((span) => span.text).join(''));
}

/** Wraps styled text by words. `\n` inside a span ends a line. Width is at least 1. */
export function wrapSpans(spans: readonly Span[], width: number, options: WrapOptions = {}): Line[] {
  const room = Math.max(1, Math.floor(width));
  const indent = Math.min(Math.max(0, options.indent ?? 0), Math.floor(room / 2));
  return breakSpans(spans, room, indent, wordRanges);
}

/** Cuts styled text at the width exactly and keeps every space: for code, whose columns mean something. */
export function cutSpans(spans: readonly Span[], width: number): Line[] {
  return breakSpans(spans, Math.max(1, Math.floor(width)), 0, cutRanges);
}

type Breaker = (text: string, first: number, rest: number) => Range[];

function breakSpans(spans: readonly Span[], width: number, indent: number, breaker: Breaker): Line[] {
  // In a room one column wide nothing wider can be shown at all; a sign stands for it.
  const fitting = width - indent < 2 ? spans.map(narrowed) : spans;
  const lines: Line[] = [];
  for (const hard of splitLines(fitting)) {
    const text = hard.map((span) => span.text).join('');
    const first = lines.length === 0 ? width : width - indent;
    const slice = slicer(hard);
    for (const range of breaker(text, first, width - indent)) {
      const line = slice(range);
      if (lines.length > 0 && indent > 0 && line.length > 0) line.unshift({ text: ' '.repeat(indent) });
      lines.push(line);
    }
  }
  return lines;
}

function narrowed(span: Span): Span {
  if (PLAIN.test(span.text)) return span;
  const text = Array.from(span.text, (char) => (displayWidth(char) > 1 ? '?' : char)).join('');
  return { ...span, text };
}

function splitLines(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    const [head = '', ...more] = span.text.includes('\n') ? span.text.split('\n') : [span.text];
    lines.at(-1)?.push({ ...span, text: head });
    for (const text of more) lines.push([{ ...span, text }]);
  }
  return lines;
}

/** Cuts ranges out of spans. The ranges come in order, so all of them together take one pass. */
function slicer(spans: readonly Span[]): (range: Range) => Line {
  let at = 0;
  let offset = 0;
  return ([from, end]) => {
    const line: Line = [];
    for (;;) {
      const span = spans[at];
      if (!span) return line;
      const stop = offset + span.text.length;
      const text = span.text.slice(Math.max(0, from - offset), Math.max(0, end - offset));
      if (text !== '') line.push({ ...span, text });
      if (stop > end) return line;
      offset = stop;
      at += 1;
    }
  };
}

function cutRanges(text: string, first: number, rest: number): Range[] {
  if (text.length <= first && PLAIN.test(text)) return [[0, text.length]];
  const ranges: Range[] = [];
  let from = 0;
  do {
    const { end } = cutAt(text, from, ranges.length === 0 ? first : rest);
    ranges.push([from, end]);
    from = end;
  } while (from < text.length);
  return ranges;
}

function wordRanges(text: string, first: number, rest: number): Range[] {
  if (text.length <= first && PLAIN.test(text)) return [[0, text.trimEnd().length]];
  const ranges: Range[] = [];
  let [from, end, column, gap, room] = [0, 0, 0, 0, first];
  const finishLine = (next: number): void => {
    ranges.push([from, end]);
    [from, end, column, gap, room] = [next, next, 0, 0, rest];
  };
  for (const found of text.matchAll(WORDS)) {
    const [word, spaces, han] = found;
    if (spaces) {
      gap += spaces.length;
      continue;
    }
    const stop = found.index + word.length;
    const width = displayWidth(word);
    if (column + gap + width <= room) {
      [end, column, gap] = [stop, column + gap + width, 0];
      continue;
    }
    let at = found.index;
    if (han && room - column - gap >= 2) at = beforeClosing(text, at, cutAt(text, at, room - column - gap).end);
    if (at > found.index) end = at;
    // Spaces at the start of a line that cannot even hold them and the word are dropped with the break.
    if (end > from) finishLine(at);
    else [from, end, column, gap] = [at, at, 0, 0];
    while (at < stop) {
      const piece = han ? hanPiece(text, at, room) : cutAt(text, at, room);
      end = Math.min(stop, piece.end);
      column = piece.width;
      at = end;
      if (at < stop) finishLine(at);
    }
    if (end === stop && end > from) column = displayWidth(text.slice(from, end));
  }
  ranges.push([from, end]);
  return ranges;
}

/** A full row of Han text: where it ends, and at least one grapheme of it. */
function hanPiece(text: string, at: number, room: number): { end: number; width: number } {
  const piece = cutAt(text, at, room);
  const end = beforeClosing(text, at, piece.end);
  return { ...piece, end: end > at ? end : piece.end };
}

/** The last place up to `end` where the text may break so that no closing sign begins the next line; at worst `at`. */
function beforeClosing(text: string, at: number, end: number): number {
  let place = end;
  while (place > at && CLOSES.test(text.charAt(place))) place -= 1;
  return place;
}
