/** `list_files`: what is in one folder. */
import { type Dirent, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Tool } from '../../domain/tool.ts';
import { filePlace } from './file-access.ts';
import { reasonOf } from './file-bytes.ts';
import { oneLine, said } from './result.ts';
import { parameters } from './schema.ts';

const MAX_ENTRIES = 1_000;

const schema = parameters({
  path: z.string().optional().describe('The folder; default: the workspace'),
});

export function createListFilesTool(): Tool<{ path?: string }> {
  const folder = filePlace<{ path?: string }>({
    toolName: 'list_files',
    kind: 'free',
    pathOf: ({ path }) => path || '.',
  });
  return {
    name: 'list_files',
    description: 'Lists what is in a folder, one name a line; folders end with "/", links show where they point.',
    parameters: schema,
    changes: false,
    summary: ({ path }) => oneLine(path || '.'),
    access: async (input, { cwd }) => folder.access(input, cwd, () => `list ${oneLine(input.path || '.')}`),
    async run(input, { cwd }) {
      const real = folder.confirmed(input, cwd);
      let entries: Dirent[];
      try {
        entries = await readdir(real, { withFileTypes: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') throw new Error(`${real} is no folder: use read_file`);
        throw new Error(reasonOf(error, real));
      }
      if (entries.length === 0) return said('(the folder is empty)');
      const names = entries.map((entry) => nameOf(entry, real)).sort();
      const more = names.length - MAX_ENTRIES;
      return said(
        [...names.slice(0, MAX_ENTRIES), ...(more > 0 ? [`[… ${more} more of ${names.length}]`] : [])].join('\n'),
      );
    },
  };
}

function nameOf(entry: Dirent, folder: string): string {
  const name = oneLine(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  return entry.isSymbolicLink() ? `${name} -> ${oneLine(targetOf(join(folder, entry.name)))}` : name;
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '?';
  }
}
