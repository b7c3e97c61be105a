/**
 * How many terminal columns text takes, and cutting by columns. Text is plain and sanitized: escape codes are
 * counted as the characters they are. Widths are those of string-width, which Ink lays out by; what is added here
 * is speed, because segmenting one long string into graphemes is quadratic on Node 20.
 */
import stringWidth from 'string-width';
import { graphemesOf } from './segmenter.ts';

const ASCII = /^[\x20-\x7e]*$/;
/** Code units handed to the segmenter at once; a single grapheme longer than this is cut. */
const WINDOW = 256;
const CACHE_LIMIT = 4096;

// A pure function's memory: emptied when full, never wrong. It begins with the signs of the first picture, which must not
// wait for string-width: its large expressions take longer than the rest of the picture.
const clusterWidths = new Map(Array.from('✔✖■●○≡❯↩↑↓', (sign): [string, number] => [sign, 1]));

/** Columns of one line of text. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let total = 0;
  walkGraphemes(text, 0, (_end, width) => {
    total += width;
    return true;
  });
  return total;
}

/**
 * The text itself when it fits into `width` columns, else its beginning with the ellipsis, together at most `width`.
 * Never cuts a grapheme. A width below 1 gives ''.
 */
export function truncate(text: string, width: number, ellipsis = '…'): string {
  if (width < 1) return '';
  if (text.length <= width && ASCII.test(text)) return text;
  const room = width - displayWidth(ellipsis);
  let total = 0;
  let kept = 0;
  walkGraphemes(text, 0, (end, cell) => {
    total += cell;
    if (total <= room) kept = end;
    return total <= width;
  });
  if (total <= width) return text;
  return room < 0 ? truncate(ellipsis, width, '') : text.slice(0, kept) + ellipsis;
}

/** Spaces behind the text up to `width` columns; longer text stays as it is. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * Where the text from index `from` has filled `width` columns: the index behind the last grapheme that fits, and the
 * columns up to there. A first grapheme that is wider alone (a chain of conjoining letters) is cut by characters.
 * Always advances by at least one character while there are any.
 */
export function cutAt(text: string, from: number, width: number): { end: number; width: number } {
  let end = from;
  let total = 0;
  walkGraphemes(text, from, (next, cell) => {
    if (total + cell > width) return false;
    end = next;
    total += cell;
    return true;
  });
  return end > from || from >= text.length ? { end, width: total } : cutCharacters(text, from, width);
}

function cutCharacters(text: string, from: number, width: number): { end: number; width: number } {
  let end = from;
  let total = 0;
  while (end < text.length) {
    const char = String.fromCodePoint(text.codePointAt(end) ?? 0);
    const cell = characterWidth(char);
    if (end > from && total + cell > width) break;
    end += char.length;
    total += cell;
  }
  return { end, width: total };
}

/** An upper bound of what one character adds to any grapheme: the emoji selector and the keycap widen their base. */
function characterWidth(char: string): number {
  return char === '\uFE0F' || char === '\u20E3' ? 1 : clusterWidth(char);
}

/** Visits graphemes from index `from` on, with the index behind each and its columns, until `visit` returns false. */
function walkGraphemes(text: string, from: number, visit: (end: number, width: number) => boolean): void {
  let at = from;
  while (at < text.length) {
    const width = simpleWidth(text.charCodeAt(at));
    const next = at + (width > 0 ? 1 : symbolLength(text, at));
    if (next > at && (next >= text.length || standsAlone(text, next))) {
      const cell = width || clusterWidth(text.slice(at, next));
      at = next;
      if (!visit(at, cell)) return;
      continue;
    }
    const end = segmentEnd(text, at);
    for (const { segment } of graphemesOf(text.slice(at, end.limit))) {
      if (at >= end.safe) break;
      at += segment.length;
      if (!visit(at, clusterWidth(segment))) return;
    }
  }
}

/**
 * The next stretch to segment: it begins at a grapheme's start and, unless it got too long, ends behind a simple
 * character and before one that never joins it. When too long, its last grapheme may be incomplete and is left for the next round.
 */
function segmentEnd(text: string, from: number): { limit: number; safe: number } {
  const bound = Math.min(text.length, from + WINDOW);
  let at = from + 1;
  while (at < bound && !(simpleWidth(text.charCodeAt(at - 1)) > 0 && standsAlone(text, at))) at += 1;
  if (at < bound || at === text.length) return { limit: at, safe: at };
  const window = text.slice(from, at);
  const last = graphemesOf(window).containing(window.length - 1)?.index ?? 0;
  if (last > 0) return { limit: at, safe: from + last };
  const half = isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
  return { limit: half, safe: half };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function clusterWidth(cluster: string): number {
  const known = clusterWidths.get(cluster);
  if (known !== undefined) return known;
  const width = stringWidth(cluster, { countAnsiEscapeCodes: true });
  if (clusterWidths.size >= CACHE_LIMIT) clusterWidths.clear();
  if (cluster.length <= 16) clusterWidths.set(cluster, width);
  return width;
}

/** Whether a grapheme always begins at this index when the one before it is simple or a symbol. */
function standsAlone(text: string, at: number): boolean {
  return simpleWidth(text.charCodeAt(at)) > 0 || symbolLength(text, at) > 0;
}

/** Code units of an arrow, sign or emoji at this index that is no modifier of what stands before it; else 0. */
function symbolLength(text: string, at: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at);
  if (code >= 0x2190 && code <= 0x2bff) return 1;
  if (code < 0xd83c || code > 0xd83e) return 0;
  const point = text.codePointAt(at) ?? 0;
  return point >= 0x1f300 && point <= 0x1faff && (point < 0x1f3fb || point > 0x1f3ff) ? 2 : 0;
}

/** Columns of the characters most text is made of, which never join a simple neighbour; 0 for all others. */
function simpleWidth(code: number): 0 | 1 | 2 {
  if (code < 0x7f) return code >= 0x20 ? 1 : 0;
  if (code < 0x300) return code >= 0xa0 && code !== 0xad ? 1 : 0;
  if (code < 0x2010) return isSimpleLetter(code) ? 1 : 0;
  if (code < 0x3000) return code <= 0x2026 || isSign(code) ? 1 : 0;
  if (code <= 0x3029 || (code >= 0x3041 && code <= 0x3096) || (code >= 0x30a1 && code <= 0x30fe)) return 2;
  if ((code >= 0x3400 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0x9fff)) return 2;
  if (code >= 0xac00 && code <= 0xd7a3) return 2;
  return code >= 0xff01 && code <= 0xff60 ? 2 : 0;
}

/** Pictures of control characters, lines of boxes, single angle quotes. */
function isSign(code: number): boolean {
  return (code >= 0x2400 && code <= 0x2426) || (code >= 0x2500 && code <= 0x257f) || code === 0x2039 || code === 0x203a;
}

/** Greek, Cyrillic, Hebrew, Arabic and Vietnamese letters without marks. */
function isSimpleLetter(code: number): boolean {
  if (code <= 0x481) return code >= 0x391 && code !== 0x3a2;
  if (code <= 0x64a) return (code >= 0x5d0 && code <= 0x5ea) || (code >= 0x620 && code !== 0x640);
  return (code >= 0x671 && code <= 0x6d3) || (code >= 0x1ea0 && code <= 0x1ef9);
}
