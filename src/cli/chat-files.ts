/** The files of the workspace for the chat: their names for completion, what is in them for an input that names them. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { relative, resolve } from 'node:path';
import type { InputBlock } from '../domain/content.ts';
import { byteText, wholeEnd } from '../edge/process/byte-text.ts';
import { walkFiles } from '../edge/tools/file-walk.ts';
import { imageType } from '../edge/tools/image.ts';
import { attachment } from '../view/attachment.ts';

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
const IMAGE_BYTES = 5 * 1024 * 1024;

export interface Attached {
  blocks: InputBlock[];
  /** What the person should know: what was cut or left out, and why. */
  words: string[];
}

/** A name that is no file is only text. */
export async function attachFiles(names: readonly string[], cwd: string): Promise<Attached> {
  const attached: Attached = { blocks: [], words: [] };
  for (const name of names) {
    const path = resolve(cwd, name.replace(/^~(?=\/|$)/, homedir()));
    const file = await readBounded(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && error.code !== 'ENAMETOOLONG')
        attached.words.push(`${name} is not attached: ${error.code ?? error.message}`);
      return undefined;
    });
    if (!file) continue;
    if (attached.blocks.length >= MOST_ATTACHED) {
      attached.words.push(`${name} is not attached: ${MOST_ATTACHED} files are the most`);
      break;
    }
    add(attached, name, file);
  }
  return attached;
}

interface FileBytes {
  bytes: Buffer;
  size: number;
}

async function readBounded(path: string): Promise<FileBytes | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, IMAGE_BYTES + 1));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), size: stats.size };
  } finally {
    await handle.close();
  }
}

function add({ blocks, words }: Attached, name: string, { bytes, size }: FileBytes): void {
  const mediaType = size <= IMAGE_BYTES ? imageType(bytes) : undefined;
  if (mediaType !== undefined) {
    blocks.push({ type: 'image', mediaType, data: bytes.toString('base64') });
    return;
  }
  const cut = size > TEXT_BYTES;
  const { text, binary } = byteText(cut ? wholeEnd(bytes.subarray(0, TEXT_BYTES)) : bytes);
  if (binary) {
    words.push(`${name} is not attached: it is neither text nor a png, jpeg, gif or webp image of at most 5 MB`);
    return;
  }
  if (cut) words.push(`of ${name} only the first ${TEXT_BYTES / 1024} kB are attached`);
  blocks.push(attachment('file', name, cut ? `${text}\n[cut here: the first ${TEXT_BYTES} of ${size} bytes]` : text));
}
