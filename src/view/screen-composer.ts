/** The draft, the list of commands above it, and where the real cursor stands. */
import { type Chat, completions, composerWidth, LEAD } from './chat.ts';
import { composerWindow, isEmpty } from './composer.ts';
import { muted, span, type ViewContext } from './context.ts';
import { searchMatch } from './history-search.ts';
import { imageLines } from './named-images.ts';
import { inputLabel } from './queue.ts';
import { sanitizeLine, sanitizeText } from './sanitize.ts';
import type { Line } from './style.ts';
import { displayWidth, truncate } from './width.ts';

export interface ComposerDrawing {
  lines: Line[];
  cursor: { x: number; y: number };
}

const LIST_ROWS = 6;
/** At most `room` lines of draft; the list of commands takes as many again as there are, at most six. */
export function composerDrawing(chat: Chat, room: number, list: boolean, ctx: ViewContext): ComposerDrawing {
  if (chat.focus.kind === 'search') return searchDrawing(chat, chat.focus.query, room, ctx);
  const above = list ? [...listLines(chat, ctx), ...imageLines(chat, ctx)] : [];
  const lead = promptSpan(chat, ctx);
  if (isEmpty(chat.composer)) {
    const lines = [...above, [lead, muted(placeholder(chat))]];
    return { lines, cursor: { x: LEAD, y: above.length } };
  }
  const {
    rows,
    cursor,
    above: hiddenAbove,
    below,
  } = composerWindow(chat.composer, composerWidth(chat.size.columns), room);
  const drawn = rows.map((row, i): Line => {
    const hidden =
      i === 0 && hiddenAbove > 0
        ? ctx.signs.up.charAt(0)
        : i === rows.length - 1 && below > 0
          ? ctx.signs.down.charAt(0)
          : ' ';
    return [i === 0 && hiddenAbove === 0 ? lead : muted(`${hidden} `), span(row.text)];
  });
  return { lines: [...above, ...drawn], cursor: { x: LEAD + cursor.column, y: above.length + cursor.row } };
}

/** The query, and the text that it finds. */
function searchDrawing(chat: Chat, query: string, room: number, ctx: ViewContext): ComposerDrawing {
  const lead = 'history: ';
  const shown = sanitizeText(query, ctx);
  const match = searchMatch(chat);
  const found = match === undefined ? 'nothing found' : sanitizeText(inputLabel([{ type: 'text', text: match }]), ctx);
  const line: Line = [span(lead, { color: 'accent', bold: true }), span(shown)];
  const below: Line = [muted('  '), muted(truncate(found, ctx.width - LEAD, ctx.signs.ellipsis))];
  const cursor = { x: displayWidth(lead + shown), y: 0 };
  return { lines: room > 1 ? [line, below] : [line], cursor };
}

function promptSpan(chat: Chat, ctx: ViewContext) {
  const away = chat.focus.kind === 'queue' || chat.overlay !== undefined;
  return span(`${ctx.signs.prompt} `, away ? { color: 'muted' } : { color: 'accent', bold: true });
}

function placeholder(chat: Chat): string {
  if (chat.focus.kind === 'word')
    return chat.focus.purpose === 'reason'
      ? 'Why not? Enter sends, Esc goes back'
      : 'Your answer. Enter sends, Esc goes back';
  return 'Type a message';
}

function listLines(chat: Chat, ctx: ViewContext): Line[] {
  const found = completions(chat);
  const chosen = Math.min(chat.completion.index, found.length - 1);
  const from = Math.max(0, Math.min(chosen - LIST_ROWS + 2, found.length - LIST_ROWS));
  const lines = found.slice(from, from + LIST_ROWS).map((offer, i): Line => {
    const marked = from + i === chosen;
    const label = sanitizeLine(offer.label, ctx);
    const name = offer.kind === 'command' ? label.padEnd(14) : truncate(label, ctx.width - 3, ctx.signs.ellipsis);
    const help = truncate(offer.help, Math.max(0, ctx.width - 17), ctx.signs.ellipsis);
    return [
      span(`${marked ? ctx.signs.selected : ' '} `, { color: 'accent' }),
      span(name, marked ? { bold: true, color: 'accent' } : { color: 'accent' }),
      muted(` ${help}`),
    ];
  });
  const more = found.length - Math.min(found.length, from + LIST_ROWS);
  return more > 0 ? [...lines, [muted(`  ${ctx.signs.ellipsis} +${more} more`)]] : lines;
}
