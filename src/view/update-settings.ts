/** Keys of the settings: search, choose, write one. It is saved, and checked, outside; the answer comes back here. */
import type { KeyInput } from '../domain/terminal-input.ts';
import { type Chat, type Moment, only, type Step } from './chat.ts';
import type { Errand } from './errand.ts';
import type { KeyAction } from './keymap.ts';
import { movedTo, typedInto } from './list-keys.ts';
import {
  chosenSetting,
  editedSetting,
  foundSettings,
  newSettings,
  type SettingsOverlay,
  type SettingView,
} from './settings-overlay.ts';
import { refused, told } from './told.ts';

const errand = (asked: Errand) => ({ type: 'Errand', errand: asked }) as const;

export const openSettings = (chat: Chat): Step =>
  only({ ...chat, overlay: newSettings() }, errand({ type: 'ListSettings' }));

/** The rows are there, and what is wrong with where they come from; nothing where the list was closed meanwhile. */
export function fillSettings(chat: Chat, rows: readonly SettingView[], wrong: readonly string[] = []): Chat {
  if (chat.overlay?.kind !== 'settings') return chat;
  const note = wrong.length > 0 ? { text: wrong.join('; '), wrong: true } : chat.overlay.note;
  return { ...chat, overlay: { ...chat.overlay, rows, note } };
}

/** Undefined: it closes. */
export function settingsKey(
  chat: Chat,
  overlay: SettingsOverlay,
  action: KeyAction | undefined,
  input: KeyInput,
): Step | undefined {
  if (action === 'redraw') return only(chat, { type: 'Redraw' });
  if (overlay.edit) return editKey(chat, overlay, overlay.edit, action, input);
  if (action !== undefined && CLOSING.has(action)) return undefined;
  const put = (change: Partial<SettingsOverlay>): Step =>
    only({ ...chat, overlay: { ...overlay, note: undefined, ...change } });
  const to = movedTo(overlay.index, foundSettings(overlay).length, action);
  if (to !== undefined) return put({ index: to });
  if (action === 'overlay-choose') return put(editOf(overlay));
  const query = typedInto(overlay.query, action, input);
  return query === overlay.query ? only(chat) : put({ query, index: 0 });
}

const CLOSING = new Set<KeyAction>(['overlay-close', 'interrupt', 'cancel', 'delete-or-quit']);

/** A secret is written anew; a key that no row has yet is taken by its name. */
function editOf(overlay: SettingsOverlay): Partial<SettingsOverlay> {
  const row = chosenSetting(overlay);
  if (row) return { edit: { key: row.key, text: row.secret ? '' : row.value, saving: false } };
  const key = overlay.query.trim();
  return overlay.rows && key.includes('.') ? { edit: { key, text: '', saving: false } } : {};
}

function editKey(
  chat: Chat,
  overlay: SettingsOverlay,
  edit: NonNullable<SettingsOverlay['edit']>,
  action: KeyAction | undefined,
  input: KeyInput,
): Step {
  const put = (change: Partial<SettingsOverlay>, ...asked: Errand[]): Step =>
    only({ ...chat, overlay: { ...overlay, note: undefined, ...change } }, ...asked.map(errand));
  if (action !== undefined && CLOSING.has(action)) return put({ edit: undefined });
  if (edit.saving) return only(chat);
  const row = editedSetting(overlay);
  if (action === 'overlay-choose') {
    const { key, text } = edit;
    const same = row?.secret ? text === '' : text === (row?.value ?? '');
    if (same) return put({ edit: undefined });
    return put({ edit: { ...edit, saving: true } }, { type: 'StoreSetting', key, ...(text !== '' && { text }) });
  }
  if ((action === 'overlay-up' || action === 'overlay-down') && row && row.choices.length > 0)
    return put({ edit: { ...edit, text: another(row.choices, edit.text, action === 'overlay-up' ? -1 : 1) } });
  const text = typedInto(edit.text, action, input);
  return text === edit.text ? only(chat) : put({ edit: { ...edit, text } });
}

function another(choices: readonly string[], text: string, step: 1 | -1): string {
  const at = choices.indexOf(text);
  const to = at === -1 ? (step === 1 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length;
  return choices[to] ?? text;
}

/** By its first line: into the value that is written, else looked for. */
export function pasteIntoSettings(chat: Chat, overlay: SettingsOverlay, text: string): Chat {
  const line = text.split(/[\r\n]/)[0] ?? '';
  const { edit } = overlay;
  if (edit?.saving) return chat;
  if (edit) return { ...chat, overlay: { ...overlay, note: undefined, edit: { ...edit, text: edit.text + line } } };
  return { ...chat, overlay: { ...overlay, query: overlay.query + line, index: 0, note: undefined } };
}

/** What came of a change. `words`: that it is saved, and what else there is to say, or why nothing was changed. */
export function settingStored(
  chat: Chat,
  { ok, rows, words }: { ok: boolean; rows?: readonly SettingView[]; words: string },
  moment: Pick<Moment, 'now'>,
): Step {
  const { overlay } = chat;
  if (overlay?.kind !== 'settings') return ok ? told(chat, [words], moment.now) : refused(chat, words, moment);
  const { edit } = overlay;
  const note = { text: words, wrong: !ok };
  if (!ok) return only({ ...chat, overlay: { ...overlay, note, ...(edit && { edit: { ...edit, saving: false } }) } });
  const next = { ...overlay, rows: rows ?? overlay.rows, note, edit: undefined };
  const index = foundSettings(next).findIndex(({ key }) => key === edit?.key);
  return only({ ...chat, overlay: { ...next, index: Math.max(0, index) } });
}
