import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGlobTool } from '../../../src/edge/tools/glob.ts';
import { createListFilesTool } from '../../../src/edge/tools/list-files.ts';
import { createSearchTool } from '../../../src/edge/tools/search.ts';
import { called, judged, said } from './call.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
const search = (input: object) => said(createSearchTool(), input, folder.ws);
const glob = (pattern: string) => said(createGlobTool(), { pattern }, folder.ws);
const list = (path?: string) => said(createListFilesTool(), path === undefined ? {} : { path }, folder.ws);

function project(): void {
  for (const [path, content] of Object.entries({
    '.gitignore': 'node_modules/\n*.log\n!keep.log\n/build\n',
    'a.ts': 'const one = 1;\nconst Two = 2;\n',
    'src/b.ts': 'one two\r\nthree\r\n',
    'src/.hidden': 'one',
    'src/deep/c.md': 'no match',
    'src/deep/.gitignore': '*.gen\n!special.gen\n',
    'src/deep/x.gen': 'one',
    'src/deep/special.gen': 'one',
    'node_modules/m/index.js': 'one',
    'debug.log': 'one',
    'keep.log': 'one',
    'build/out.js': 'one',
    'src/build/in.js': 'one',
    '.git/config': 'one',
  }))
    folder.put(path, content);
  folder.put('image.bin', Buffer.from('one\0two'));
  mkdirSync(join(folder.top, 'out'));
  writeFileSync(join(folder.top, 'out', 'secret.ts'), 'one');
  symlinkSync('../out', join(folder.ws, 'link'));
  symlinkSync('../out/secret.ts', join(folder.ws, 'link.ts'));
}

describe('search', () => {
  test('finds lines, honours every .gitignore, follows no link, leaves out binary files', async () => {
    project();
    expect((await search({ pattern: 'one' })).split('\n')).toEqual([
      'a.ts:1: const one = 1;',
      'keep.log:1: one',
      'src/.hidden:1: one',
      'src/b.ts:1: one two',
      'src/build/in.js:1: one',
      'src/deep/special.gen:1: one',
    ]);
  });
  test('a folder whose name begins with dots is one like others', async () => {
    folder.put('..odd/.gitignore', '*.log\n');
    folder.put('..odd/a.log', 'one');
    folder.put('..odd/a.ts', 'one');
    expect(await search({ pattern: 'one' })).toBe('..odd/a.ts:1: one');
    expect(await search({ pattern: 'one', path: '..odd' })).toBe('..odd/a.ts:1: one');
  });
  test.each([
    ['^const \\w+', 'a.ts:1: const one = 1;\na.ts:2: const Two = 2;'],
    ['(?i)TWO', 'a.ts:2: const Two = 2;\nsrc/b.ts:1: one two'],
    ['three$', 'src/b.ts:2: three'],
    ['\\p{Lu}wo', 'a.ts:2: const Two = 2;'],
    ['\\_=|= 2', 'a.ts:2: const Two = 2;'],
    ['nowhere', 'no line in 9 files fits'],
  ])('%s', async (pattern, text) => {
    project();
    expect(await search({ pattern })).toBe(text);
  });
  test.each([
    ['a.ts', 'a.ts:1: const one = 1;'],
    ['src/deep', 'src/deep/special.gen:1: one'],
    ['node_modules', 'node_modules/m/index.js:1: one'],
    ['node_modules/m', 'node_modules/m/index.js:1: one'],
    ['', /^a\.ts:1/],
    [null, /^a\.ts:1/],
  ])('in %j', async (path, text) => {
    project();
    expect(await search({ pattern: 'one', path })).toMatch(text);
  });
  test('outside is asked, and shown with whole paths', async () => {
    project();
    const call = await judged(createSearchTool(), { pattern: 'one', path: 'link' }, folder.ws);
    expect(call.access).toMatchObject({ kind: 'free', outside: true });
    expect((await call.run()).content).toEqual([
      { type: 'text', text: `${join(folder.top, 'out', 'secret.ts')}:1: one` },
    ]);
  });
  test.each([
    ['(', /no regular expression/],
    ['[z-a]', /no regular expression/],
  ])('a pattern that is none: %s', async (pattern, message) => {
    await expect(called(createSearchTool(), { pattern }, folder.ws)).rejects.toThrow(message);
  });
  test('what is not there', async () => {
    await expect(called(createSearchTool(), { pattern: 'x', path: 'none' }, folder.ws)).rejects.toThrow(
      /is not there$/,
    );
  });
  test('many matches and long lines are cut visibly', async () => {
    folder.put('many', 'hit\n'.repeat(500));
    const text = await search({ pattern: 'hit' });
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toMatch(/\[only the first matches are shown: take a narrower pattern or path\]$/);
    folder.put('long', `${'x'.repeat(1000)}needle${'y'.repeat(1000)}`);
    expect(await search({ pattern: 'needle', path: 'long' })).toMatch(/^long:1: …x{80}needley{214}…$/);
  });
  test('a pattern that runs away is ended, and the program goes on meanwhile', async () => {
    folder.put('a', `${'a'.repeat(60)}!`);
    let ticks = 0;
    const ticker = setInterval(() => ticks++, 50);
    await expect(called(createSearchTool(), { pattern: '^(a+)+$' }, folder.ws)).rejects.toThrow(
      /takes too long.*\(at a\)/,
    );
    clearInterval(ticker);
    expect(ticks).toBeGreaterThan(20);
  });
  test('an interrupt ends it at once', async () => {
    folder.put('a', `${'a'.repeat(60)}!`);
    const call = await judged(createSearchTool(), { pattern: '^(a+)+$' }, folder.ws);
    const abort = new AbortController();
    const began = performance.now();
    const running = call.run({ signal: abort.signal });
    setTimeout(() => abort.abort(), 300);
    await expect(running).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2_000);
  });
  test('a name with a line end is one line', async () => {
    folder.put('a\nb', 'one');
    expect(await search({ pattern: 'one' })).toBe('"a\\nb":1: one');
  });
});

