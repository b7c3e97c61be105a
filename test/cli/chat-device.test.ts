import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { ChatStreams } from '../../src/cli/chat.ts';
import { ChatDevice, rewrapsOf } from '../../src/cli/chat-device.ts';

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

test('nothing is switched on in a terminal that an editor has; it is when the editor is done', async () => {
  const written: string[] = [];
  const stdin = Object.assign(new EventEmitter(), { setRawMode() {}, pause() {}, resume() {} });
  const streams = { stdin, stdout: { write: (text: string) => written.push(text) } } as unknown as ChatStreams;
  const none = (): void => undefined;
  const device = new ChatDevice(streams, {}, { input: none, reply: none, resized: none, gone: none, last: none });
  device.turnOn('bracketed-paste');
  await device.lend(async () => {
    written.length = 0;
    device.turnOn('focus');
    device.turnOn('bracketed-paste');
    expect(written).toEqual([]);
  });
  expect(written).toEqual(['\x1b[?2004h', '\x1b[?1004h']);
});
