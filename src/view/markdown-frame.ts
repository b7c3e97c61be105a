/**
 * Markdown, one source line at a time. A frame is the inside of the document, of a quote or of a list item: at most
 * one block is open in it, and everything before that block is drawn and final. Because only lines decide, never how
 * they arrived, a streamed answer and a whole one give the same lines. Frames are values; feeding makes new ones.
 */

import {
  type Container,
  EMPTY_FRAME,
  type Frame,
  type FrameContext,
  type ItemBlock,
  type Paragraph,
  print,
  type SourceLine,
  type Step,
  still,
  type Verbatim,
} from './markdown-block.ts';
import { belongsTo, endsInParagraph, inside, prefixed } from './markdown-container.ts';
import { drawCode, drawFenced, drawLeaf, drawParagraph, drawRule, proseWidth } from './markdown-leaf.ts';
import * as source from './markdown-lines.ts';
import type { Line } from './style.ts';
import { wrapSpans } from './wrap.ts';

const DEEPEST = 12;
/** Characters of one paragraph or table; a longer one is drawn in parts, so that no text makes lexing slow. */
const LONGEST_PARAGRAPH = 16_384;
const PREVIEW = 2048;

/** Takes the next line in; gives what became final by it. */
export function feedLine(frame: Frame, line: SourceLine, context: FrameContext): Step {
  const { open } = frame;
  if (!open) return source.isBlank(line.text) ? still({ ...frame, blank: true }) : startBlock(frame, line, context);
  switch (open.kind) {
    case 'paragraph':
      return feedParagraph(frame, open, line, context);
    case 'item':
    case 'quote':
      return feedContainer(frame, open, line, context);
    default:
      return feedVerbatim(frame, open, line, context);
  }
}

/** The end of the frame: what was open is final as it is. */
export function closeFrame(frame: Frame, context: FrameContext): Step {
  const { open } = frame;
  if (!open) return still(frame);
  const closed: Frame = { ...frame, open: undefined };
  if (open.kind === 'paragraph') return closeParagraph(closed, open, context);
  if (open.kind === 'item' || open.kind === 'quote') {
    const { lines } = closeFrame(open.inner, inside(open, context));
    const empty = open.kind === 'item' && !open.started && lines.length === 0;
    return print(closed, prefixed(open, empty ? [[]] : lines, context));
  }
  return still({ ...closed, roomy: open.kind === 'fence' || open.kind === 'indented' });
}

/** Closes what is open and takes the line as the beginning of something new. */
function closeAndStart(frame: Frame, line: SourceLine, context: FrameContext): Step {
  const closed = closeFrame(frame, context);
  const next = feedLine(closed.frame, line, context);
  return { frame: next.frame, lines: [...closed.lines, ...next.lines] };
}

function closeAtBlank(frame: Frame, context: FrameContext): Step {
  const { frame: closed, lines } = closeFrame(frame, context);
  return { frame: { ...closed, blank: true }, lines };
}

function feedParagraph(frame: Frame, open: Paragraph, line: SourceLine, context: FrameContext): Step {
  const { text, mode } = line;
  if (mode === 'rest') return grow(frame, { ...open, text: open.text + text, last: open.last + text }, context);
  if (source.isBlank(text)) return closeAtBlank(frame, context);
  const longer: Paragraph = { ...open, text: `${open.text}\n${text}`, last: text };
  if (mode === 'line' && !open.plain) {
    if (source.isSetextLine(text) && !open.table) return closeFrame({ ...frame, open: longer }, context);
    if (tooDeep(text, context)) longer.plain = true;
    else if (source.interruptsParagraph(text)) return closeAndStart(frame, line, context);
    const delimits = !open.table && open.last.includes('|') && source.isTableDelimiter(text);
    if (delimits) longer.table = `${open.last}\n${text}`;
  }
  return grow(frame, longer, context);
}

function grow(frame: Frame, open: Paragraph, context: FrameContext): Step {
  if (open.text.length < LONGEST_PARAGRAPH) return still({ ...frame, open });
  const { frame: closed, lines } = closeFrame({ ...frame, open }, context);
  if (!open.table) return { frame: { ...closed, roomy: false }, lines };
  // The next part of a long table has the same header.
  const part: Paragraph = { ...open, text: open.table, last: '' };
  return { frame: { ...closed, open: part, gap: true }, lines };
}

function closeParagraph(frame: Frame, open: Paragraph, context: FrameContext): Step {
  const { width, options, shared } = context;
  // The header alone, repeated for a next part that did not come.
  if (open.table === open.text && open.last === '') return still({ ...frame, roomy: true });
  const text = context.preview ? ending(open) : open.text;
  if (open.plain) return print({ ...frame, roomy: false }, drawParagraph(text, proseWidth(width, options)));
  const { lines, links, roomy } = drawLeaf(text, width, options, shared.links);
  shared.links = links;
  return print({ ...frame, roomy, gap: frame.gap || (roomy && frame.printed) }, lines);
}

/** The last part of a long paragraph, beginning at a place that stays while the text grows. */
function ending({ text, table }: Paragraph): string {
  if (text.length < 2 * PREVIEW) return text;
  const from = Math.floor(text.length / PREVIEW - 1) * PREVIEW;
  const place = text.slice(from).search(table ? /\n/ : /[ \n]/);
  const end = text.slice(place < 0 ? from : from + place + 1);
  return table ? `${table}\n${end}` : end;
}

