/**
 * Markdown as screen lines, whole or while it streams. Both go line by line through the same frames, so the finished
 * lines of a stream, however it was cut, are those of the whole text. A line break in a paragraph stays one: chat
 * models mean it. A chunk costs what it brings plus one bounded open block; nothing is lexed twice once finished.
 */
import type { Highlighter } from './highlight.ts';
import { EMPTY_FRAME, type Frame, type FrameContext, type SourceLine } from './markdown-block.ts';
import { closeFrame, feedLine } from './markdown-frame.ts';
import type { LinkTargets } from './markdown-inline.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Line } from './style.ts';

export type { Highlighter } from './highlight.ts';

export type MarkdownOptions = {
  /** Bars, bullets and signs made of ASCII only. */
  ascii?: boolean;
  highlight?: Highlighter;
  /** For a screen reader: no rules, and tables as lines of name and value. */
  spoken?: boolean;
};

/** A Markdown text of which more may come. A value: keep an old one and go on from there as well. */
export type MarkdownStream = {
  readonly width: number;
  readonly options: MarkdownOptions;
  readonly frame: Frame;
  readonly links: LinkTargets;
  /** The beginning of a line whose end has not come. */
  readonly pending: string;
  /** `pending` goes on with a line whose first part was too long to wait for. */
  readonly midLine: boolean;
};

export type MarkdownPush = {
  state: MarkdownStream;
  /** Lines that became final: print them once. */
  finished: Line[];
  /** The picture of what is still open, drawn when read. Of a very long block it shows the end only. */
  readonly tail: Line[];
};

/** Characters of a source line that are waited for; of a longer one parts are taken. */
const LONGEST_LINE = 4096;
/** Nothing but signs: a list, a rule, a heading or a fence may become of it, so it is not drawn while it is unfinished. */
const UNDECIDED = /^[ >]*[-=*+_~`#|: ]*$/;

/** The screen lines of a whole text, none wider than `width` (at least 1). Never throws; the text need not be safe. */
export function renderMarkdown(text: string, width: number, options: MarkdownOptions = {}): Line[] {
  const { state, finished } = pushMarkdown(createMarkdownStream(width, options), text);
  return finished.concat(endMarkdown(state).finished);
}

export function createMarkdownStream(width: number, options: MarkdownOptions = {}): MarkdownStream {
  const columns = Math.max(1, Math.floor(width));
  return { width: columns, options, frame: EMPTY_FRAME, links: new Map(), pending: '', midLine: false };
}

/** The same text in a terminal of another width, from the next line on. */
export function resizeMarkdown(state: MarkdownStream, width: number): MarkdownStream {
  return { ...state, width: Math.max(1, Math.floor(width)) };
}

/** Takes more of the text. All finished lines of all pushes and of the end are the lines of the whole. */
export function pushMarkdown(state: MarkdownStream, delta: string): MarkdownPush {
  const { lines, pending, midLine } = takeLines(state.pending + delta, state.midLine, false);
  const next = feedAll({ ...state, pending, midLine }, lines);
  let tail: Line[] | undefined;
  return {
    ...next,
    get tail() {
      tail ??= drawTail(next.state);
      return tail;
    },
  };
}

/** No more text comes: what was open is final. */
export function endMarkdown(state: MarkdownStream): { finished: Line[] } {
  const { lines } = takeLines(state.pending, state.midLine, true);
  const { state: last, finished } = feedAll({ ...state, pending: '', midLine: false }, lines);
  return { finished: finished.concat(closeFrame(last.frame, contextOf(last, false)).lines) };
}

function feedAll(state: MarkdownStream, lines: readonly SourceLine[]): { state: MarkdownStream; finished: Line[] } {
  const context = contextOf(state, false);
  const finished: Line[] = [];
  let { frame } = state;
  for (const line of lines) {
    const step = feedLine(frame, safe(line, state.options), context);
    frame = step.frame;
    for (const each of step.lines) finished.push(each);
  }
  return { state: { ...state, frame, links: context.shared.links }, finished };
}

function drawTail(state: MarkdownStream): Line[] {
  const context = contextOf(state, true);
  // Half a character, or a line end of which the second half may come, is not shown yet.
  const text = state.pending.replace(/[\ud800-\udbff\r]$/, '');
  if (!state.midLine && UNDECIDED.test(text)) return closeFrame(state.frame, context).lines;
  const line: SourceLine = { text, mode: state.midLine ? 'rest' : 'line' };
  const step = feedLine(state.frame, safe(line, state.options), context);
  return step.lines.concat(closeFrame(step.frame, context).lines);
}

function contextOf(state: MarkdownStream, preview: boolean): FrameContext {
  const { width, links, options } = state;
  const draw = { ascii: options.ascii ?? false, highlight: options.highlight, spoken: options.spoken };
  return { width, depth: 0, options: draw, shared: { links }, preview };
}

function safe(line: SourceLine, options: MarkdownOptions): SourceLine {
  return { ...line, text: sanitizeLine(line.text, options) };
}

type Taken = { lines: SourceLine[]; pending: string; midLine: boolean };

/** The finished lines of the text, and what is left. A line ends at LF, CRLF or CR; a last CR waits for an LF. */
function takeLines(text: string, midLine: boolean, ended: boolean): Taken {
  const lines: SourceLine[] = [];
  let mode: SourceLine['mode'] = midLine ? 'rest' : 'line';
  const take = (rest: string, whole: boolean): string => {
    let left = rest;
    // One character more than it takes to decide: the cut may not depend on how much has come.
    while (left.length - (left.endsWith('\r') ? 1 : 0) > LONGEST_LINE + 1) {
      const cut = partEnd(left);
      lines.push({ text: left.slice(0, cut), mode });
      left = left.slice(cut);
      mode = 'rest';
    }
    if (!whole) return left;
    lines.push({ text: left, mode });
    mode = 'line';
    return '';
  };
  let from = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    if (end === '\r' && index === text.length - 1 && !ended) break;
    take(text.slice(from, index), true);
    from = index + end.length;
  }
  const rest = text.slice(from);
  const pending = take(rest, ended && rest !== '');
  return { lines, pending, midLine: mode === 'rest' };
}

/** Where a too long line is parted: behind a late space, else not within a character. Decided by its beginning alone. */
function partEnd(line: string): number {
  const space = line.lastIndexOf(' ', LONGEST_LINE - 1);
  if (space > LONGEST_LINE / 2) return space + 1;
  let end = LONGEST_LINE;
  while (end > LONGEST_LINE - 64 && isInsideCharacter(line, end)) end -= 1;
  return end;
}

function isInsideCharacter(line: string, at: number): boolean {
  return line.charAt(at - 1) === '\u200d' || /^[\udc00-\udfff\p{M}\u200d]/u.test(line.slice(at, at + 2));
}
