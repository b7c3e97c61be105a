/** What of the transcript can be copied: an answer as it was written, and the code blocks in it. */
import { closesFence, type FenceStart, fenceStart } from './markdown-lines.ts';
import type { Entry } from './transcript-overlay-entry.ts';
import { type DrawContext, entryLines } from './transcript-overlay-lines.ts';
import type { PlacedLine } from './transcript-overlay-place.ts';

export interface CodeBlock {
  code: string;
  /** Characters of the answer before its fence, and up to its end. */
  from: number;
  to: number;
}

/** The fenced blocks of an answer, those within lists and quotes as well, without the indentation of their fence. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: FenceStart; prefix: string; lines: string[]; from: number } | undefined;
  let at = 0;
  const close = (to: number): void => {
    if (open) blocks.push({ code: open.lines.join('\n'), from: open.from, to });
    open = undefined;
  };
  for (const line of text.split('\n')) {
    const end = at + line.length + 1;
    const prefix = /^(?:\s|>|[-*+] (?=\s*[`~]{3}))*/.exec(line)?.[0] ?? '';
    if (open) {
      const own = withoutPrefix(line, open.prefix);
      if (closesFence(own, open.fence)) close(end);
      else open.lines.push(own);
    } else {
      const fence = fenceStart(line.slice(prefix.length));
      if (fence) open = { fence, prefix, lines: [], from: at };
    }
    at = end;
  }
  close(text.length);
  return blocks;
}

function withoutPrefix(line: string, prefix: string): string {
  let left = line;
  for (const sign of prefix) {
    if (sign === '>') left = left.replace(/^ {0,3}>/, '');
    else if (left.startsWith(' ') || left.startsWith('\t')) left = left.slice(1);
  }
  return left;
}

/** The answer that a page shows first; else the last one before it. */
export function answerOnPage(entries: readonly Entry[], page: readonly PlacedLine[]): Entry | undefined {
  const shown = page.find(({ entry }) => entries[entry]?.kind === 'answer');
  if (shown) return entries[shown.entry];
  return entries.slice(0, page[0]?.entry ?? 0).findLast(({ kind }) => kind === 'answer');
}

/** The code blocks of which a page shows a line, from the top. */
export function codeOnPage(entries: readonly Entry[], page: readonly PlacedLine[], draw: DrawContext): string[] {
  const seen = new Map<number, { first: number; last: number }>();
  for (const { entry, line } of page) seen.set(entry, { first: seen.get(entry)?.first ?? line, last: line });
  return [...seen].flatMap(([at, { first, last }]) => {
    const entry = entries[at];
    if (entry?.kind !== 'answer') return [];
    const lineOf = (characters: number): number =>
      entryLines({ ...entry, text: entry.text.slice(0, characters) }, draw).length;
    return codeBlocks(entry.text)
      .filter(({ from, to }) => (from === 0 ? 0 : lineOf(from)) <= last && lineOf(to) > first)
      .map(({ code }) => code);
  });
}

/** Text for the clipboard: tabs and lines stay, what could drive a terminal it is pasted into does not. */
export const copyable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
