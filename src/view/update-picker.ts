/** Keys of a picker, and what becomes of a choice: another session in this terminal, once this one may be left. */
import type { KeyInput } from '../domain/terminal-input.ts';
import { type Chat, type Moment, noticed, only, type Step } from './chat.ts';
import type { Opening } from './errand.ts';
import type { KeyAction } from './keymap.ts';
import { movedTo, typedInto } from './list-keys.ts';
import { chosenItem, foundItems, newPicker, type Picker, type PickerItem, type PickerPurpose } from './picker.ts';
import { told } from './told.ts';
import { chooseModel } from './update-model.ts';
import { leaving, workAtHand } from './update-quit.ts';

export function openPicker(chat: Chat, purpose: 'sessions' | 'steps'): Step {
  const errand = { type: purpose === 'sessions' ? 'ListSessions' : 'ListSteps' } as const;
  return only({ ...chat, overlay: newPicker(purpose) }, { type: 'Errand', errand });
}

/** The rows are there, the one in use chosen, or what was typed meanwhile finds first; nothing where the picker was closed meanwhile. */
export function fillPicker(
  chat: Chat,
  purpose: PickerPurpose,
  items: readonly PickerItem[],
  { of, note }: { of?: string; note?: string } = {},
): Chat {
  const { overlay } = chat;
  if (overlay?.kind !== 'picker' || overlay.purpose !== purpose || overlay.of !== of) return chat;
  const present = overlay.query === '' ? items.findIndex((item) => item.present) : 0;
  return { ...chat, overlay: { ...overlay, items, index: Math.max(0, present), note: note ?? overlay.note } };
}

/** Undefined: it closes. */
export function pickerKey(
  chat: Chat,
  picker: Picker,
  action: KeyAction | undefined,
  input: KeyInput,
  moment: Moment,
): Step | undefined {
  const put = (change: Partial<Picker>): Step => only({ ...chat, overlay: { ...picker, ...change } });
  if (picker.state === 'opening' && !picker.alone) return only(chat);
  if (action !== undefined && CLOSING.has(action))
    return picker.alone ? only(leaving(chat), { type: 'Quit' }) : undefined;
  if (action === 'redraw') return only(chat, { type: 'Redraw' });
  if (picker.state === 'opening') return only(chat);
  const to = movedTo(picker.index, foundItems(picker).length, action);
  if (to !== undefined) return put({ index: to, state: 'choosing', note: '' });
  if (action === 'overlay-choose') return choose(chat, picker, moment);
  const query = typedInto(picker.query, action, input);
  return query === picker.query ? only(chat) : put({ query, index: 0, state: 'choosing', note: '' });
}

const CLOSING = new Set<KeyAction>(['overlay-close', 'interrupt', 'cancel', 'delete-or-quit']);

/** A paste is looked for by its first line. */
export const searchFor = (chat: Chat, picker: Picker, text: string): Chat => {
  const query = picker.query + (text.split(/[\r\n]/)[0] ?? '');
  return { ...chat, overlay: { ...picker, query, index: 0, state: 'choosing', note: '' } };
};

function choose(chat: Chat, picker: Picker, { now, id }: Moment): Step {
  const item = chosenItem(picker);
  if (!item) return only(chat);
  if (item.refusal !== undefined) return only({ ...chat, overlay: { ...picker, note: item.refusal } });
  if (picker.purpose === 'models' || picker.purpose === 'providers') return chooseModel(chat, picker, item, id);
  const opening = openingOf(picker.purpose, item.id);
  const work = workAtHand(chat);
  if (work !== undefined && picker.state !== 'sure')
    return only({
      ...chat,
      overlay: { ...picker, state: 'sure', note: `${work}: Enter again ends this session first` },
    });
  return open({ ...chat, overlay: { ...picker, state: 'opening', note: '' } }, opening, now);
}

const openingOf = (purpose: PickerPurpose, id: string): Opening =>
  purpose === 'sessions' ? { kind: 'session', sessionId: id } : { kind: 'fork', at: Number(id) };

const open = (chat: Chat, opening: Opening, now: number): Step =>
  only(chat.overlay ? chat : noticed(chat, 'opening', now), { type: 'Errand', errand: { type: 'Open', opening } });

/** Without a picker: with work at hand it is asked once whether this session may end. */
const SURE_MS = 10_000;
export function openSession(chat: Chat, opening: Opening, { now }: Moment): Step {
  const work = workAtHand(chat);
  if (work === undefined || now < chat.leaveUntil) return open(chat, opening, now);
  const words = `${work}: once more ends this session first`;
  return only(noticed({ ...chat, leaveUntil: now + SURE_MS }, words, now, 'warning'));
}

/** It could not be opened: the present session stays. One line says why. */
export function openRefused(chat: Chat, why: string, now: number): Step {
  const { overlay } = chat;
  if (overlay?.kind === 'picker') return only({ ...chat, overlay: { ...overlay, state: 'choosing', note: why } });
  return told({ ...chat, notice: undefined }, [why], now);
}
