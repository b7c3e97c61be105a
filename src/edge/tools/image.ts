/** Which image some bytes are, by what they hold. A file that only begins like one is none: servers refuse it. */

export function imageType(bytes: Buffer): string | undefined {
  const ascii = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n' && ascii(12, 16) === 'IHDR' && bytes.includes('IEND')) return 'image/png';
  if (ascii(0, 3) === '\xff\xd8\xff' && bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') > 3) return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(0, 6)) && bytes.lastIndexOf(0x3b) > 12) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP' && bytes.readUInt32LE(4) + 8 <= bytes.length)
    return 'image/webp';
  return undefined;
}
