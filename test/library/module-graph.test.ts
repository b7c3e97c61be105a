/** What `import 'harness-chat'` loads: the runtime, and nothing of the screen or the command line. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

async function graph(): Promise<{ ours: string[]; packages: string[]; entryBytes: number }> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/index.ts'],
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  const packageOf = (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === 'src/index.ts');
  return {
    ours: inputs.filter((path) => path.startsWith('src/')),
    packages: [...new Set(inputs.flatMap((path) => packageOf(path) ?? []))].sort(),
    entryBytes: entry?.bytes ?? 0,
  };
}

test('no screen, no command line, no settings; the packages are these', async () => {
  const { ours, packages } = await graph();
  expect(ours).toContain('src/runtime/live-session.ts');
  expect(
    ours.filter((path) => /^src\/(ui|view|cli|examples|compose|edge\/(settings|terminal|tools|process))/.test(path)),
  ).toEqual([]);
  // openai is only fetched by the first request; zod checks the commands of a wire
  expect(packages).toEqual(['eventsource-parser', 'openai', 'zod']);
});

test('what is loaded at once is small', async () => {
  const { entryBytes } = await graph();
  expect(entryBytes).toBeGreaterThan(20_000);
  expect(entryBytes).toBeLessThan(300_000);
});
