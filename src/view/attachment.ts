/**
 * Texts that go with an input beside what the person wrote: files that were named, output of commands of one's own, and
 * before each image that was named what it is. The model reads them whole; the screen shows their names.
 */
import { ATTACHED } from '../domain/attached.ts';
import type { Block, ImageBlock, InputBlock, TextBlock } from '../domain/content.ts';
import { bytes } from './context.ts';

/** What goes with an input, or why it is not sent: one line, and the input goes back into the composer. */
export interface AttachedBlocks {
  blocks?: InputBlock[];
  refusal?: string;
}

export type AttachmentKind = 'file' | 'output' | 'image';

export const attachment = (kind: AttachmentKind, name: string, text: string): TextBlock => ({
  type: 'text',
  text: `[attached ${kind} ${name.replaceAll('\n', ' ')}]\n${text}`,
});

/** Undefined for what is no attachment. */
export function attachmentOf(block: Block): { kind: AttachmentKind; name: string } | undefined {
  const found = block.type === 'text' ? ATTACHED.exec(block.text) : null;
  return found ? { kind: found[1] as AttachmentKind, name: found[2] ?? '' } : undefined;
}

/** What the person wrote. */
export const ownText = (blocks: readonly InputBlock[]): string =>
  blocks.map((block) => (block.type === 'text' && !attachmentOf(block) ? block.text : '')).join('');

/** Output that goes with the next input where this one is taken back; files are read again. */
export const outputsOf = (blocks: readonly InputBlock[]): InputBlock[] =>
  blocks.filter((block) => attachmentOf(block)?.kind === 'output');

export const attachmentNames = (blocks: readonly InputBlock[]): string[] =>
  blocks.flatMap((block) => {
    const found = attachmentOf(block);
    return found ? [`${found.kind} ${found.name}`] : [];
  });

/** Images that stand there without a name: those of other programs. */
export const namelessImages = (blocks: readonly InputBlock[]): number =>
  blocks.filter(({ type }) => type === 'image').length -
  blocks.filter((block) => attachmentOf(block)?.kind === 'image').length;

/** `image image/png, 12 kB`; foreign text. */
export const pictureWords = ({ mediaType, data }: ImageBlock): string =>
  `image ${mediaType}, ${bytes(Math.floor((data.length * 3) / 4))}`;

const MENTION = /(^|\s)@(?:"([^"\n]+)"|([^\s@"]\S*))/g;

/** Paths that a text names with `@`, each once. The sign twice names none. */
export function mentionsIn(text: string): string[] {
  const found = [...text.matchAll(MENTION)].flatMap(([, , quoted, plain]) => {
    if (quoted !== undefined) return [quoted];
    // what ends a sentence is no part of a path, unless nothing else is left
    const trimmed = plain?.replace(/[.,;:!?)\]}'"]+$/, '');
    return trimmed ? [trimmed] : [];
  });
  return [...new Set(found)];
}

export const mention = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`);

/** `@@name` at the beginning of a word is `@name`, as text. */
export const withoutDoubleSigns = (text: string): string => text.replace(/(^|\s)@@/g, '$1@');
