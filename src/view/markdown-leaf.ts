/** The blocks that hold no other blocks, drawn: paragraphs, headings, tables, rules, lines of code. */
import type { Token, Tokens } from 'marked';
import { type Highlighter, openAfter } from './highlight.ts';
import { inlineSpans, type LinkTargets, lexInline, lexLeaf } from './markdown-inline.ts';
import { isTableDelimiter } from './markdown-lines.ts';
import { tableLines } from './markdown-table.ts';
import type { Line, Span, Style } from './style.ts';
import { cutSpans, wrapSpans } from './wrap.ts';

export type DrawOptions = {
  /** Bars, bullets and signs made of ASCII only. */
  ascii: boolean;
  highlight?: Highlighter;
  spoken?: boolean;
};

export type Leaf = {
  lines: Line[];
  links: LinkTargets;
  /** Wants an empty line before and behind it, whatever the source has. */
  roomy: boolean;
};

const CODE_INDENT = 2;
const LONGEST_RULE = 24;
/** Columns of a line of prose: the eye finds the next one. Code and tables may be wider. */
const LONGEST_PROSE = 120;
const MOST_LINK_TARGETS = 500;
const MOST_MARKS = 600;
const PROSE = /^[A-Za-z\u00A1-\uFFFF][A-Za-z0-9\u00A1-\uFFFF ,.;()'"?%-]*$/;

export const proseWidth = (width: number, { spoken }: DrawOptions): number =>
  spoken ? width : Math.min(width, LONGEST_PROSE);

/** A paragraph and what it may turn out to be: a heading, a table, definitions of links. Never throws. */
export function drawLeaf(text: string, width: number, options: DrawOptions, known: LinkTargets): Leaf {
  const measure = proseWidth(width, options);
  const words = (lines: Line[]): Leaf => ({ lines, links: known, roomy: false });
  if (isProse(text)) return words(wrapSpans([{ text }], measure));
  const rows = text.split('\n');
  if (rows.some(isDense)) return words(wrapSpans([{ text }], width));
  if (isDense(text) && !rows.some(isTableDelimiter)) return words(rows.flatMap((row) => drawParagraph(row, measure)));
  try {
    const { tokens, links } = lexLeaf(text, known);
    const blocks = tokens
      .map((token) => blockLines(token, width, options))
      .filter((lines) => lines.some((line) => line.length > 0));
    const roomy = tokens.some((token) => token.type === 'table' || token.type === 'heading');
    const lines = blocks.flatMap((block, index) => (index > 0 ? [[], ...block] : block));
    return { lines, links: links.size > MOST_LINK_TARGETS ? known : links, roomy };
  } catch {
    // Nested deeper than the stack is: the words matter more than their style.
    return words(wrapSpans([{ text }], measure));
  }
}

/** A paragraph in which nothing but inline marks is looked for. Never throws. */
export function drawParagraph(text: string, width: number): Line[] {
  if (isProse(text) || isDense(text)) return wrapSpans([{ text }], width);
  try {
    return wrapSpans(inlineSpans(lexInline(text)), width);
  } catch {
    return wrapSpans([{ text }], width);
  }
}

/** One line of words in which no mark can be: it needs no lexing. */
function isProse(text: string): boolean {
  return PROSE.test(text) && !text.includes('www.');
}

/** So many signs of emphasis that matching them, which takes time by their square, would be felt. */
function isDense(text: string): boolean {
  return text.length > MOST_MARKS && (text.match(/[*_~]+/g)?.length ?? 0) > MOST_MARKS;
}

export function drawRule(width: number, { ascii, spoken }: DrawOptions): Line {
  if (spoken) return [];
  return [{ text: (ascii ? '-' : '─').repeat(Math.min(width, LONGEST_RULE)), style: { color: 'muted' } }];
}

/** One source line of a code block: indented, cut at the width, its spaces kept. */
export function drawCode(code: string, lang: string, width: number, { highlight }: DrawOptions): Line[] {
  return indented(highlighted(code, lang, '', highlight) ?? [{ text: code }], width);
}

/** The next line of a fenced block: `open` is what the line before left open (highlight.ts), and what this one does. */
export function drawFenced(
  code: string,
  { lang, open }: { lang: string; open: string },
  width: number,
  { highlight }: DrawOptions,
): { lines: Line[]; open: string } {
  const spans = highlighted(code, lang, open, highlight);
  if (!spans) return { lines: indented([{ text: code }], width), open };
  return { lines: indented(spans, width), open: openAfter(spans, lang, open) };
}

function indented(spans: readonly Span[], width: number): Line[] {
  const indent = width > 4 * CODE_INDENT ? CODE_INDENT : 0;
  return cutSpans(spans, width - indent).map((line) =>
    line.length > 0 && indent > 0 ? [{ text: ' '.repeat(indent) }, ...line] : line,
  );
}

function highlighted(code: string, lang: string, open: string, highlight?: Highlighter): Span[] | undefined {
  if (!highlight || lang === '' || code === '') return undefined;
  try {
    return highlight(open === '' ? code : `${open}\n${code}`, lang)?.at(-1);
  } catch {
    return undefined;
  }
}

function blockLines(token: Token, width: number, options: DrawOptions): Line[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return wrapSpans(inlineSpans(token.tokens ?? [], headingStyle(token.depth)), proseWidth(width, options));
    case 'paragraph':
    case 'text':
      return wrapSpans(inlineSpans(token.tokens ?? []), proseWidth(width, options));
    case 'table':
      return tableLines(token as Tokens.Table, width, options.ascii, options.spoken);
    case 'hr':
      return [drawRule(width, options)];
    case 'code':
      return String(token.text)
        .split('\n')
        .flatMap((line) => drawCode(line, '', width, options));
    default:
      return wrapSpans([{ text: token.raw.trimEnd() }], width);
  }
}

function headingStyle(depth: number): Style {
  return depth === 1 ? { bold: true, underline: true, color: 'heading' } : { bold: true, color: 'heading' };
}
