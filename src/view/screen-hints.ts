/** What the keys would do now: the line below the status, and what Esc does. */
import { type Chat, completions, composerIsEmpty, openGate } from './chat.ts';
import { muted, plural, type ViewContext } from './context.ts';
import { gateRows } from './gate.ts';
import { isBusy, type LoopView } from './loop-view.ts';
import { sanitizeText } from './sanitize.ts';
import { gateRoom, howToAnswer } from './screen-gate.ts';
import type { Line } from './style.ts';

/** What Esc will do now. */
export function escHint(chat: Chat): string {
  if (chat.focus.kind === 'queue') return 'Esc leaves the queue';
  if (chat.focus.kind === 'word') return 'Esc goes back to the question';
  if (chat.focus.kind === 'search') return 'Esc closes the search';
  if (completions(chat).length > 0) return 'Esc closes the list';
  return chat.shell ? 'Esc stops the command' : 'Esc interrupts';
}

export function hintLine(chat: Chat, loop: LoopView | undefined, ctx: ViewContext): Line {
  const dot = ` ${ctx.signs.dot} `;
  const demo = loop?.provider ? loop.provider === 'demo' : chat.settings.demo;
  const left = demo ? ['demo model'] : [loop?.model || chat.settings.label];
  // what stops a command is told first
  if (!chat.shell)
    left.push({ ask: 'asks before changes', auto: 'auto-approves', deny: 'denies changes' }[chat.view.approval]);
  if (chat.view.loops.length > 1) left.push(loopsWord(chat, loop));
  const hints = keyHints(chat, loop, ctx);
  const asked = openGate(chat.view) && chat.focus.kind === 'composer';
  const kept: string[] = [];
  for (const word of asked ? [...hints, ...left] : [...left, ...hints])
    if (kept.concat(word).join(dot).length + 2 <= ctx.width) kept.push(sanitizeText(word, ctx));
  return [muted(`  ${kept.join(dot)}`)];
}

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
  const along = chat.outputs.length > 0 ? [`${plural(chat.outputs.length, 'output')} goes along`] : [];
  if (empty) return [...along, '? keys'];
  const hints = isBusy(loop) ? ['Enter queues', 'Tab holds for the next turn'] : ['Enter sends'];
  return ctx.width >= 76 ? [...hints, 'Ctrl+J new line'] : hints;
}

function loopsWord(chat: Chat, loop: LoopView | undefined): string {
  const { loops } = chat.view;
  const at = (loop ? loops.indexOf(loop) : 0) + 1;
  const busy = loops.filter((one) => one !== loop && one.turn).length;
  const asking = loops.filter((one) => one !== loop && one.gates.length > 0).length;
  return `loop ${at} of ${loops.length}${asking > 0 ? `, ${asking} asks` : busy > 0 ? `, ${busy} busy` : ''}`;
}
