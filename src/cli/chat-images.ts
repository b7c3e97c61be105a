/** Images that an input names: what the composer shows of them before they are sent, and whether a model takes them. */
import { basename } from 'node:path';
import type { InputBlock } from '../domain/content.ts';
import { imageHead, imageSize } from '../edge/tools/image.ts';
import { attachment } from '../view/attachment.ts';
import { bytes } from '../view/context.ts';
import type { Dropped } from '../view/dropped-path.ts';
import { pathOf, readBounded } from './named-file.ts';

export const IMAGE_BYTES = 5 * 1024 * 1024;
/** Enough to tell an image and, but for some photographs with long notes in them, its size. */
const HEAD_BYTES = 256 * 1024;
const MOST_LOOKED_AT = 20;

/** `photo.png 640×480, 120 kB` */
export function imageWords(name: string, head: Buffer, size: number): string {
  const pixels = imageSize(head);
  return [`${basename(name)}${pixels ? ` ${pixels.width}×${pixels.height}` : ''}`, bytes(size)].join(', ');
}

export const tooLarge = (name: string, size: number): string =>
  `${basename(name)} is not attached: ${bytes(size)}, an image may have 5 MB`;

/** What it is, and then the image. */
export const imageBlocks = (name: string, mediaType: string, image: Buffer): InputBlock[] => [
  attachment('image', imageWords(name, image, image.length), ''),
  { type: 'image', mediaType, data: image.toString('base64') },
];

/** Of those that are images: in words what will be sent, or why it will not. Never rejects. */
export async function lookAtImages(names: readonly string[], cwd: string, taken: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const name of names.slice(0, MOST_LOOKED_AT)) {
    const file = await readBounded(pathOf(name, cwd), HEAD_BYTES).catch(() => undefined);
    if (!file || imageHead(file.bytes) === undefined) continue;
    if (file.size > IMAGE_BYTES) found.push(tooLarge(name, file.size));
    else found.push(`image ${imageWords(name, file.bytes, file.size)}${taken ? '' : ': this model takes no images'}`);
  }
  return found;
}

/** The paths of what was dropped onto the terminal, where all of them are images; else none: it was text. */
export async function droppedImages({ paths }: Dropped, cwd: string): Promise<readonly string[]> {
  for (const path of paths) {
    const file = await readBounded(pathOf(path, cwd), HEAD_BYTES).catch(() => undefined);
    if (!file || imageHead(file.bytes) === undefined) return [];
  }
  return paths;
}
