/** What the documents point at is there, and the code that they show is that of a file that is run by a test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const documents = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  'src/ARCHITECTURE.md',
  ...readdirSync(join(ROOT, 'src', 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `src/docs/${name}`),
];
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** As the usual hosts make them of a heading. */
const anchors = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', (path) => {
  const text = textOf(path);

  it('leads where it says', () => {
    const wrong: string[] = [];
    for (const [, target = ''] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?|mailto):/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const there = file === '' ? join(ROOT, path) : resolve(ROOT, dirname(path), file);
      if (!there.startsWith(ROOT) || !existsSync(there)) wrong.push(target);
      else if (anchor !== undefined && !anchors(readFileSync(there, 'utf8')).includes(anchor)) wrong.push(target);
    }
    expect(wrong).toEqual([]);
  });

  it('names files that are there', () => {
    const named = [...text.matchAll(/`((?:src|test|bin)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has one title, and its fences are closed', () => {
    expect(withoutCode(text).match(/^# /gm)).toHaveLength(1);
    expect((text.match(/^```/gm)?.length ?? 0) % 2).toBe(0);
  });
});

it('there are documents for those who use it, change it and report to it', () => {
  for (const name of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']) expect(documents).toContain(name);
});

it('the TypeScript of the README is that of an example', () => {
  const shown = [...textOf('README.md').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const examples = readdirSync(join(ROOT, 'src', 'examples')).map((name) =>
    textOf(`src/examples/${name}`)
      .replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
      .replaceAll("'../index.ts'", "'harness-chat'"),
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const code of shown) expect(examples).toContain(code);
  expect(textOf('README.md')).toContain(`has ${numeral(examples.length)} small programs`);
});

const numeral = (n: number): string =>
  ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'][n] ??
  `${n}`;

it('the version has its section in the changelog', () => {
  const { version } = JSON.parse(textOf('package.json'));
  expect(textOf('CHANGELOG.md')).toContain(`\n## ${version}\n`);
});
