/** `exec` without a terminal: which tools it may use, and which session it goes on with. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, type Case, script, type WireEvent } from './black-box.ts';

const { say, hold, call, httpReply } = script;
const ONE_LINE = /^harness-chat: [^\n]+\n$/;
describe('gated tools without a terminal', () => {
  const touch = (t: Case) => t.model.reply(call('shell', { command: 'touch made' }), say('done'));
  const made = (t: Case) => existsSync(join(t.sandbox.workspace, 'made'));

  blackBox('are refused by default, and the model is told', async (t) => {
    touch(t);
    expect(await t.run(['exec', 'go'])).toMatchObject({
      code: 0,
      stdout: 'done\n',
      stderr: expect.stringMatching(/^harness-chat: shell .* was refused: .*--approval auto[^\n]*\n$/),
    });
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
  blackBox('an MCP server that does not start is told, and the prompt is answered without it', async (t) => {
    const set = await t.run(['config', 'set', 'mcpServers.gone', '{"command":"/no/such/program"}']);
    expect(set.code).toBe(0);
    const ran = await t.run(['exec', 'hello']);
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(ran.stderr).toMatch(/^harness-chat: MCP server gone failed: [^\n]*no such program[^\n]*\n$/);
  });

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
