import { type ComposerState, changed, lineAt, type Position, type Run, type Snapshot } from './composer-state.ts';
import { cleanText, expandPastes, isLargePaste, nextPaste, type Paste, unitOf } from './composer-text.ts';

/** Changes of the text: insertion, deletion, kill and yank. */

const KILLS = 20;
/** Killed texts longer than this are not kept when a draft is sent. */
const KEPT_KILL = 100_000;

/** `snapshot` with what stands between two positions replaced by `text`; the cursor behind it. */
function replaced(snapshot: Snapshot, from: Position, to: Position, text: string): Snapshot {
  const head = lineAt(snapshot, from.line).slice(0, from.offset);
  const tail = lineAt(snapshot, to.line).slice(to.offset);
  const fresh = text.split('\n');
  const last = fresh.length - 1;
  const cursor = { line: from.line + last, offset: (last === 0 ? head.length : 0) + (fresh[last] as string).length };
  fresh[0] = head + fresh[0];
  fresh[last] += tail;
  return { lines: [...snapshot.lines.slice(0, from.line), ...fresh, ...snapshot.lines.slice(to.line + 1)], cursor };
}

/** What a key typed. A word is undone at a time. */
export function typed(state: ComposerState, text: string): ComposerState {
  const clean = cleanText(text);
  if (clean === '') return state;
  const { line, offset } = state.cursor;
  const before = lineAt(state, line)[offset - 1] ?? ' ';
  const beginsWord = before === ' ' && clean !== ' ';
  return changed(state, replaced(state, state.cursor, state.cursor, clean), 'type', beginsWord || clean.includes('\n'));
}

/**
 * A paste; a large one stands in the text as one unit, and is kept to the letter. What is pasted right behind it goes
 * into that unit: a terminal that marks no pastes delivers a long one in hundreds of pieces.
 */
export function pasted(state: ComposerState, text: string, run?: Run): ComposerState {
  if (text === '') return state;
  if (!isLargePaste(text)) return insertedPaste(state, text, run, undefined);
  const last = run === undefined ? justPasted(state) : undefined;
  if (last) return { ...state, pastes: [...state.pastes.slice(0, -1), { ...last, text: last.text + text }] };
  return insertedPaste(state, text, run ?? 'paste', nextPaste(state.pastes, text));
}

/** The unit that the last change put in front of the cursor: no text to which undo goes back holds it. */
function justPasted({ run, pastes, lines, cursor }: ComposerState): Paste | undefined {
  const last = pastes.at(-1);
  if (run !== 'paste' || last === undefined) return undefined;
  return lineAt({ lines }, cursor.line).slice(0, cursor.offset).endsWith(unitOf(last.id)) ? last : undefined;
}

function insertedPaste(state: ComposerState, text: string, run: Run, paste: Paste | undefined): ComposerState {
  const inserted = paste === undefined ? cleanText(text) : unitOf(paste.id);
  const next = changed(state, replaced(state, state.cursor, state.cursor, inserted), run);
  return paste === undefined ? next : { ...next, pastes: [...state.pastes, paste] };
}

/** What stands between the cursor and `other`, either way, is gone. */
export function erased(state: ComposerState, other: Position): ComposerState {
  const [from, to] = inOrder(state.cursor, other);
  if (from === to) return state;
  return changed(state, replaced(state, from, to, ''), 'erase');
}

/** Erased, and kept to be yanked; kills in a row are one. */
export function killed(state: ComposerState, other: Position): ComposerState {
  const [from, to] = inOrder(state.cursor, other);
  if (from === to) return state;
  const text = expandPastes(textBetween(state, from, to), state.pastes);
  const goesOn = state.run === 'kill';
  const last = goesOn ? (state.killRing.at(-1) ?? '') : '';
  const earlier = goesOn ? state.killRing.slice(0, -1) : state.killRing;
  const whole = from === state.cursor ? last + text : text + last;
  const next = changed(state, replaced(state, from, to, ''), 'kill', true);
  return { ...next, killRing: [...earlier.slice(1 - KILLS), whole] };
}

export function yanked(state: ComposerState): ComposerState {
  const text = state.killRing.at(-1);
  return text === undefined ? state : pasted(state, text, 'yank');
}

/** Right after a yank: the kill before it in its place. */
export function yankedEarlier(state: ComposerState): ComposerState {
  const before = state.undo.at(-1);
  const last = state.killRing.at(-1);
  if (state.run !== 'yank' || before === undefined || last === undefined) return state;
  const rotated = {
    ...state,
    ...before,
    undo: state.undo.slice(0, -1),
    killRing: [last, ...state.killRing.slice(0, -1)],
  };
  return yanked(rotated);
}

/** What a completion puts in place of the text from `from`, in the line of the cursor, to the cursor. */
export function completed(state: ComposerState, from: number, text: string): ComposerState {
  const { line, offset } = state.cursor;
  const start = { line, offset: Math.min(Math.max(0, from), offset) };
  return changed(state, replaced(state, start, state.cursor, cleanText(text)), undefined);
}

/** The kills that outlive a draft. */
export function keptKills(killRing: readonly string[]): readonly string[] {
  return killRing.filter((text) => text.length <= KEPT_KILL);
}

function inOrder(a: Position, b: Position): readonly [Position, Position] {
  if (a.line === b.line && a.offset === b.offset) return [a, a];
  return a.line < b.line || (a.line === b.line && a.offset < b.offset) ? [a, b] : [b, a];
}

function textBetween({ lines }: Snapshot, from: Position, to: Position): string {
  if (from.line === to.line) return lineAt({ lines }, from.line).slice(from.offset, to.offset);
  return [
    lineAt({ lines }, from.line).slice(from.offset),
    ...lines.slice(from.line + 1, to.line),
    lineAt({ lines }, to.line).slice(0, to.offset),
  ].join('\n');
}
