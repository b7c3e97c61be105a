/**
 * Styled text before it is painted. A span names what it means (`heading`, `error`), never a colour; a theme turns
 * meanings into SGR codes at the very end. Painting is the last gate: it sanitizes once more, so no span, whoever
 * made it, can carry a control sequence to the terminal.
 */
import { FAINT, PALETTES, type Palette, type ThemeName } from './palette.ts';
import { type SanitizeOptions, sanitizeLine } from './sanitize.ts';
import { displayWidth } from './width.ts';

export type SemanticColor =
  | 'accent'
  | 'heading'
  | 'code'
  | 'error'
  | 'success'
  | 'warning'
  | 'muted'
  | 'link'
  | 'quote'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'added'
  | 'removed';

export type Style = {
  bold?: boolean;
  italic?: boolean;
  dim?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  inverse?: boolean;
  color?: SemanticColor;
  /** Where the text leads; drawn as a hyperlink only if it is a plain web, mail or file address. */
  link?: string;
};

/** A piece of one screen line: no newline in it. */
export type Span = { text: string; style?: Style };
/** One screen line. */
export type Line = Span[];

const ATTRIBUTES = [
  ['bold', '1', '22'],
  ['dim', '2', '22'],
  ['italic', '3', '23'],
  ['underline', '4', '24'],
  ['inverse', '7', '27'],
  ['strikethrough', '9', '29'],
] as const;

const LINK_TARGET = /^(?:https?:\/\/|mailto:|file:\/\/)[!#-;=?-~]{1,2000}$/i;

export type PaintOptions = SanitizeOptions & {
  /** Draw hyperlinks (OSC 8). Off for terminals that do not know them. */
  links: boolean;
};

/**
 * One line for the terminal. Every span closes what it opens, so lines may be cut apart and printed in any order.
 * The theme `none` gives the text alone, without any escape.
 */
export function paintLine(line: Line, theme: ThemeName, options: PaintOptions): string {
  const palette = PALETTES[theme];
  if (!palette) return line.map((span) => sanitizeLine(span.text, options)).join('');
  return joinEqualSpans(line)
    .map((span) => paintSpan(span, palette, options))
    .join('');
}

/** The words of a line without their styles. */
export function lineText(line: Line): string {
  return line.length === 1 ? (line[0]?.text ?? '') : line.map((span) => span.text).join('');
}

/** Columns of a line. */
export function lineWidth(line: Line): number {
  return displayWidth(lineText(line));
}

function paintSpan({ text, style }: Span, palette: Palette, options: PaintOptions): string {
  const safe = sanitizeLine(text, options);
  if (!style || safe === '') return safe;
  let open = '';
  let close = '';
  for (const [name, on, off] of ATTRIBUTES) {
    if (!style[name]) continue;
    open += `\x1b[${on}m`;
    close = `\x1b[${off}m${close}`;
  }
  if (style.color) {
    open += `\x1b[${palette[style.color]}m`;
    close = `\x1b[${palette[style.color] === FAINT ? '22' : '39'}m${close}`;
  }
  const painted = open + safe + close;
  if (!options.links || !style.link || !LINK_TARGET.test(style.link)) return painted;
  return `\x1b]8;;${style.link}\x07${painted}\x1b]8;;\x07`;
}

function joinEqualSpans(line: Line): Line {
  const joined: Line = [];
  for (const span of line) {
    const last = joined.at(-1);
    if (last && equalStyles(last.style, span.style))
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    else joined.push(span);
  }
  return joined;
}

function equalStyles(a: Style = {}, b: Style = {}): boolean {
  return (
    a === b ||
    (a.color === b.color && a.link === b.link && ATTRIBUTES.every(([name]) => Boolean(a[name]) === Boolean(b[name])))
  );
}
