import { describe, expect, test } from 'vitest';
import {
  attachment,
  attachmentNames,
  mention,
  mentionsIn,
  outputsOf,
  ownText,
  withoutDoubleSigns,
} from '../../src/view/attachment.ts';

describe('files that a text names', () => {
  test.each([
    ['look at @src/a.ts please', ['src/a.ts']],
    ['@a.ts', ['a.ts']],
    ['@a.ts and @a.ts and\n@b', ['a.ts', 'b']],
    ['see @README.md.', ['README.md']],
    ['(@x)', []],
    ['@"my notes.md" @b', ['my notes.md', 'b']],
    ['mail me at someone@example.org', []],
    ['@@name is text', []],
    ['@', []],
    ['@...', []],
    ['@../up @~/home @/abs', ['../up', '~/home', '/abs']],
    ['@日本/ファイル.md', ['日本/ファイル.md']],
  ])('%j: %j', (text, names) => expect(mentionsIn(text)).toEqual(names));

  test.each(['src/a.ts', 'my notes.md', '日本.md'])('what completes %j names it', (path) => {
    expect(mentionsIn(`see ${mention(path)} there`)).toEqual([path]);
  });

  test('the sign twice is the sign', () => {
    expect(withoutDoubleSigns('@@a b@@c\n@@d')).toBe('@a b@@c\n@d');
  });
});

test('attachments are told from what was written', () => {
  const blocks = [
    attachment('output', 'of `ls\n-l`, exit code 0', 'a\nb'),
    { type: 'text' as const, text: 'look' },
    attachment('file', 'a.ts', 'const a = 1;'),
  ];
  expect(ownText(blocks)).toBe('look');
  expect(attachmentNames(blocks)).toEqual(['output of `ls -l`, exit code 0', 'file a.ts']);
  expect(outputsOf(blocks)).toEqual(blocks.slice(0, 1));
  expect(ownText([{ type: 'text', text: '[attached nothing]\nx' }])).toBe('[attached nothing]\nx');
});
