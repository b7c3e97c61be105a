import type { KeyInput } from '../domain/terminal-input.ts';

/**
 * Keys as words: `ctrl+j`, `alt+enter`, `shift+tab`, `up`, `?`, `D`. One key has one spelling: modifiers stand in the order
 * ctrl, alt, shift; a plain character is the character itself, so shift and a letter is the capital; what terminals cannot
 * tell apart is one chord (ctrl+m is enter, ctrl+/ is ctrl+_).
 */
export type Chord = string;

const names = new Set([
  ...['enter', 'tab', 'escape', 'backspace', 'delete', 'insert', 'up', 'down', 'left', 'right'],
  ...['home', 'end', 'pageup', 'pagedown', 'begin', 'space'],
  ...Array.from({ length: 35 }, (_, index) => `f${index + 1}`),
]);

const otherNames = new Map(
  Object.entries({
    esc: 'escape',
    return: 'enter',
    del: 'delete',
    ins: 'insert',
    pgup: 'pageup',
    pgdn: 'pagedown',
    'page-up': 'pageup',
    'page-down': 'pagedown',
    plus: '+',
  }),
);

const modifierNames = new Map<string, keyof Held>(
  Object.entries({
    ctrl: 'ctrl',
    control: 'ctrl',
    alt: 'alt',
    option: 'alt',
    meta: 'alt',
    shift: 'shift',
  } as const),
);

/** Control characters that have two names. */
const sameKeys: Readonly<Record<string, string>> = {
  'ctrl+h': 'backspace',
  'ctrl+i': 'tab',
  'ctrl+m': 'enter',
  'ctrl+[': 'escape',
  'ctrl+/': 'ctrl+_',
  'ctrl+7': 'ctrl+_',
  'ctrl+-': 'ctrl+_',
  'ctrl+shift+-': 'ctrl+_',
  'ctrl+shift+_': 'ctrl+_',
  'ctrl+2': 'ctrl+space',
  'ctrl+@': 'ctrl+space',
  'ctrl+shift+2': 'ctrl+space',
  'ctrl+shift+@': 'ctrl+space',
};

interface Held {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

function spelled(name: string, { ctrl, alt, shift }: Held): Chord {
  const key = name === ' ' ? 'space' : name;
  const plain = !ctrl && !alt;
  // shift is in the character already where it is one
  const written = plain && shift && !names.has(key) ? key.toUpperCase() : key;
  const says = shift && !(plain && !names.has(key));
  const chord = `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${says ? 'shift+' : ''}${written}`;
  return sameKeys[chord] ?? chord;
}

export function chordOf(key: KeyInput): Chord {
  return spelled(key.name, key);
}

/** The one spelling of what a person wrote; nothing where it names no key. */
export function parseChord(written: string): Chord | undefined {
  const text = written.trim();
  const held: Record<keyof Held, boolean> = { ctrl: false, alt: false, shift: false };
  const plus = text === '+' || text.endsWith('++');
  const parts = plus ? [...text.slice(0, -1).split('+').filter(Boolean), '+'] : text.split('+');
  const last = parts.pop()?.trim() ?? '';
  for (const part of parts) {
    const modifier = modifierNames.get(part.trim().toLowerCase());
    if (modifier === undefined) return undefined;
    held[modifier] = true;
  }
  const lower = last.toLowerCase();
  const known = otherNames.get(lower) ?? lower;
  if (names.has(known) || known === '+') return spelled(known, held);
  if ([...last].length !== 1 || /[\p{C}\p{Z}\p{M}]/u.test(last)) return undefined;
  if (!held.ctrl && !held.alt) return spelled(last, held);
  // a capital written with alt means shift as well; with ctrl it is how people write the key
  const capital = held.alt && !held.ctrl && last !== lower;
  return spelled(lower, { ...held, shift: held.shift || capital });
}

/** Whether the key alone writes something. */
export function isPrintable(chord: Chord): boolean {
  return chord === 'space' || [...chord].length === 1;
}

const shownNames: Readonly<Record<string, string>> = {
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

/** As hints and help show it: `Ctrl+J`, `Esc`, `Alt+↑`; arrows as words where only ASCII is wanted. */
export function showChord(chord: Chord, ascii = false): string {
  if (isPrintable(chord) && chord !== 'space') return chord;
  const plus = chord.endsWith('+');
  const parts = (plus ? chord.slice(0, -2) : chord).split('+').filter(Boolean);
  if (plus) parts.push('+');
  return parts
    .map((part) => {
      const shown = shownNames[part];
      if (shown !== undefined && !(ascii && /[^ -~]/.test(shown))) return shown;
      return part.charAt(0).toUpperCase() + part.slice(1);
    })
    .join('+');
}
