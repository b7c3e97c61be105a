/** The direction of imports, what each folder must not hold, and the size of files (src/ARCHITECTURE.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', 'src');

interface Import {
  from: string;
  typeOnly: boolean;
}
interface Source {
  /** Relative to src, with slashes. */
  path: string;
  room: string;
  text: string;
  imports: Import[];
}

const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

const importsOf = (text: string): Import[] =>
  [...text.matchAll(IMPORT)].map((match) => ({ from: match[3] ?? match[4] ?? '', typeOnly: match[2] !== undefined }));

const ROOMS = ['domain', 'loop', 'runtime', 'edge', 'view', 'ui', 'cli', 'examples'];
const roomOf = (path: string): string => {
  const [first = ''] = path.split('/');
  return ROOMS.includes(first) ? first : 'top';
};

const sources: Source[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const path = relative(SRC, file).split(sep).join('/');
    const text = readFileSync(file, 'utf8');
    return { path, room: roomOf(path), text, imports: importsOf(text) };
  });

/** What a folder may import of ours, and which packages; `types` may be imported as types alone. */
const RULES: Record<string, { ours: (path: string) => boolean; packages: RegExp; types?: (path: string) => boolean }> =
  {
    domain: { ours: within('domain'), packages: /^zod$/ },
    loop: { ours: within('domain', 'loop'), packages: /^$/ },
    view: { ours: within('domain', 'view'), packages: /^(marked|string-width|diff|fuzzysort)$/ },
    runtime: { ours: within('domain', 'loop', 'runtime'), packages: /^$/ },
    edge: {
      ours: (path) => within('domain', 'edge')(path) || path === 'runtime/ports.ts',
      packages: /^(?!ink$|react$|commander$)/,
    },
    ui: { ours: within('domain', 'view', 'ui'), packages: /^(ink|react)(\/|$)/, types: within('runtime') },
  };
function within(...rooms: string[]) {
  return (path: string): boolean => rooms.includes(roomOf(path));
}

test('the sources were found', () => {
  expect(sources.length).toBeGreaterThan(120);
  for (const room of ROOMS) expect([room, sources.some((source) => source.room === room)]).toEqual([room, true]);
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(400);
});

test('imports point one way', () => {
  const wrong: string[] = [];
  for (const { path, room, imports } of sources) {
    const rule = RULES[room];
    for (const { from, typeOnly } of imports) {
      if (from.startsWith('.')) {
        const target = posix.normalize(posix.join(dirname(path), from));
        if (target.startsWith('docs/') && !path.startsWith('docs/')) wrong.push(`${path} → ${target}`);
        if (rule && !rule.ours(target) && !(typeOnly && rule.types?.(target))) wrong.push(`${path} → ${target}`);
      } else if (rule && !rule.packages.test(from)) wrong.push(`${path} → ${from}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('there are no cycles', () => {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports
        .filter(({ from, typeOnly }) => from.startsWith('.') && !typeOnly)
        .map(({ from }) => posix.normalize(posix.join(dirname(path), from))),
    ]),
  );
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) expect.fail(`a cycle: ${[...trail.slice(at), path].join(' → ')}`);
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
});

test('no clock, no chance and nothing asynchronous where it does not belong', () => {
  const forbidden: [RegExp, string[]][] = [
    [
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\brandomUUID\b/,
      ['domain', 'loop', 'runtime', 'view'],
    ],
    [/\bset(Timeout|Interval|Immediate)\b|\bprocess\./, ['domain', 'loop', 'runtime', 'view']],
    [/\basync\b|\bawait\b|\bnew Promise\b/, ['loop', 'view']],
  ];
  const wrong = forbidden.flatMap(([pattern, rooms]) =>
    sources
      .filter(({ room, text }) => rooms.includes(room) && pattern.test(withoutComments(text)))
      .map(({ path }) => `${path} has ${pattern.source}`),
  );
  expect(wrong).toEqual([]);
});

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

test('files are small, and named by nouns that say something', () => {
  const long = sources
    .filter(({ text }) => text.split('\n').length > 251)
    .map(({ path, text }) => `${path}: ${text.split('\n').length} lines`);
  expect(long).toEqual([]);
  const vague = sources
    .filter(({ path }) => /(^|[/-])(utils?|helpers?|manager|service|common|misc)([.-]|$)/.test(path))
    .map(({ path }) => path);
  expect(vague).toEqual([]);
});
