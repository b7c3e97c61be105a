/** Entries of the transcript as lines, drawn when they are looked at and remembered as long as the entry is. */
import { hanging, muted, span, type ViewContext } from './context.ts';
import { renderMarkdown } from './markdown.ts';
import { sanitizeText } from './sanitize.ts';
import type { Line, Span, Style } from './style.ts';
import type { Entry } from './transcript-overlay-entry.ts';
import { wrapSpans } from './wrap.ts';

export interface DrawContext {
  ctx: ViewContext;
  /** Answers as they were written. */
  raw: boolean;
}
interface Drawn extends DrawContext {
  lines: readonly Line[];
}

// A pure function's memory: gone with the entries.
const drawn = new WeakMap<Entry, Drawn>();

/** The lines of an entry, at least one. */
export function entryLines(entry: Entry, { ctx, raw }: DrawContext): readonly Line[] {
  const known = drawn.get(entry);
  if (
    known &&
    known.raw === raw &&
    known.ctx.width === ctx.width &&
    known.ctx.ascii === ctx.ascii &&
    known.ctx.highlight === ctx.highlight
  )
    return known.lines;
  const body = bodyLines(entry, ctx, raw);
  const lines = entry.goesOn ? body : [[], ...body];
  drawn.set(entry, { ctx, raw, lines });
  return lines;
}

function bodyLines(entry: Entry, ctx: ViewContext, raw: boolean): Line[] {
  const { signs, width } = ctx;
  const text = sanitizeText(entry.text, ctx);
  switch (entry.kind) {
    case 'input':
    case 'folded': {
      const lead = span(`${signs.prompt} `, { color: 'accent', bold: true });
      const note = entry.kind === 'folded' ? [muted(`  ${signs.dot} folded into the turn`)] : [];
      return hanging(lead, [span(text, { bold: true }), ...note], width, 2);
    }
    case 'thinking':
      return hanging(muted('  '), [span(text, { color: 'muted', italic: true })], width, 2);
    case 'answer': {
      const refused: Line[] = entry.title ? [[span(entry.title, { color: 'warning' })]] : [];
      const said = raw
        ? wrapSpans([span(text)], width)
        : renderMarkdown(entry.text, width, { ascii: ctx.ascii, highlight: ctx.highlight });
      return atLeastOne([...refused, ...said]);
    }
    case 'call': {
      const head = hanging(
        span(`${signs.running} `, { color: 'accent' }),
        [titleSpan(entry, ctx, { bold: true })],
        width,
      );
      return text === '' ? head : [...head, ...under(text, {}, ctx)];
    }
    case 'output':
      return under(text, { color: entry.failed ? 'error' : 'muted' }, ctx);
    case 'status': {
      const color = entry.failed ? 'warning' : 'success';
      const lead = span(`${entry.failed ? signs.stopped : signs.done} `, { color });
      return hanging(
        lead,
        [titleSpan(entry, ctx, { bold: true, color }), muted(text && ` ${signs.dot} ${text}`)],
        width,
      );
    }
    case 'note':
      return hanging(muted(`${signs.dot} `), [muted(text)], width, 2);
  }
}

const titleSpan = ({ title = '' }: Entry, ctx: ViewContext, style: Style): Span =>
  span(sanitizeText(title, ctx), style);

/** Indented under a call; nothing of it is left out. */
const under = (text: string, style: Style, { width }: ViewContext): Line[] =>
  text.split('\n').flatMap((line) => hanging(span('    '), [span(line, style)], width, 4));

const atLeastOne = (lines: Line[]): Line[] => (lines.length > 0 ? lines : [[]]);
