/**
 * What one line of Markdown source is. CommonMark's block rules, decided by looking at a single line, so that an
 * answer can be split into blocks while it streams. Lines are sanitized: no tabs, no carriage returns.
 */

export type FenceStart = { mark: string; size: number; indent: number; lang: string };
export type ItemStart = {
  /** `-`, `*`, `+`, or the delimiter behind a number: items with one sign are one list. */
  sign: string;
  /** The number as written; undefined for a bullet. */
  number?: number;
  /** Columns from the line's start to the item's content. */
  offset: number;
  content: string;
};

const FENCE = /^( {0,3})(`{3,}|~{3,}) *(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const BREAK = /^(?:-{3,}|\*{3,}|_{3,})$/;
const SETEXT = /^ {0,3}(?:-+|=+) *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-+*]|(\d{1,9})([.)]))( +|$)/;
const VERBATIM_HTML = /^ {0,3}<(?:(script|pre|style|textarea)(?=[ >]|$)|!--)/i;
const BLOCK_TAG =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?=[ />]|$)/i;
const LONE_TAG = /^ {0,3}<\/?[a-z][a-z0-9-]*(?: [^<>]*)?>\s*$/i;
const FORMULA = /^ {0,3}(?:\$\$(?!\$)|\\\[ *$)/;

export function isBlank(line: string): boolean {
  return /^ *$/.test(line);
}

export function indentOf(line: string): number {
  let columns = 0;
  while (line.charCodeAt(columns) === 0x20) columns += 1;
  return columns;
}

export function fenceStart(line: string): FenceStart | undefined {
  const found = FENCE.exec(line);
  if (!found) return undefined;
  const [, indent = '', marks = '', info = ''] = found;
  if (marks.startsWith('`') && info.includes('`')) return undefined;
  return { mark: marks.charAt(0), size: marks.length, indent: indent.length, lang: info.split(' ', 1)[0] ?? '' };
}

export function closesFence(line: string, fence: FenceStart): boolean {
  if (indentOf(line) > 3) return false;
  const marks = line.trim();
  return marks.length >= fence.size && marks === fence.mark.repeat(marks.length);
}

export function isHeading(line: string): boolean {
  return HEADING.test(line);
}

export function isThematicBreak(line: string): boolean {
  return /^ {0,3}[-*_]/.test(line) && BREAK.test(line.replaceAll(' ', ''));
}

/** Under a paragraph, such a line makes it a heading. */
export function isSetextLine(line: string): boolean {
  return SETEXT.test(line);
}

export function isTableDelimiter(line: string): boolean {
  return /^[ |:-]+$/.test(line) && line.includes('-') && line.includes('|');
}

/** The line without its quote sign; undefined when it has none. */
export function quoted(line: string): string | undefined {
  const sign = QUOTE.exec(line);
  return sign ? line.slice(sign[0].length) : undefined;
}

export function itemStart(line: string): ItemStart | undefined {
  const found = ITEM.exec(line);
  if (!found) return undefined;
  const [all, indent = '', marker = '', digits, delimiter, gap = ''] = found;
  const content = line.slice(all.length);
  // Five spaces and more belong to the content, an indented code block; an empty item begins one column on.
  const spaces = content === '' || gap.length > 4 ? 1 : gap.length;
  return {
    sign: delimiter ?? marker,
    number: digits === undefined ? undefined : Number(digits),
    offset: indent.length + marker.length + spaces,
    content: ' '.repeat(content === '' ? 0 : gap.length - spaces) + content,
  };
}

/** What ends the HTML block that this line begins: a text, or '' for a blank line. Undefined when it begins none. */
export function htmlEnd(line: string): string | undefined {
  const verbatim = VERBATIM_HTML.exec(line);
  if (verbatim) return verbatim[1] ? `</${verbatim[1].toLowerCase()}>` : '-->';
  return BLOCK_TAG.test(line) ? '' : undefined;
}

export function isLoneTag(line: string): boolean {
  return LONE_TAG.test(line);
}

/** What ends the display formula that this line begins. Undefined when it begins none or ends it itself. */
export function formulaEnd(line: string): string | undefined {
  const found = FORMULA.exec(line);
  if (!found) return undefined;
  const end = found[0].includes('$$') ? '$$' : '\\]';
  return line.includes(end, found[0].length) ? undefined : end;
}

/** Whether the line begins a block of its own even right below a paragraph. */
export function interruptsParagraph(line: string): boolean {
  if (indentOf(line) > 3) return false;
  if (isHeading(line) || isThematicBreak(line) || fenceStart(line) || QUOTE.test(line)) return true;
  if (htmlEnd(line) !== undefined || formulaEnd(line) !== undefined) return true;
  const item = itemStart(line);
  return item !== undefined && item.content !== '' && (item.number ?? 1) === 1;
}
