import type { TerminalInput } from '../../domain/terminal-input.ts';
import type { Token, TokenAt } from './input-token.ts';
import { key, letterKey, modifiersOf, noModifiers, ss3Key, textKey, tildeKey, unicodeKey } from './key-codes.ts';

/**
 * Control sequences. Whatever is well formed and unknown becomes `nothing`, never text. A control byte within a sequence
 * ends it and is read on its own, so no key press is lost to a sequence that broke off.
 */

const nothing: Token = { kind: 'nothing' };
const alt = { ...noModifiers, alt: true };

function inputToken(input: TerminalInput | undefined): Token {
  return input === undefined ? nothing : { kind: 'input', input };
}

/** `CSI parameters intermediates final`. `at` is the ESC. */
export function readCsi(bytes: Buffer, at: number): TokenAt | undefined {
  const start = at + 2;
  let end = start;
  while (end < bytes.length && isParameter(bytes[end] as number) && !endsLikeRxvt(bytes, start, end)) end += 1;
  const byte = bytes[end];
  if (byte === undefined) return undefined;
  if (byte === 0x5b && end === start) return readLinuxFunctionKey(bytes, at);
  if (byte === 0x4d && end === start) return readOldMouse(bytes, end + 1);
  const body = bytes.toString('latin1', start, end);
  if (byte < 0x20 || byte > 0x7e) return { token: brokenOff('[', body), end };
  return { token: csiToken(body, String.fromCharCode(byte)), end: end + 1 };
}

function isParameter(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x3f;
}

/** rxvt says shift by a dollar sign where others have the final byte: `CSI 7 $`. */
function endsLikeRxvt(bytes: Buffer, start: number, end: number): boolean {
  return bytes[end] === 0x24 && end - start <= 2 && /^([2-8]|[1-3]\d)$/.test(bytes.toString('latin1', start, end));
}

function brokenOff(introducer: string, body: string): Token {
  return body === '' ? inputToken(textKey(introducer, alt)) : nothing;
}

/** `CSI [ A` to `CSI [ E` are F1 to F5 on the Linux console. */
function readLinuxFunctionKey(bytes: Buffer, at: number): TokenAt | undefined {
  const byte = bytes[at + 3];
  if (byte === undefined) return undefined;
  if (byte >= 0x41 && byte <= 0x45) return { token: inputToken(key(`f${byte - 0x40}`)), end: at + 4 };
  return { token: nothing, end: byte < 0x20 || byte > 0x7e ? at + 3 : at + 4 };
}

/** The first mouse protocol: three characters follow, which need not be whole where the bytes come undecoded. */
function readOldMouse(bytes: Buffer, start: number): TokenAt | undefined {
  let end = start;
  for (let count = 0; count < 3; count += 1) {
    const byte = bytes[end];
    if (byte === undefined) return undefined;
    if (byte < 0x20) break;
    const after = characterEnd(bytes, end);
    if (after === undefined) return undefined;
    end = after;
  }
  return { token: nothing, end };
}

