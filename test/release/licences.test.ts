/** The licences of what is bundled travel with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

async function bundled(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts', 'src/index.ts'],
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // only a developer of ink has it
    external: ['react-devtools-core'],
    logLevel: 'silent',
  });
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})`;
  });
}

test('each bundled package has its full text in dist/LICENSES.txt', async () => {
  const sections = readFileSync(join(ROOT, 'dist', 'LICENSES.txt'), 'utf8')
    .split(`\n${'-'.repeat(80)}\n\n`)
    .slice(1);
  const texts = new Map(sections.map((section) => [section.split('\n', 1)[0] ?? '', section]));
  const packages = await bundled();
  expect(packages.length).toBeGreaterThan(50);
  // what the plugins of the build leave out: the developer tools of ink, and the second string-width
  const leftOut = /^(?:ws|string-width 7|emoji-regex)\b/;
  expect(packages.filter((name) => !texts.has(name) && !leftOut.test(name))).toEqual([]);
  for (const [name, text] of texts)
    expect([name, /permission|licen[cs]ed under|redistribution/i.test(text) && text.length > 700]).toEqual([
      name,
      true,
    ]);
});

test('none of them asks for more than that its text is kept', async () => {
  const names = (await bundled()).map((name) => /\((.*)\)$/.exec(name)?.[1]);
  expect([...new Set(names)].sort()).toEqual(['Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT']);
});
