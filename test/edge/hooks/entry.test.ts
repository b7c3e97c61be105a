/** The entries of `hooks`: what is taken, and one line for what is not. */
import { expect, test } from 'vitest';
import { idleHooks, readHooks } from '../../../src/edge/hooks/entry.ts';

test.each([
  [[]],
  [[{ on: 'ToolCall', run: 'true' }]],
  [[{ on: 'ToolCall', match: 'shell', matchCommand: '/^git push/', run: './check.sh', timeoutMs: 1000 }]],
  [[{ on: 'Turn', run: 'true', observe: false }]],
  [['ToolExecution', 'GateWait', 'JournalAppend', 'Turn'].map((on) => ({ on, observe: true, run: 'cat >> log' }))],
])('taken as they are: %j', (value) => {
  expect(readHooks(value)).toEqual({ ok: true, entries: value });
});

const ok = { on: 'ToolCall', run: 'true' };
test.each<[unknown, string]>([
  [{}, 'hooks must be a list of {"on"'],
  [{ ToolCall: [ok] }, 'hooks must be a list of'],
  ['true', 'hooks must be a list of'],
  [null, 'hooks must be a list of'],
  [[ok, 'true'], 'hooks[1] must be an object like {"on": "ToolCall"'],
  [[[ok]], 'hooks[0] must be an object like'],
  [[{ ...ok, matcher: 'x' }], 'hooks[0] has "matcher"; there are on, observe, match, matchCommand, run, timeoutMs'],
  [[{ ...ok, constructor: 'x' }], 'hooks[0] has "constructor"'],
  [[ok, { run: 'true' }], 'hooks[1].on is missing; there are Turn, Step, Inference, ToolCall, or with "observe"'],
  [[{ ...ok, on: 'PreToolUse' }], 'hooks[0].on is "PreToolUse"; there are Turn, Step, Inference, ToolCall, or with'],
  [[{ ...ok, on: 'GateWait' }], 'hooks[0].on is "GateWait"; there are Turn'],
  [
    [{ ...ok, on: 'Tool', observe: true }],
    'is "Tool"; there are Turn, Step, Inference, ToolCall, ToolExecution, GateW',
  ],
  [[{ ...ok, on: ['ToolCall'] }], 'hooks[0].on is ["ToolCall"]'],
  [[{ ...ok, observe: 'yes' }], 'hooks[0].observe must be true or false'],
  [[{ on: 'ToolCall' }], 'hooks[0].run must be a command'],
  [[{ ...ok, run: ' ' }], 'hooks[0].run must be a command'],
  [[{ ...ok, run: ['true'] }], 'hooks[0].run must be a command'],
  [[{ ...ok, on: 'Turn', match: 'shell' }], 'hooks[0].match is only for ToolCall, ToolExecution, GateWait'],
  [[{ ...ok, match: '' }], 'hooks[0].match must be a name, a pattern'],
  [[{ ...ok, match: ['shell'] }], 'hooks[0].match must be a name'],
  [[{ ...ok, match: '/(/' }], 'hooks[0].match is no regular expression'],
  [[{ ...ok, match: `${'{a,b}'.repeat(9)}` }], 'hooks[0].match the pattern has too many alternatives'],
  [[{ ...ok, on: 'GateWait', observe: true, matchCommand: 'x' }], 'hooks[0].matchCommand is only for ToolCall, ToolEx'],
  [[{ ...ok, timeoutMs: 0 }], 'hooks[0].timeoutMs must be a whole number of milliseconds from 1 to'],
  [[{ ...ok, timeoutMs: 1.5 }], 'hooks[0].timeoutMs must be'],
  [[{ ...ok, timeoutMs: '10' }], 'hooks[0].timeoutMs must be'],
  [[{ ...ok, timeoutMs: 3e9 }], 'hooks[0].timeoutMs must be'],
])('refused with one line: %j', (value, says) => {
  const read = readHooks(value);
  expect(read).toEqual({ ok: false, fault: expect.stringContaining(says) });
  expect(JSON.stringify(read)).not.toContain('\\n');
});

test('a hook that no tool sets off is told', () => {
  const entries = ['Bash', 'shell', 'sh*', 'Write|edit_file', 'mcp__a__*', undefined].map((match) => ({
    on: 'ToolCall' as const,
    run: 'true',
    ...(match && { match }),
  }));
  expect(idleHooks(entries, ['shell', 'edit_file'])).toEqual([
    'hooks[0].match "Bash" fits no tool, so the hook does nothing; there are shell, edit_file',
  ]);
});
