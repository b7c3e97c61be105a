import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRuleBook } from '../../../src/edge/settings/rule-book.ts';

test('an always grant is written for its workspace before it counts, and only once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'config.json');
  writeFileSync(path, JSON.stringify({ model: 'm', rules: { '/other': [{ toolName: 'shell', covers: 'ls' }] } }), {
    mode: 0o600,
  });
  const known = { toolName: 'shell', covers: 'git status' };
  const book = createRuleBook(path, '/work', [known]);
  const added = { toolName: 'write_file', covers: '/work' };
  const adding = book.add(added);
  expect(book.rules()).toEqual([known]);
  await adding;
  await book.add(added);
  expect(book.rules()).toEqual([known, added]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    model: 'm',
    rules: { '/other': [{ toolName: 'shell', covers: 'ls' }], '/work': [added] },
  });
});
