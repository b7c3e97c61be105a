/** For a screen reader: what opens above the chat, as numbered lines that are said once. */
import type { Chat } from './chat.ts';
import type { ViewContext } from './context.ts';
import { helpLines } from './help.ts';
import { foundItems, type Picker, pickerDrawing } from './picker.ts';
import { overlayLines } from './screen-overlay.ts';
import {
  chosenSetting,
  editedSetting,
  foundSettings,
  type SettingsOverlay,
  type SettingView,
} from './settings-overlay.ts';
import { lineText } from './style.ts';
import { type TranscriptOverlay, transcriptDrawing } from './transcript-overlay.ts';

/** Of a long list so many are read at once. */
const MOST = 20;

export function overlayWords(before: Chat, after: Chat, ctx: ViewContext): string[] {
  const [from, to] = [before.overlay, after.overlay];
  if (from === to) return [];
  if (!to) return ['Closed.'];
  switch (to.kind) {
    case 'picker':
      return pickerWords(from?.kind === 'picker' ? from : undefined, to, ctx);
    case 'help':
      return from?.kind === 'help' ? [] : [...helpLines(after.settings.keymap, ctx).map(lineText), 'Esc closes.'];
    case 'transcript':
      return fresh(from?.kind === 'transcript' ? pageOf(before, from, ctx) : [], pageOf(after, to, ctx));
    case 'settings':
      return settingsWords(from?.kind === 'settings' ? from : undefined, to);
    default:
      return fresh(from ? overlayLines(before, ctx).map(lineText) : [], overlayLines(after, ctx).map(lineText));
  }
}

const pageOf = (chat: Chat, overlay: TranscriptOverlay, ctx: ViewContext): string[] =>
  transcriptDrawing(chat, overlay, ctx).lines.map(lineText);

/** Lines that were not on the page before. */
const fresh = (before: readonly string[], after: readonly string[]): string[] =>
  after.map((line) => line.trim()).filter((line) => line !== '' && !before.some((one) => one.trim() === line));

function pickerWords(before: Picker | undefined, after: Picker, ctx: ViewContext): string[] {
  const words: string[] = [];
  const found = foundItems(after);
  const item = (i: number): string => [found[i]?.title, ...(found[i]?.facts ?? [])].join(', ');
  if (!before) words.push(lineText(pickerDrawing({ ...after, items: undefined }, 10, ctx).lines[0] ?? []));
  if (after.items === undefined) return [...words, 'Looking.'];
  if (after.items !== before?.items || after.query !== before.query) {
    words.push(found.length === 0 ? 'Nothing found.' : `${found.length} to choose from, type to search:`);
    words.push(...found.slice(0, MOST).map((_, i) => `${i + 1} ${item(i)}`));
    if (found.length > MOST) words.push(`and ${found.length - MOST} more`);
  }
  const chosen = Math.min(after.index, found.length - 1);
  const sameList = after.items === before?.items && after.query === before.query;
  if (found.length > 0 && !(sameList && after.index === before.index))
    words.push(`Chosen ${chosen + 1} ${item(chosen)}`);
  if (after.note !== '' && after.note !== before?.note) words.push(after.note);
  if (after.state === 'opening' && before?.state !== 'opening') words.push('Opening.');
  if (!before || before.items === undefined) words.push('Up and Down choose, Enter takes it, Esc closes.');
  return words;
}

const settingWords = ({ key, value }: SettingView): string => `${key}: ${value || 'not set'}`;

function settingsWords(before: SettingsOverlay | undefined, after: SettingsOverlay): string[] {
  const words = before ? [] : ['Settings'];
  if (after.rows === undefined) return [...words, 'Looking.'];
  const found = foundSettings(after);
  const sameList = after.rows === before?.rows && after.query === before.query;
  if (!sameList && !after.edit) {
    words.push(found.length === 0 ? 'Nothing found.' : `${found.length} to choose from, type to search:`);
    words.push(...found.map((row, i) => `${i + 1} ${settingWords(row)}`));
  }
  const chosen = chosenSetting(after);
  if (after.note && after.note !== before?.note) words.push(`Note: ${after.note.text}`);
  if (!chosen || after.edit) {
    const begins = after.edit && after.edit.key !== before?.edit?.key;
    return begins
      ? [
          ...words,
          `Writing ${after.edit?.key}. Allowed: ${editedSetting(after)?.allowed ?? 'any value'}. Enter keeps it.`,
        ]
      : words;
  }
  if (!sameList || after.index !== before.index)
    words.push(`Chosen ${found.indexOf(chosen) + 1} ${settingWords(chosen)}. ${chosen.help}`);
  if (before?.rows === undefined) words.push('Up and Down choose, Enter changes it, Esc closes.');
  return words;
}
