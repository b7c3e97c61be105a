import { unitPattern } from './grapheme.ts';

/** What may stand in the composer, and the pastes in it that are shown as one unit. */

/** A paste that stands in a draft as one character (grapheme.ts, units). */
export interface Paste {
  /** Which unit stands for it, 0 to 255. */
  readonly id: number;
  /** Counted from 1 within a draft. */
  readonly number: number;
  readonly text: string;
}

/** A paste of more lines or characters than these is shown as one unit. */
const PASTE_LINES = 10;
const PASTE_CHARACTERS = 1000;
/** A text that is loaded whole, from the history or an editor, only when it would make each key slow. */
const LOADED_LINES = 1000;
const LOADED_CHARACTERS = 20_000;

const UNITS = 256;

/**
 * Text as the composer holds it: lines end in `\n`, tabs stay, other control characters are dropped; half characters and
 * the noncharacters that units are made of become U+FFFD.
 */
export function cleanText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufdd0-\ufdef]/g, '\ufffd');
}

export function isLargePaste(text: string): boolean {
  return text.length > PASTE_CHARACTERS || lineCount(text, PASTE_LINES + 1) > PASTE_LINES;
}

export function isTooLargeToEdit(text: string): boolean {
  return text.length > LOADED_CHARACTERS || lineCount(text, LOADED_LINES + 1) > LOADED_LINES;
}

/** Lines of a text, whose last one may lack its end; counted no further than `enough`. */
function lineCount(text: string, enough = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < text.length && count < enough; count += 1) {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end + 1;
  }
  return count;
}

/** The paste for a text, numbered and with a unit that none of `pastes` uses; nothing where all are used. */
export function nextPaste(pastes: readonly Paste[], text: string): Paste | undefined {
  const used = new Set(pastes.map((paste) => paste.id));
  const number = pastes.reduce((highest, paste) => Math.max(highest, paste.number), 0) + 1;
  for (let id = 0; id < UNITS; id += 1) if (!used.has(id)) return { id, number, text };
  return undefined;
}

/** The two code units that stand for a paste. */
export function unitOf(id: number): string {
  return String.fromCharCode(0xfdd0 + (id >> 4), 0xfde0 + (id & 15));
}

function pasteOf(pastes: readonly Paste[], unit: string): Paste | undefined {
  const id = ((unit.charCodeAt(0) - 0xfdd0) << 4) + (unit.charCodeAt(1) - 0xfde0);
  return pastes.find((paste) => paste.id === id);
}

/** With every unit replaced by the text that it stands for. */
export function expandPastes(text: string, pastes: readonly Paste[]): string {
  return pastes.length === 0 ? text : text.replace(unitPattern, (unit) => pasteOf(pastes, unit)?.text ?? '');
}

/** What is shown for a unit: `[paste #1: 20000 lines]`. */
export function pasteLabel(unit: string, pastes: readonly Paste[]): string {
  const paste = pasteOf(pastes, unit);
  if (paste === undefined) return '';
  const lines = lineCount(paste.text);
  const size = lines > 1 ? `${lines} lines` : `${paste.text.length} characters`;
  return `[paste #${paste.number}: ${size}]`;
}
