/** `exec`: one prompt, the answer on standard output and nothing else there, and a code that says how it went. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, type Case, type Ran, script, typesOf, type WireEvent } from './black-box.ts';

const { say, text, thinking, finish, call, toolCall, usage, httpReply, delta } = script;
const ONE_LINE = /^harness-chat: [^\n]+\n$/;
const promptOf = (t: Case, n = 0) => t.model.requests[n]?.body.messages.at(-1)?.content;
const eventsOf = (ran: Ran) =>
  ran.stdout
    .trimEnd()
    .split('\n')
    .map((each) => (JSON.parse(each) as { event: WireEvent }).event);

describe('the prompt', () => {
  const cases: [string, string[], string | undefined, string][] = [
    ['words', ['what', 'is it?'], '', 'what is it?'],
    ['"-"', ['-'], 'from a pipe\n', 'from a pipe'],
    ['a pipe', [], '\uFEFFfrom a\r\npipe\n\n', 'from a\r\npipe'],
    ['both, the words first', ['explain'], 'the pipe\n', 'explain\n\nthe pipe'],
    ['behind --', ['--', '--json', '-'], '', '--json -'],
    ['words with their own spaces', ['  two\n', ' lines '], '', '  two\n  lines '],
  ];
  for (const [what, words, input, prompt] of cases) {
    blackBox(`${what}`, async (t) => {
      const ran = await t.run(['exec', ...words], { input });
      expect(ran).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
      expect(promptOf(t)).toBe(prompt);
    });
  }

  blackBox('a pipe that says nothing is waited for, and that is said', async (t) => {
    const child = t.start(['exec', 'words']);
    child.stderr.setEncoding('utf8');
    const said = await new Promise<string>((resolve) => child.stderr.once('data', resolve));
    expect(said).toMatch(/^harness-chat: [^\n]*standard input[^\n]*\n$/);
    expect(t.model.requests).toEqual([]);
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(promptOf(t)).toBe('words');
  });

  blackBox('that is empty, white space, or a closed input: one line, exit 2, nothing is sent or kept', async (t) => {
    for (const [words, input] of [
      [[], ''],
      [['-'], ' \n\t'],
      [['', ' '], '\n'],
    ] as const) {
      const ran = await t.run(['exec', ...words], { input });
      expect([ran.code, ran.stdout]).toEqual([2, '']);
      expect(ran.stderr).toMatch(ONE_LINE);
    }
    expect(await t.bash('chat exec <&-')).toMatchObject({ code: 2, stdout: '' });
    expect(await t.bash('chat exec a question <&-')).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(await t.bash('chat exec </dev/null')).toMatchObject({ code: 2, stdout: '' });
    expect(t.model.requests).toHaveLength(1);
    const sessions = join(t.sandbox.home, 'harness-chat', 'sessions');
    expect(readdirSync(sessions).filter((file) => file.endsWith('.jsonl'))).toHaveLength(1);
  });
});

describe('the answer', () => {
  blackBox('is the last message’s text alone: no thinking, no text of tool steps, one end of line', async (t) => {
    t.model.reply(
      [text('I will look.'), toolCall('list_files', { path: '.' }), finish('tool_calls'), usage(1, 1)],
      [thinking('hm'), text('Two lines,\nhere.\n'), finish('stop'), usage(1, 1)],
    );
    expect(await t.run(['exec', 'go'])).toEqual({ code: 0, signal: null, stdout: 'Two lines,\nhere.\n', stderr: '' });
  });

  blackBox('that was cut, that refuses, and that is huge', async (t) => {
    const huge = 'x'.repeat(2_000_000);
    t.model.reply(
      [text('so far'), finish('length')],
      [delta({ refusal: 'No.' }), finish('stop')],
      say(huge, { size: 1000 }),
    );
    const cut = await t.run(['exec', 'go']);
    expect([cut.code, cut.stdout]).toEqual([0, 'so far\n']);
    expect(cut.stderr).toMatch(/^harness-chat: [^\n]*cut[^\n]*\n$/);
    expect(await t.run(['exec', 'go'])).toMatchObject({ code: 0, stdout: 'No.\n' });
    const { stdout } = await t.run(['exec', 'go']);
    expect([stdout.length, stdout.endsWith('x\n')]).toEqual([huge.length + 1, true]);
  });

  blackBox('goes into a pipe as it is', async (t) => {
    t.model.reply(say('a\u001b[31mred\u0007'));
    expect((await t.run(['exec', 'go'])).stdout).toBe('a\u001b[31mred\u0007\n');
  });

  blackBox('to a reader that is gone: exit 141, nothing is said', async (t) => {
    t.model.reply(say('x'.repeat(200_000), { size: 1000 }));
    expect(await t.bash('set -o pipefail; chat exec go | true')).toMatchObject({ code: 141, stderr: '' });
    expect(await t.bash('set -o pipefail; chat exec --json go | head -n 1 >/dev/null')).toMatchObject({
      code: 141,
      stderr: '',
    });
  });
});

describe('--json', () => {
  blackBox('prints the deliveries and nothing else, from the start of the session to its stop', async (t) => {
    t.model.reply(call('list_files', { path: '.' }), say('done'));
    const ran = await t.run(['exec', '--json', 'go']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const types = typesOf(eventsOf(ran));
    expect([types.slice(0, 4), types.at(-1)]).toEqual([
      ['SessionStarted', 'LoopStarted', 'SessionActive', 'TurnStarted'],
      'SessionStopped',
    ]);
    expect(types.filter((type) => type === 'StepDone')).toHaveLength(2);
  });

  blackBox('of a failure: exit 1, the deliveries, and one line on standard error', async (t) => {
    t.model.reply(httpReply(400, { error: { message: 'no' } }));
    const ran = await t.run(['exec', '--json', 'go']);
    expect(ran.code).toBe(1);
    expect(eventsOf(ran).find(({ type }) => type === 'TurnFailed')?.err?.kind).toBe('provider_refused');
    expect(ran.stderr).toMatch(ONE_LINE);
  });
});
