import type { KeyInput } from '../../domain/terminal-input.ts';

/** Which numbers and letters terminals use for which keys: xterm, rxvt, the Linux console, the kitty protocol. */

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export const noModifiers: Modifiers = { ctrl: false, alt: false, shift: false };

export function key(name: string, modifiers: Modifiers = noModifiers, text?: string): KeyInput {
  const { ctrl, alt, shift } = modifiers;
  return text === undefined ? { type: 'key', name, ctrl, alt, shift } : { type: 'key', name, text, ctrl, alt, shift };
}

/** `CSI … letter` and, for capitals, `SS3 letter`. */
const letterKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** `CSI number ~`, and rxvt's `CSI number $ ^ @`. */
const tildeKeys: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
  25: 'f13',
  26: 'f14',
  28: 'f15',
  29: 'f16',
  31: 'f17',
  32: 'f18',
  33: 'f19',
  34: 'f20',
};

/** The keypad in application mode, `SS3 letter`. */
const keypadText = '*+,-./0123456789';

/** The kitty protocol's keypad, from 57399 on: text first, then the keys that move. */
const kittyKeypad = [...'0123456789./*-+', 'enter', '=', ','];
const kittyMoves = [
  'left',
  'right',
  'up',
  'down',
  'pageup',
  'pagedown',
  'home',
  'end',
  'insert',
  'delete',
  'begin',
] as const;

const controlNames: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'j',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

export function letterKey(letter: string, modifiers: Modifiers): KeyInput | undefined {
  const name = letterKeys[letter];
  if (name !== undefined) return key(name, modifiers);
  // rxvt says shift by a small letter
  const shifted = 'abcd'.includes(letter) ? letterKeys[letter.toUpperCase()] : undefined;
  return shifted === undefined ? undefined : key(shifted, { ...modifiers, shift: true });
}

export function tildeKey(number: number, modifiers: Modifiers): KeyInput | undefined {
  const name = tildeKeys[number];
  if (name !== undefined) return key(name, modifiers);
  return number >= 57344 ? unicodeKey(number, modifiers) : undefined;
}

export function ss3Key(letter: string, modifiers: Modifiers): KeyInput | undefined {
  if (letter === 'M') return key('enter', modifiers);
  if (letter === 'I') return key('tab', modifiers);
  if (letter === ' ') return textKey(' ', modifiers);
  if (letter === 'X') return textKey('=', modifiers);
  const keypad = letter >= 'j' && letter <= 'y' ? keypadText[letter.charCodeAt(0) - 0x6a] : undefined;
  if (keypad !== undefined) return textKey(keypad, modifiers);
  // rxvt says ctrl by a small letter here
  if ('abcd'.includes(letter)) return letterKey(letter.toUpperCase(), { ...modifiers, ctrl: true });
  return letterKey(letter, modifiers);
}

/** A key that writes `char` when neither ctrl nor alt is held. */
export function textKey(char: string, modifiers: Modifiers = noModifiers): KeyInput {
  if (!modifiers.ctrl && !modifiers.alt) {
    const shown = modifiers.shift && oneLetter(char.toUpperCase()) ? char.toUpperCase() : char;
    return key(shown, noModifiers, shown);
  }
  const lower = char.toLowerCase();
  const capital = lower !== char && oneLetter(lower);
  return key(capital ? lower : char, { ...modifiers, shift: modifiers.shift || capital });
}

/** Upper and lower case of some letters are two characters (ß, ŉ); such a letter stays as it is. */
function oneLetter(text: string): boolean {
  return [...text].length === 1;
}

/** A byte below 0x20, or 0x7f, as a key. */
export function controlKey(code: number, alt = false): KeyInput {
  const modifiers = { ...noModifiers, alt };
  // Alt+Enter is a new line whichever way the terminal says Enter
  if (code === 10 && alt) return key('enter', modifiers);
  if (code === 10) return key('j', { ...modifiers, ctrl: true });
  const name = controlNames[code];
  if (name !== undefined) return key(name, modifiers);
  const letter = code === 0 ? ' ' : String.fromCharCode(code + 0x40).toLowerCase();
  return key(letter, { ...modifiers, ctrl: true });
}

/** A key by its code point, as the kitty protocol and modifyOtherKeys say it. Nothing for keys that only modify. */
export function unicodeKey(code: number, modifiers: Modifiers, text?: string): KeyInput | undefined {
  if (code !== 10) {
    const control = controlNames[code];
    if (control !== undefined) return key(control, modifiers);
  }
  if (code < 32) return code < 0 ? undefined : { ...controlKey(code), alt: modifiers.alt, shift: modifiers.shift };
  if (code >= 57344 && code <= 63743) return functionalKey(code, modifiers);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code > 127 && code < 160)) return undefined;
  if (text !== undefined && text !== '' && !modifiers.ctrl && !modifiers.alt) return key(text, noModifiers, text);
  return textKey(String.fromCodePoint(code), modifiers);
}

function functionalKey(code: number, modifiers: Modifiers): KeyInput | undefined {
  if (code >= 57376 && code <= 57398) return key(`f${code - 57376 + 13}`, modifiers);
  const pad = kittyKeypad[code - 57399];
  if (pad !== undefined) return pad.length > 1 ? key(pad, modifiers) : textKey(pad, modifiers);
  const move = kittyMoves[code - 57399 - kittyKeypad.length];
  return move === undefined ? undefined : key(move, modifiers);
}

/**
 * The modifier parameter: one more than the sum of shift 1, alt 2, ctrl 4, super 8, hyper 16, meta 32, locks 64 and 128.
 * Nothing where super or hyper is held: those chords belong to the desktop and must not act as the bare key.
 */
export function modifiersOf(parameter: number): Modifiers | undefined {
  const bits = Math.max(0, parameter - 1);
  if ((bits & 24) !== 0) return undefined;
  return { shift: (bits & 1) !== 0, alt: (bits & 34) !== 0, ctrl: (bits & 4) !== 0 };
}
