import { goalOf, verticalFrom } from './composer-layout.ts';
import {
  type Browsing,
  type ComposerState,
  composerText,
  type Draft,
  draftOf,
  emptyComposer,
  endOf,
  loaded,
  movedTo,
} from './composer-state.ts';

/**
 * Up and down: within the text first, row by row of the screen, then through the history, and back to the draft as it
 * was. Entries that are changed on the way keep the change until something is sent.
 */

export function wentUp(state: ComposerState, width: number, items: readonly string[]): ComposerState {
  const up = verticalFrom(state, -1, width);
  if (up !== undefined) return { ...movedTo(state, up.cursor), goal: up.goal };
  const atStart = state.cursor.line === 0 && state.cursor.offset === 0;
  if (atStart || isUntouchedEntry(state)) {
    const older = wentOlder(state, items);
    if (older !== state || atStart) return older;
  }
  return { ...movedTo(state, { line: 0, offset: 0 }), goal: goalOf(state, width), leftAt: state.cursor };
}

export function wentDown(state: ComposerState, width: number): ComposerState {
  const down = verticalFrom(state, 1, width);
  if (down !== undefined) return { ...movedTo(state, down.cursor), goal: down.goal };
  const end = endOf(state.lines);
  const atEnd = state.cursor.line === end.line && state.cursor.offset === end.offset;
  if (atEnd || isUntouchedEntry(state)) {
    const newer = wentNewer(state);
    if (newer !== state || atEnd) return newer;
  }
  return movedTo(state, end);
}

/** The entry before the one that is shown; the same state where there is none. */
export function wentOlder(state: ComposerState, items: readonly string[]): ComposerState {
  const browsing = browsingOf(state, items);
  return browsing.index === 0 ? state : shown(state, browsing, browsing.index - 1);
}

/** The entry behind the one that is shown, at last the draft; the same state where the draft is shown. */
export function wentNewer(state: ComposerState): ComposerState {
  const { browsing } = state;
  if (browsing === undefined || browsing.index === browsing.items.length) return state;
  return shown(state, browsing, browsing.index + 1);
}

export function isBrowsing(state: ComposerState): boolean {
  return state.browsing !== undefined && state.browsing.index < state.browsing.items.length;
}

/** An entry of the history that is only looked at. */
export function isUntouchedEntry(state: ComposerState): boolean {
  return isBrowsing(state) && state.undo.length === 0 && state.redo.length === 0;
}

function browsingOf(state: ComposerState, items: readonly string[]): Browsing {
  const { browsing } = state;
  if (browsing !== undefined && isBrowsing(state)) return browsing;
  const kept = [...(browsing?.edits ?? [])].filter(([index]) => browsing?.items[index] === items[index]);
  return { items, index: items.length, draft: draftOf(state), edits: new Map(kept) };
}

/** The walk at another entry; what is shown now is kept, where it is the draft or was changed. */
function shown(state: ComposerState, browsing: Browsing, index: number): ComposerState {
  const atDraft = browsing.index === browsing.items.length;
  const leaving: Draft = { ...draftOf(state), cursor: state.leftAt ?? state.cursor, leftAt: undefined };
  const draft = atDraft ? leaving : browsing.draft;
  const edits = new Map(browsing.edits);
  if (!atDraft && !isUntouchedEntry(state)) edits.set(browsing.index, leaving);
  const next: Browsing = { items: browsing.items, index, draft, edits };
  if (index === browsing.items.length) return { ...state, ...draft, browsing: next };
  const edited = edits.get(index);
  if (edited !== undefined) return { ...state, ...edited, browsing: next };
  const fresh = loaded(state, browsing.items[index] as string);
  return { ...state, ...fresh.draft, pastes: fresh.pastes, browsing: next };
}

/** Another text in the composer; the draft is brought back by `broughtBack`, or when the text is sent. */
export function putAside(state: ComposerState, text: string): ComposerState {
  const aside: Draft = state.browsing !== undefined && isBrowsing(state) ? state.browsing.draft : draftOf(state);
  const fresh = loaded(state, text);
  return { ...state, ...fresh.draft, pastes: fresh.pastes, browsing: undefined, aside: [...state.aside, aside] };
}

/** The draft that was put aside last, in place of what stands there now; the same state where there is none. */
export function broughtBack(state: ComposerState): ComposerState {
  const draft = state.aside.at(-1);
  if (draft === undefined) return state;
  return { ...state, ...draft, browsing: undefined, aside: state.aside.slice(0, -1) };
}

/** After a text was sent: the draft that was put aside, else nothing. Pastes that no draft holds are let go. */
export function afterSending(state: ComposerState, killRing: readonly string[]): ComposerState {
  if (state.aside.length === 0) return { ...emptyComposer, killRing };
  return broughtBack({ ...state, killRing });
}

/** Another text for good, which undo takes back. */
export function replacedBy(state: ComposerState, text: string): ComposerState {
  if (text === composerText(state)) return state;
  const { draft, pastes } = loaded(state, text);
  const undo = [...state.undo, { lines: state.lines, cursor: state.cursor }];
  return { ...state, ...draft, undo, pastes, browsing: undefined };
}
