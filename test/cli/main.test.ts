import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
let folder: string;

/** The start of the program as it is shipped, without the subcommands that other tests run. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'main-'));
  symlinkSync(join(root, 'bin'), join(folder, 'bin'));
  await build({
    entryPoints: { cli: join(root, 'src/cli/main.ts') },
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['./chat.ts', './exec.ts', './stdio.ts', './sessions.ts', './audit.ts'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of shell in which `chat` is the program. */
function shell(line: string, env: Record<string, string> = {}) {
  const start = `chat() { '${process.execPath}' --preserve-symlinks-main bin/harness-chat.js "$@"; }`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${start}\n${line}`], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env.PATH, HOME: folder, HARNESS_CHAT_HOME: join(folder, 'home'), ...env },
  });
  return { status, stdout, stderr };
}

test('a command line that is done', () => {
  expect(shell('chat config get maxSteps')).toEqual({ status: 0, stdout: '25\n', stderr: '' });
});

test.each([
  'chat',
  'chat </dev/null',
  'echo hi | chat',
  'set -o pipefail; chat | cat',
  'chat <&-',
  'setsid -w bash -c "$(declare -f chat); chat"',
])('no terminal: %s', (line) => {
  const { status, stdout, stderr } = shell(line);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^harness-chat: [^\n]*harness-chat exec[^\n]*\n$/);
});

test('a reader that went away: 141, without a word', () => {
  expect(shell('set -o pipefail; chat --help | true')).toEqual({ status: 141, stdout: '', stderr: '' });
});

test.skipIf(!existsSync('/dev/full'))('a full disk behind standard output: one line and exit 1', () => {
  const { status, stderr } = shell('chat config list >/dev/full');
  expect([status, stderr]).toEqual([1, 'harness-chat: standard output cannot be written (ENOSPC)\n']);
});

test('what is kept is private under umask 000', () => {
  expect(
    shell('umask 000; chat config set model m && chat config set providers.a.apiKey sk-TEST-0123456789abcdef').status,
  ).toBe(0);
  const home = join(folder, 'home');
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(readdirSync(home).map((name) => [name, statSync(join(home, name)).mode & 0o777])).toEqual([
    ['config.json', 0o600],
  ]);
  chmodSync(home, 0o755);
  const { stderr } = shell('chat config set model n');
  expect(stderr).toMatch(/was open to others \(0755\) and is now yours alone/);
  expect(statSync(home).mode & 0o777).toBe(0o700);
});
