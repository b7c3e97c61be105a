/** What stands above everything else, alone on the screen: the help, and a whole request that is too long for a gate. */
import type { Chat } from './chat.ts';
import { muted, type ViewContext } from './context.ts';
import { type GateView, gateRows } from './gate.ts';
import { helpLines } from './help.ts';
import { gateRequestLines, gateRowLines } from './screen-gate.ts';
import type { Line } from './style.ts';
import { activeLoop } from './view-model.ts';

/** The gate whose request is being viewed. */
export function viewedGate(chat: Chat): GateView | undefined {
  const { overlay } = chat;
  if (overlay?.kind !== 'request') return undefined;
  return activeLoop(chat.view)?.gates.find((gate) => gate.toolExecutionId === overlay.toolExecutionId);
}

interface Page {
  body: Line[];
  foot: Line[];
}

/** Lines of the overlay's text that fit, after its foot. */
export function overlayPage(chat: Chat, ctx: ViewContext): { page: Page; height: number; last: number } {
  const page = chat.overlay?.kind === 'request' ? requestPage(chat, ctx) : helpPage(chat, ctx);
  const height = Math.max(1, chat.size.rows - 1 - page.foot.length);
  return { page, height, last: Math.max(0, page.body.length - height) };
}

export function overlayLines(chat: Chat, ctx: ViewContext): Line[] {
  const { page, height, last } = overlayPage(chat, ctx);
  const top = Math.min(topOf(chat), last);
  return [...page.body.slice(top, top + height), ...page.foot].slice(-Math.max(1, chat.size.rows - 1));
}

export const topOf = ({ overlay }: Chat): number =>
  overlay?.kind === 'help' || overlay?.kind === 'request' ? overlay.top : 0;

function helpPage(chat: Chat, ctx: ViewContext): Page {
  return { body: helpLines(chat.settings.keymap, ctx), foot: [[muted(scrollWords(ctx))]] };
}

/** Whether the end of the request was on the screen: only then may it be approved. */
export function wasSeen(chat: Chat, ctx: ViewContext): boolean {
  const gate = viewedGate(chat);
  if (!gate || chat.overlay?.kind !== 'request') return false;
  const foot = gateRowLines(gate, gateRows(gate, 'whole'), ctx).length + 1;
  return chat.overlay.seen || gateRequestLines(gate, ctx).length <= chat.size.rows - 1 - foot;
}

function requestPage(chat: Chat, ctx: ViewContext): Page {
  const gate = viewedGate(chat);
  if (!gate) return { body: [[muted('this question is answered')]], foot: [[muted('Esc closes')]] };
  const seen = wasSeen(chat, ctx);
  const rows = gateRows(gate, 'whole').filter(
    ({ choice }) => seen || choice.kind === 'no' || choice.kind === 'decline',
  );
  const more = seen ? [] : [[muted('read to the end to approve')]];
  return {
    body: gateRequestLines(gate, ctx),
    foot: [...gateRowLines(gate, rows, ctx), ...more, [muted(scrollWords(ctx))]],
  };
}

const scrollWords = (ctx: ViewContext): string =>
  `${ctx.signs.up} ${ctx.signs.down} PgUp PgDn scroll ${ctx.signs.dot} Esc closes`;
