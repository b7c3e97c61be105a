import { cleanText, expandPastes, isTooLargeToEdit, nextPaste, type Paste, unitOf } from './composer-text.ts';
import { borderFrom } from './grapheme.ts';

/** A place between two characters: `line` from 0, `offset` in code units, always on a border of characters. */
export interface Position {
  readonly line: number;
  readonly offset: number;
}

export interface Snapshot {
  /** Without line ends; never empty. A paste shown as one unit is one character of two code units. */
  readonly lines: readonly string[];
  readonly cursor: Position;
}

/** What the last change was, where the next one of its kind belongs to it. */
export type Run = 'type' | 'erase' | 'kill' | 'yank' | 'paste' | undefined;

/** One text that is edited, with its own past. */
export interface Draft extends Snapshot {
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  readonly run: Run;
  /** The column that up and down aim at, in cells. */
  readonly goal: number | undefined;
  /** Where the cursor stood before Up took it to the very start, on its way into the history. */
  readonly leftAt: Position | undefined;
}

/** A walk through the history. `index` is one past the last item while the draft itself is shown. */
export interface Browsing {
  readonly items: readonly string[];
  readonly index: number;
  readonly draft: Draft;
  /** Entries that were changed on the way, by index. */
  readonly edits: ReadonlyMap<number, Draft>;
}

export interface ComposerState extends Draft {
  readonly pastes: readonly Paste[];
  /** What was killed, expanded, the latest last. */
  readonly killRing: readonly string[];
  readonly browsing: Browsing | undefined;
  /** Drafts that were put aside, the latest last. */
  readonly aside: readonly Draft[];
}

const emptyDraft: Draft = {
  lines: [''],
  cursor: { line: 0, offset: 0 },
  undo: [],
  redo: [],
  run: undefined,
  goal: undefined,
  leftAt: undefined,
};

export const emptyComposer: ComposerState = {
  ...emptyDraft,
  pastes: [],
  killRing: [],
  browsing: undefined,
  aside: [],
};

const UNDO_LIMIT = 200;

/** The very text, with every paste in full. */
export function composerText(state: Pick<ComposerState, 'lines' | 'pastes'>): string {
  return expandPastes(state.lines.join('\n'), state.pastes);
}

export function isEmpty(state: Pick<Draft, 'lines'>): boolean {
  return state.lines.length === 1 && state.lines[0] === '';
}

export function lineAt(draft: Pick<Snapshot, 'lines'>, line: number): string {
  return draft.lines[line] ?? '';
}

export function draftOf(state: ComposerState): Draft {
  const { lines, cursor, undo, redo, run, goal, leftAt } = state;
  return { lines, cursor, undo, redo, run, goal, leftAt };
}

/** The cursor elsewhere, and nothing else. */
export function movedTo(state: ComposerState, cursor: Position): ComposerState {
  return { ...state, cursor, run: undefined, goal: undefined, leftAt: undefined };
}

/**
 * Another text, undone in one go with its neighbours of the same `run` (unless `apart`). The cursor is put behind a
 * character that the change has made of two.
 */
export function changed(state: ComposerState, to: Snapshot, run: Run, apart = false): ComposerState {
  const joins = run !== undefined && run !== 'yank' && run === state.run && !apart;
  const before: Snapshot = { lines: state.lines, cursor: state.cursor };
  const offset = borderFrom(lineAt(to, to.cursor.line), to.cursor.offset);
  return {
    ...state,
    lines: to.lines,
    cursor: { line: to.cursor.line, offset },
    undo: joins ? state.undo : [...state.undo.slice(1 - UNDO_LIMIT), before],
    redo: [],
    run,
    goal: undefined,
    leftAt: undefined,
  };
}

export function undone(state: ComposerState): ComposerState {
  const before = state.undo.at(-1);
  if (before === undefined) return state;
  const redo = [...state.redo, { lines: state.lines, cursor: state.cursor }];
  return { ...movedTo(state, before.cursor), lines: before.lines, undo: state.undo.slice(0, -1), redo };
}

export function redone(state: ComposerState): ComposerState {
  const after = state.redo.at(-1);
  if (after === undefined) return state;
  const undo = [...state.undo, { lines: state.lines, cursor: state.cursor }];
  return { ...movedTo(state, after.cursor), lines: after.lines, redo: state.redo.slice(0, -1), undo };
}

/** A whole text as a fresh draft with the cursor at its end; one too large to edit becomes a paste. */
export function loaded(state: ComposerState, text: string): { draft: Draft; pastes: readonly Paste[] } {
  const paste = isTooLargeToEdit(text) ? nextPaste(state.pastes, text) : undefined;
  const lines = paste === undefined ? cleanText(text).split('\n') : [unitOf(paste.id)];
  const draft = { ...emptyDraft, lines, cursor: endOf(lines) };
  return { draft, pastes: paste === undefined ? state.pastes : [...state.pastes, paste] };
}

export function endOf(lines: readonly string[]): Position {
  return { line: lines.length - 1, offset: lines.at(-1)?.length ?? 0 };
}
