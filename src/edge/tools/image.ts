/** Which image some bytes are, by what they hold. */

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** What they begin like; enough to name an image, not to send it. */
export function imageHead(bytes: Buffer): string | undefined {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && ascii(bytes, 12, 16) === 'IHDR') return 'image/png';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

const WHOLE: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.includes('IEND'),
  'image/jpeg': (bytes) => bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') > 3,
  'image/gif': (bytes) => bytes.lastIndexOf(0x3b) > 12,
  'image/webp': (bytes) => bytes.length >= 12 && bytes.readUInt32LE(4) + 8 <= bytes.length,
};

/** A file that only begins like an image is none: servers refuse it. */
export function imageType(bytes: Buffer): string | undefined {
  const type = imageHead(bytes);
  return type !== undefined && WHOLE[type]?.(bytes) ? type : undefined;
}

export interface ImageSize {
  width: number;
  height: number;
}

/** In pixels, where the bytes at hand say it. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  try {
    const size = SIZES[imageHead(bytes) ?? '']?.(bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // too short to say it
    return undefined;
  }
}

const SIZES: Record<string, (bytes: Buffer) => ImageSize | undefined> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Segment by segment to the first that begins a frame. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // a byte that fills stands alone
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  const kind = ascii(bytes, 12, 16);
  if (kind === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