function feedVerbatim(frame: Frame, open: Verbatim, line: SourceLine, context: FrameContext): Step {
  const { text, mode } = line;
  const { width, options } = context;
  switch (open.kind) {
    case 'fence': {
      if (mode !== 'rest' && source.closesFence(text, open)) return closeFrame(frame, context);
      const code = mode === 'rest' ? text : text.slice(Math.min(open.indent, source.indentOf(text)));
      const drawn = drawFenced(code, open, width, options);
      return print({ ...frame, open: { ...open, open: drawn.open } }, drawn.lines);
    }
    case 'indented': {
      if (mode === 'rest') return print(frame, drawCode(text, '', width, options));
      if (source.isBlank(text)) return closeAtBlank(frame, context);
      if (source.indentOf(text) < 4) return closeAndStart(frame, line, context);
      return print(frame, drawCode(text.slice(4), '', width, options));
    }
    default: {
      if (source.isBlank(text) && mode !== 'rest') {
        return open.kind === 'html' && open.end !== '' ? print(frame, [[]]) : closeAtBlank(frame, context);
      }
      const step = print(frame, wrapSpans([{ text }], width));
      const ends = open.end !== '' && text.toLowerCase().includes(open.end);
      return ends ? { ...step, frame: { ...step.frame, open: undefined } } : step;
    }
  }
}

function feedContainer(frame: Frame, open: Container, line: SourceLine, context: FrameContext): Step {
  const { text, mode } = line;
  const blank = source.isBlank(text);
  if (mode !== 'line') return feedInner(frame, open, line, context);
  if (open.kind === 'quote') {
    const content = source.quoted(text);
    if (content !== undefined) return feedInner(frame, open, { text: content, mode }, context);
    if (blank) return closeAtBlank(frame, context);
  } else {
    if (blank) {
      const step = feedInner(frame, open, line, context);
      return { ...step, frame: { ...step.frame, blank: true } };
    }
    if (belongsTo(open, text)) {
      const content = text.slice(Math.min(open.offset, source.indentOf(text)));
      return feedInner({ ...frame, blank: false }, open, { text: content, mode }, context);
    }
    if (isItem(text)) return closeAndStart(frame, line, context);
  }
  if (!frame.blank && endsInParagraph(open.inner) && !source.interruptsParagraph(text)) {
    return feedInner(frame, open, { text, mode: 'lazy' }, context);
  }
  return closeAndStart(frame, line, context);
}

function isItem(text: string): boolean {
  return source.indentOf(text) < 4 && source.itemStart(text) !== undefined && !source.isThematicBreak(text);
}

function feedInner(frame: Frame, open: Container, line: SourceLine, context: FrameContext): Step {
  const { frame: inner, lines } = feedLine(open.inner, line, inside(open, context));
  const fed: Container = { ...open, inner };
  if (fed.kind === 'item' && lines.length > 0) fed.started = true;
  return print({ ...frame, open: fed }, prefixed(open, lines, context));
}

function startBlock(frame: Frame, line: SourceLine, context: FrameContext): Step {
  const { text, mode } = line;
  const separate = (roomy: boolean): Frame => ({
    gap: frame.printed && (frame.blank || frame.roomy || roomy),
    printed: frame.printed,
    blank: false,
    roomy: false,
  });
  const paragraph = (plain: boolean): Step =>
    grow(separate(false), { kind: 'paragraph', text, last: text, plain }, context);
  if (mode !== 'line' || tooDeep(text, context)) return paragraph(true);
  if (source.indentOf(text) > 3) return feedLine({ ...separate(true), open: { kind: 'indented' } }, line, context);
  const fence = source.fenceStart(text);
  if (fence) {
    const label: Line = [{ text: fence.lang, style: { color: 'muted' } }];
    const open: Frame = { ...separate(true), open: { kind: 'fence', open: '', ...fence } };
    return fence.lang === '' ? still(open) : print(open, wrapSpans(label, context.width));
  }
  if (source.isHeading(text)) {
    const heading: Paragraph = { kind: 'paragraph', text, last: text, plain: false };
    return closeFrame({ ...separate(true), open: heading }, context);
  }
  if (source.isThematicBreak(text)) return print(separate(true), [drawRule(context.width, context.options)]);
  const content = source.quoted(text);
  if (content !== undefined) {
    return feedInner(separate(false), { kind: 'quote', inner: EMPTY_FRAME }, { text: content, mode }, context);
  }
  const item = source.itemStart(text);
  if (item) return startItem(frame, item, context);
  const html = source.htmlEnd(text) ?? (source.isLoneTag(text) ? '' : undefined);
  if (html !== undefined) return feedLine({ ...separate(false), open: { kind: 'html', end: html } }, line, context);
  const end = source.formulaEnd(text);
  if (end !== undefined)
    return print({ ...separate(false), open: { kind: 'formula', end } }, wrapSpans([{ text }], context.width));
  return paragraph(false);
}

function startItem(frame: Frame, item: source.ItemStart, context: FrameContext): Step {
  const { list } = frame;
  const goesOn = list?.sign === item.sign;
  const number = goesOn ? list.next : (item.number ?? 0);
  const gap = frame.printed && (frame.blank || frame.roomy || (list !== undefined && !goesOn));
  const bullet = context.options.ascii ? '- ' : '• ';
  const open: ItemBlock = {
    kind: 'item',
    inner: EMPTY_FRAME,
    offset: item.offset,
    marker: item.number === undefined ? bullet : `${number}${item.sign} `,
    numbered: item.number !== undefined,
    started: false,
  };
  const opened: Frame = {
    gap,
    blank: false,
    printed: frame.printed,
    roomy: false,
    list: { sign: item.sign, next: number + 1 },
    open,
  };
  return item.content === '' ? still(opened) : feedInner(opened, open, { text: item.content, mode: 'line' }, context);
}

function tooDeep(text: string, { depth }: FrameContext): boolean {
  return depth >= DEEPEST && (source.quoted(text) !== undefined || source.itemStart(text) !== undefined);
}
