/** What is loaded before the chat's first picture: nothing that only a request, a tool or a later key needs. */
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** All that stands behind static imports of the chat. */
async function loaded(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/chat.ts'],
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    external: ['react-devtools-core'],
    logLevel: 'silent',
  });
  return reached(metafile.inputs, 'src/cli/chat.ts');
}

function reached(inputs: Metafile['inputs'], start: string): string[] {
  const seen = new Set([start]);
  // a set visits what is added while it is walked
  for (const path of seen)
    for (const { path: next, kind } of inputs[path]?.imports ?? []) if (kind !== 'dynamic-import') seen.add(next);
  return [...seen];
}

test('no HTTP, no thread, no SDK, no colours of code', async () => {
  const paths = await loaded();
  expect(paths).toContain('src/ui/ink-screen.tsx');
  expect(paths).toContain('src/runtime/live-session.ts');
  expect(paths).toContain('node:path');
  const late =
    /^(?:node:)?(?:https?|http2|tls|dns|zlib|worker_threads|readline|inspector)$|node_modules\/(?:openai|highlight\.js|conf|@modelcontextprotocol)\/|src\/(?:edge\/models\/(?:transport|discovery)|view\/page)\.ts/;
  expect(paths.filter((path) => late.test(path))).toEqual([]);
});
