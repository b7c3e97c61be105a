/** `glob`: the files whose paths fit a pattern. */
import { relative, sep } from 'node:path';
import * as z from 'zod';
import type { Tool } from '../../domain/tool.ts';
import { filePlace } from './file-access.ts';
import { walkFiles } from './file-walk.ts';
import { splitGlob } from './glob-pattern.ts';
import { oneLine, said } from './result.ts';
import { parameters } from './schema.ts';
import { shownPath } from './workspace.ts';

const MAX_RESULTS = 500;

const schema = parameters({
  pattern: z.string().min(1).describe('For example "src/**/*.ts", "**/*.{md,txt}"'),
});

export function createGlobTool(): Tool<{ pattern: string }> {
  const folder = filePlace<{ pattern: string }>({
    toolName: 'glob',
    kind: 'free',
    pathOf: ({ pattern }) => splitGlob(pattern).base,
  });
  return {
    name: 'glob',
    description:
      'Finds files by a pattern of their path: * and ? within a name, ** for any folders, [a-z], {a,b}. Leaves out what .gitignore does.',
    parameters: schema,
    changes: false,
    summary: ({ pattern }) => oneLine(pattern),
    access: async (input, { cwd }) =>
      folder.access(input, cwd, (place) => `look for ${oneLine(input.pattern)} under ${oneLine(place.real)}`),
    async run(input, { cwd, signal }) {
      const base = folder.confirmed(input, cwd);
      const { matches } = splitGlob(input.pattern);
      const found: string[] = [];
      for await (const path of walkFiles(base, cwd, signal)) {
        if (!matches(relative(base, path).split(sep).join('/'))) continue;
        if (found.length === MAX_RESULTS)
          return said([...found, `[… more than ${MAX_RESULTS}: take a narrower pattern]`].join('\n'));
        found.push(oneLine(shownPath(path, cwd)));
      }
      if (found.length > 0) return said(found.join('\n'));
      const hint = input.pattern.includes('/') ? '' : `; "**/${input.pattern}" looks in all folders`;
      return said(`no file fits ${input.pattern}${hint}`);
    },
  };
}
