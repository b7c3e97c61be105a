/** Bytes that may or may not be text: what can be shown of them, and what is only said. */

/** More than one broken byte in ten characters: this was not meant as UTF-8. */
const BROKEN_SHARE = 0.1;
const SHOWN_BYTES = 32;

export interface ByteText {
  /** Broken bytes stand as U+FFFD in it. */
  text: string;
  broken: number;
  binary: boolean;
}

export function byteText(bytes: Buffer): ByteText {
  const text = bytes.toString('utf8');
  if (!text.includes('\uFFFD')) return { text, broken: 0, binary: bytes.includes(0) };
  const meant = countOf(bytes, Buffer.from('\uFFFD'));
  const broken = text.split('\uFFFD').length - 1 - meant;
  return { text, broken, binary: bytes.includes(0) || broken > text.length * BROKEN_SHARE };
}

function countOf(bytes: Buffer, needle: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) count++;
  return count;
}

/** The first bytes in hexadecimal and, where they are printable ASCII, as characters. */
export function firstBytes(bytes: Buffer): string {
  const shown = bytes.subarray(0, SHOWN_BYTES);
  const hex = [...shown].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const printable = [...shown].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
  return `${hex} |${printable}|${bytes.length > SHOWN_BYTES ? ' …' : ''}`;
}

/** Without the character that the cut at the end has broken. */
export function wholeEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the rest of a character that the cut at the beginning has broken. */
export function wholeStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < Math.min(3, bytes.length) && ((bytes[from] as number) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
