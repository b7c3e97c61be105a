/** Hooks of the config in the built program. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { blackBox, type Case, script } from '../cli/black-box.ts';

const { say, call, finish, toolCall } = script;
const file = (t: Case, name: string) => join(t.sandbox.workspace, name);
const lines = (t: Case, name: string) =>
  readFileSync(file(t, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

function configure(t: Case, hooks: unknown): void {
  const folder = join(t.sandbox.home, 'harness-chat');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ hooks }), { mode: 0o600 });
}

blackBox('hooks: a guard denies one call and lets the other go, an observer hears of both', async (t) => {
  configure(t, [
    { on: 'ToolCall', match: 'shell', matchCommand: '*P2*', run: 'echo "not P2" >&2; exit 2' },
    { on: 'ToolCall', observe: true, run: 'cat >> heard; echo >> heard; exit 1' },
    { on: 'Turn', observe: true, run: 'cat >> turns; echo >> turns' },
  ]);
  const touch = (name: string) => toolCall('shell', { command: `touch ${name}` });
  t.model.reply([touch('P1'), touch('P2'), finish('tool_calls')], say('done'));
  const chat = t.chat();
  chat.submit('go');
  await chat.until('TurnDone');
  expect(await chat.close()).toEqual({ code: 0, signal: null });
  expect([existsSync(file(t, 'P1')), existsSync(file(t, 'P2'))]).toEqual([true, false]);
  const sent = JSON.stringify(t.model.requests[1]?.body.messages.at(-1));
  expect(sent).toContain('Refused by a hook: not P2');
  expect(lines(t, 'heard').map(({ input, outcome }) => [input.command, outcome])).toEqual([
    ['touch P1', 'completed'],
    ['touch P2', 'denied'],
  ]);
  expect(lines(t, 'turns')).toMatchObject([{ operation: 'Turn', outcome: 'completed', turn_index: 1 }]);
  t.sound(chat);
});

blackBox('hooks: a refused turn is no answer, and the queue comes back', async (t) => {
  configure(t, [{ on: 'Turn', run: 'grep -q forbidden && { echo not this; exit 2; }; exit 0' }]);
  const chat = t.chat();
  chat.submit('something forbidden');
  const failed = await chat.until('TurnFailed');
  expect(failed.err).toEqual({ kind: 'hook_denied', message: 'not this' });
  chat.submit('something else');
  await chat.until('TurnDone');
  await chat.close();
  expect(t.model.requests).toHaveLength(1);
  t.sound(chat);
});

blackBox('hooks: an interrupt ends a guard that does not', async (t) => {
  configure(t, [{ on: 'ToolCall', run: 'touch began; trap "" TERM; while :; do sleep 0.1; done' }]);
  t.model.reply(call('shell', { command: 'touch P' }));
  const chat = t.chat();
  chat.submit('go');
  for (let n = 0; !existsSync(file(t, 'began')) && n < 500; n += 1) await new Promise((r) => setTimeout(r, 10));
  const began = performance.now();
  chat.interrupt();
  await chat.until('TurnInterrupted', { ms: 5_000 });
  expect(performance.now() - began).toBeLessThan(3_200);
  await chat.close();
  expect(existsSync(file(t, 'P'))).toBe(false);
  t.sound(chat);
});

blackBox('hooks: exec hears of them too, and waits for its observers', async (t) => {
  configure(t, [{ on: 'Turn', observe: true, run: 'sleep 0.3; cat > turn.json' }]);
  t.model.reply(say('the answer'));
  const { code, stdout } = await t.run(['exec', 'go']);
  expect([code, stdout]).toEqual([0, 'the answer\n']);
  expect(lines(t, 'turn.json')).toMatchObject([{ outcome: 'completed' }]);
});

for (const [what, hooks, says] of [
  ['no list', { ToolCall: [] }, 'hooks must be a list'],
  ['an unknown operation', [{ on: 'PreToolUse', run: 'true' }], 'hooks[0].on is "PreToolUse"; there are Turn, Step'],
  ['an unknown key', [{ on: 'Turn', run: 'true', command: 'x' }], 'hooks[0] has "command"; there are on, observe'],
  ['no command', [{ on: 'Turn' }], 'hooks[0].run must be a command'],
] as const) {
  blackBox(`hooks: ${what} in the config is one line and exit 2`, async (t) => {
    configure(t, hooks);
    const { code, stdout, stderr } = await t.run(['exec', 'go']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(t.model.requests).toHaveLength(0);
  });
}
