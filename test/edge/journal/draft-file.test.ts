import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DraftFile } from '../../../src/edge/journal/draft-file.ts';
import { makeFolder } from './records.ts';

it('survives, is replaced whole, and leaves nothing when it is empty', async () => {
  const folder = join(makeFolder(), 'drafts');
  const path = join(folder, 's.json');
  const draft = new DraftFile(path);
  expect(await draft.load()).toBe('');
  await draft.save('');
  await draft.save('a\n\ud800\u2028');
  expect(await new DraftFile(path).load()).toBe('a\n\ud800\u2028');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await draft.save('');
  expect(readdirSync(folder)).toEqual([]);
});

it('ends as the last save said, however fast they come', async () => {
  const path = join(makeFolder(), 's.json');
  const draft = new DraftFile(path);
  await Promise.all(Array.from({ length: 50 }, (_, i) => draft.save(i % 7 === 0 ? '' : `draft ${i}`)));
  expect(await draft.load()).toBe('');
  await Promise.all(['x', '', 'last'].map((text) => draft.save(text)));
  expect(await draft.load()).toBe('last');
});

it('that cannot be read is none; one that cannot be written says so, and the next is tried', async () => {
  const folder = makeFolder();
  const path = join(folder, 's.json');
  for (const content of ['', 'null', '{"text":7}', '[]', '\0']) {
    writeFileSync(path, content);
    expect(await new DraftFile(path).load()).toBe('');
  }
  writeFileSync(join(folder, 'file'), '');
  const blocked = new DraftFile(join(folder, 'file', 's.json'));
  await expect(blocked.save('x')).rejects.toThrow();
  await expect(blocked.save('y')).rejects.toThrow();
});
