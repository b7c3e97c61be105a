/**
 * Styled text before it is painted. A span names what it means (`heading`, `error`), never a colour; a theme turns
 * meanings into SGR codes at the very end. Painting is the last gate: it sanitizes once more, so no span, whoever
 * made it, can carry a control sequence to the terminal.
 */
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

export type ThemeName = 'dark' | 'light' | 'ansi16' | 'colorblind' | 'none';
export const THEME_NAMES: readonly ThemeName[] = ['dark', 'light', 'ansi16', 'colorblind', 'none'];

/** SGR parameters per meaning. */
type Palette = Readonly<Record<SemanticColor, string>>;

const DARK: Palette = {
  accent: '38;5;75',
  heading: '38;5;117',
  code: '38;5;180',
  error: '38;5;203',
  success: '38;5;114',
  warning: '38;5;221',
  muted: '38;5;245',
  link: '38;5;75',
  quote: '38;5;250',
  keyword: '38;5;176',
  string: '38;5;150',
  number: '38;5;215',
  comment: '38;5;245',
  added: '38;5;114',
  removed: '38;5;203',
};

const LIGHT: Palette = {
  accent: '38;5;25',
  heading: '38;5;24',
  code: '38;5;94',
  error: '38;5;160',
  success: '38;5;28',
  warning: '38;5;130',
  muted: '38;5;243',
  link: '38;5;25',
  quote: '38;5;240',
  keyword: '38;5;90',
  string: '38;5;22',
  number: '38;5;130',
  comment: '38;5;243',
  added: '38;5;28',
  removed: '38;5;160',
};

const ANSI16: Palette = {
  accent: '36',
  heading: '36',
  code: '33',
  error: '31',
  success: '32',
  warning: '33',
  muted: '90',
  link: '34',
  quote: '90',
  keyword: '35',
  string: '32',
  number: '33',
  comment: '90',
  added: '32',
  removed: '31',
};

// Blue against orange: told apart without telling red from green.
const COLORBLIND: Palette = {
  ...DARK,
  error: '38;5;208',
  success: '38;5;75',
  warning: '38;5;227',
  string: '38;5;117',
  keyword: '38;5;183',
  added: '38;5;75',
  removed: '38;5;208',
};

const PALETTES: Readonly<Record<ThemeName, Palette | undefined>> = {
  dark: DARK,
  light: LIGHT,
  ansi16: ANSI16,
  colorblind: COLORBLIND,
  none: undefined,
};

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
    close = `\x1b[39m${close}`;
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
