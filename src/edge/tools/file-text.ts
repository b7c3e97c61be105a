/** Files as text: which encoding they have, so that a change keeps it, and when they are none. */
import { byteText } from '../process/byte-text.ts';

export interface FileText {
  /** Without the byte order mark; line ends as they are. */
  text: string;
  encoding: 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Latin-1';
  bom: boolean;
}

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
/** Of a text in an unknown one-byte encoding: control characters are rarer than this. */
const CONTROL_SHARE = 0.02;

/** undefined: binary. */
export function decodeFile(bytes: Buffer): FileText | undefined {
  if (bytes.length % 2 === 0 && bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: bytes.subarray(2).toString('utf16le'), encoding: 'UTF-16LE', bom: true };
  }
  if (bytes.length % 2 === 0 && bytes[0] === 0xfe && bytes[1] === 0xff) {
    const text = Buffer.from(bytes.subarray(2)).swap16().toString('utf16le');
    return { text, encoding: 'UTF-16BE', bom: true };
  }
  if (bytes.includes(0)) return undefined;
  const bom = bytes.subarray(0, 3).equals(UTF8_BOM);
  const content = bom ? bytes.subarray(3) : bytes;
  const { text, broken } = byteText(content);
  if (broken === 0) return { text, encoding: 'UTF-8', bom };
  const controls = content.filter((byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b).length;
  if (controls > content.length * CONTROL_SHARE) return undefined;
  return { text: bytes.toString('latin1'), encoding: 'Latin-1', bom: false };
}

/** Throws one line where the encoding has no room for the text. */
export function encodeFile(text: string, { encoding, bom }: Pick<FileText, 'encoding' | 'bom'>): Buffer {
  if (encoding === 'Latin-1') {
    const stranger = /[^\u0000-\u00ff]/u.exec(text)?.[0];
    if (stranger !== undefined)
      throw new Error(`the file is not UTF-8 (read as Latin-1), which has no ${JSON.stringify(stranger)}`);
    return Buffer.from(text, 'latin1');
  }
  if (encoding === 'UTF-8') return Buffer.concat([bom ? UTF8_BOM : Buffer.alloc(0), Buffer.from(text)]);
  const units = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return encoding === 'UTF-16BE' ? units.swap16() : units;
}

export type LineEnd = '\n' | '\r\n';

/** The line end that most lines have. */
export function lineEndOf(text: string): LineEnd {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  return crlf > all / 2 ? '\r\n' : '\n';
}

/** Half surrogate pairs are no text that can be sent. */
export const wellFormed = (text: string): string =>
  text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
