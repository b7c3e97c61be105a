import type { TerminalInput } from '../../domain/terminal-input.ts';
import { characterEnd, characterLength, readCsi, readSs3, readString } from './input-sequence.ts';
import { controlKey, key, textKey } from './key-codes.ts';

/**
 * The grammar of what a terminal sends, as one pure function over the bytes at hand. It has no memory: bytes that do not
 * make a whole token are left for the next read, so where a read was cut can never matter.
 */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tab' | 'cr' | 'lf' | 'paste-start' | 'nothing' }
  | { readonly kind: 'input'; readonly input: TerminalInput };

export interface TokenAt {
  readonly token: Token;
  /** Offset behind the token. */
  readonly end: number;
}

const ESC = 0x1b;

/** The token that begins at `at`; nothing where more bytes are needed to tell. */
export function readToken(bytes: Buffer, at: number): TokenAt | undefined {
  const byte = bytes[at];
  if (byte === undefined) return undefined;
  if (byte === ESC) return readEscape(bytes, at);
  if (byte === 0x0d) return { token: { kind: 'cr' }, end: at + 1 };
  if (byte === 0x0a) return { token: { kind: 'lf' }, end: at + 1 };
  if (byte === 0x09) return { token: { kind: 'tab' }, end: at + 1 };
  if (isControl(byte)) return { token: { kind: 'input', input: controlKey(byte) }, end: at + 1 };
  return readText(bytes, at);
}

function readText(bytes: Buffer, at: number): TokenAt | undefined {
  let end = at;
  while (end < bytes.length && !isControl(bytes[end] as number)) end += 1;
  if (end === bytes.length) end = wholeCharacters(bytes, at);
  if (end === at) return undefined;
  return { token: { kind: 'text', text: visible(bytes.toString('utf8', at, end)) }, end };
}

/** The end of the last character that is all there, for text that runs to the end of the bytes. */
function wholeCharacters(bytes: Buffer, from: number): number {
  for (let back = 1; back <= 3 && bytes.length - back >= from; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function readEscape(bytes: Buffer, at: number): TokenAt | undefined {
  const next = bytes[at + 1];
  if (next === undefined) return undefined;
  if (next === 0x5b) return readCsi(bytes, at);
  if (next === 0x4f) return readSs3(bytes, at);
  if (next === 0x5d || next === 0x50 || next === 0x5f || next === 0x5e) return readString(bytes, at);
  if (next === ESC) return readDoubleEscape(bytes, at);
  if (isControl(next)) return { token: { kind: 'input', input: controlKey(next, true) }, end: at + 2 };
  return readAltCharacter(bytes, at);
}

/** Some terminals put an ESC before the sequence of a key for Alt; else two are the Escape key, and what follows. */
function readDoubleEscape(bytes: Buffer, at: number): TokenAt | undefined {
  const third = bytes[at + 2];
  if (third === undefined) return undefined;
  const lone: TokenAt = { token: { kind: 'input', input: key('escape') }, end: at + 1 };
  if (third !== 0x5b && third !== 0x4f) return lone;
  const inner = readEscape(bytes, at + 1);
  if (inner === undefined) return undefined;
  if (inner.token.kind !== 'input' || inner.token.input.type !== 'key' || inner.token.input.text !== undefined) {
    return lone;
  }
  return { token: { kind: 'input', input: { ...inner.token.input, alt: true } }, end: inner.end };
}

function readAltCharacter(bytes: Buffer, at: number): TokenAt | undefined {
  const end = characterEnd(bytes, at + 1);
  if (end === undefined) return undefined;
  const char = visible(bytes.toString('utf8', at + 1, end));
  if (char === '' || char.includes('\ufffd')) return { token: { kind: 'nothing' }, end };
  return { token: { kind: 'input', input: textKey(char, { ctrl: false, alt: true, shift: false }) }, end };
}

/** Without the control characters that UTF-8 can spell, U+0080 to U+009F. */
function visible(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, '');
}

function isControl(byte: number): boolean {
  return byte < 0x20 || byte === 0x7f;
}
