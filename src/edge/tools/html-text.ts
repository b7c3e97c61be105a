/** The readable text of a page, in time that grows with its length only; pure. */

const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe']);
const BLOCK =
  /^(address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|title|tr|ul)$/;
const ENTITIES: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…', mdash: '—', ndash: '–',
  lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', copy: '©', reg: '®', trade: '™', bull: '•', middot: '·',
  auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è',
}; // biome-ignore format: a table

export function htmlText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  let inPre = false;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    parts.push(textPart(html.slice(at, open), inPre));
    if (html.startsWith('<!--', open)) {
      at = behind(html, '-->', open + 4);
      continue;
    }
    const [, slash = '', name = ''] = /^<(\/?)([a-zA-Z][\w-]*)/.exec(html.slice(open, open + 40)) ?? [];
    const tag = name.toLowerCase();
    if (name === '' && !'!?/'.includes(html[open + 1] ?? ' ')) {
      parts.push('<');
      at = open + 1;
      continue;
    }
    const close = behind(html, '>', open + 1);
    if (slash === '' && DROPPED.has(tag)) at = behindEnd(html, tag, close);
    else {
      at = close;
      if (tag === 'pre') inPre = slash === '';
      parts.push(markOf(tag, slash !== '', html.slice(open, close)));
    }
  }
  parts.push(textPart(html.slice(at), inPre));
  const lines = decoded(parts.join('')).split('\n');
  const text = lines.map((line) => collapsed(line).trim()).join('\n');
  return text
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replaceAll(KEPT_SPACE, ' ')
    .replaceAll(KEPT_TAB, '\t');
}

/** Of preformatted text every space counts: they stand in for it until all others are collapsed. */
const KEPT_SPACE = '\uE000';
const KEPT_TAB = '\uE001';

const textPart = (text: string, inPre: boolean): string =>
  inPre ? text.replaceAll(' ', KEPT_SPACE).replaceAll('\t', KEPT_TAB) : collapsed(text);

function markOf(tag: string, isEnd: boolean, source: string): string {
  if (tag === 'a' && !isEnd) return '';
  if (/^h[1-6]$/.test(tag)) return isEnd ? '\n\n' : `\n\n${'#'.repeat(Number(tag[1]))} `;
  if (tag === 'li' && !isEnd) return '\n- ';
  if ((tag === 'td' || tag === 'th') && !isEnd) return ' | ';
  if (tag === 'p' || tag === 'pre' || tag === 'table') return '\n\n';
  if (tag === 'img') return altOf(source);
  return BLOCK.test(tag) ? '\n' : '';
}

const altOf = (source: string): string => /\salt="([^"]+)"/.exec(source.slice(0, 2000))?.[1] ?? '';

const collapsed = (text: string): string => text.replace(/\s+/g, ' ');

const behind = (html: string, end: string, from: number): number => {
  const at = html.indexOf(end, from);
  return at < 0 ? html.length : at + end.length;
};

/** Behind the end tag of an element whose content is no text. */
function behindEnd(html: string, tag: string, from: number): number {
  const end = new RegExp(`</${tag}[^>]{0,100}>`, 'gi');
  end.lastIndex = from;
  return end.test(html) ? end.lastIndex : html.length;
}

function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-zA-Z]{2,8});/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\uFFFD';
  });
}
