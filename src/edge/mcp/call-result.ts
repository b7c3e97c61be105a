/** What a server answered to a call, as a model is given it. */
import type { ImageBlock, TextBlock } from '../../domain/content.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { oneLine } from '../settings/one-line.ts';
import { wellFormed } from '../tools/file-text.ts';
import { imageType } from '../tools/image.ts';
import { MAX_TEXT } from '../tools/result.ts';
import { isObject } from './offered-tool.ts';

const MAX_IMAGES = 8;
const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

type Content = TextBlock | ImageBlock;

/** Takes any value: what is not understood is named, never dropped without a word. */
export function callResult(answer: unknown): ToolResult {
  const { content, structuredContent, isError } = isObject(answer) ? answer : {};
  const blocks = Array.isArray(content) ? content.map(blockOf) : [];
  if (structuredContent !== undefined && !isSaid(structuredContent, blocks)) {
    blocks.push(note(JSON.stringify(structuredContent, null, 2)));
  }
  if (blocks.length === 0) blocks.push(note('(no output)'));
  return { content: withinBounds(blocks), ...(isError === true ? { isError } : {}) };
}

const note = (text: string): TextBlock => ({ type: 'text', text: wellFormed(text) });

function blockOf(part: unknown): Content {
  if (!isObject(part)) return note('[content of an unknown form, not shown]');
  switch (part.type) {
    case 'text':
      return note(textIn(part.text));
    case 'image':
      return binary('image', part.data, part.mimeType);
    case 'audio':
      return binary('audio', part.data, part.mimeType);
    case 'resource':
      return resource(part.resource);
    case 'resource_link':
      return note(
        `[resource ${[part.uri, part.title ?? part.name, part.description].map(word).filter(Boolean).join(', ')}]`,
      );
    default:
      return note(`[content of the type ${word(part.type) || 'unknown'}, not shown]`);
  }
}

function resource(given: unknown): Content {
  if (!isObject(given)) return note('[a resource without content]');
  const uri = word(given.uri);
  if (typeof given.text === 'string') return note(`[resource ${uri}]\n${given.text}`);
  return binary(`resource ${uri}`, given.blob, given.mimeType);
}

/** An image by what its bytes are, not by what is said of them; anything else is only named. */
function binary(what: string, data: unknown, type: unknown): Content {
  const bytes = Buffer.from(textIn(data), 'base64');
  const mediaType = imageType(bytes);
  if (mediaType && bytes.length <= MAX_IMAGE_BYTES) return { type: 'image', mediaType, data: bytes.toString('base64') };
  const why = mediaType ? `, larger than ${MAX_IMAGE_BYTES}` : '';
  return note(`[${what}, ${word(type) || 'unknown type'}, ${bytes.length} bytes${why}, not shown]`);
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const word = (value: unknown): string => oneLine(textIn(value), 200);

/** Servers are asked to say structured content as text as well. */
function isSaid(structured: unknown, blocks: readonly Content[]): boolean {
  const wanted = JSON.stringify(structured);
  return blocks.some((block) => block.type === 'text' && compact(block.text) === wanted);
}

function compact(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** All texts together have the room of one result: each that is longer than what is left of it is cut in the middle. */
function withinBounds(blocks: readonly Content[]): Content[] {
  let room = MAX_TEXT;
  let images = 0;
  const kept: Content[] = [];
  let dropped = 0;
  for (const block of blocks) {
    if (block.type === 'image' ? images >= MAX_IMAGES : room <= 0) {
      dropped++;
      continue;
    }
    if (block.type === 'image') images++;
    else room -= block.text.length + 1;
    kept.push(block.type === 'image' || room >= 0 ? block : note(cut(block.text, room + block.text.length + 1)));
  }
  if (dropped > 0) kept.push(note(`[… ${dropped} more parts left out]`));
  return kept;
}

function cut(text: string, room: number): string {
  const half = Math.floor(room / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(text.length - half)}`;
}
