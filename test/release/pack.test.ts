/**
 * What `npm pack` makes: what is needed and nothing else. That it installs and runs on other versions of Node is tried
 * with HARNESS_CHAT_TEST_NPM=1, which fetches them.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'harness-chat-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);

/** Runs with nothing of this environment but what finds programs; gives standard output. */
function run(command: string, args: string[], cwd: string, path = process.env.PATH ?? ''): string {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const own = Object.entries(process.env).filter(([name]) =>
    /^npm_config_|^(https?|no)_proxy$|^NODE_EXTRA_CA/i.test(name),
  );
  const env = { ...Object.fromEntries(own), PATH: path, HOME: home, npm_config_update_notifier: 'false' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', input: '' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}
let packed: Packed;
let tarball: string;
beforeAll(() => {
  const out = run('npm', ['pack', '--json', '--pack-destination', folder], ROOT);
  packed = JSON.parse(out)[0];
  tarball = join(folder, packed.filename);
}, 120_000);

describe('the package', () => {
  it('holds the program, the library and its declarations, the licences, and nothing else', () => {
    const expected = [
      /^(?:package\.json|README\.md|LICENSE|\.env\.example|bin\/harness-chat\.js)$/,
      /^dist\/(?:cli\.js|index\.js|LICENSES\.txt|chunks\/[\w-]+\.js)$/,
      /^dist\/types\/(?:index|(?:domain|edge|library|loop|runtime)\/[\w/-]+)\.d\.ts$/,
    ];
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([]);
    for (const needed of [
      'package.json',
      'README.md',
      'LICENSE',
      'bin/harness-chat.js',
      'dist/cli.js',
      'dist/index.js',
      'dist/LICENSES.txt',
      'dist/types/index.d.ts',
    ])
      expect(paths).toContain(needed);
  });

  it('declares its types without a package of which only the code is bundled', () => {
    const read = (path: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(path)) return seen;
      seen.add(path);
      const text = readFileSync(join(ROOT, 'dist', 'types', path), 'utf8');
      for (const [, from = ''] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
        if (from.startsWith('.')) read(join(dirname(path), from.replace(/\.ts$/, '.d.ts')), seen);
        else if (!from.startsWith('node:')) seen.add(`${path} needs ${from}`);
      }
      return seen;
    };
    expect([...read('index.d.ts')].filter((entry) => entry.includes(' needs '))).toEqual([]);
  });

  it('is small', () => {
    expect(packed.size).toBeGreaterThan(300_000);
    expect(packed.size).toBeLessThan(2_000_000);
  });

  it('brings no other package and runs nothing when it is installed', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies'])
      expect(manifest[kind]).toBeUndefined();
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts[script]).toBeUndefined();
  });
});

it('is of the version that the program tells and the journal holds', () => {
  const program = join(ROOT, 'bin', 'harness-chat.js');
  expect(run('node', [program, '--version'], folder)).toBe(`${manifest.version}\n`);
  const [first = '{}'] = run('node', [program, 'exec', '--json', '-p', 'demo', 'hello'], folder).split('\n');
  expect(JSON.parse(first).event).toMatchObject({ type: 'SessionStarted', app_version: manifest.version });
});

const wanted = process.env.HARNESS_CHAT_TEST_NPM === '1';
const platform = `${process.platform}-${process.arch}`;
describe.skipIf(!wanted)('in an empty folder', () => {
  it.each(['20', '22', '24'])(
    'on Node %s',
    (major) => {
      let path = process.env.PATH ?? '';
      if (process.versions.node.split('.')[0] !== major) {
        const prefix = join(folder, `node-${major}`);
        mkdirSync(prefix);
        run('npm', ['install', '--silent', '--no-save', '--prefix', prefix, `node-${platform}@${major}`], prefix);
        path = join(prefix, 'node_modules', `node-${platform}`, 'bin') + delimiter + path;
      }
      const empty = mkdtempSync(join(folder, 'empty-'));
      copyFileSync(tarball, join(empty, packed.filename));
      expect(run('node', ['--version'], empty, path)).toMatch(new RegExp(`^v${major}\\.`));
      const npx = (...args: string[]) => run('npx', ['--yes', `./${packed.filename}`, ...args], empty, path);
      expect(npx('--version')).toBe(`${manifest.version}\n`);
      expect(npx('exec', '-p', 'demo', 'hello')).toMatch(/demo/);
      const [first = '{}'] = npx('exec', '--json', '-p', 'demo', 'hello').split('\n');
      expect(JSON.parse(first).event).toMatchObject({ type: 'SessionStarted', app_version: manifest.version });
      expect(readdirSync(empty)).toEqual([packed.filename]);

      writeFileSync(join(empty, 'package.json'), '{"type":"module"}');
      run('npm', ['install', '--silent', '--ignore-scripts', tarball], empty, path);
      expect(readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
        'harness-chat',
      ]);
      const program = `import { createDemoModel, createSession } from 'harness-chat';
const session = await createSession({ model: createDemoModel(), modelName: 'demo' });
const events = session.subscribeEvents({ enduring: 'all' });
await session.submit([{ type: 'text', text: 'hello' }]);
for await (const { event } of events) if (event.type === 'TurnDone') break;
await session.shutdown();
console.log('done');`;
      writeFileSync(join(empty, 'main.js'), program);
      expect(run('node', ['main.js'], empty, path)).toBe('done\n');
    },
    300_000,
  );
});
if (!wanted)
  process.stderr.write('HARNESS_CHAT_TEST_NPM=1 installs the package on Node 20, 22 and 24; that is left out here\n');
