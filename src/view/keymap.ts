import type { TerminalInput } from '../domain/terminal-input.ts';
import { type Chord, chordOf, isPrintable, parseChord, showChord } from './chord.ts';
import { commandBindings, type KeyAction, type KeyBinding, type KeyContext, keyBindings } from './key-bindings.ts';
import { twinOf } from './key-twins.ts';

/** Which action a key means where: the table of key-bindings.ts with what the person has bound otherwise. */
export type { KeyAction, KeyContext } from './key-bindings.ts';

export interface BoundKeys {
  readonly action: KeyAction;
  readonly context: KeyContext;
  readonly chords: readonly Chord[];
  readonly help: string;
}

/** In the order of the table. Made by `buildKeymap`, which finds no two actions on one key of one context. */
export interface Keymap {
  readonly bindings: readonly BoundKeys[];
  readonly byContext: ReadonlyMap<KeyContext, ReadonlyMap<Chord, KeyAction>>;
}

export type BuiltKeymap =
  | { readonly keymap: Keymap; readonly error?: undefined }
  /** One line that names the action and the key, and says what to do. */
  | { readonly keymap?: undefined; readonly error: string };

/** Without these the program could neither be used nor left. */
const needed: readonly KeyAction[] = ['send', 'cancel'];

const table: readonly (KeyBinding & { readonly action: KeyAction })[] = [...keyBindings, ...commandBindings];

/**
 * The keymap with `overrides` from the configuration: by action, one key or several, which replace its own; an empty list
 * or `none` takes them away.
 */
export function buildKeymap(overrides: Readonly<Record<string, string | readonly string[]>> = {}): BuiltKeymap {
  const chords = new Map<KeyAction, readonly Chord[]>();
  for (const [name, written] of Object.entries(overrides)) {
    const binding = table.find((one) => one.action === name);
    if (binding === undefined) return { error: `keys: there is no action "${name}"${nearest(name)}` };
    const parsed = parseKeys(binding, typeof written === 'string' ? [written] : written);
    if (typeof parsed === 'string') return { error: parsed };
    chords.set(binding.action, parsed);
  }
  const bindings = table.map(({ action, context, keys, help }): BoundKeys => {
    return { action, context, help, chords: chords.get(action) ?? keys.map((key) => parseChord(key) ?? key) };
  });
  const error = conflictIn(bindings);
  return error === undefined ? { keymap: { bindings, byContext: indexed(bindings) } } : { error };
}

function parseKeys(binding: KeyBinding & { action: KeyAction }, written: readonly string[]): readonly Chord[] | string {
  const { action, context } = binding;
  const chords: Chord[] = [];
  for (const text of written.filter((one) => one.trim().toLowerCase() !== 'none')) {
    const chord = parseChord(text);
    if (chord === undefined) return `keys: "${text}" for ${action} is no key; write it like ctrl+j, alt+up or f2`;
    if (context === 'gate' && isPrintable(chord) && !/^\d$/.test(chord)) {
      return `keys: ${chord} for ${action} could be typed by accident at a question; use a digit, or a key with ctrl or alt`;
    }
    const typing = context === 'composer' || context === 'completion' || context === 'anywhere';
    if (typing && isPrintable(chord) && action !== 'help') {
      return `keys: ${chord} for ${action} could no longer be typed; use it with ctrl or alt`;
    }
    if (!chords.includes(chord)) chords.push(chord);
  }
  if (chords.length === 0 && needed.includes(action))
    return `keys: ${action} needs a key; give it one, or leave it out`;
  return chords;
}

/** Two actions on one key where both could be meant. Within a gate or a list over the composer, those go first. */
function conflictIn(bindings: readonly BoundKeys[]): string | undefined {
  const before = new Map(table.map((one) => [one.action as string, one.before]));
  const byChord = new Map<Chord, BoundKeys[]>();
  for (const one of bindings) {
    for (const chord of one.chords) {
      const sharing = byChord.get(chord) ?? [];
      const other = sharing.find(({ action, context }) => {
        const meet = context === one.context || context === 'anywhere' || one.context === 'anywhere';
        return meet && before.get(action) !== one.action && before.get(one.action) !== action;
      });
      if (other)
        return `keys: ${chord} is bound to both ${other.action} and ${one.action}; give one of them another key`;
      byChord.set(chord, [...sharing, one]);
    }
  }
  return undefined;
}

function indexed(bindings: readonly BoundKeys[]): Keymap['byContext'] {
  const byContext = new Map<KeyContext, Map<Chord, KeyAction>>();
  for (const { action, context, chords } of bindings) {
    const keys = byContext.get(context) ?? new Map<Chord, KeyAction>();
    for (const chord of chords) keys.set(chord, action);
    byContext.set(context, keys);
  }
  return byContext;
}

function nearest(name: string): string {
  const wanted = name.toLowerCase().replace(/[\s_]+/g, '-');
  const found = table.find(
    ({ action }) => action === wanted || action.endsWith(`-${wanted}`) || wanted.endsWith(action),
  );
  return found === undefined ? '; "?" in the chat lists them' : `; did you mean ${found.action}?`;
}

/** The keymap of the table alone. */
export const defaultKeymap: Keymap = (() => {
  const built = buildKeymap();
  if (built.keymap === undefined) throw new Error(built.error);
  return built.keymap;
})();

/** What a key means in the first of `contexts` that knows it, then anywhere; nothing where it is only typed. */
export function resolveKey(
  keymap: Keymap,
  contexts: readonly KeyContext[],
  input: TerminalInput,
): KeyAction | undefined {
  if (input.type !== 'key') return undefined;
  const chord = chordOf(input);
  for (const context of [...contexts, 'anywhere'] as const) {
    const action = keymap.byContext.get(context)?.get(chord);
    if (action !== undefined) return action;
  }
  return undefined;
}

/** The key that a hint names, as shown; nothing where the action has none. */
export function hintFor(keymap: Keymap, action: KeyAction, ascii = false): string | undefined {
  const chord = keymap.bindings.find((one) => one.action === action)?.chords[0];
  return chord === undefined ? undefined : showChord(chord, ascii);
}

export interface KeyHelp {
  /** As shown. */
  keys: string;
  help: string;
  /** The slash command that does the same. */
  slash?: string;
}

/** Rows of the help. Actions without a key are left out. */
export function keyHelp(keymap: Keymap, context: KeyContext, ascii = false): readonly KeyHelp[] {
  return keymap.bindings
    .filter((one) => one.context === context && one.chords.length > 0)
    .map(({ action, chords, help }) => {
      const slash = twinOf(action);
      return { keys: chords.map((chord) => showChord(chord, ascii)).join(', '), help, ...(slash && { slash }) };
    });
}
