import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileMemory } from '../../../src/edge/tools/file-memory.ts';
import { createReadFileTool } from '../../../src/edge/tools/read-file.ts';
import { called, judged, said, textOf } from './call.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
const tool = (readable: string[] = []) => createReadFileTool({ memory: createFileMemory(), readable });
const read = (input: object) => said(tool(), input, folder.ws);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('text', () => {
  test.each([
    ['plain', 'one\n\ttwo\n', 'one\n\ttwo'],
    ['without a last line end', 'one', 'one'],
    ['nothing', '', '(the file is empty)'],
    ['one empty line', '\n', ''],
    ['CRLF', 'a\r\nb\r\n', 'a\nb'],
    ['a byte order mark', '\ufeffa', 'a'],
    ['of all the world', '城市 🙂 é', '城市 🙂 é'],
  ])('%s', async (_, content, text) => {
    folder.put('a.txt', content);
    expect(await read({ path: 'a.txt' })).toBe(text);
  });
  test.each([
    [{ offset: 2, limit: 2 }, '2\tl2\n3\tl3\n[lines 2 to 3 of 5; go on with offset 4]'],
    [{ offset: 4 }, '4\tl4\n5\tl5'],
    [{ limit: 1 }, '1\tl1\n[lines 1 to 1 of 5; go on with offset 2]'],
    [{ offset: 0, limit: 9 }, '1\tl1\n2\tl2\n3\tl3\n4\tl4\n5\tl5'],
    [{ offset: '5' }, '5\tl5'],
  ])('lines %j', async (range, text) => {
    folder.put('a.txt', 'l1\nl2\nl3\nl4\nl5\n');
    expect(await read({ path: 'a.txt', ...range })).toBe(text);
  });
  test('a line that is not there is an error that says how many there are', async () => {
    folder.put('a.txt', 'l1\n');
    const result = await called(tool(), { path: 'a.txt', offset: 9 }, folder.ws);
    expect([textOf(result), result.isError]).toEqual(['the file has 1 lines: there is no line 9', true]);
  });
  test('what is too long is cut at a line, with numbers and how to go on', async () => {
    folder.put('a.txt', Array.from({ length: 5000 }, (_, i) => `line number ${i + 1}`).join('\n'));
    const text = await read({ path: 'a.txt' });
    expect(text.length).toBeLessThan(30_200);
    const last = Number(/\[lines 1 to (\d+) of 5000; go on with offset \d+\]$/.exec(text)?.[1]);
    expect(text).toContain(`\n${last}\tline number ${last}\n`);
    expect(await read({ path: 'a.txt', offset: last + 1 })).toMatch(
      new RegExp(`^${last + 1}\tline number ${last + 1}\n`),
    );
  });
  test('one endless line is cut visibly', async () => {
    folder.put('a.txt', 'x'.repeat(100_000));
    const text = await read({ path: 'a.txt' });
    expect(text).toMatch(/^1\tx+ \[… 70002 characters of this line left out\]$/);
  });
  test('a cut never leaves half a character', async () => {
    folder.put('a.txt', `a${'🙂'.repeat(50_000)}`);
    expect(await read({ path: 'a.txt' })).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });
  test('larger than what is looked at: said, and no binary because of the cut', async () => {
    folder.put('a.txt', 'äöü 🙂\n'.repeat(900_000));
    expect(await read({ path: 'a.txt', limit: 1 })).toMatch(
      /^\[the file has 10800000 bytes; only the first 10485760 [\s\S]*\n1\täöü 🙂\n/,
    );
  });
});

describe('no plain UTF-8', () => {
  test.each([
    [
      'a.bin',
      Buffer.from([1, 0, 2, 255]),
      /^\[binary file, 4 bytes, not shown; it begins with 01 00 02 ff \|\.\.\.\.\|\]$/,
    ],
    ['le.txt', Buffer.from('\ufeffhé', 'utf16le'), /^\[UTF-16LE text with a byte order mark\]\nhé$/],
    ['be.txt', Buffer.from('\ufeffhé', 'utf16le').swap16(), /^\[UTF-16BE text with a byte order mark\]\nhé$/],
    ['bomless.txt', Buffer.from('hello', 'utf16le'), /^\[binary file/],
    ['latin.txt', Buffer.from('caf\xe9 ol\xe9', 'latin1'), /^\[not valid UTF-8; shown as Latin-1\]\ncafé olé$/],
    ['fake.png', Buffer.concat([PNG.subarray(0, 20), Buffer.from('x')]), /^\[binary file/],
  ])('%s', async (name, bytes, text) => {
    folder.put(name, bytes);
    expect(await read({ path: name })).toMatch(text);
  });
  test.each([
    ['a.png', PNG, 'image/png'],
    ['named.txt', PNG, 'image/png'],
    ['a.jpg', Buffer.from('ffd8ffe000104a464946000101ffd9', 'hex'), 'image/jpeg'],
    [
      'a.gif',
      Buffer.from('47494638396101000100800000ffffff0000002c00000000010001000002024401003b', 'hex'),
      'image/gif',
    ],
    ['a.webp', Buffer.from('524946460c000000574542505650384c00000000', 'hex'), 'image/webp'],
  ])('the image %s', async (name, bytes, mediaType) => {
    folder.put(name, bytes);
    const { content } = await called(tool(), { path: name }, folder.ws);
    expect(content).toEqual([
      { type: 'text', text: `[${mediaType}, ${bytes.length} bytes]` },
      { type: 'image', mediaType, data: bytes.toString('base64') },
    ]);
  });
});

describe('what cannot be read is one line', () => {
  test.each([
    ['missing.txt', /missing\.txt is not there$/],
    ['sub', /sub is a folder: use list_files$/],
    ['a.txt/x', /leads through a file/],
    ['fifo', /fifo is no plain file$/],
  ])('%s', async (path, message) => {
    mkdirSync(join(folder.ws, 'sub'));
    folder.put('a.txt', 'a');
    execFileSync('mkfifo', [join(folder.ws, 'fifo')]);
    const text = await called(tool(), { path }, folder.ws).then(textOf, (error: Error) => error.message);
    expect(text).toMatch(message);
    expect(text).not.toContain('\n');
  });
  test('a device without an end', async () => {
    await expect(called(tool(), { path: '/dev/zero' }, folder.ws)).rejects.toThrow(/no plain file/);
  });
});

describe('where it may read', () => {
  test('inside: free, without grants', async () => {
    folder.put('a.txt', 'a');
    const { access } = await judged(tool(), { path: 'a.txt' }, folder.ws);
    expect(access).toEqual({ kind: 'free', detail: 'read a.txt', grants: [] });
  });
  test('outside: the question shows the real path, a grant covers that path only', async () => {
    writeFileSync(join(folder.top, 'secret'), 's');
    symlinkSync('../secret', join(folder.ws, 'link'));
    const real = join(folder.top, 'secret');
    const { access, run } = await judged(tool(), { path: 'link' }, folder.ws);
    expect(access).toMatchObject({
      kind: 'free',
      outside: true,
      grants: [{ scope: 'session', covers: `read_file ${real}` }],
    });
    expect(access.detail.startsWith(`${real} (outside the workspace)`)).toBe(true);
    expect(textOf(await run())).toBe('s');
  });
  test('a link that is put in place after the question is not followed out', async () => {
    const path = folder.put('a.txt', 'a');
    writeFileSync(join(folder.top, 'secret'), 's');
    const { run } = await judged(tool(), { path: 'a.txt' }, folder.ws);
    unlinkSync(path);
    symlinkSync('../secret', path);
    await expect(run()).rejects.toThrow(/now leads to .*secret; the question was about .*a\.txt\. Nothing was done/);
  });
  test('nothing outside without a question, whoever calls', async () => {
    writeFileSync(join(folder.top, 'secret'), 's');
    const context = { cwd: folder.ws, signal: new AbortController().signal, toolExecutionId: 'x' };
    await expect(tool().run({ path: '../secret' }, context)).rejects.toThrow(
      /outside the workspace, and nobody was asked/,
    );
  });
  test('the outputs of commands are free', async () => {
    mkdirSync(join(folder.top, 'outputs'));
    writeFileSync(join(folder.top, 'outputs', 'o.txt'), 'o');
    const { access } = await judged(
      tool([join(folder.top, 'outputs')]),
      { path: join(folder.top, 'outputs', 'o.txt') },
      folder.ws,
    );
    expect(access.outside).toBeUndefined();
  });
});
