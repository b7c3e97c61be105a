import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attachFiles, MOST_ATTACHED, workspaceFiles } from '../../src/cli/chat-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harness-chat-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);

test('files near the root first, without what .gitignore leaves out', async () => {
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
  for (const name of ['deep/er/a', 'deep/b', 'z', 'secret.env']) put(name, 'x');
  put('.gitignore', '*.env\n');
  expect(await workspaceFiles(folder)).toEqual(['.gitignore', 'z', 'deep/b', 'deep/er/a']);
});

test('text goes along as text, an image as an image, a name that is no file not at all', async () => {
  put('a.ts', 'const a = 1;\n');
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  put('dot.png', png);
  mkdirSync(join(folder, 'sub'));
  const { blocks, words } = await attachFiles(['a.ts', 'nobody', 'sub', 'dot.png'], folder);
  expect(words).toEqual([]);
  expect(blocks).toEqual([
    { type: 'text', text: '[attached file a.ts]\nconst a = 1;\n' },
    { type: 'text', text: '[attached image dot.png 1×1, 70 B]\n' },
    { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
  ]);
});

test('a file that is meant and is not there is told; other words behind an @ are only words', async () => {
  const meant = ['gone.png', 'src/mian.ts'];
  const { blocks, words } = await attachFiles([...meant, 'types/node', 'somebody', 'v1.2', 'latest/3.10'], folder);
  expect(blocks).toEqual([]);
  expect(words).toEqual(meant.map((name) => `${name} is not attached: there is no such file`));
});

test('what is too much is cut or left out, and said', async () => {
  put('big.txt', 'é'.repeat(200_000));
  put('binary', Buffer.from([0, 1, 2, 255, 254, 0, 0, 0]));
  const big = await attachFiles(['big.txt', 'binary'], folder);
  expect(big.words).toHaveLength(2);
  const [block] = big.blocks;
  expect(block?.type === 'text' && block.text).toMatch(/é\n\[cut here: the first \d+ of 400000 bytes\]$/);
  const names = Array.from({ length: MOST_ATTACHED + 2 }, (_, i) => `f${i}`);
  for (const name of names) put(name, 'x');
  const many = await attachFiles(names, folder);
  expect([many.blocks.length, many.words.length]).toEqual([MOST_ATTACHED, 1]);
});

test.skipIf(process.platform === 'win32')('a pipe of that name makes nobody wait', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect((await attachFiles(['pipe'], folder)).blocks).toEqual([]);
});
