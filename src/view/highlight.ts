/**
 * Colours for lines of code. An engine knows the grammars and is loaded late; here stands which language an alias means,
 * which colour a part of the grammar has, and what a line leaves open for the next one. Pure: a line's colours depend on
 * that line and on `open` alone, so a streamed block and a whole one look the same.
 */
import type { Line, SemanticColor, Span } from './style.ts';

/**
 * Colours for code of one language; a block's lines come one at a time, so that they can be printed as they come. `code`
 * is one line, or what an earlier line left open and the line behind it. Gives one Line for each line of `code`, or
 * undefined to leave it plain.
 */
export type Highlighter = (code: string, lang: string) => Line[] | undefined;

/** Marks code up as HTML: `<span class="hljs-SCOPE">`, `</span>`, and text with `& < > " '` as entities. */
export type MarkUp = (code: string, language: Language) => string;

const ALIASES = {
  javascript: 'js jsx mjs cjs node',
  typescript: 'ts tsx mts cts',
  python: 'py py3 python3 pyi',
  go: 'golang',
  rust: 'rs',
  java: '',
  c: 'h',
  cpp: 'c++ cc cxx hpp hh',
  bash: 'sh shell zsh console shellsession terminal',
  json: 'jsonc json5 jsonl',
  yaml: 'yml',
  xml: 'html xhtml svg vue rss plist',
  css: 'scss less',
  sql: 'postgres postgresql mysql sqlite psql',
  diff: 'patch udiff',
  markdown: 'md mdx mkd',
} as const;
export type Language = keyof typeof ALIASES;
export const LANGUAGES = Object.keys(ALIASES) as Language[];

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) =>
    [language, ...ALIASES[language].split(' ')].filter(Boolean).map((name) => [name, language] as const),
  ),
);

/** The language that the word behind a fence means: `TS`, `.py`, `{.rust}`, `js:src/a.js`. */
export function languageOf(word: string): Language | undefined {
  const name = /^[{.]*([a-z0-9+#-]+)/i.exec(word)?.[1];
  return name === undefined ? undefined : BY_NAME.get(name.toLowerCase());
}

/** A longer line is data rather than code, and costs more than its colours are worth. */
const LONGEST_LINE = 1000;

/** Lines whose colours are kept: the one that is being written is drawn with every picture, and code repeats itself. */
const KEPT_LINES = 500;

export function highlighterOf(markUp: MarkUp): Highlighter {
  const kept = new Map<string, Line[]>();
  return (code, lang) => {
    const language = languageOf(lang);
    if (language === undefined || code.length > LONGEST_LINE) return undefined;
    const key = `${language} ${code}`;
    const known = kept.get(key);
    if (known) return known;
    const lines = markedLines(markUp(code, language));
    if (kept.size >= KEPT_LINES) kept.delete(kept.keys().next().value ?? key);
    kept.set(key, lines);
    return lines;
  };
}

const COLORS: Readonly<Record<string, SemanticColor>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  operator: 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  bullet: 'number',
  comment: 'comment',
  quote: 'comment',
  title: 'accent',
  attr: 'accent',
  attribute: 'accent',
  property: 'accent',
  'selector-class': 'accent',
  'selector-id': 'accent',
  built_in: 'heading',
  type: 'heading',
  section: 'heading',
  meta: 'muted',
  link: 'link',
  code: 'code',
  addition: 'added',
  deletion: 'removed',
};
/** What stands for itself within a text of another colour. */
const PLAIN_AGAIN = new Set(['subst', 'template-variable']);

const MARK = /<span class="hljs-([^ "]*)[^"]*">|<\/span>|&(amp|lt|gt|quot|#x27);|\n|[^<&\n]+|[<&]/g;
const ENTITY: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Marked-up code as lines of coloured spans; their text is the code, to the character. */
export function markedLines(html: string): Line[] {
  const lines: Line[] = [[]];
  const colors: (SemanticColor | undefined)[] = [undefined];
  for (const [mark, scope, entity] of html.matchAll(MARK)) {
    if (scope !== undefined) colors.push(PLAIN_AGAIN.has(scope) ? undefined : (COLORS[scope] ?? colors.at(-1)));
    else if (mark === '</span>') colors.pop();
    else if (mark === '\n') lines.push([]);
    else append(lines.at(-1) ?? [], entity === undefined ? mark : (ENTITY[entity] ?? mark), colors.at(-1));
  }
  return lines;
}

function append(line: Line, text: string, color: SemanticColor | undefined): void {
  const last = line.at(-1);
  if (last && last.style?.color === color) line[line.length - 1] = { ...last, text: last.text + text };
  else line.push(color ? { text, style: { color } } : { text });
}

const CLOSED_BY: Readonly<Record<string, string>> = {
  '/*': '*/',
  '<!--': '-->',
  '"""': '"""',
  "'''": "'''",
  '`': '`',
};
const OPENS = /^[a-z]{0,2}(\/\*|<!--|"""|'''|`)/i;
/** Where a backtick or three quotes are something else. */
const NO_LONG_TEXT: ReadonlySet<string> = new Set(['bash', 'sql', 'markdown', 'yaml', 'json', 'css', 'xml']);

/** Which comment or text of several lines a coloured line leaves open: the signs that began it, '' for none. */
export function openAfter(line: readonly Span[], lang: string, open: string): string {
  let now = open;
  for (const { text, style } of line) {
    if (style?.color !== 'comment' && style?.color !== 'string') continue;
    const plain = text.replace(/\\./g, '');
    let from = 0;
    if (now === '') {
      const found = OPENS.exec(plain);
      if (!found?.[1] || (style.color === 'string' && NO_LONG_TEXT.has(languageOf(lang) ?? ''))) continue;
      now = found[1];
      from = found[0].length;
    }
    if (plain.includes(CLOSED_BY[now] ?? now, from)) now = '';
  }
  return now;
}
