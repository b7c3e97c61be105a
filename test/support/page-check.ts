/** Reads an exported page as strictly as no browser does: what is not exactly what the exporter may write is refused. */

const ATTRIBUTES: Record<string, RegExp> = {
  html: /^ lang="en"$/,
  meta: /^ (charset="utf-8"|http-equiv="Content-Security-Policy" content="[^"<>]+"|name="(referrer|viewport)" content="[\w\-=, .]+")$/,
  form: /^ id="search" role="search" hidden$/,
  input: /^ type="search" placeholder="[\w ]+" aria-label="[\w ]+"$/,
  button: /^ type="button"$/,
  a: /^(?: class="named")? href="(?:(?:https?:\/\/|mailto:)[^"<>\s]*" rel="noopener noreferrer"|#turn-\d+")$/,
  img: /^ src="data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*" alt="[^"<>]*"$/,
  time: /^ datetime="[^"<>]*"$/,
  ol: /^(?: start="\d+")?$/,
  article: /^ class="(?:you|assistant)"(?: id="turn-\d+")?$/,
};
const CLASSED = /^(?: class="[a-z ]+")?$/;
const VOID = new Set(['meta', 'hr', 'br', 'img', 'input']);
const KNOWN = new Set(
  'html head meta title style body header h1 h2 h3 h4 h5 h6 dl dt dd form input button output main article p pre code div span a b strong em del ul ol li blockquote table thead tbody tr th td hr br img details summary time footer script'.split(
    ' ',
  ),
);

/** What is wrong with the page, or nothing. */
export function pageFaults(html: string): string[] {
  const faults: string[] = [];
  const start = '<!doctype html>\n';
  if (!html.startsWith(start)) return ['no doctype'];
  const bare = html
    .slice(start.length)
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<script>[^<]*(?:<(?!\/script)[^<]*)*<\/script>\n<\/body>/, '</body>');
  const open: string[] = [];
  for (const piece of bare.split(/(?=<)/)) {
    const tag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/.exec(piece);
    const rest = tag ? piece.slice(tag[0].length) : piece;
    if (/[<>"]/.test(rest.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')))
      faults.push(`text holds a sign: ${piece.slice(0, 80)}`);
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(piece))
      faults.push(`a control: ${piece.slice(0, 80)}`);
    if (!piece.isWellFormed()) faults.push('a lone surrogate');
    if (!tag) {
      if (piece.startsWith('<')) faults.push(`no tag: ${piece.slice(0, 80)}`);
      continue;
    }
    const [, closing, name = '', attributes = ''] = tag;
    if (!KNOWN.has(name)) faults.push(`unknown: ${name}`);
    if (closing) {
      const last = open.pop();
      if (last !== name || attributes !== '') faults.push(`</${name}> closes ${last}`);
    } else {
      if (!(ATTRIBUTES[name] ?? CLASSED).test(attributes)) faults.push(`<${name}${attributes}>`);
      if (!VOID.has(name)) open.push(name);
    }
  }
  if (open.length > 0) faults.push(`left open: ${open.join(' ')}`);
  return faults;
}
