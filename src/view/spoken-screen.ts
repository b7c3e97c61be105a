/** For a screen reader the screen is one line: what is being written now, as it is. Everything else was said once. */
import { type Chat, composerWidth, LEAD } from './chat.ts';
import { contextOf } from './chat-state.ts';
import { composerWindow } from './composer.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Screen } from './screen.ts';
import { isSecretName } from './secret-setting.ts';
import { editedSetting } from './settings-overlay.ts';
import { displayWidth, truncate } from './width.ts';

export function spokenScreen(chat: Chat, now: number): Screen {
  const { text, x } = writtenLine(chat, now);
  const most = Math.max(1, chat.size.columns - 1);
  const shown = truncate(text, most, '');
  return { lines: [shown], widths: [displayWidth(shown)], cursor: { x: Math.min(x, most), y: 0 }, wakeAt: undefined };
}

function writtenLine(chat: Chat, now: number): { text: string; x: number } {
  const asked = askedLine(chat);
  if (asked !== undefined) {
    const text = sanitizeLine(asked, contextOf(chat, now));
    return { text, x: displayWidth(text) };
  }
  // the row of the cursor alone: an earlier line is never touched again
  const { rows, cursor, above } = composerWindow(chat.composer, composerWidth(chat.size.columns), 1);
  return { text: `${above > 0 ? '+' : '>'} ${rows[0]?.text ?? ''}`, x: LEAD + cursor.column };
}

/** What is typed elsewhere than in the composer; a page to be read takes no text. */
function askedLine({ overlay, focus }: Chat): string | undefined {
  switch (overlay?.kind) {
    case undefined:
      return focus.kind === 'search' ? `search: ${focus.query}` : undefined;
    case 'picker':
      return `search: ${overlay.query}`;
    case 'settings': {
      const { edit, query } = overlay;
      if (!edit) return `search: ${query}`;
      const secret = editedSetting(overlay)?.secret ?? isSecretName(edit.key);
      return `${edit.key} = ${secret ? '*'.repeat([...edit.text].length) : edit.text}`;
    }
    default:
      return '';
  }
}
