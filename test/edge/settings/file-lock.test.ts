import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../../src/edge/settings/file-lock.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('is there while the work is done, names the process, and goes also after a failure', async () => {
  const seen = await withLock(path, () => readFileSync(path, 'utf8'));
  expect(seen).toBe(String(process.pid));
  expect(existsSync(path)).toBe(false);
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(path)).toBe(false);
});

test('one at a time', async () => {
  let inside = 0;
  const most: number[] = [];
  const work = async () => {
    inside += 1;
    most.push(inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)));
  expect(most).toEqual(Array(8).fill(1));
});

test('of a dead process is taken over, by one', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(path, String(pid));
  let inside = 0;
  const results = await Promise.all(
    Array.from({ length: 6 }, () =>
      withLock(path, async () => {
        inside += 1;
        const alone = inside === 1;
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        return alone;
      }),
    ),
  );
  expect(results).toEqual(Array(6).fill(true));
  expect(readdirSync(folder)).toEqual([]);
});

test('that is older than any work lasts is taken over, whoever has its number now', async () => {
  writeFileSync(path, String(process.pid));
  utimesSync(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  expect(await withLock(path, () => 'done')).toBe('done');
});

test('several processes that write the config at once lose nothing', async () => {
  const store = join(import.meta.dirname, '../../../src/edge/settings/config-store.ts');
  const script = join(folder, 'writer.mjs');
  await build({
    stdin: {
      contents: `import { updateConfig } from ${JSON.stringify(store)};
        const [file, name] = process.argv.slice(2);
        for (let at = 0; at < 5; at += 1) await updateConfig(file, (values) => ({ ...values, [name + at]: at }));`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const home = join(folder, 'home');
  const config = join(home, 'config.json');
  const codes = await Promise.all(
    Array.from({ length: 6 }, async (_, at) => {
      const child = spawn(process.execPath, [script, config, `p${at}-`], { stdio: ['ignore', 'inherit', 'inherit'] });
      const [code] = await once(child, 'exit');
      return code;
    }),
  );
  expect(codes).toEqual(Array(6).fill(0));
  expect(Object.keys(JSON.parse(readFileSync(config, 'utf8')))).toHaveLength(30);
  expect(readdirSync(home)).toEqual(['config.json']);
});