/** The end of the character at `at`, short where its bytes break off; nothing where they may still come. */
export function characterEnd(bytes: Buffer, at: number): number | undefined {
  const whole = at + characterLength(bytes[at] as number);
  let end = at + 1;
  while (end < whole && end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end += 1;
  return end < whole && end === bytes.length ? undefined : end;
}

/** In bytes, by its first one; 1 for a byte that begins none. */
export function characterLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

export function readSs3(bytes: Buffer, at: number): TokenAt | undefined {
  for (let end = at + 2; end < bytes.length; end += 1) {
    const byte = bytes[end] as number;
    if (byte >= 0x30 && byte <= 0x3b) continue;
    const body = bytes.toString('latin1', at + 2, end);
    if (byte < 0x20 || byte > 0x7e) return { token: brokenOff('O', body), end };
    const modifiers = modifiersOf(Number(body.split(';').at(-1)) || 1);
    const found = modifiers && ss3Key(String.fromCharCode(byte), modifiers);
    return { token: inputToken(found), end: end + 1 };
  }
  return undefined;
}

/**
 * OSC, DCS, APC and PM: `ESC ] P _ ^`, a body, and BEL or `ESC \`. An introducer whose body cannot be an answer was Alt
 * and that character; any control byte ends a string that was not ended.
 */
export function readString(bytes: Buffer, at: number): TokenAt | undefined {
  const introducer = String.fromCharCode(bytes[at + 1] as number);
  const start = at + 2;
  const first = bytes[start];
  if (first === undefined) return undefined;
  if (!canBegin(introducer, first)) return { token: inputToken(textKey(introducer, alt)), end: start };
  for (let end = start; end < bytes.length; end += 1) {
    const byte = bytes[end] as number;
    if (byte >= 0x20 && byte !== 0x7f) continue;
    if (byte === 0x07) return { token: stringToken(introducer, bytes.toString('utf8', start, end)), end: end + 1 };
    if (byte !== 0x1b) return { token: nothing, end: byte === 0x18 || byte === 0x1a ? end + 1 : end };
    const next = bytes[end + 1];
    if (next === undefined) return undefined;
    if (next !== 0x5c) return { token: nothing, end };
    return { token: stringToken(introducer, bytes.toString('utf8', start, end)), end: end + 2 };
  }
  return undefined;
}

function canBegin(introducer: string, first: number): boolean {
  const char = String.fromCharCode(first);
  if (introducer === ']') return /\d/.test(char);
  if (introducer === 'P') return /[0-9!>+$|{?]/.test(char);
  return first >= 0x20 && first !== 0x7f;
}

function stringToken(introducer: string, body: string): Token {
  if (introducer === ']') {
    const colour = /^(10|11);(.*)$/s.exec(body);
    if (colour !== null) return reply(colour[1] === '11' ? 'background' : 'foreground', colour[2] ?? '');
    return reply('osc', body);
  }
  if (introducer === 'P') return body.startsWith('>|') ? reply('version', body.slice(2)) : reply('dcs', body);
  return introducer === '_' ? reply('apc', body) : nothing;
}

function reply(kind: string, data: string): Token {
  return { kind: 'input', input: { type: 'reply', kind, data } };
}

function csiToken(body: string, final: string): Token {
  const prefix = /^[<=>?]/.exec(body)?.[0] ?? '';
  const parameters = body.slice(prefix.length);
  if (prefix !== '') return answerToken(prefix, parameters, final);
  if (final === 'I' || final === 'O')
    return body === '' ? inputToken({ type: 'focus', focused: final === 'I' }) : nothing;
  if (body !== '' && 'Rcnty'.includes(final)) return answerToken('', parameters, final);
  return keyToken(parameters, final);
}

/** What only a query makes a terminal say; mouse reports, which nobody asked for, are nothing. */
function answerToken(prefix: string, parameters: string, final: string): Token {
  if (prefix === '<') return nothing;
  if (final === 'y' && parameters.endsWith('$')) return reply('mode', parameters.slice(0, -1));
  if (/[^0-9;:]/.test(parameters)) return nothing;
  if (final === 'u' && prefix === '?') return reply('kitty', parameters);
  if (final === 'c' && prefix === '?') return reply('da1', parameters);
  if (final === 'c' && prefix === '>') return reply('da2', parameters);
  if (final === 'R') return reply('cursor', parameters);
  if (final === 'n') return reply('status', parameters);
  if (final === 't') return reply('window', parameters);
  return nothing;
}

/** Splits `97:65:99;6:1;97` into its fields and their sub-fields. */
function fieldsOf(parameters: string): number[][] {
  return parameters.split(';').map((field) => field.split(':').map((part) => (part === '' ? 0 : Number(part))));
}

const RELEASED = 3;

function keyToken(parameters: string, final: string): Token {
  if (/[^0-9;:]/.test(parameters)) return nothing;
  const fields = fieldsOf(parameters);
  const number = fields[0]?.[0] ?? 0;
  const [modifier = 1, event = 1] = fields[1] ?? [];
  const modifiers = modifiersOf(modifier);
  if (modifiers === undefined || event === RELEASED) return nothing;
  if (final === 'u') return inputToken(kittyKey(fields, modifiers.ctrl || modifiers.alt));
  if (final === 'Z') return inputToken(key('tab', { ...modifiers, shift: true }));
  if (final === '~' && number === 27) return modifiedKey(fields);
  if (final === '~' && number === 200) return { kind: 'paste-start' };
  if (final === '~') return inputToken(tildeKey(number, modifiers));
  if ('$^@'.includes(final)) {
    return inputToken(tildeKey(number, { alt: false, ctrl: final !== '$', shift: final !== '^' }));
  }
  return inputToken(number <= 1 ? letterKey(final, modifiers) : undefined);
}

/** `CSI 27 ; modifiers ; code ~`, as xterm's modifyOtherKeys says it. */
function modifiedKey(fields: readonly number[][]): Token {
  const modifiers = modifiersOf(fields[1]?.[0] ?? 1);
  const code = fields[2]?.[0];
  return inputToken(modifiers && code !== undefined ? unicodeKey(code, modifiers) : undefined);
}

/** `CSI code:shifted:base ; modifiers:event ; text u` */
function kittyKey(fields: readonly number[][], chord: boolean): TerminalInput | undefined {
  const [code = 0, shifted = 0, base = 0] = fields[0] ?? [];
  const modifiers = modifiersOf(fields[1]?.[0] ?? 1);
  if (modifiers === undefined) return undefined;
  const points = (fields[2] ?? []).filter(writes);
  // a shortcut is meant by its place on the keyboard where the layout has no Latin letter there
  if (chord) return unicodeKey(code > 127 && code < 57344 && base > 0 ? base : code, modifiers);
  const text = points.length > 0 ? String.fromCodePoint(...points) : undefined;
  // text that an input method composed has no key
  if (code === 0) return text === undefined ? undefined : key(text, noModifiers, text);
  if (text === undefined && modifiers.shift && shifted > 32) return unicodeKey(shifted, noModifiers);
  return unicodeKey(code, modifiers, text);
}

function writes(point: number): boolean {
  if (point < 32 || point > 0x10ffff) return false;
  return !(point > 126 && point < 160) && !(point >= 0xd800 && point <= 0xdfff);
}
