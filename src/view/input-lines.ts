/** An input in the transcript, with the receipt of what became of it beside it. */
import type { InputBlock } from '../domain/content.ts';
import { attachmentNames, namelessImages, ownText } from './attachment.ts';
import { hanging, muted, plural, span, type ViewContext } from './context.ts';
import { inputLabel, type Receipt } from './queue.ts';
import { sanitizeLine, sanitizeText } from './sanitize.ts';
import { spokenInput, spokenReceipt } from './spoken.ts';
import { type Line, lineWidth, type Span } from './style.ts';
import { displayWidth, truncate } from './width.ts';

/** A long input is shown by its beginning: the whole of it is in the journal. */
const USER_LINES = 40;

export function userLines(blocks: readonly InputBlock[], receipt: Receipt | undefined, ctx: ViewContext): Line[] {
  const text = sanitizeText(ownText(blocks).trimEnd(), ctx);
  const shown = text === '' ? inputLabel(blocks) : text;
  if (ctx.spoken) return spokenInput(`${shown}${spokenNames(blocks)}`, receipt ? receiptText(receipt) : '', ctx);
  const lead = span(`${ctx.signs.prompt} `, { color: 'accent', bold: true });
  const lines = hanging(lead, [span(shown, { bold: true })], ctx.width, 2);
  const images = namelessImages(blocks);
  const more = lines.length - USER_LINES;
  const kept = more > 0 ? [...lines.slice(0, USER_LINES), [muted(`  ${ctx.signs.ellipsis} +${more} lines`)]] : lines;
  if (images > 0 && text !== '') kept.push([muted(`  [${plural(images, 'image')}]`)]);
  const said = receipt ? beside(kept, receiptText(receipt), ctx) : kept;
  return [...said, ...attachmentNames(blocks).map((name) => attachmentLine(name, ctx))];
}

const spokenNames = (blocks: readonly InputBlock[]): string =>
  attachmentNames(blocks)
    .map((name) => `\n[${name}]`)
    .join('');

const attachmentLine = (name: string, ctx: ViewContext): Line => [
  muted(truncate(`  [${sanitizeLine(name, ctx)}]`, ctx.width, ctx.signs.ellipsis)),
];

const receiptText = (receipt: Receipt): string =>
  receipt.agency === 'machine' ? `${receipt.text}, from a machine` : receipt.text;

function beside(lines: Line[], note: string, ctx: ViewContext): Line[] {
  const tail: Span = muted(`  ${ctx.signs.dot} ${note}`);
  const last = lines.at(-1) ?? [];
  if (lineWidth(last) + displayWidth(tail.text) > ctx.width) return [...lines, [tail]];
  return [...lines.slice(0, -1), [...last, tail]];
}

export function receiptLines(receipt: Receipt, ctx: ViewContext): Line[] {
  const sign = receipt.outcome === 'rejected' ? ctx.signs.failed : ctx.signs.returned;
  // of one that was rejected in an earlier run nothing was journaled
  const unknown = receipt.outcome === 'rejected' && receipt.blocks.length === 0;
  const label = unknown ? 'an input' : sanitizeText(inputLabel(receipt.blocks), ctx);
  if (ctx.spoken) return spokenReceipt(receiptText(receipt), label, ctx);
  const lead = span(`${sign} `, { color: receipt.outcome === 'rejected' ? 'error' : 'muted' });
  return beside(hanging(lead, [muted(label)], ctx.width, 2).slice(0, 2), receiptText(receipt), ctx);
}
