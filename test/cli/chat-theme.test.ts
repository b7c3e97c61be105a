import { expect, test } from 'vitest';
import { backgroundOf, colorsOf } from '../../src/cli/chat-theme.ts';

test.each([
  ['rgb:0000/0000/0000', 'dark'],
  ['rgb:ffff/ffff/ffff', 'light'],
  ['rgb:fd/f6/e3', 'light'],
  ['rgb:1e1e/1e1e/2e2e', 'dark'],
  ['blue', undefined],
])('a background of %s', (color, background) => {
  expect(backgroundOf(color)).toBe(background);
});

test.each<[Record<string, string>, number]>([
  [{}, 16],
  [{ TERM: 'dumb' }, 0],
  [{ TERM: 'xterm' }, 16],
  [{ TERM: 'xterm-256color' }, 256],
  [{ TERM: 'tmux-256color' }, 256],
  [{ TERM: 'xterm-kitty' }, 256],
  [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 256],
  [{ TERM: 'xterm', COLORTERM: '24bit' }, 256],
  [{ TERM: 'linux', COLORTERM: 'truecolor' }, 16],
  [{ TERM: 'screen', COLORTERM: 'truecolor' }, 16],
  [{ TERM: 'screen', COLORTERM: 'truecolor', TMUX: '/tmp/x,1,0' }, 256],
  [{ TERM: 'xterm', TERM_PROGRAM: 'Apple_Terminal' }, 256],
  [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, 0],
  [{ TERM: 'xterm-256color', FORCE_COLOR: 'false' }, 0],
  [{ TERM: 'xterm-256color', FORCE_COLOR: '1' }, 16],
  [{ TERM: 'linux', FORCE_COLOR: '3' }, 256],
  [{ TERM: 'linux', FORCE_COLOR: 'yes' }, 16],
])('%j has %i colours', (env, colors) => {
  expect(colorsOf(env)).toBe(colors);
});
