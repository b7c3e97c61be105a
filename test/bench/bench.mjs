// Builds the benchmark and runs it.  node test/bench/bench.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'harness-chat-bench-'));
try {
  const outfile = join(folder, 'bench.mjs');
  const entryPoints = [join(import.meta.dirname, 'bench.ts')];
  await build({
    absWorkingDir: root,
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  process.exitCode = spawnSync(process.execPath, [outfile, root], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
