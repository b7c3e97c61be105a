/** Quotes and list items: what belongs inside, how wide the inside is, and the sign before its lines. */
import type { Container, Frame, FrameContext, ItemBlock } from './markdown-block.ts';
import * as source from './markdown-lines.ts';
import type { Line, Span } from './style.ts';
import { displayWidth } from './width.ts';
import { wrapSpans } from './wrap.ts';

/** Fewer columns than this are not left to what is inside a container; its sign goes on a line of its own. */
const NARROWEST = 4;

/** Indented enough; or a list of the other kind, indented at all: it was meant to be inside. */
export function belongsTo(open: ItemBlock, text: string): boolean {
  const indent = source.indentOf(text);
  if (indent >= open.offset) return true;
  const item = indent >= 2 ? source.itemStart(text) : undefined;
  return item !== undefined && (item.number !== undefined) !== open.numbered;
}

export function endsInParagraph({ open }: Frame): boolean {
  if (open?.kind === 'item' || open?.kind === 'quote') return endsInParagraph(open.inner);
  return open?.kind === 'paragraph';
}

function signOf(open: Container, { options }: FrameContext): Span {
  if (open.kind === 'item') return { text: open.marker };
  return { text: options.ascii ? '| ' : '│ ', style: { color: 'quote' } };
}

export function inside(open: Container, context: FrameContext): FrameContext {
  const left = context.width - displayWidth(signOf(open, context).text);
  return { ...context, width: left < NARROWEST ? context.width : left, depth: context.depth + 1 };
}

/** Lines from inside a container with its sign: a quote's before each, an item's before its first. */
export function prefixed(open: Container, lines: Line[], context: FrameContext): Line[] {
  if (lines.length === 0) return lines;
  const sign = signOf(open, context);
  const columns = displayWidth(sign.text);
  if (context.width - columns < NARROWEST) {
    const alone = open.kind === 'item' && !open.started;
    return alone ? [...wrapSpans([{ text: sign.text.trimEnd() }], context.width), ...lines] : lines;
  }
  const short = { ...sign, text: sign.text.trimEnd() };
  if (open.kind === 'quote') return lines.map((line) => (line.length > 0 ? [sign, ...line] : [short]));
  const hang: Span = { text: ' '.repeat(columns) };
  return lines.map((line, index) => {
    if (index === 0 && !open.started) return line.length > 0 ? [sign, ...line] : [short];
    return line.length > 0 ? [hang, ...line] : line;
  });
}
