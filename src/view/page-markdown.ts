/**
 * Markdown as HTML for an exported page: marked finds the blocks, every tag is written here. HTML in the source is text,
 * pictures are links to where they lie, and links lead to http, https and mailto alone.
 */
import { Lexer, type Token, type Tokens } from 'marked';
import { decodeEntities } from './markdown-inline.ts';
import { folded, pageAddress, pageLine, pageText, preformatted } from './page-text.ts';

/** What is longer, or has more signs in a row of lines, is shown as it was written: marked would take its time by the square. */
const MOST_CHARACTERS = 400_000;
const LONGEST_LINE = 8_000;
const MOST_MARKS = 2_000;
/** Quotes and lists within one another. */
const DEEPEST = 40;
const NESTED = /^(?:(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))){20}|[ \t]{80,}[-*+>\d])/m;
const MOST_CODE_LINES = 200;

/** Never throws. */
export function markdownHtml(text: string): string {
  if (!isLexable(text)) return preformatted(text);
  try {
    return blocks(new Lexer({ gfm: true, breaks: true }).lex(text), 0);
  } catch {
    return preformatted(text);
  }
}

function isLexable(text: string): boolean {
  if (text.length > MOST_CHARACTERS || NESTED.test(text)) return false;
  return text.split(/\n[ \t]*\n/).every((block) => {
    if (block.split('\n').some((line) => line.length > LONGEST_LINE)) return false;
    return block.length < MOST_MARKS || (block.match(/[*_~[\]<`]/g)?.length ?? 0) < MOST_MARKS;
  });
}

function blocks(tokens: readonly Token[], depth: number): string {
  if (depth > DEEPEST) throw new RangeError('nested too deep to be drawn');
  return tokens.map((token) => block(token, depth)).join('');
}

function block(token: Token, depth: number): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'hr':
      return '<hr>\n';
    case 'heading': {
      // the page has levels of its own above
      const level = Math.min(6, token.depth + 2);
      return `<h${level}>${inline(token.tokens)}</h${level}>\n`;
    }
    case 'paragraph':
      return `<p>${inline(token.tokens)}</p>\n`;
    case 'text':
      return `${token.tokens ? inline(token.tokens) : pageText(decodeEntities(token.text))}\n`;
    case 'code':
      return code(token as Tokens.Code);
    case 'blockquote':
      return `<blockquote>\n${blocks(token.tokens ?? [], depth + 1)}</blockquote>\n`;
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table);
    case 'html':
      return `<pre>${pageText(token.raw.trimEnd())}</pre>\n`;
    default:
      return inline([token]);
  }
}

function code({ text, lang }: Tokens.Code): string {
  const name = lang?.split(/\s/, 1)[0] ?? '';
  const label = name === '' ? '' : `<div class="lang">${pageLine(name)}</div>`;
  const html = `${label}<pre class="code"><code>${pageText(text)}</code></pre>\n`;
  const lines = text.split('\n').length;
  return lines > MOST_CODE_LINES ? folded(`${name || 'code'}, ${lines} lines`, html, 'long') : html;
}

function list({ ordered, start, items }: Tokens.List, depth: number): string {
  const tag = ordered ? 'ol' : 'ul';
  const from = ordered && Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : '';
  const rows = items.map(({ task, checked, tokens }) => {
    const box = task ? `<span class="box">${checked ? '☑' : '☐'}</span> ` : '';
    return `<li>${box}${blocks(
      tokens.filter(({ type }) => type !== 'checkbox'),
      depth + 1,
    )}</li>\n`;
  });
  return `<${tag}${from}>\n${rows.join('')}</${tag}>\n`;
}

function table({ header, rows }: Tokens.Table): string {
  const cell = (tag: 'th' | 'td', { tokens, align }: Tokens.TableCell) =>
    `<${tag}${align ? ` class="${align}"` : ''}>${inline(tokens)}</${tag}>`;
  const row = (tag: 'th' | 'td', cells: Tokens.TableCell[]) =>
    `<tr>${cells.map((one) => cell(tag, one)).join('')}</tr>\n`;
  const body = rows.map((cells) => row('td', cells)).join('');
  return `<div class="wide"><table>\n<thead>${row('th', header)}</thead>\n<tbody>\n${body}</tbody>\n</table></div>\n`;
}

const inline = (tokens: readonly Token[] = []): string => tokens.map(span).join('');

function span(token: Token): string {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return `<${token.type}>${inline(token.tokens)}</${token.type}>`;
    case 'codespan':
      return `<code>${pageText(token.text)}</code>`;
    case 'br':
      return '<br>\n';
    case 'link':
      return link(token.href, inline(token.tokens), token.text);
    case 'image':
      return link(token.href, pageLine(`[image${token.text ? `: ${token.text}` : ''}]`), '');
    case 'text':
      if (token.tokens) return inline(token.tokens);
      return pageText(token.escaped ? token.text : decodeEntities(token.text));
    case 'escape':
      return pageText(token.text);
    default:
      return pageText(token.raw);
  }
}

/** Where the words are not the address itself, print shows it behind them. What leads nowhere safe is no link at all. */
function link(href: string, words: string, text: string): string {
  const address = pageAddress(href);
  if (address === undefined) return words === '' ? pageLine(href) : `${words} (${pageLine(href)})`;
  const same = [text, `mailto:${text}`, `http://${text}`, `https://${text}`].includes(href);
  const kind = same || words === '' ? '' : ' class="named"';
  return `<a${kind} href="${pageLine(address)}" rel="noopener noreferrer">${words || pageLine(href)}</a>`;
}
