/** Keys while a question is open. Digits and a marked row answer, and only after the grace time; the rest is typed. */
import type { KeyInput } from '../domain/terminal-input.ts';
import { type Chat, composerIsEmpty, contextOf, type Moment, noticed, only, type Step } from './chat.ts';
import { answer, approve, changeGate, deny } from './commands.ts';
import { editComposer } from './composer.ts';
import {
  digitAnswers,
  type GateChoice,
  type GateRow,
  type GateView,
  gateRows,
  markRow,
  rowOfDigit,
  touchGate,
  typeAtGate,
} from './gate.ts';
import type { KeyAction } from './keymap.ts';
import { gateRoom, howToAnswer } from './screen-gate.ts';

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
  input: KeyInput,
  moment: Moment,
): { chat: Chat; step?: Step } {
  const empty = composerIsEmpty(chat);
  const gate = touchGate(open, moment.now);
  const rows = offeredRows(chat, gate, moment.now);
  const as = (next: GateView): Chat => changeGate(chat, gate.toolExecutionId, () => next);
  if (action === 'gate-choose') {
    const row = gate.armed && gate.marked !== undefined ? rows[gate.marked] : undefined;
    if (row) return { chat: as(gate), step: choose(as(gate), gate, row.choice, moment) };
    return {
      chat,
      step: only(noticed(as(gate), howToAnswer(gate, rows, empty, contextOf(chat, moment.now)), moment.now)),
    };
  }
  if (gate.armed && action === 'gate-previous') return { chat, step: only(as(markRow(gate, rows, -1))) };
  if (gate.armed && action === 'gate-next') return { chat, step: only(as(markRow(gate, rows, 1))) };
  const digit = action === undefined ? undefined : /^gate-(\d)$/.exec(action)?.[1];
  if (digit !== undefined && digitAnswers(open, empty, moment.now)) {
    const row = rowOfDigit(rows, digit);
    // one that is not offered is a slip: it goes to the draft, and the right one may follow
    return row
      ? { chat: as(gate), step: choose(as(gate), gate, row.choice, moment) }
      : { chat: as({ ...open, armed: true }) };
  }
  return { chat: as(input.text === undefined ? gate : typeAtGate(gate, input.text, empty)) };
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