describe('glob', () => {
  test.each([
    ['**/*.ts', 'a.ts\nsrc/b.ts'],
    ['*.ts', 'a.ts'],
    ['src/*', 'src/.hidden\nsrc/b.ts'],
    ['src/**', 'src/.hidden\nsrc/b.ts\nsrc/build/in.js\nsrc/deep/.gitignore\nsrc/deep/c.md\nsrc/deep/special.gen'],
    ['**/{b,c}.{ts,md}', 'src/b.ts\nsrc/deep/c.md'],
    ['src/**/[bc].*', 'src/b.ts\nsrc/deep/c.md'],
    ['./a.ts', 'a.ts'],
    ['?.ts', 'a.ts'],
    ['node_modules/**', 'node_modules/m/index.js'],
    ['*.rs', 'no file fits *.rs; "**/*.rs" looks in all folders'],
    ['.git/*', '.git/config'],
  ])('%s', async (pattern, text) => {
    project();
    expect(await glob(pattern)).toBe(text);
  });
  test.each([
    ['../**', '/'],
    ['/etc/*', '/etc'],
    ['link/*', '/out'],
    ['src/../../*', '/'],
    ['~/*', ''],
  ])('outside is asked: %s', async (pattern) => {
    project();
    const { access } = await judged(createGlobTool(), { pattern }, folder.ws);
    expect(access).toMatchObject({ kind: 'free', outside: true });
  });
  test.each(['**/../../*', '{..,a}/*', '*/../../x'])('no way up behind a wildcard: %s', async (pattern) => {
    await expect(judged(createGlobTool(), { pattern }, folder.ws)).rejects.toThrow(/cannot go up/);
  });
});

describe('list_files', () => {
  test('names in order, folders and links marked, what is ignored too', async () => {
    project();
    const names = [
      '.git/',
      '.gitignore',
      'a.ts',
      'build/',
      'debug.log',
      'image.bin',
      'keep.log',
      'link -> ../out',
      'link.ts -> ../out/secret.ts',
      'node_modules/',
      'src/',
    ];
    expect(await list()).toBe(names.join('\n'));
    expect(await list('')).toBe(names.join('\n'));
    expect(await list('src/deep')).toBe('.gitignore\nc.md\nspecial.gen\nx.gen');
  });
  test('an empty folder, many names, odd names', async () => {
    expect(await list()).toBe('(the folder is empty)');
    folder.put('odd\n\x1b[2Jname', '');
    expect(await list()).toBe('"odd\\n\\u001b[2Jname"');
    for (let i = 0; i < 1005; i++) folder.put(`f${i}`, '');
    expect(await list()).toMatch(/\n\[… 6 more of 1006\]$/);
  });
  test.each([
    ['none', /is not there$/],
    ['a.ts', /is no folder: use read_file$/],
  ])('%s', async (path, message) => {
    project();
    await expect(called(createListFilesTool(), { path }, folder.ws)).rejects.toThrow(message);
  });
  test('outside is asked', async () => {
    const { access } = await judged(createListFilesTool(), { path: '..' }, folder.ws);
    expect(access).toMatchObject({
      kind: 'free',
      outside: true,
      detail: `${folder.top} (outside the workspace)\nlist ..`,
    });
  });
});
