/** Keys of an overlay: scrolling, closing, and the answers to a request that was read to its end. */
import type { KeyInput } from '../domain/terminal-input.ts';
import { type Chat, contextOf, type Moment, only, type Step } from './chat.ts';
import { appeared, gateRows, rowOfDigit } from './gate.ts';
import type { KeyAction } from './keymap.ts';
import { movedTo } from './list-keys.ts';
import { overlayPage, topOf, viewedGate, wasSeen } from './screen-overlay.ts';
import { transcriptKey } from './transcript-overlay-keys.ts';
import { choose } from './update-gate.ts';
import { pickerKey } from './update-picker.ts';
import { settingsKey } from './update-settings.ts';

export function overlayKey(chat: Chat, action: KeyAction | undefined, input: KeyInput, moment: Moment): Step {
  if (chat.overlay?.kind === 'picker') {
    const step = pickerKey(chat, chat.overlay, action, input, moment) ?? only({ ...chat, overlay: undefined });
    return step.chat.overlay ? step : { ...step, chat: closed(step.chat, moment) };
  }
  if (chat.overlay?.kind === 'settings')
    return settingsKey(chat, chat.overlay, action, input) ?? only(closed(chat, moment));
  if (chat.overlay?.kind === 'transcript')
    return transcriptKey(chat, chat.overlay, action, input, moment) ?? only(closed(chat, moment));
  const { height, last } = overlayPage(chat, contextOf(chat, moment.now));
  const top = Math.min(topOf(chat), last);
  const to = movedTo(top, last + 1, action, Math.max(1, height - 1));
  if (to !== undefined) return only(seenTo(chat, to, last));
  if (action === 'overlay-close' || action === 'interrupt' || action === 'cancel') return only(closed(chat, moment));
  if (action === 'redraw') return only(chat, { type: 'Redraw' });
  const gate = viewedGate(chat);
  const digit = action === undefined ? undefined : /^gate-(\d)$/.exec(action)?.[1];
  if (gate && digit !== undefined) {
    const row = rowOfDigit(gateRows(gate, 'whole'), digit);
    const harmless = row?.choice.kind === 'no' || row?.choice.kind === 'decline';
    const seen = wasSeen(chat, contextOf(chat, moment.now));
    return row && (seen || harmless) ? choose(chat, gate, row.choice, moment) : only(chat);
  }
  const leaves = !gate && (action === 'overlay-choose' || input.text === 'q' || input.text === '?');
  return only(leaves ? closed(chat, moment) : chat);
}

function seenTo(chat: Chat, top: number, last: number): Chat {
  if (chat.overlay?.kind !== 'request' && chat.overlay?.kind !== 'help') return chat;
  if (chat.overlay.kind === 'help') return { ...chat, overlay: { ...chat.overlay, top } };
  // The answers that are offered now take rows: the end stays in sight.
  const end = top >= last;
  return {
    ...chat,
    overlay: { ...chat.overlay, top: end ? Number.MAX_SAFE_INTEGER : top, seen: chat.overlay.seen || end },
  };
}

/** A question that the overlay hid appears anew: its grace time begins. */
function closed(chat: Chat, { now }: Moment): Chat {
  const view = {
    ...chat.view,
    loops: chat.view.loops.map((loop) =>
      loop.gates.length === 0 ? loop : { ...loop, gates: loop.gates.map((gate) => appeared(gate, now)) },
    ),
  };
  return { ...chat, overlay: undefined, view };
}
