/** `exec`: one prompt, the answer on standard output and nothing else there, and a code that says how it went. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, type Case, type Ran, script, typesOf, type WireEvent } from './black-box.ts';

const { say, hold, text, thinking, finish, call, toolCall, usage, httpReply, delta, drop } = script;
const KEY = 'sk-kit-0123456789abcdef';
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

describe('a failure', () => {
  blackBox('is exit 1 with one clear line, nothing on standard output, no key and no control sequence', async (t) => {
    const hostile = `bad key ${KEY}\n\u001b[2J\u001b]0;title\u0007 second line\u0085\u009b31m`;
    const failures = [
      [httpReply(401, { error: { message: hostile } }), /provider_auth/],
      [httpReply(400, { error: { message: hostile } }), /provider_refused/],
      [httpReply(404, { error: { message: 'no such model' } }), /provider_not_found/],
      [[text('half an ans'), drop()], /provider_/],
      [[finish('stop')], /empty_response/],
      [[finish('length')], /output_limit/],
      [httpReply(200, '<html>hello</html>', { 'content-type': 'text/html' }), /provider_protocol/],
    ] as const;
    for (const [reply, says] of failures) {
      t.model.reply(reply as never);
      const ran = await t.run(['exec', 'go']);
      expect([ran.code, ran.stdout], String(says)).toEqual([1, '']);
      expect(ran.stderr).toMatch(ONE_LINE);
      expect(ran.stderr).toMatch(says);
      expect(ran.stderr).not.toContain(KEY);
      expect(ran.stderr.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
    const kept = readdirSync(join(t.sandbox.home, 'harness-chat'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    for (const entry of kept) expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(KEY);
  });

  blackBox('of a server that is not there: one line with no credentials of its address', async (t) => {
    const ran = await t.run(['exec', 'go', '--base-url', 'http://u:p4ssword@127.0.0.1:1/v1'], { timeoutMs: 40_000 });
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/^(harness-chat: [^\n]+\n)+$/);
    expect(ran.stderr).not.toMatch(/p4ssword|sk-kit/);
  });

  blackBox('waits are said on standard error, once each', async (t) => {
    t.model.reply(
      httpReply(429, { error: { message: 'slow\ndown\u001b[2J' } }, { 'retry-after-ms': '30' }),
      say('here'),
    );
    const ran = await t.run(['exec', 'go']);
    expect([ran.code, ran.stdout]).toEqual([0, 'here\n']);
    expect(ran.stderr).toMatch(ONE_LINE);
    expect(ran.stderr.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/);
  });

  blackBox('the limit of tool steps', async (t) => {
    t.model.answerBy(() => call('list_files', { path: '.' }));
    const ran = await t.run(['exec', '--max-steps', '2', 'go']);
    expect([ran.code, ran.stdout, t.model.requests.length]).toEqual([1, '', 3]);
    expect(ran.stderr).toMatch(/tool_limit/);
  });
});

describe('a signal', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    blackBox(`${signal} while it streams: exit ${code}, nothing on standard output`, async (t) => {
      t.model.reply([text('half'), hold('never')]);
      const ran = await t.run(['exec', 'go'], {
        during: async (child) => {
          await t.model.reached('never');
          child.kill(signal);
        },
      });
      expect(ran).toMatchObject({ code, signal: null, stdout: '' });
      expect(t.model.requests[0]?.closedByClient).toBe(true);
    });
  }

  blackBox('SIGINT while it waits for its prompt', async (t) => {
    const child = t.start(['exec', '-']);
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130);
  });

  blackBox('SIGINT while a tool runs: its process group is gone', async (t) => {
    const command = 'touch running; (sleep 1.5; touch survived) & sleep 30';
    t.model.reply(call('shell', { command }));
    const ran = await t.run(['exec', '--approval', 'auto', 'go'], {
      during: async (child) => {
        while (!existsSync(join(t.sandbox.workspace, 'running')))
          await new Promise((resolve) => setTimeout(resolve, 10));
        child.kill('SIGINT');
      },
    });
    expect(ran).toMatchObject({ code: 130, stdout: '' });
    await new Promise((resolve) => setTimeout(resolve, 1700));
    expect(existsSync(join(t.sandbox.workspace, 'survived'))).toBe(false);
  });
});

describe('a second signal', () => {
  for (const mode of ['exec', 'stdio']) {
    blackBox(`${mode} ends at once, and takes a tool that will not stop with it`, async (t) => {
      const command = "trap '' INT TERM HUP; touch running; sleep 1.5; touch survived";
      t.model.reply(call('shell', { command }));
      const child = t.start([mode, '--approval', 'auto', ...(mode === 'exec' ? ['go'] : [])]);
      const over = new Promise((resolve) => child.once('close', (code) => resolve(code)));
      child.stdin.end(mode === 'stdio' ? '{"type":"UserInput","text":"go"}\n' : '');
      child.stdout.resume();
      while (!existsSync(join(t.sandbox.workspace, 'running'))) await new Promise((resolve) => setTimeout(resolve, 10));
      const began = Date.now();
      child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 100));
      child.kill('SIGTERM');
      expect(await over).toBe(143);
      expect(Date.now() - began).toBeLessThan(1500);
      await new Promise((resolve) => setTimeout(resolve, 1800));
      expect(existsSync(join(t.sandbox.workspace, 'survived'))).toBe(false);
    });
  }
});

describe('gated tools without a terminal', () => {
  const touch = (t: Case) => t.model.reply(call('shell', { command: 'touch made' }), say('done'));
  const made = (t: Case) => existsSync(join(t.sandbox.workspace, 'made'));

  blackBox('are refused by default, and the model is told', async (t) => {
    touch(t);
    expect(await t.run(['exec', 'go'])).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
    expect(made(t)).toBe(false);
    expect(JSON.stringify(t.model.requests[1]?.body.messages.at(-1))).toMatch(/refused/);
  });

  blackBox('are refused where ask was chosen, since nobody can be asked', async (t) => {
    touch(t);
    expect(await t.run(['exec', '--approval', 'ask', 'go'])).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(made(t)).toBe(false);
  });

  for (const [where, args, env, config] of [
    ['the option', ['--approval', 'auto'], {}, undefined],
    ['the environment', [], { HARNESS_CHAT_APPROVAL: 'auto' }, undefined],
    ['the config', [], {}, 'auto'],
  ] as const) {
    blackBox(`run by ${where}`, async (t) => {
      touch(t);
      if (config) expect((await t.run(['config', 'set', 'approval', config])).code).toBe(0);
      expect(await t.run(['exec', ...args, 'go'], { env })).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
      expect(made(t)).toBe(true);
    });
  }

  blackBox('auto does not leave the workspace', async (t) => {
    writeFileSync(join(t.sandbox.root, 'outside.txt'), 'secret words');
    t.model.reply(call('read_file', { path: '../outside.txt' }), say('done'));
    expect(await t.run(['exec', '--approval', 'auto', 'go'])).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(JSON.stringify(t.model.requests[1])).not.toContain('secret words');
  });
});

describe('the session of exec', () => {
  blackBox('is kept, gone on with by --continue and --resume, and left alone by --fork', async (t) => {
    const sessions = join(t.sandbox.home, 'harness-chat', 'sessions');
    t.model.reply(say('one'), say('two'), say('three'), say('four'));
    await t.run(['exec', 'first']);
    const [file = ''] = readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
    const id = file.replace('.jsonl', '');
    expect(await t.run(['exec', '-c', 'second'])).toMatchObject({ code: 0, stdout: 'two\n', stderr: '' });
    expect(await t.run(['exec', '--resume', id, '-'], { input: 'third' })).toMatchObject({
      code: 0,
      stdout: 'three\n',
      stderr: '',
    });
    const before = readFileSync(join(sessions, file), 'utf8');
    expect(await t.run(['exec', '--fork', id, 'fourth'])).toMatchObject({ code: 0, stdout: 'four\n', stderr: '' });
    expect(readFileSync(join(sessions, file), 'utf8')).toBe(before);
    const said = t.model.requests[3]?.body.messages
      .filter(({ role }) => role !== 'system')
      .map(({ content }) => content);
    expect(said).toEqual(['first', 'one', 'second', 'two', 'third', 'three', 'fourth']);
    for (const name of readdirSync(sessions).filter((each) => each.endsWith('.jsonl'))) {
      expect((await t.run(['audit', name.replace('.jsonl', '')])).code).toBe(0);
    }
    const seqs = before
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as { seq: number; event?: WireEvent });
    const step = seqs.find(({ event }) => event?.type === 'StepDone')?.seq ?? 0;
    const started = seqs.find(({ event }) => event?.type === 'TurnStarted')?.seq ?? 0;
    expect((await t.run(['exec', '--fork', `${id}@${step}`, 'x'])).code).toBe(0);
    expect(await t.run(['exec', '--fork', `${id}@${started}`, 'x'])).toMatchObject({ code: 2, stdout: '' });
  });

  blackBox('a queue that a crash left goes first, and the answer is the prompt’s', async (t) => {
    t.model.reply([hold('never')], say('of the kept one'), say('of the prompt'));
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('never');
    const kept = chat.submit('kept');
    await chat.untilReply(kept, 'InputQueued');
    await chat.kill();
    expect(await t.run(['exec', '-c', 'the prompt'])).toMatchObject({ code: 0, stdout: 'of the prompt\n' });
  });

  blackBox('where a queued one before it fails, the line says why', async (t) => {
    t.model.reply([hold('never')], httpReply(400, { error: { message: 'too odd' } }));
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('never');
    await chat.untilReply(chat.submit('kept'), 'InputQueued');
    await chat.kill();
    const ran = await t.run(['exec', '-c', 'the prompt']);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(/too odd/);
    expect(ran.stderr).toMatch(ONE_LINE);
  });
});

describe('what cannot begin', () => {
  blackBox('nothing configured: exit 2 and how to set a model; -p demo answers', async (t) => {
    const blank = { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined, OPENAI_MODEL: undefined };
    const ran = await t.run(['exec', 'hello'], { env: blank });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(/^harness-chat: [^\n]*OPENAI_API_KEY[^\n]*-p demo[^\n]*\n$/);
    const demo = await t.run(['exec', '-p', 'demo', 'hello'], { env: blank });
    expect([demo.code, demo.stderr]).toEqual([0, '']);
    expect(demo.stdout).toMatch(/demo/i);
  });

  blackBox('sessions that are not there, options that do not go together: one line, exit 2', async (t) => {
    for (const args of [
      ['-c'],
      ['--resume', 'unknown'],
      ['--fork', 'unknown@3'],
      ['-c', '--fork', 'x'],
      ['--bogus'],
      ['-m', ''],
    ]) {
      const ran = await t.run(['exec', ...args, 'go']);
      expect([ran.code, ran.stdout], args.join(' ')).toEqual([2, '']);
      expect(ran.stderr).toMatch(ONE_LINE);
    }
    expect(t.model.requests).toEqual([]);
  });
});
