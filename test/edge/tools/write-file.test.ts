import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEditFileTool } from '../../../src/edge/tools/edit-file.ts';
import { createFileMemory, type FileMemory } from '../../../src/edge/tools/file-memory.ts';
import { createReadFileTool } from '../../../src/edge/tools/read-file.ts';
import { createWriteFileTool } from '../../../src/edge/tools/write-file.ts';
import { called, judged, said, textOf } from './call.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
let memory: FileMemory;
beforeEach(() => {
  memory = createFileMemory();
});
const write = () => createWriteFileTool(memory);
const edit = () => createEditFileTool(memory);
const read = (path: string) => called(createReadFileTool({ memory }), { path }, folder.ws);
const bytesOf = (path: string) => readFileSync(join(folder.ws, path));
const textIn = (path: string) => bytesOf(path).toString();

describe('write_file', () => {
  test('makes a file and its folders, and shows the diff before and after', async () => {
    const { access, run } = await judged(write(), { path: 'new/deep/a.txt', content: 'one\ntwo\n' }, folder.ws);
    const real = join(folder.ws, 'new/deep/a.txt');
    expect(access).toMatchObject({
      kind: 'change',
      grants: [{ covers: 'write_file within the workspace' }, { scope: 'always' }],
    });
    expect(access.detail).toBe(`make ${real}\n@@ -0,0 +1,2 @@\n+one\n+two`);
    expect(existsSync(real)).toBe(false);
    const result = await run();
    expect(textOf(result)).toBe(`Made ${real}: 8 bytes (+2 -0 lines)`);
    expect(result.preview).toContain('+one');
    expect(textIn('new/deep/a.txt')).toBe('one\ntwo\n');
  });
  test('replaces a file, keeps its mode, and leaves nothing beside it', async () => {
    chmodSync(folder.put('run.sh', 'old\nsame\n'), 0o751);
    const { access, run } = await judged(write(), { path: 'run.sh', content: 'new\nsame\n' }, folder.ws);
    expect(access.detail).toContain('-old\n+new\n same');
    await run();
    expect(textIn('run.sh')).toBe('new\nsame\n');
    expect(statSync(join(folder.ws, 'run.sh')).mode & 0o777).toBe(0o751);
    expect(readdirSync(folder.ws)).toEqual(['run.sh']);
  });
  test('an empty content makes an empty file', async () => {
    await called(write(), { path: 'a', content: '' }, folder.ws);
    expect(textIn('a')).toBe('');
  });
  test('all names of a file stay one file', async () => {
    linkSync(folder.put('a', 'old'), join(folder.ws, 'b'));
    await called(write(), { path: 'a', content: 'new' }, folder.ws);
    expect(textIn('b')).toBe('new');
  });
  test('a link within the workspace stays a link', async () => {
    folder.put('a', 'old');
    symlinkSync('a', join(folder.ws, 'l'));
    await called(write(), { path: 'l', content: 'new' }, folder.ws);
    expect([textIn('a'), statSync(join(folder.ws, 'l')).isFile()]).toEqual(['new', true]);
  });
  test.each([
    ['sub', /sub is a folder/],
    ['a.txt/x', /leads through a file|is a folder|not there/],
    [`${'n'.repeat(300)}`, /name that is too long/],
    ['/proc/none/x', /proc/],
  ])('what cannot be written is one line: %s', async (path, message) => {
    mkdirSync(join(folder.ws, 'sub'));
    folder.put('a.txt', 'a');
    await expect(called(write(), { path, content: 'x' }, folder.ws)).rejects.toThrow(message);
  });
});

