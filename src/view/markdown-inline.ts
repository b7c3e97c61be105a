/** Inside a paragraph: marked's inline tokens as styled spans. Formulas and HTML stay as they were written. */
import { Lexer, type MarkedOptions, type Token, type Tokens } from 'marked';
import { sanitizeText } from './sanitize.ts';
import { lineText, type Span, type Style } from './style.ts';

/** Where reference links lead: `[text][label]` by normalized label. */
export type LinkTargets = ReadonlyMap<string, { href: string; title: string }>;

/** Formulas, bounded in length, so that an unclosed sign costs little. */
const FORMULA =
  /^(?:\$\$(?:[^$\\`]|\\[^`]){1,2000}\$\$|\$(?=[^\s$])(?:[^$\\\n`]|\\[^\n`]){1,500}(?<=\S)\$(?!\d)|\\\([^\n`]{1,500}?\\\))/;
/** Has its lines to itself, or it is a bracket that was escaped. */
const DISPLAYED = /^\\\[[^`]{1,2000}?\\\](?=[ .,;]*(?:\n|$))/;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  plusmn: '±',
  deg: '°',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
  le: '≤',
  ge: '≥',
  ne: '≠',
  euro: '€',
  pound: '£',
  sect: '§',
};

/** Looking for the next dollar sign at every token is dear, so it is only done where there is one. */
function optionsFor(text: string): MarkedOptions {
  const startInline = text.includes('$') ? [(rest: string) => rest.indexOf('$')] : [];
  const inline = [formulaToken];
  return { gfm: true, breaks: true, extensions: { renderers: {}, childTokens: {}, inline, startInline } };
}

function formulaToken(source: string, before: readonly Token[]): Tokens.Generic | undefined {
  if (!source.startsWith('$') && !source.startsWith('\\')) return undefined;
  const beginsLine = before.length === 0 || before.at(-1)?.type === 'br';
  const found = FORMULA.exec(source) ?? (beginsLine ? DISPLAYED.exec(source) : null);
  return found ? { type: 'formula', raw: found[0] } : undefined;
}

/** Block tokens of a leaf of the document, and the link targets that it defines. */
export function lexLeaf(text: string, known: LinkTargets): { tokens: Token[]; links: LinkTargets } {
  const lexer = new Lexer(optionsFor(text));
  for (const [label, target] of known) lexer.tokens.links[label] = target;
  const tokens = lexer.lex(text);
  const defines = tokens.some((token) => token.type === 'def');
  if (!defines) return { tokens, links: known };
  const links = new Map(known);
  for (const [label, { href, title }] of Object.entries(lexer.tokens.links))
    links.set(label, { href, title: title ?? '' });
  return { tokens, links };
}

/** Inline tokens of text in which no block can begin. */
export function lexInline(text: string): Token[] {
  return Lexer.lexInline(text, optionsFor(text));
}

/** Spans of inline tokens. A `\n` in a span's text is a line break. */
export function inlineSpans(tokens: readonly Token[], style?: Style): Span[] {
  return tokens.flatMap((token) => tokenSpans(token, style));
}

function tokenSpans(token: Token, style: Style | undefined): Span[] {
  switch (token.type) {
    case 'strong':
      return inlineSpans(token.tokens ?? [], { ...style, bold: true });
    case 'em':
      return inlineSpans(token.tokens ?? [], { ...style, italic: true });
    case 'del':
      return inlineSpans(token.tokens ?? [], { ...style, strikethrough: true });
    case 'codespan':
      return [span(token.text, { ...style, color: 'code' })];
    case 'br':
      return [span('\n', style)];
    case 'link':
    case 'image':
      return linkSpans(token as Tokens.Link | Tokens.Image, style);
    case 'html':
      return [span(/^<br *\/?>$/i.test(token.raw.trim()) ? '\n' : token.raw, style)];
    case 'text':
      if (token.tokens) return inlineSpans(token.tokens, style);
      return [span(token.escaped ? token.text : decodeEntities(token.text), style)];
    case 'escape':
      return [span(token.text, style)];
    default:
      return [span(token.raw, style)];
  }
}

/** A link's text, and its address behind it unless the text is the address: nobody is led elsewhere unseen. */
function linkSpans(token: Tokens.Link | Tokens.Image, style: Style | undefined): Span[] {
  const href = sanitizeText(token.href).replaceAll('\n', '');
  const linked: Style = { ...style, color: 'link', underline: true, link: href };
  const inner = token.type === 'image' ? [span(decodeEntities(token.text), linked)] : inlineSpans(token.tokens, linked);
  const shown = inner.map((each) => (each.style?.link ? each : { ...each, style: linked }));
  const words = lineText(shown).trim();
  if (words === '') return [span(href, linked)];
  if ([words, `mailto:${words}`, `http://${words}`, `https://${words}`].includes(href) || href === '') return shown;
  return [...shown, span(` (${href})`, { ...style, color: 'muted' })];
}

function span(text: string, style: Style | undefined): Span {
  const safe = sanitizeText(text);
  return style ? { text: safe, style } : { text: safe };
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (all, decimal, hex, name) => {
    if (name) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? all) : all;
    const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
