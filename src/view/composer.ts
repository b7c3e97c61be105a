import { completed, erased, keptKills, killed, pasted, typed, yanked, yankedEarlier } from './composer-edit.ts';
import {
  afterSending,
  broughtBack,
  isUntouchedEntry,
  putAside,
  replacedBy,
  wentDown,
  wentNewer,
  wentOlder,
  wentUp,
} from './composer-history.ts';
import { blankLeftOf, leftOf, lineEndOf, lineStartOf, rightOf, wordLeftOf, wordRightOf } from './composer-motion.ts';
import { type ComposerState, composerText, endOf, lineAt, movedTo, redone, undone } from './composer-state.ts';
import { withoutSecret } from './secret-setting.ts';

/**
 * The editor of the next message: a pure fold of what keys mean (contract: keys of the composer). Movement and deletion
 * go by what a person sees as one character; large pastes stand in the text as one.
 */
export { isBrowsing } from './composer-history.ts';
export { composerRows, composerWindow } from './composer-layout.ts';
export { type ComposerState, composerText, emptyComposer, isEmpty } from './composer-state.ts';

/**
 * What would be lost if the program ended now, as it may be kept: the draft itself where the history is only looked
 * through; all drafts.
 */
export function draftText(state: ComposerState): string {
  const { browsing, pastes, aside } = state;
  const current = browsing && isUntouchedEntry(state) ? browsing.draft : state;
  const texts = [...aside, current].map(({ lines }) => withoutSecret(composerText({ lines, pastes })));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Edits that need nothing but the state; the names are those of the keymap's actions. */
const plainEdits = {
  newline: (state: ComposerState) => typed(state, '\n'),
  backspace: (state: ComposerState) => erased(state, leftOf(state)),
  delete: (state: ComposerState) => erased(state, rightOf(state)),
  left: (state: ComposerState) => movedTo(state, leftOf(state)),
  right: (state: ComposerState) => movedTo(state, rightOf(state)),
  'word-left': (state: ComposerState) => movedTo(state, wordLeftOf(state)),
  'word-right': (state: ComposerState) => movedTo(state, wordRightOf(state)),
  'line-start': (state: ComposerState) => movedTo(state, lineStartOf(state)),
  'line-end': (state: ComposerState) => movedTo(state, lineEndOf(state)),
  'text-start': (state: ComposerState) => movedTo(state, { line: 0, offset: 0 }),
  'text-end': (state: ComposerState) => movedTo(state, endOf(state.lines)),
  'kill-word-left': (state: ComposerState) => killed(state, wordLeftOf(state)),
  'kill-word-right': (state: ComposerState) => killed(state, wordRightOf(state)),
  'kill-blank-left': (state: ComposerState) => killed(state, blankLeftOf(state)),
  'kill-to-start': (state: ComposerState) => killed(state, orLineEnd(state, lineStartOf(state), leftOf(state))),
  'kill-to-end': (state: ComposerState) => killed(state, orLineEnd(state, lineEndOf(state), rightOf(state))),
  yank: yanked,
  'yank-earlier': yankedEarlier,
  undo: undone,
  redo: redone,
  /** Nothing; undo brings the text back. */
  clear: (state: ComposerState) => replacedBy(state, ''),
  'bring-back': broughtBack,
  /** What stands there was accepted: an empty composer, or the draft that was put aside. */
  sent: (state: ComposerState) => afterSending(state, keptKills(state.killRing)),
  /** The history's next entry, from wherever the cursor is. */
  newer: wentNewer,
} as const satisfies Record<string, (state: ComposerState) => ComposerState>;

export type PlainEdit = keyof typeof plainEdits;

export type ComposerAction =
  | { readonly type: PlainEdit }
  | { readonly type: 'insert' | 'paste' | 'set' | 'put-aside'; readonly text: string }
  /** In place of the text between `from`, an offset in the line of the cursor, and the cursor. */
  | { readonly type: 'complete'; readonly from: number; readonly text: string }
  /** `width` is that of `composerRows`; `history` has the oldest first. */
  | { readonly type: 'up'; readonly width: number; readonly history: readonly string[] }
  | { readonly type: 'down'; readonly width: number }
  | { readonly type: 'older'; readonly history: readonly string[] };

/** The next state; the very same object where the action changes nothing. */
export function editComposer(state: ComposerState, action: ComposerAction): ComposerState {
  switch (action.type) {
    case 'insert':
      return typed(state, action.text);
    case 'paste':
      return pasted(state, action.text);
    case 'set':
      return replacedBy(state, action.text);
    case 'put-aside':
      return putAside(state, action.text);
    case 'complete':
      return completed(state, action.from, action.text);
    case 'up':
      return wentUp(state, action.width, action.history);
    case 'down':
      return wentDown(state, action.width);
    case 'older':
      return wentOlder(state, action.history);
    default:
      return plainEdits[action.type](state);
  }
}

export function isPlainEdit(action: string): action is PlainEdit {
  return Object.hasOwn(plainEdits, action);
}

/** At the end of its line already, a kill takes the line end itself. */
function orLineEnd(state: ComposerState, reach: ComposerState['cursor'], beyond: ComposerState['cursor']) {
  return reach.offset === state.cursor.offset ? beyond : reach;
}

export type Enter =
  | { readonly kind: 'newline'; readonly state: ComposerState }
  | { readonly kind: 'send'; readonly text: string };

/**
 * What Enter means. Behind a `\` at the end of the cursor's line it is a new line in its place; behind `\\` it sends, with
 * one of the two. The state is only given up by the action `sent`, when the text was accepted.
 */
export function pressEnter(state: ComposerState): Enter {
  const { line, offset } = state.cursor;
  const text = lineAt(state, line);
  const slashes = offset === text.length ? (/\\*$/.exec(text)?.[0].length ?? 0) : 0;
  if (slashes === 0) return { kind: 'send', text: composerText(state) };
  if (slashes % 2 === 1) return { kind: 'newline', state: completed(state, offset - 1, '\n') };
  const lines = state.lines.map((other, index) => (index === line ? other.slice(0, -1) : other));
  return { kind: 'send', text: composerText({ lines, pastes: state.pastes }) };
}