describe('what somebody else changed', () => {
  test('since it was read is not replaced, by neither tool', async () => {
    folder.put('a', 'one');
    await read('a');
    folder.put('a', 'theirs one');
    for (const call of [
      called(write(), { path: 'a', content: 'x' }, folder.ws),
      called(edit(), { path: 'a', old_text: 'one', new_text: 'x' }, folder.ws),
    ]) {
      const result = await call;
      expect(textOf(result)).toMatch(/was changed by somebody else since it was read: read it again first$/);
      expect(result.isError).toBe(true);
    }
    expect(textIn('a')).toBe('theirs one');
    await read('a');
    await called(edit(), { path: 'a', old_text: 'one', new_text: 'x' }, folder.ws);
    expect(textIn('a')).toBe('theirs x');
  });
  test('while the question stood open is not replaced, though it was never read', async () => {
    folder.put('a', 'one');
    const { run } = await judged(write(), { path: 'a', content: 'x' }, folder.ws);
    folder.put('a', 'theirs');
    expect(textOf(await run())).toMatch(/was changed by somebody else/);
    expect(textIn('a')).toBe('theirs');
  });
  test('made or removed meanwhile', async () => {
    const made = await judged(write(), { path: 'a', content: 'x' }, folder.ws);
    folder.put('a', 'theirs');
    expect(textOf(await made.run())).toMatch(/was made by somebody else meanwhile/);
    folder.put('b', 'one');
    await read('b');
    rmSync(join(folder.ws, 'b'));
    expect(await said(edit(), { path: 'b', old_text: 'one', new_text: 'x' }, folder.ws)).toMatch(
      /was removed by somebody else/,
    );
  });
  test('written by the session itself is no change: a batch that was judged as a whole', async () => {
    const first = await judged(write(), { path: 'a', content: 'one two' }, folder.ws);
    const second = await judged(edit(), { path: 'a', old_text: 'one', new_text: '1' }, folder.ws);
    const third = await judged(edit(), { path: 'a', old_text: 'two', new_text: '2' }, folder.ws);
    expect(second.access.detail).toMatch(/as things are it would fail: .* is not there[\s\S]*-one[\s\S]*\+1/);
    for (const call of [first, second, third]) expect((await call.run()).isError).toBeUndefined();
    expect(textIn('a')).toBe('1 2');
  });
  test('a file only touched is not changed', async () => {
    folder.put('a', 'one');
    await read('a');
    folder.put('a', 'one');
    expect(await said(write(), { path: 'a', content: 'two' }, folder.ws)).toMatch(/^Replaced/);
  });
});

