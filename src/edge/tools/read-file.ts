/** `read_file`: the text of a file or a part of it, or an image. */
import * as z from 'zod';
import type { Tool, ToolResult } from '../../domain/tool.ts';
import { firstBytes } from '../process/byte-text.ts';
import { filePlace } from './file-access.ts';
import { type FileBytes, MAX_FILE_BYTES, readBytes } from './file-bytes.ts';
import type { FileMemory } from './file-memory.ts';
import { decodeFile, type FileText } from './file-text.ts';
import { imageType } from './image.ts';
import { MAX_TEXT, oneLine, refused, said } from './result.ts';
import { parameters } from './schema.ts';

export interface ReadFileOptions {
  memory: FileMemory;
  /** Folders outside the workspace that may be read without a question: the outputs of commands. */
  readable?: readonly string[];
}

const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

const schema = parameters({
  path: z.string().min(1).describe('The file; relative to the workspace, or absolute'),
  offset: z.int().min(0).optional().describe('First line, counted from 1'),
  limit: z.int().min(1).optional().describe('How many lines'),
});
type ReadFileInput = { path: string; offset?: number; limit?: number };

export function createReadFileTool(options: ReadFileOptions): Tool<ReadFileInput> {
  const { memory, readable = [] } = options;
  const file = filePlace<ReadFileInput>({ toolName: 'read_file', kind: 'free', pathOf: ({ path }) => path, readable });
  return {
    name: 'read_file',
    description:
      'Reads a text file or an image (png, jpeg, gif, webp). A whole file comes as it is. With offset or limit, and where it is too long to show whole, ' +
      'each line begins with its number and a tab, which are not part of the file.',
    parameters: schema,
    changes: false,
    summary: ({ path, offset, limit }) =>
      `${oneLine(path)}${offset || limit ? ` from line ${offset || 1}${limit ? `, ${limit} lines` : ''}` : ''}`,
    access: async (input, { cwd }) => file.access(input, cwd, () => `read ${oneLine(input.path)}`),
    async run(input, { cwd }) {
      const real = file.confirmed(input, cwd);
      const read = await readBytes(real);
      if (!read) return refused(`${real} is not there`);
      if (!read.cut) memory.saw(real, read.bytes);
      return imageOf(read) ?? textOf(read, input);
    },
  };
}

function imageOf({ bytes, cut }: FileBytes): ToolResult | undefined {
  const mediaType = imageType(bytes);
  if (!mediaType) return undefined;
  const what = `${mediaType}, ${bytes.length} bytes`;
  if (cut || bytes.length > MAX_IMAGE_BYTES)
    return refused(`[${what}: larger than ${MAX_IMAGE_BYTES} bytes, not shown]`);
  return {
    content: [
      { type: 'text', text: `[${what}]` },
      { type: 'image', mediaType, data: bytes.toString('base64') },
    ],
  };
}

function textOf(file: FileBytes, input: ReadFileInput): ToolResult {
  const { bytes, stats } = file;
  if (bytes.length === 0) return said('(the file is empty)');
  // a cut at the end must not make a text binary
  const decoded = decodeFile(file.cut ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes);
  if (!decoded) return said(`[binary file, ${stats.size} bytes, not shown; it begins with ${firstBytes(bytes)}]`);
  const notes = notesOf(decoded, file);
  const lines = decoded.text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const whole = lines.join('\n');
  if (!input.offset && !input.limit && whole.length <= MAX_TEXT && !file.cut) return said([...notes, whole].join('\n'));
  const page = pageOf(lines, Math.max(1, input.offset ?? 1), input.limit ?? Number.POSITIVE_INFINITY);
  return page.ok ? said([...notes, page.text].join('\n')) : refused(page.text);
}

function notesOf({ encoding, bom }: FileText, { cut, stats }: FileBytes): string[] {
  const notes: string[] = [];
  if (encoding === 'Latin-1') notes.push('[not valid UTF-8; shown as Latin-1]');
  else if (encoding !== 'UTF-8') notes.push(`[${encoding} text${bom ? ' with a byte order mark' : ''}]`);
  if (cut) notes.push(`[the file has ${stats.size} bytes; only the first ${MAX_FILE_BYTES} can be read here]`);
  return notes;
}

/** Numbered lines as far as they fit, and how to go on. */
function pageOf(lines: readonly string[], from: number, limit: number): { ok: boolean; text: string } {
  if (from > lines.length) return { ok: false, text: `the file has ${lines.length} lines: there is no line ${from}` };
  const shown: string[] = [];
  let room = MAX_TEXT;
  for (const line of lines.slice(from - 1, Math.min(lines.length, from - 1 + limit))) {
    const numbered = `${from + shown.length}\t${line}`;
    if (numbered.length > room && shown.length > 0) break;
    shown.push(
      numbered.length > room
        ? `${numbered.slice(0, room)} [… ${numbered.length - room} characters of this line left out]`
        : numbered,
    );
    room -= numbered.length + 1;
    if (room <= 0) break;
  }
  const last = from + shown.length - 1;
  if (last < lines.length) shown.push(`[lines ${from} to ${last} of ${lines.length}; go on with offset ${last + 1}]`);
  return { ok: true, text: shown.join('\n') };
}
