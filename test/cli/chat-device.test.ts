import { expect, test } from 'vitest';
import { rewrapsOf } from '../../src/cli/chat-device.ts';

test.each([
  ['an unknown one', {}, 'lines'],
  ['xterm', { XTERM_VERSION: 'XTerm(390)' }, 'nothing'],
  ['the console', { TERM: 'linux' }, 'nothing'],
  ['tmux, wherever it runs', { TMUX: '/tmp/x', XTERM_VERSION: 'XTerm(390)' }, 'all'],
  ['GNOME', { VTE_VERSION: '7600' }, 'all'],
  ['VS Code that was started from GNOME', { VTE_VERSION: '7600', TERM_PROGRAM: 'vscode' }, 'lines'],
  ['xterm that was started from GNOME', { VTE_VERSION: '7600', XTERM_VERSION: 'XTerm(390)' }, 'nothing'],
] as const)('what %s wraps anew', (_name, env, rewraps) => {
  expect(rewrapsOf(env)).toBe(rewraps);
});