describe('edit_file', () => {
  test.each([
    ['a word', 'a b c', 'b', 'X', 'a X c'],
    ['with signs that mean something elsewhere', 'a $& b', '$&', "$'$1$$", "a $'$1$$ b"],
    ['to nothing', 'a b', ' b', '', 'a'],
    ['several lines', 'a\nb\nc\n', 'a\nb', 'x\ny\nz', 'x\ny\nz\nc\n'],
    ['CRLF by LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'x\r\ny\r\nc\r\n'],
    ['CRLF, one line into two', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['LF by CRLF', 'a\nb\n', 'a\r\nb', 'x\r\ny', 'x\ny\n'],
    ['mixed ends elsewhere stay', 'a\nb\r\nc\n', 'c', 'd', 'a\nb\r\nd\n'],
    ['without a last line end', 'a\nb', 'b', 'c', 'a\nc'],
    ['with a byte order mark', '\ufeffa b', 'a', 'x', '\ufeffx b'],
    ['the whole file', 'a', 'a', 'b', 'b'],
  ])('%s', async (_, before, old_text, new_text, after) => {
    folder.put('a', before);
    expect((await called(edit(), { path: 'a', old_text, new_text }, folder.ws)).isError).toBeUndefined();
    expect(textIn('a')).toBe(after);
  });
  test.each([
    ['not there', 'a b', 'x', 'y', /old_text is not in the file: read it again/],
    ['twice', 'a b a\na', 'a', 'y', /stands at 3 places \(lines 1, 1, 2\): take more/],
    ['overlapping', 'aaa', 'aa', 'y', /stands at 2 places/],
    ['empty', 'a', '', 'y', /old_text is empty/],
    ['the same', 'a', 'a', 'a', /nothing would change/],
    ['other white space', 'a\n\tb', 'a\n  b', 'y', /with this white space/],
    ['case', 'Abc', 'abc', 'y', /not in the file/],
    ['$ at the end', 'ab', 'b$', 'y', /not in the file/],
  ])('refused: %s', async (_, before, old_text, new_text, message) => {
    folder.put('a', before);
    const result = await called(edit(), { path: 'a', old_text, new_text }, folder.ws);
    expect(textOf(result)).toMatch(message);
    expect(result.isError).toBe(true);
    expect(textIn('a')).toBe(before);
  });
  test.each([
    ['UTF-16LE', Buffer.from('\ufeffhé b', 'utf16le'), Buffer.from('\ufeffhé 🙂', 'utf16le')],
    ['UTF-16BE', Buffer.from('\ufeffhé b', 'utf16le').swap16(), Buffer.from('\ufeffhé 🙂', 'utf16le').swap16()],
  ])('keeps %s', async (_, before, after) => {
    folder.put('a', before);
    await called(edit(), { path: 'a', old_text: 'b', new_text: '🙂' }, folder.ws);
    expect(bytesOf('a')).toEqual(after);
  });
  test('keeps Latin-1, and refuses what it has no room for', async () => {
    folder.put('a', Buffer.from('caf\xe9 b', 'latin1'));
    await called(edit(), { path: 'a', old_text: 'b', new_text: 'ü' }, folder.ws);
    expect(bytesOf('a')).toEqual(Buffer.from('caf\xe9 \xfc', 'latin1'));
    expect(await said(edit(), { path: 'a', old_text: 'ü', new_text: '🙂' }, folder.ws)).toMatch(
      /Latin-1\), which has no "🙂"/,
    );
  });
  test('keeps the mode and refuses binary files and what is not there', async () => {
    chmodSync(folder.put('x.sh', 'a'), 0o700);
    await called(edit(), { path: 'x.sh', old_text: 'a', new_text: 'b' }, folder.ws);
    expect(statSync(join(folder.ws, 'x.sh')).mode & 0o777).toBe(0o700);
    folder.put('bin', Buffer.from([0, 1, 97]));
    expect(await said(edit(), { path: 'bin', old_text: 'a', new_text: 'b' }, folder.ws)).toMatch(/is a binary file$/);
    expect(await said(edit(), { path: 'none', old_text: 'a', new_text: 'b' }, folder.ws)).toMatch(/use write_file/);
  });
  test('shows its diff in the question and on the card', async () => {
    folder.put('a', '1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    const { access, run } = await judged(edit(), { path: 'a', old_text: '5', new_text: 'five' }, folder.ws);
    const diff = '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8';
    expect(access.detail).toBe(`edit ${join(folder.ws, 'a')}\n${diff}`);
    expect((await run()).preview).toBe(diff);
  });
});

describe('outside the workspace', () => {
  beforeEach(() => {
    mkdirSync(join(folder.top, 'out'));
    writeFileSync(join(folder.top, 'out', 'y'), 'y');
    symlinkSync('../out', join(folder.ws, 'link'));
    symlinkSync('../out/new.txt', join(folder.ws, 'dangling'));
  });
  test.each([
    ['link/x.txt', 'out/x.txt'],
    ['dangling', 'out/new.txt'],
    ['../ws-evil/x', 'ws-evil/x'],
    ['link/../x', 'x'],
  ])('writing %s is asked with the real path', async (path, real) => {
    const { access } = await judged(write(), { path, content: 'x' }, folder.ws);
    expect(access.outside).toBe(true);
    expect(access.detail.startsWith(`${join(folder.top, real)} (outside the workspace)\n`)).toBe(true);
    expect(access.grants).toEqual([{ scope: 'session', covers: `write_file ${join(folder.top, real)}` }]);
  });
  test('editing as well, and it does only what was asked', async () => {
    const { access, run } = await judged(edit(), { path: './link/y', old_text: 'y', new_text: 'z' }, folder.ws);
    expect(access.outside).toBe(true);
    await run();
    expect(readFileSync(join(folder.top, 'out', 'y'), 'utf8')).toBe('z');
  });
  test('a folder that becomes a link after the question is not followed, even within the workspace', async () => {
    mkdirSync(join(folder.ws, 'sub'));
    mkdirSync(join(folder.ws, 'other'));
    const inside = await judged(write(), { path: 'sub/a', content: 'x' }, folder.ws);
    const outside = await judged(write(), { path: 'sub/b', content: 'x' }, folder.ws);
    rmSync(join(folder.ws, 'sub'), { recursive: true });
    symlinkSync('other', join(folder.ws, 'sub'));
    await expect(inside.run()).rejects.toThrow(/now leads to/);
    rmSync(join(folder.ws, 'sub'));
    symlinkSync('../out', join(folder.ws, 'sub'));
    await expect(outside.run()).rejects.toThrow(/now leads to .*out\/b/);
    expect(readdirSync(join(folder.top, 'out'))).toEqual(['y']);
    expect(readdirSync(join(folder.ws, 'other'))).toEqual([]);
  });
});
