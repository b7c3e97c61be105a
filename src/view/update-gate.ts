/** Keys while a question is open. Digits and a marked row answer, and only after the grace time; the rest is typed. */
import { type Chat, contextOf, type Moment, noticed, only, type Step } from './chat.ts';
import { answer, approve, changeGate, deny } from './commands.ts';
import { editComposer } from './composer.ts';
import { type GateChoice, type GateRow, type GateView, gateRows, markRow, rowOfDigit, touchGate } from './gate.ts';
import type { KeyAction } from './keymap.ts';
import { gateRoom } from './screen-gate.ts';

/** The rows that are offered on the screen now. */
export const offeredRows = (chat: Chat, gate: GateView, now: number): GateRow[] =>
  gateRows(gate, gateRoom(gate, chat.size, contextOf(chat, now)));

/**
 * What the question takes for itself; without a step the key is left to the draft. The chat has the key's touch in any
 * case. `action` is what the key means at a gate, if anything.
 */
export function gateKey(
  chat: Chat,
  open: GateView,
  action: KeyAction | undefined,
  moment: Moment,
): { chat: Chat; step?: Step } {
  const gate = touchGate(open, moment.now);
  const rows = offeredRows(chat, gate, moment.now);
  const as = (next: GateView): Chat => changeGate(chat, gate.toolExecutionId, () => next);
  if (action === 'gate-choose') {
    const row = gate.armed && gate.marked !== undefined ? rows[gate.marked] : undefined;
    return { chat: as(gate), step: row ? choose(as(gate), gate, row.choice, moment) : only(as(gate)) };
  }
  if (!gate.armed) return { chat: as(gate) };
  if (action === 'gate-previous') return { chat, step: only(as(markRow(gate, rows, -1))) };
  if (action === 'gate-next') return { chat, step: only(as(markRow(gate, rows, 1))) };
  const digit = action === undefined ? undefined : /^gate-(\d)$/.exec(action)?.[1];
  const row = digit === undefined ? undefined : rowOfDigit(rows, digit);
  if (row) return { chat: as(gate), step: choose(as(gate), gate, row.choice, moment) };
  return { chat: as({ ...gate, marked: undefined }) };
}

export function choose(chat: Chat, gate: GateView, choice: GateChoice, moment: Moment): Step {
  switch (choice.kind) {
    case 'once':
    case 'session':
    case 'always':
      return approve(chat, gate, choice.kind, moment.id);
    case 'no':
    case 'decline':
      return deny(chat, gate, '', moment.id);
    case 'choice':
      return answer(chat, gate, choice.text, moment.id);
    case 'view': {
      const overlay = { kind: 'request', toolExecutionId: gate.toolExecutionId, top: 0, seen: false } as const;
      return only({ ...chat, overlay });
    }
    case 'reason':
      return only(askWord(chat, gate, 'reason'));
    case 'words':
      return only(askWord(chat, gate, 'answer'));
  }
}

/** The composer writes a word for the gate; the draft is put aside and comes back after. */
function askWord(chat: Chat, gate: GateView, purpose: 'reason' | 'answer'): Chat {
  const composer = editComposer(chat.composer, { type: 'put-aside', text: '' });
  const focus = { kind: 'word', toolExecutionId: gate.toolExecutionId, purpose } as const;
  const unmarked = changeGate(chat, gate.toolExecutionId, (one) => ({ ...one, marked: undefined }));
  return { ...unmarked, composer, focus, overlay: undefined };
}

/** Enter on the word: it goes with the answer. */
export function giveWord(chat: Chat, gate: GateView, text: string, moment: Moment): Step {
  const purpose = chat.focus.kind === 'word' ? chat.focus.purpose : 'reason';
  if (purpose === 'answer' && text.trim() === '')
    return only(noticed(chat, 'an answer needs a word; Esc goes back', moment.now));
  const back = leaveWord(chat);
  return purpose === 'answer' ? answer(back, gate, text, moment.id) : deny(back, gate, text.trim(), moment.id);
}

/** The draft again. */
export const leaveWord = (chat: Chat): Chat => ({
  ...chat,
  focus: { kind: 'composer' },
  composer: editComposer(chat.composer, { type: 'bring-back' }),
});
