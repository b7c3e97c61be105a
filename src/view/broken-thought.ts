/** A thought in which a Turn broke off. */
import { muted, plural, span, type ViewContext } from './context.ts';
import { sanitizeText } from './sanitize.ts';
import type { Line } from './style.ts';
import type { StepStream } from './transcript.ts';
import { wrapSpans } from './wrap.ts';

const THOUGHT_LINES = 10;

/** Its last lines; what was said after one stands for it. */
export function brokenThought({ text, refusal, thinking }: StepStream, ctx: ViewContext): Line[] {
  const thought = sanitizeText(thinking, ctx).trim();
  if (thought === '' || text !== '' || refusal !== '') return [];
  const lines = wrapSpans([span(thought, { color: 'muted', italic: true })], ctx.width);
  const cut = lines.length - THOUGHT_LINES;
  return cut > 0 ? [[muted(`${ctx.signs.ellipsis} +${plural(cut, 'line')}`)], ...lines.slice(-THOUGHT_LINES)] : lines;
}
