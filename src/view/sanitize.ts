/**
 * The one gate between foreign text and the screen: models, tools, file names, servers, users.
 * What could drive the terminal, reorder the line or hide text is replaced by a visible sign, so the words of a
 * control sequence stay readable and none of it is obeyed (contract: The chat on the screen). Both functions are
 * linear and idempotent.
 */
import { displayWidth } from './width.ts';

export type SanitizeOptions = {
  /** Signs made of ASCII only (`\x1b` instead of `␛`), for terminals without those glyphs. */
  ascii?: boolean;
};

/** Tab stops stand at every fourth column: what Markdown means by a tab too. */
const TAB_WIDTH = 4;

const PLAIN_TEXT = /^[\n\x20-\x7e]*$/;
const PLAIN_LINE = /^[\x20-\x7e]*$/;

// The three flags that are spelled with tag characters; any other use of these is hidden text.
const TAG_FLAG = '\\u{1F3F4}\\u{E0067}\\u{E0062}[\\u{E0061}-\\u{E007A}]{3}\\u{E007F}';
const SELECTORS = '\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}';
const HARMFUL = [
  '\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F', // C0, DEL, C1 (tabs and newlines have their own rules)
  '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069', // direction marks, overrides, isolates
  '\\u2028\\u2029', // line and paragraph separator
  '\\xAD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB',
  '\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}', // invisible as well
  '\\uD800-\\uDFFF', // lone halves only, in a regular expression with the u flag
].join('');

// A selector right behind another one, or with nothing before it, selects nothing: it can only carry hidden bytes.
const UNSAFE = new RegExp(`${TAG_FLAG}|[${HARMFUL}]|(?<=^|[\\n${SELECTORS}])[${SELECTORS}]`, 'gu');

/**
 * Many lines. CRLF becomes LF; a lone CR becomes LF too: what a terminal would have overwritten stays readable.
 * Tabs become spaces up to the next tab stop; every other control is shown.
 */
export function sanitizeText(text: string, options: SanitizeOptions = {}): string {
  if (PLAIN_TEXT.test(text)) return text;
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return expandTabs(showUnsafe(lines, options));
}

/** Many lines with their tabs, which do no harm outside a terminal and mean something in code. */
export const sanitizeTabbed = (text: string): string =>
  text
    .split('\t')
    .map((part) => sanitizeText(part))
    .join('\t');

/** One line: as sanitizeText, but line ends are shown (`␍`, `␊`) as well, so the result never has a newline. */
export function sanitizeLine(text: string, options: SanitizeOptions = {}): string {
  if (PLAIN_LINE.test(text)) return text;
  const shown = showUnsafe(text, options);
  return expandTabs(shown.includes('\n') ? shown.replaceAll('\n', signOf('\n', options)) : shown);
}

function showUnsafe(text: string, options: SanitizeOptions): string {
  return text.replace(UNSAFE, (found) => (found.startsWith('\u{1F3F4}') ? found : signOf(found, options)));
}

function signOf(char: string, { ascii = false }: SanitizeOptions): string {
  const code = char.codePointAt(0) ?? 0;
  if (ascii && char === '\n') return '\\n';
  if (ascii && char === '\r') return '\\r';
  if (ascii && code < 0xa0) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  return text.split('\n').map(expandLine).join('\n');
}

function expandLine(line: string): string {
  const [first = '', ...rest] = line.split('\t');
  let column = displayWidth(first);
  let out = first;
  for (const cell of rest) {
    const gap = TAB_WIDTH - (column % TAB_WIDTH);
    out += ' '.repeat(gap) + cell;
    column += gap + displayWidth(cell);
  }
  return out;
}
