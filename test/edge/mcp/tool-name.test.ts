import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toolNameOf } from '../../../src/edge/mcp/tool-name.ts';

test('plain names stand as they are', () => {
  expect(toolNameOf('git-hub', 'create_issue')).toBe('mcp__git-hub__create_issue');
  expect(toolNameOf('a', '_b')).toBe('mcp__a___b');
});

test('others are changed, and marked by both their names', () => {
  expect(toolNameOf('my files', 'read.file')).toMatch(/^mcp__my_files__read_file_[0-9a-f]{8}$/);
  expect(toolNameOf('my files', 'read.file')).not.toBe(toolNameOf('my-files', 'read.file'));
  expect(toolNameOf('a_', 'b')).not.toBe(toolNameOf('a', '_b'));
  expect(toolNameOf('a__b', 'c')).not.toBe(toolNameOf('a', 'b__c'));
});

test('every name is one that providers take, and no two pairs share one', () => {
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 90, unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '_', '-', ' '), minLength: 1, maxLength: 6 }),
  );
  const pairs = fc.uniqueArray(fc.tuple(name, name), {
    selector: (pair) => pair.join('\0'),
    minLength: 2,
    maxLength: 12,
  });
  fc.assert(
    fc.property(pairs, (all) => {
      const names = all.map(([server, tool]) => toolNameOf(server, tool));
      for (const made of names) expect(made).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
      expect(new Set(names).size).toBe(all.length);
    }),
    { seed: 8, numRuns: 300 },
  );
});
