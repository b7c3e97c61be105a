/** The files of the workspace for the chat: their names for completion, what is in them for an input that names them. */
import { relative } from 'node:path';
import type { InputBlock } from '../domain/content.ts';
import { byteText, wholeEnd } from '../edge/process/byte-text.ts';
import { walkFiles } from '../edge/tools/file-walk.ts';
import { imageHead, imageType } from '../edge/tools/image.ts';
import { attachment } from '../view/attachment.ts';
import { IMAGE_BYTES, imageBlocks, tooLarge } from './chat-images.ts';
import { type FileBytes, pathOf, readBounded } from './named-file.ts';

const MOST_FILES = 20_000;
const LONGEST_WALK_MS = 3000;

/** Relative to the workspace, those near its root first. What .gitignore leaves out is left out. */
export async function workspaceFiles(cwd: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const path of walkFiles(cwd, cwd, AbortSignal.timeout(LONGEST_WALK_MS))) {
      paths.push(relative(cwd, path));
      if (paths.length >= MOST_FILES) break;
    }
  } catch {
    // out of time: what was found so far is offered
  }
  const depth = (path: string): number => path.split(/[\\/]/).length;
  return paths.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

export const MOST_ATTACHED = 20;
const TEXT_BYTES = 256 * 1024;
/** Of all images of an input: servers refuse requests that are larger. */
const ALL_IMAGE_BYTES = 15 * 1024 * 1024;

export interface Attached {
  blocks: InputBlock[];
  /** What the person should know: what was cut or left out, and why. */
  words: string[];
}

/** Names that are written as those of files are: what was there a moment ago may be gone, or the name be mistyped. */
const MEANT_AS_FILE = /\.(?:png|jpe?g|gif|webp)$|[\\/].*\.[a-z]\w{0,4}$/i;
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** A name that is no file is only text; where a file was meant, that is said. */
export async function attachFiles(names: readonly string[], cwd: string): Promise<Attached> {
  const attached: Gathering = { blocks: [], words: [], files: 0, imageBytes: 0 };
  for (const name of names) {
    const file = await readBounded(pathOf(name, cwd), IMAGE_BYTES + 1).catch((error: NodeJS.ErrnoException) => {
      const missing = MISSING.has(error.code ?? '');
      if (!missing || MEANT_AS_FILE.test(name))
        attached.words.push(
          `${name} is not attached: ${missing ? 'there is no such file' : (error.code ?? error.message)}`,
        );
      return undefined;
    });
    if (!file) continue;
    if (attached.files >= MOST_ATTACHED) {
      attached.words.push(`${name} is not attached: ${MOST_ATTACHED} files are the most`);
      break;
    }
    add(attached, name, file);
  }
  return attached;
}

interface Gathering extends Attached {
  files: number;
  imageBytes: number;
}

function add(gathering: Gathering, name: string, file: FileBytes): void {
  if (imageHead(file.bytes) !== undefined) addImage(gathering, name, file);
  else addText(gathering, name, file);
}

function addImage(gathering: Gathering, name: string, { bytes, size }: FileBytes): void {
  const { blocks, words } = gathering;
  const mediaType = imageType(bytes);
  if (size > IMAGE_BYTES) words.push(tooLarge(name, size));
  else if (mediaType === undefined) words.push(`${name} is not attached: the image is not whole`);
  else if (gathering.imageBytes + size > ALL_IMAGE_BYTES)
    words.push(`${name} is not attached: the images of a message may have ${ALL_IMAGE_BYTES / 1024 / 1024} MB in all`);
  else {
    blocks.push(...imageBlocks(name, mediaType, bytes));
    gathering.files += 1;
    gathering.imageBytes += size;
  }
}

function addText(gathering: Gathering, name: string, { bytes, size }: FileBytes): void {
  const { blocks, words } = gathering;
  const cut = size > TEXT_BYTES;
  const { text, binary } = byteText(cut ? wholeEnd(bytes.subarray(0, TEXT_BYTES)) : bytes);
  if (binary) {
    words.push(`${name} is not attached: it is neither text nor a png, jpeg, gif or webp image`);
    return;
  }
  if (cut) words.push(`of ${name} only the first ${TEXT_BYTES / 1024} kB are attached`);
  blocks.push(attachment('file', name, cut ? `${text}\n[cut here: the first ${TEXT_BYTES} of ${size} bytes]` : text));
  gathering.files += 1;
}
