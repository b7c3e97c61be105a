/** What the keys would do now: the line below the status, and what Esc does. */
import { type Chat, completions, composerIsEmpty, openGate } from './chat.ts';
import { muted, plural, type ViewContext } from './context.ts';
import { gateRows } from './gate.ts';
import { isAtWork, type LoopView } from './loop-view.ts';
import { sanitizeText } from './sanitize.ts';
import { gateRoom, howToAnswer } from './screen-gate.ts';
import { STATUS_RANK, statusWords } from './status-bar.ts';
import type { Line } from './style.ts';
import { displayWidth } from './width.ts';

/** What Esc will do now. */
export function escHint(chat: Chat): string {
  if (chat.focus.kind === 'queue') return 'Esc leaves the queue';
  if (chat.focus.kind === 'word') return 'Esc goes back to the question';
  if (chat.focus.kind === 'search') return 'Esc closes the search';
  if (completions(chat).length > 0) return 'Esc closes the list';
  return chat.shell ? 'Esc stops the command' : 'Esc interrupts';
}

/** What stands, then what the keys would do; what does not fit is left out whole, the least telling first. */
export function hintLine(chat: Chat, loop: LoopView | undefined, ctx: ViewContext): Line {
  const dot = ` ${ctx.signs.dot} `;
  const asked = openGate(chat.view) && chat.focus.kind === 'composer';
  const stands = statusWords(chat, loop).map(({ part, text }) => ({ text, rank: STATUS_RANK.indexOf(part) }));
  const keys = keyHints(chat, loop, ctx).map((text, i) => ({
    text,
    rank: asked ? i - 9 : i === 0 ? FIRST_HINT : 9 + i,
  }));
  const along = alongWords(chat).map((text) => ({ text, rank: ALONG }));
  const words = (asked ? [...keys, ...stands] : [...stands, ...along, ...keys]).map((word) => ({
    ...word,
    text: sanitizeText(word.text, ctx),
  }));
  const kept = new Set<(typeof words)[number]>();
  let room = ctx.width - 2;
  for (const word of [...words].sort((a, b) => a.rank - b.rank)) {
    const takes = displayWidth(word.text) + (kept.size > 0 ? displayWidth(dot) : 0);
    if (takes > room) continue;
    kept.add(word);
    room -= takes;
  }
  return [muted(`  ${words.flatMap((word) => (kept.has(word) ? [word.text] : [])).join(dot)}`)];
}

/** What is sent without being seen in the draft is told before all else. */
const ALONG = -1;
const alongWords = ({ outputs, shell }: Chat): string[] =>
  outputs.length === 0 || shell
    ? []
    : [`${plural(outputs.length, 'output')} ${outputs.length === 1 ? 'goes' : 'go'} along`];

/** Behind model, approval and loop. */
const FIRST_HINT = 2.5;

function keyHints(chat: Chat, loop: LoopView | undefined, ctx: ViewContext): string[] {
  if (chat.focus.kind === 'search') return ['Enter takes it', 'Ctrl+R older', 'Esc closes'];
  if (chat.focus.kind !== 'composer') return [];
  const gate = openGate(chat.view);
  const empty = composerIsEmpty(chat);
  if (gate) {
    const how = howToAnswer(gate, gateRows(gate, gateRoom(gate, chat.size, ctx)), empty, ctx);
    return empty ? [how] : [how, 'Tab holds'];
  }
  if (chat.shell) return ['Esc stops the command'];
  if (empty) return ['? keys'];
  const hints = isAtWork(loop, ctx.now) ? ['Enter queues', 'Tab holds for the next turn'] : ['Enter sends'];
  return ctx.width >= 76 ? [...hints, 'Ctrl+J new line'] : hints;
}
