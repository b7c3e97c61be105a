/**
 * Which slash command does what a key does (contract: every action has a slash command as well), or why none does: the
 * key edits text, or moves within what is open. The compiler asks for every key of the table.
 */
import type { keyBindings } from './key-bindings.ts';
import type { SlashName } from './slash-commands.ts';

type Bound = (typeof keyBindings)[number]['action'];

/** A command with its words; `text`: it writes or edits the draft; `place`: it moves in, or closes, what is open. */
export type Twin = `/${SlashName}` | `/${SlashName} ${string}` | 'text' | 'place';

export const KEY_TWINS: Record<Bound, Twin> = {
  send: 'text',
  hold: '/hold TEXT',
  newline: 'text',
  up: 'text',
  down: 'text',
  'enter-queue': '/queue',
  older: 'text',
  newer: 'text',
  'search-history': '/history',
  'edit-outside': '/editor',
  left: 'text',
  right: 'text',
  'word-left': 'text',
  'word-right': 'text',
  'line-start': 'text',
  'line-end': 'text',
  'text-start': 'text',
  'text-end': 'text',
  backspace: 'text',
  delete: 'text',
  'kill-word-left': 'text',
  'kill-blank-left': 'text',
  'kill-word-right': 'text',
  'kill-to-start': 'text',
  'kill-to-end': 'text',
  yank: 'text',
  'yank-earlier': 'text',
  undo: 'text',
  redo: 'text',
  help: '/help',

  'completion-take': 'text',
  'completion-previous': 'place',
  'completion-next': 'place',
  'completion-close': 'place',

  'queue-previous': 'place',
  'queue-next': 'place',
  'queue-retract': '/retract N',
  'queue-retract-all': '/retract all',
  'queue-edit': '/edit N',
  'queue-hold': '/fold N',
  'queue-send-now': '/send-now N',
  'queue-move-up': '/move N M',
  'queue-move-down': '/move N M',
  'queue-back': 'place',

  'gate-1': '/approve once',
  'gate-2': '/approve session',
  'gate-3': '/approve always',
  'gate-4': '/deny',
  'gate-5': '/deny WHY',
  'gate-6': '/answer TEXT',
  'gate-7': '/answer TEXT',
  'gate-8': '/answer TEXT',
  'gate-9': '/answer TEXT',
  'gate-previous': 'place',
  'gate-next': 'place',
  'gate-choose': '/approve',

  'overlay-up': 'place',
  'overlay-down': 'place',
  'overlay-page-up': 'place',
  'overlay-page-down': 'place',
  'overlay-start': 'place',
  'overlay-end': 'place',
  'overlay-choose': 'place',
  'overlay-search': 'place',
  'overlay-next': 'place',
  'overlay-earlier': 'place',
  'overlay-turn-back': 'place',
  'overlay-turn-next': 'place',
  'overlay-raw': 'place',
  'overlay-copy': '/copy',
  'overlay-copy-code': '/copy code',
  'overlay-close': 'place',

  interrupt: '/interrupt',
  cancel: '/interrupt',
  'delete-or-quit': '/quit',
  unfold: '/output',
  transcript: '/transcript',
  redraw: '/redraw',
  'approval-mode': '/approvals',
  'use-local': '/use',
  suspend: '/suspend',
};

/** As help names it; nothing where the key has none. */
export function twinOf(action: string): string | undefined {
  const twin = Object.hasOwn(KEY_TWINS, action) ? KEY_TWINS[action as Bound] : undefined;
  return twin?.startsWith('/') ? twin : undefined;
}
