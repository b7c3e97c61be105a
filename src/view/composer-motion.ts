import { lineAt, type Position, type Snapshot } from './composer-state.ts';
import { nextBorder, previousBorder } from './grapheme.ts';

/** Where a key takes the cursor. Each answers with a position, the same one where there is no way to go. */

export function leftOf({ lines, cursor }: Snapshot): Position {
  const { line, offset } = cursor;
  if (offset > 0) return { line, offset: previousBorder(lineAt({ lines }, line), offset) };
  return line === 0 ? cursor : { line: line - 1, offset: lineAt({ lines }, line - 1).length };
}

export function rightOf({ lines, cursor }: Snapshot): Position {
  const { line, offset } = cursor;
  const text = lineAt({ lines }, line);
  if (offset < text.length) return { line, offset: nextBorder(text, offset) };
  return line === lines.length - 1 ? cursor : { line: line + 1, offset: 0 };
}

const wordPattern = /[\p{L}\p{N}_]/u;
const isWord = (character: string): boolean => wordPattern.test(character);
const isGap = (character: string): boolean => !isWord(character);
const isSpace = (character: string): boolean => /^\s/.test(character);
const isUnit = (character: string): boolean => character >= '\ufdd0' && character < '\ufde0';

type Test = (character: string) => boolean;

/** Over what `skip` says, then over what `take` says; a paste is passed on its own. */
function backwards(snapshot: Snapshot, skip: Test, take: Test): Position {
  let { line, offset } = snapshot.cursor;
  let text = lineAt(snapshot, line);
  if (offset === 0 && line > 0) {
    line -= 1;
    text = lineAt(snapshot, line);
    offset = text.length;
  }
  for (let test = skip, taken = false; offset > 0; ) {
    const before = previousBorder(text, offset);
    const character = text.slice(before, offset);
    if (isUnit(character)) return { line, offset: taken ? offset : before };
    if (test(character)) {
      offset = before;
      taken ||= test === take;
    } else if (test === skip) test = take;
    else break;
  }
  return { line, offset };
}

function forwards(snapshot: Snapshot, skip: Test, take: Test): Position {
  let { line, offset } = snapshot.cursor;
  let text = lineAt(snapshot, line);
  if (offset === text.length && line < snapshot.lines.length - 1) {
    line += 1;
    offset = 0;
    text = lineAt(snapshot, line);
  }
  for (let test = skip, taken = false; offset < text.length; ) {
    const after = nextBorder(text, offset);
    const character = text.slice(offset, after);
    if (isUnit(character)) return { line, offset: taken ? offset : after };
    if (test(character)) {
      offset = after;
      taken ||= test === take;
    } else if (test === skip) test = take;
    else break;
  }
  return { line, offset };
}

/** The beginning of the word before the cursor: letters, digits and `_` of any script. */
export function wordLeftOf(snapshot: Snapshot): Position {
  return backwards(snapshot, isGap, isWord);
}

/** The end of the word behind the cursor. */
export function wordRightOf(snapshot: Snapshot): Position {
  return forwards(snapshot, isGap, isWord);
}

/** The beginning of what stands between blanks, as Ctrl+W of a shell means it. At a line's start: the end of the one above. */
export function blankLeftOf(snapshot: Snapshot): Position {
  if (snapshot.cursor.offset === 0) return leftOf(snapshot);
  return backwards(snapshot, isSpace, (character) => !isSpace(character));
}

export function lineStartOf({ cursor }: Snapshot): Position {
  return { line: cursor.line, offset: 0 };
}

export function lineEndOf({ lines, cursor }: Snapshot): Position {
  return { line: cursor.line, offset: lineAt({ lines }, cursor.line).length };
}
