/**
 * Borders and widths of what a person sees as one character. `Intl.Segmenter` is slow on long strings, so it is asked about
 * small pieces only: between two characters that never join with a neighbour the border is certain without it.
 */
import stringWidth from 'string-width';
import { graphemesOf } from './segmenter.ts';

/** How far a run is looked at in one go; longer ones, which no language has, are cut here. */
const WINDOW = 512;

/**
 * A unit of two code units that stands for something else (a paste): U+FDD0 to U+FDDF, then U+FDE0 to U+FDEF. These are
 * noncharacters, which no text may hold.
 */
export const unitPattern = /[\ufdd0-\ufddf][\ufde0-\ufdef]/g;

function beginsUnit(code: number): boolean {
  return code >= 0xfdd0 && code <= 0xfddf;
}

function endsUnit(code: number): boolean {
  return code >= 0xfde0 && code <= 0xfdef;
}

/** Cells of a character that joins with nothing that is simple too, else 0. */
export function simpleWidth(code: number): 0 | 1 | 2 {
  if (code < 0x7f) return code >= 0x20 ? 1 : 0;
  if (code < 0x300) return code >= 0xa0 && code !== 0xad && code !== 0xa9 && code !== 0xae ? 1 : 0;
  if (code < 0x530) return (code >= 0x400 && code <= 0x482) || (code >= 0x48a && code <= 0x52f) ? 1 : 0;
  if (code < 0x3041) return code >= 0x2010 && code <= 0x2027 ? 1 : code >= 0x3001 && code <= 0x3020 ? 2 : 0;
  if (code <= 0x3096 || (code >= 0x30a0 && code <= 0x30ff)) return 2;
  if ((code >= 0x3400 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0x9fff)) return 2;
  return (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xff01 && code <= 0xff60) ? 2 : 0;
}

/** What draws the following character to itself: prepended signs, and the leading letters of Hangul. */
const joinsNext =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u1100-\u115f\ua960-\ua97c\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u;

/** Whether there is a border at `at` whatever stands further away. */
function isCertain(line: string, at: number): boolean {
  if (at <= 0 || at >= line.length) return true;
  const code = line.charCodeAt(at);
  const before = line.charCodeAt(at - 1);
  if (beginsUnit(code) || endsUnit(before) || code === 9 || before === 9) return true;
  if (simpleWidth(code) === 0) return false;
  return simpleWidth(before) > 0 || !joinsNext.test(line.slice(Math.max(0, at - 2), at));
}

/** The certain border at or before `at`, or where the window ends. */
function certainBefore(line: string, at: number): number {
  const limit = Math.max(0, at - WINDOW);
  let from = at;
  while (from > limit && !isCertain(line, from)) from -= 1;
  return from > 0 && /[\udc00-\udfff]/.test(line[from] ?? '') ? from - 1 : from;
}

/** The border behind the character that begins at `at`, which must be a border. */
export function nextBorder(line: string, at: number): number {
  if (at >= line.length) return line.length;
  const code = line.charCodeAt(at);
  if (beginsUnit(code) && endsUnit(line.charCodeAt(at + 1))) return at + 2;
  if (isCertain(line, at + 1)) return at + 1;
  let end = Math.min(line.length, at + 32);
  for (;;) {
    if (/[\ud800-\udbff]/.test(line[end - 1] ?? '')) end -= 1;
    const piece = line.slice(at, Math.max(end, at + 2)).replace(/(?<=.)[\ufdd0-\ufddf].*$/s, '');
    const first = graphemesOf(piece).containing(0)?.segment.length ?? piece.length;
    if (first < piece.length || piece.length < end - at || end === line.length || end - at >= WINDOW) return at + first;
    end = Math.min(line.length, at + WINDOW);
  }
}

/** The border before the character that ends at `at`, which must be a border. */
export function previousBorder(line: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= 2 && endsUnit(line.charCodeAt(at - 1)) && beginsUnit(line.charCodeAt(at - 2))) return at - 2;
  if (isCertain(line, at - 1)) return at - 1;
  let border = certainBefore(line, at - 1);
  for (let next = nextBorder(line, border); next < at; next = nextBorder(line, next)) border = next;
  return border;
}

/** The first border at or behind `at`. */
export function borderFrom(line: string, at: number): number {
  if (isCertain(line, at)) return Math.min(Math.max(at, 0), line.length);
  let border = certainBefore(line, at);
  while (border < at) border = nextBorder(line, border);
  return border;
}

/** Cells that one whole character takes. */
export function characterWidth(character: string): number {
  if (character.length === 1) {
    const width = simpleWidth(character.charCodeAt(0));
    if (width > 0) return width;
  }
  return stringWidth(character);
}
