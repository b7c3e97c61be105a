/** `write_file`: makes or replaces a whole file. */
import * as z from 'zod';
import type { Tool } from '../../domain/tool.ts';
import { countsOf, diffText } from './diff-text.ts';
import { filePlace } from './file-access.ts';
import { readBytes, replaceBytes } from './file-bytes.ts';
import type { FileMemory } from './file-memory.ts';
import { decodeFile } from './file-text.ts';
import { oneLine, refused, said } from './result.ts';
import { parameters } from './schema.ts';
import { resolvePlace } from './workspace.ts';

const schema = parameters({
  path: z.string().min(1).describe('The file; folders on the way are made'),
  content: z.string().describe('All that the file shall hold'),
});
type WriteFileInput = { path: string; content: string };

export function createWriteFileTool(memory: FileMemory): Tool<WriteFileInput> {
  const file = filePlace<WriteFileInput>({ toolName: 'write_file', kind: 'change', pathOf: ({ path }) => path });
  return {
    name: 'write_file',
    description: 'Writes a file, new or in place of what it held. To change a part of a file use edit_file.',
    parameters: schema,
    changes: true,
    summary: ({ path, content }) => `${oneLine(path)} (${content.length} characters)`,
    async access(input, { cwd }) {
      const now = await stateOf(resolvePlace(input.path, cwd).real);
      memory.asked(input, now.bytes);
      return file.access(
        input,
        cwd,
        (place) => `${now.fault ?? titleOf(place.real, now.bytes)}\n${changeOf(now.bytes, input.content)}`,
      );
    },
    async run(input, { cwd }) {
      const real = file.confirmed(input, cwd);
      const before = (await readBytes(real))?.bytes;
      const conflict = memory.conflict(input, real, before);
      if (conflict) return refused(conflict);
      const bytes = Buffer.from(input.content);
      await replaceBytes(real, bytes);
      memory.saw(real, bytes);
      const change = changeOf(before, input.content);
      return said(`${before ? 'Replaced' : 'Made'} ${real}: ${bytes.length} bytes (${countsOf(change)} lines)`, change);
    },
  };
}

/** What is there, as far as it can be looked at: a question must be possible in any case. */
async function stateOf(real: string): Promise<{ bytes?: Buffer; fault?: string }> {
  try {
    return { bytes: (await readBytes(real))?.bytes };
  } catch (error) {
    return { fault: `(${(error as Error).message})` };
  }
}

const titleOf = (real: string, before: Buffer | undefined): string => `${before ? 'replace' : 'make'} ${oneLine(real)}`;

function changeOf(before: Buffer | undefined, content: string): string {
  const old = before && decodeFile(before);
  const note = before && !old ? `(a binary file of ${before.length} bytes is replaced)\n` : '';
  return note + (diffText(old?.text ?? '', content) || '(it changes nothing)');
}
