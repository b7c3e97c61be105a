import { describe, expect, test } from 'vitest';
import { imageHead, imageSize, imageType } from '../../../src/edge/tools/image.ts';

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

const PNG = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 128, 0, 0, 1, 224], 'xxxIEND');
const GIF = bytes('GIF89a', [128, 2, 224, 1], '1234;');
const JPEG = bytes(
  [0xff, 0xd8],
  [0xff, 0xe0, 0, 4, 1, 2],
  [0xff, 0xff, 0xc4, 0, 3, 1],
  [0xff, 0xc0, 0, 8, 8],
  [1, 224, 2, 128, 3],
  [0xff, 0xd9],
);
const webp = (kind: string, body: number[]): Buffer => {
  const data = bytes('WEBP', kind, [0, 0, 0, 0], body, new Array(20).fill(0));
  return bytes('RIFF', [data.length, 0, 0, 0], data.toString('latin1'));
};

describe('an image', () => {
  test.each<[string, Buffer]>([
    ['image/png', PNG],
    ['image/gif', GIF],
    ['image/jpeg', JPEG],
    ['image/webp', webp('VP8X', [0, 0, 0, 0, 127, 2, 0, 223, 1, 0])],
    ['image/webp', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 128, 2, 224, 1])],
    ['image/webp', webp('VP8L', [0x2f, 0x7f, 0xc2, 0x77, 0])],
  ])('%s is known with its size by its bytes', (type, image) => {
    expect([imageHead(image), imageType(image)]).toEqual([type, type]);
    expect(imageSize(image)).toEqual({ width: 640, height: 480 });
  });

  test.each([
    ['png', PNG],
    ['gif', GIF],
    ['jpeg', JPEG],
  ])('that breaks off is none, and its size is known or not: %s', (_name, image) => {
    for (let length = 0; length < image.length - 1; length += 1) {
      const cut = image.subarray(0, length);
      expect(imageType(cut)).toBeUndefined();
      const size = imageSize(cut);
      if (size) expect(size).toEqual({ width: 640, height: 480 });
    }
  });

  test.each(['', 'plain text', '\x89PNG', 'GIF', 'RIFF1234WAVE', '<svg/>', '%PDF-1.7'])('%j is none', (text) => {
    expect([imageHead(bytes(text)), imageType(bytes(text)), imageSize(bytes(text))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
