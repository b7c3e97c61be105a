import { expect, test } from 'vitest';
import { copySequence } from '../../src/cli/clipboard.ts';

test('the text goes as base64: nothing in it can end the sequence', () => {
  expect(copySequence('a\x07\x1b\\ü', {})).toBe(`\x1b]52;c;${Buffer.from('a\x07\x1b\\ü').toString('base64')}\x07`);
});

test('within tmux it goes to tmux, and through it to the terminal', () => {
  const plain = copySequence('a', {});
  expect(copySequence('a', { TMUX: '/tmp/tmux-0/default,1,0' })).toBe(
    `\x1bPtmux;${plain.replaceAll('\x1b', '\x1b\x1b')}\x1b\\${plain}`,
  );
});
