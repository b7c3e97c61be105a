/** `search`: lines that fit a regular expression, in a file or under a folder. */
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import type { Tool } from '../../domain/tool.ts';
import { filePlace } from './file-access.ts';
import { readBytes, reasonOf } from './file-bytes.ts';
import { decodeFile } from './file-text.ts';
import { walkFiles } from './file-walk.ts';
import type { LineMatcher } from './line-matcher.ts';
import { MAX_TEXT, oneLine, said } from './result.ts';
import { parameters } from './schema.ts';
import { shownPath } from './workspace.ts';

const MAX_MATCHES = 200;
const MAX_SEARCHED_BYTES = 2 * 1024 * 1024;
const MAX_MS = 30_000;

const schema = parameters({
  pattern: z
    .string()
    .min(1)
    .describe('A regular expression (JavaScript), matched line by line; "(?i)" in front ignores case'),
  path: z.string().optional().describe('A file or a folder; default: the workspace'),
});
type SearchInput = { pattern: string; path?: string };

export function createSearchTool(): Tool<SearchInput> {
  const under = filePlace<SearchInput>({ toolName: 'search', kind: 'free', pathOf: ({ path }) => path || '.' });
  return {
    name: 'search',
    description:
      'Searches text files for lines that fit a regular expression. Leaves out what .gitignore does, and binary files. Gives path:line: text.',
    parameters: schema,
    changes: false,
    summary: ({ pattern, path }) => `${oneLine(pattern)}${path ? ` in ${oneLine(path)}` : ''}`,
    access: async (input, { cwd }) =>
      under.access(input, cwd, (place) => `search ${oneLine(place.real)} for ${oneLine(input.pattern)}`),
    async run(input, { cwd, signal }) {
      const { compile, createLineMatcher } = await import('./line-matcher.ts');
      const pattern = compile(input.pattern);
      const real = under.confirmed(input, cwd);
      const matcher = createLineMatcher(pattern, signal);
      try {
        return said(await searched(pathsUnder(real, cwd, signal), matcher, cwd));
      } finally {
        await matcher.close();
      }
    },
  };
}

async function* pathsUnder(real: string, cwd: string, signal: AbortSignal): AsyncGenerator<string> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(real)).isDirectory();
  } catch (error) {
    throw new Error(reasonOf(error, real));
  }
  if (isFolder) yield* walkFiles(real, cwd, signal);
  else yield real;
}

async function searched(paths: AsyncIterable<string>, matcher: LineMatcher, cwd: string): Promise<string> {
  const began = performance.now();
  const lines: string[] = [];
  let room = MAX_TEXT;
  let files = 0;
  let large = 0;
  let end = '';
  for await (const path of paths) {
    const text = await textOf(path);
    if (text === 'large') large++;
    if (text === undefined || text === 'large') continue;
    files++;
    const name = oneLine(shownPath(path, cwd));
    for (const match of await matched(matcher, text.text, MAX_MATCHES + 1 - lines.length, name)) {
      const line = `${name}:${match.line}: ${match.text}`;
      room -= line.length + 1;
      lines.push(line);
    }
    if (lines.length > MAX_MATCHES || room < 0)
      end = `[only the first matches are shown: take a narrower pattern or path]`;
    else if (performance.now() - began > MAX_MS) end = `[stopped after ${MAX_MS / 1000} s: take a narrower path]`;
    if (end) break;
  }
  if (lines.length === 0 && !end) end = `no line in ${files} files fits`;
  if (large > 0) end += `${end && '\n'}[${large} files larger than ${MAX_SEARCHED_BYTES} bytes were not searched]`;
  while (lines.length > 1 && (lines.length > MAX_MATCHES || room < 0)) room += (lines.pop() as string).length + 1;
  return [...lines, ...(end ? [end] : [])].join('\n');
}

/** Binary and unreadable files are passed over. */
async function textOf(path: string): Promise<{ text: string } | 'large' | undefined> {
  const file = await readBytes(path).catch(() => undefined);
  if (!file) return undefined;
  if (file.bytes.length > MAX_SEARCHED_BYTES) return 'large';
  const decoded = decodeFile(file.bytes);
  return decoded && { text: decoded.text };
}

async function matched(matcher: LineMatcher, text: string, limit: number, name: string) {
  try {
    return await matcher.match(text, limit);
  } catch (error) {
    throw new Error(`${(error as Error).message} (at ${name})`);
  }
}
