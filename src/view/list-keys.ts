/** Keys of a list that is searched by typing. */
import type { KeyInput } from '../domain/terminal-input.ts';
import type { KeyAction } from './keymap.ts';

const PAGE = 5;

/** Where the choice, or the first row that is seen, goes among `size` rows; undefined: the key does not move it. */
export function movedTo(
  index: number,
  size: number,
  action: KeyAction | undefined,
  page: number = PAGE,
): number | undefined {
  const last = Math.max(0, size - 1);
  const at = Math.min(index, last);
  switch (action) {
    case 'overlay-up':
    case 'older':
      return Math.max(0, at - 1);
    case 'overlay-down':
    case 'newer':
      return Math.min(last, at + 1);
    case 'overlay-page-up':
      return Math.max(0, at - page);
    case 'overlay-page-down':
      return Math.min(last, at + page);
    case 'overlay-start':
      return 0;
    case 'overlay-end':
      return last;
    default:
      return undefined;
  }
}

/** One line of text with its cursor at the end. */
export function typedInto(text: string, action: KeyAction | undefined, input: KeyInput): string {
  if (action === 'backspace') return [...text].slice(0, -1).join('');
  if (action === 'kill-to-start') return '';
  if (action === 'kill-blank-left' || action === 'kill-word-left') return text.replace(/\S*\s*$/, '');
  return input.text === undefined ? text : text + input.text;
}

/** The rows around the chosen one that fit, and where they begin. */
export function windowOf<T>(rows: readonly T[], chosen: number, room: number): { shown: readonly T[]; from: number } {
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), rows.length - room));
  return { shown: rows.slice(from, from + room), from };
}
