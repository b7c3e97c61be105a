/** `edit_file`: one exact replacement; all else of the file stays as it is, its encoding, line ends and mode too. */
import * as z from 'zod';
import type { Tool } from '../../domain/tool.ts';
import { countsOf, diffText } from './diff-text.ts';
import { filePlace } from './file-access.ts';
import { readBytes, replaceBytes } from './file-bytes.ts';
import type { FileMemory } from './file-memory.ts';
import { decodeFile, encodeFile } from './file-text.ts';
import { replacedOnce } from './replacement.ts';
import { oneLine, refused, said } from './result.ts';
import { parameters } from './schema.ts';
import { resolvePlace } from './workspace.ts';

const schema = parameters({
  path: z.string().min(1),
  old_text: z.string().describe('What stands there now, exactly, and long enough to be there only once'),
  new_text: z.string().describe('What shall stand there'),
});
type EditFileInput = { path: string; old_text: string; new_text: string };

/** What an edit would make of a file, or why there is none. */
type Edit = { before: Buffer; after: Buffer; diff: string } | { before?: Buffer; fault: string };

export function createEditFileTool(memory: FileMemory): Tool<EditFileInput> {
  const file = filePlace<EditFileInput>({ toolName: 'edit_file', kind: 'change', pathOf: ({ path }) => path });
  return {
    name: 'edit_file',
    description: 'Replaces old_text by new_text in a file. old_text must be in it exactly once.',
    parameters: schema,
    changes: true,
    summary: ({ path }) => oneLine(path),
    async access(input, { cwd }) {
      const edit = await editOf(resolvePlace(input.path, cwd).real, input);
      memory.asked(input, edit.before);
      // a call before this one may still make it possible
      const detail = 'fault' in edit ? `(as things are it would fail: ${edit.fault})\n${wish(input)}` : edit.diff;
      return file.access(input, cwd, (place) => `edit ${oneLine(place.real)}\n${detail}`);
    },
    async run(input, { cwd }) {
      const real = file.confirmed(input, cwd);
      const edit = await editOf(real, input);
      const conflict = memory.conflict(input, real, edit.before);
      if (conflict) return refused(conflict);
      if ('fault' in edit) return refused(edit.fault);
      await replaceBytes(real, edit.after);
      memory.saw(real, edit.after);
      return said(`Edited ${real} (${countsOf(edit.diff)} lines)`, edit.diff);
    },
  };
}

const wish = ({ old_text, new_text }: EditFileInput): string => diffText(old_text, new_text);

async function editOf(real: string, { old_text, new_text }: EditFileInput): Promise<Edit> {
  let before: Buffer | undefined;
  try {
    const file = await readBytes(real);
    if (!file) return { fault: `${real} is not there: use write_file to make it` };
    before = file.bytes;
    if (file.cut) return { before, fault: `${real} is too large to be edited here (${file.stats.size} bytes)` };
    const decoded = decodeFile(before);
    if (!decoded) return { before, fault: `${real} is a binary file` };
    if (!encodeFile(decoded.text, decoded).equals(before)) {
      return {
        before,
        fault: `${real} holds characters that are no valid ${decoded.encoding}: an edit would change them`,
      };
    }
    const replaced = replacedOnce(decoded.text, old_text, new_text);
    if (!replaced.ok) return { before, fault: replaced.message };
    return { before, after: encodeFile(replaced.text, decoded), diff: diffText(decoded.text, replaced.text) };
  } catch (error) {
    return { before, fault: (error as Error).message };
  }
}
