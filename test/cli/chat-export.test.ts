import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { exportSession } from '../../src/cli/chat-export.ts';
import type { Live } from '../../src/cli/chat-stage.ts';
import { Journaling, makeFolder } from '../edge/journal/records.ts';

const { records } = new Journaling().start().turn(1, 'hello', 'an *answer*');
const live = {
  session: { id: '0123456789abcdef', snapshot: () => ({ name: 'My words' }) },
  journal: {
    async *read() {
      yield* records;
    },
  },
} as unknown as Live;

it.each([
  [undefined, 'harness-chat-0123456789abc.md', /^# My words\n/],
  ['html', 'harness-chat-0123456789abc.html', /^<!doctype html>[\s\S]*<h1>My words<\/h1>[\s\S]*<\/html>\n$/],
  ['HTML', 'harness-chat-0123456789abc.html', /^<!doctype html>/],
  ['talk.html', 'talk.html', /^<!doctype html>/],
  ['talk.HTM', 'talk.HTM', /^<!doctype html>/],
  ['talk.md', 'talk.md', /^# My words\n/],
  ['html.txt', 'html.txt', /^# My words\n/],
  ['html my talk', 'my talk', /^<!doctype html>/],
  ['html talk.md', 'talk.md', /^<!doctype html>/],
])('/export %s writes %s', async (wanted, name, begins) => {
  const folder = makeFolder();
  const path = await exportSession(live, folder, wanted);
  expect(path).toBe(join(folder, name));
  expect(readFileSync(path, 'utf8')).toMatch(begins);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('nothing is overwritten', async () => {
  const folder = makeFolder();
  await exportSession(live, folder, 'html');
  expect(basename(await exportSession(live, folder, 'html'))).toBe('harness-chat-0123456789abc-2.html');
  await exportSession(live, folder, 'a.html');
  await expect(exportSession(live, folder, 'a.html')).rejects.toThrow(
    /a\.html: it is there already; give another name/,
  );
});

it('what cannot be written is told in words, and nothing is left of it', async () => {
  const folder = makeFolder();
  await expect(exportSession(live, folder, 'no/folder.md')).rejects.toThrow(/no\/folder\.md: there is no such folder/);
  const broken = {
    ...live,
    journal: {
      async *read() {
        yield* records;
        throw new Error('line 7 is damaged');
      },
    },
  } as unknown as Live;
  await expect(exportSession(broken, folder, 'html a.html')).rejects.toThrow(/a\.html: line 7 is damaged/);
  expect(readdirSync(folder)).toEqual([]);
});
