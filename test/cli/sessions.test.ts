import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runAudit } from '../../src/cli/audit.ts';
import type { Invocation, SessionsCommand } from '../../src/cli/invocation.ts';
import { runSessions } from '../../src/cli/sessions.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { toolMessage } from '../../src/domain/content.ts';
import { SessionStore } from '../../src/edge/journal/session-store.ts';
import { homePaths } from '../../src/edge/settings/paths.ts';
import { encodeRecord } from '../../src/edge/wire/record-codec.ts';
import type { JournalRecord } from '../../src/runtime/ports.ts';
import { Journaling, makeFolder } from '../edge/journal/records.ts';
import { pageFaults } from '../support/page-check.ts';

function makeHome() {
  const home = makeFolder();
  const paths = homePaths({ env: { HARNESS_CHAT_HOME: home }, platform: 'linux', home: '/home/me', cwd: '/' });
  mkdirSync(paths.sessions, { recursive: true });
  const gone = new AbortController();
  const put = (id: string, records: readonly JournalRecord[] | string) =>
    writeFileSync(
      join(paths.sessions, `${id}.jsonl`),
      typeof records === 'string' ? records : records.map((record) => `${encodeRecord(record)}\n`).join(''),
    );
  const start = async (
    run: (invocation: Invocation) => Promise<number>,
    options: { json?: boolean; cwd?: string } = {},
  ) => {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const invocation = {
      env: {},
      paths,
      cwd: options.cwd ?? '/a',
      readerGone: gone.signal,
      options: { json: options.json === true } as Invocation['options'],
      streams: { stdin: new PassThrough(), stdout, stderr },
    } satisfies Invocation;
    const textOf = async (stream: PassThrough) => {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      return text;
    };
    const printed = Promise.all([textOf(stdout), textOf(stderr)]);
    const code = await run(invocation).finally(() => {
      stdout.end();
      stderr.end();
    });
    const [out, err] = await printed;
    return { code, out, err };
  };
  const sessions = (
    sub: SessionsCommand,
    args: string[] = [],
    options: { json?: boolean; cwd?: string; all?: boolean; html?: boolean } = {},
  ) => start((invocation) => runSessions(invocation, sub, args, { all: options.all, html: options.html }), options);
  const audit = (id: string, options: { json?: boolean } = {}) =>
    start((invocation) => runAudit(invocation, id), options);
  return { paths, put, sessions, audit, gone };
}

const conversation = (cwd: string, words: string) => new Journaling().start(cwd).turn(1, words).records;
const nasty = 'red \u001b[31m text\u0007 \u202e';

describe('list', () => {
  it('shows the sessions of this folder, and says how many there are elsewhere', async () => {
    const { put, sessions } = makeHome();
    put('one', conversation('/a', `first ${nasty}`));
    put('two', conversation('/b', 'second'));
    put('bad', '');
    const here = await sessions('list');
    expect(here).toMatchObject({
      code: 0,
      err: 'harness-chat: skipped: bad.jsonl is empty\nharness-chat: 1 more in other folders: --all shows them\n',
    });
    expect(here.out).toMatch(/^one {2}\d{4}-\d\d-\d\d \d\d:\d\d +1 turn +\d+ \w+ +first red .*\n$/);
    expect(here.out).not.toMatch(/[\u001b\u0007\u202e]/);
    const everywhere = await sessions('list', [], { all: true });
    expect(everywhere.out).toMatch(/one .*\/a.*\n|two .*\/b.*\n/);
    expect(everywhere.out.split('\n')).toHaveLength(3);
    expect(await sessions('list', [], { cwd: '/c' })).toMatchObject({ code: 0, out: '' });
  });

  it('as JSON is one object a line', async () => {
    const { put, sessions } = makeHome();
    put('one', conversation('/a', 'hi'));
    const { out } = await sessions('list', [], { json: true });
    expect(JSON.parse(out)).toEqual({
      session_id: 'one',
      cwd: '/a',
      model: 'scripted',
      first_words: 'hi',
      turns: 1,
      size: expect.any(Number),
      written_at: expect.stringMatching(/Z$/),
    });
  });

  it('without sessions says so and is no failure', async () => {
    expect(await makeHome().sessions('list', [], { all: true })).toEqual({
      code: 0,
      out: '',
      err: 'harness-chat: There are no sessions yet.\n',
    });
  });
});

describe('show and export', () => {
  const at = { loopId: 'loop', turnId: 'turn-2' };
  const cause = { commandId: 'input-2', agency: 'user' as const };
  const message = {
    role: 'user' as const,
    blocks: [
      { type: 'text' as const, text: 'run it\nnow' },
      { type: 'image' as const, mediaType: 'image/png', data: 'QUJD' },
    ],
  };
  const records = new Journaling()
    .start('/a')
    .turn(1, `hello ${nasty}`, 'some `code`\n\tindented')
    .input('input-2', { blocks: message.blocks })
    .event({ type: 'TurnStarted', ...at, cause, turnIndex: 2, message })
    .event({
      type: 'StepDone',
      ...at,
      stepId: 'step-2',
      messages: [
        {
          role: 'assistant',
          blocks: [{ type: 'tool_use', id: 'u', name: 'shell', input: { command: 'ls \u001b[2J' } }],
        },
        toolMessage('u', '```\nfenced\n```', true),
      ],
    })
    .event({
      type: 'TurnFailed',
      ...at,
      turnIndex: 2,
      err: new Error('x'),
      failure: { kind: 'tool_limit', message: 'too many' },
    }).records;

  it('show is text that drives no terminal', async () => {
    const { put, sessions } = makeHome();
    put('one', records);
    const { code, out, err } = await sessions('show', ['one']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`
> hello red ␛[31m text␇ <U+202E>

some \`code\`
\tindented

> run it
> now
> (image image/png, 3 B)

[shell] {"command":"ls \\u001b[2J"}
  ! \`\`\`
  fenced
  \`\`\`

-- failed: tool_limit: too many --
`);
  });

  it('export is Markdown, its fences longer than those within', async () => {
    const { put, sessions } = makeHome();
    put('one', records);
    const { code, out } = await sessions('export', ['one']);
    expect(code).toBe(0);
    expect(out).toMatch(/^# hello red .*\n\n\* session: session\n\* started: .*\n\* folder: \/a\n\* model: scripted\n/);
    expect(out).toContain('## You\n\n> run it\n> now\n> (image image/png, 3 B)\n');
    expect(out).toContain('## Assistant\n\nsome `code`\n\tindented\n');
    expect(out).toContain('Tool `shell`:\n\n```json\n{\n  "command": "ls \\u001b[2J"\n}\n```\n');
    expect(out).toContain('Error:\n\n````\n```\nfenced\n```\n````\n');
    expect(out).toContain('*failed: tool_limit: too many*');
    expect(out).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  it('export takes a text of any number of ticks', async () => {
    const { put, sessions } = makeHome();
    const at = { loopId: 'loop', turnId: 'turn-1', stepId: 'step-1' };
    const call = { type: 'tool_use' as const, id: 'u', name: 'read_file', input: {} };
    const answer = { role: 'assistant' as const, blocks: [call] };
    const result = toolMessage('u', '`a '.repeat(300_000));
    const cause = { commandId: 'input-1', agency: 'user' as const };
    const begun = { type: 'TurnStarted' as const, loopId: 'loop', turnId: 'turn-1', cause, turnIndex: 1, message };
    put(
      'one',
      new Journaling()
        .start('/a')
        .event(begun)
        .event({ type: 'StepDone', ...at, messages: [answer, result] }).records,
    );
    expect((await sessions('export', ['one'])).code).toBe(0);
  });

  it('export --html is one whole page, and no JSON', async () => {
    const { put, sessions } = makeHome();
    put('one', records);
    const { code, out } = await sessions('export', ['one'], { html: true });
    expect(code).toBe(0);
    expect(pageFaults(out)).toEqual([]);
    expect(out).toMatch(
      /<title>hello red .*<\/title>[\s\S]*✖ <b>shell<\/b> ls ␛\[2J[\s\S]*failed: tool_limit: too many/,
    );
    await expect(sessions('export', ['one'], { html: true, json: true })).rejects.toBeInstanceOf(UsageError);
  });

  it('as JSON are the records, one a line', async () => {
    const { put, sessions } = makeHome();
    put('one', records);
    const { out } = await sessions('show', ['one'], { json: true });
    expect(out).toBe(records.map((record) => `${encodeRecord(record)}\n`).join(''));
  });

  it('end with a word where the journal is damaged, and leave out a torn line', async () => {
    const { put, sessions } = makeHome();
    const lines = records.map((record) => encodeRecord(record));
    put('torn', `${lines.slice(0, 4).join('\n')}\n{"seq":5,`);
    expect(await sessions('show', ['torn'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('hello'),
      err: expect.stringMatching(/torn is torn/),
    });
    put('damaged', `${lines.slice(0, 4).join('\n')}\n{"seq":5,\n${lines[5]}\n`);
    expect(await sessions('show', ['damaged'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('hello'),
      err: expect.stringMatching(/^harness-chat: Line 5 of .* is damaged/),
    });
  });

  it('stop when the reader is gone', async () => {
    const { put, sessions, gone } = makeHome();
    put('one', records);
    gone.abort();
    expect(await sessions('show', ['one'])).toMatchObject({ code: 141, out: '' });
    expect(await sessions('list')).toMatchObject({ code: 141, out: '' });
  });
});

describe('path and remove', () => {
  it('path names the folder or the file', async () => {
    const { put, sessions, paths } = makeHome();
    put('one', '');
    expect((await sessions('path')).out).toBe(`${paths.sessions}\n`);
    expect((await sessions('path', ['on'])).out).toBe(`${join(paths.sessions, 'one.jsonl')}\n`);
  });

  it('remove takes several, all known before the first goes, and none that is in use', async () => {
    const { put, sessions, paths } = makeHome();
    for (const id of ['one', 'two', 'three']) put(id, conversation('/a', 'x'));
    await expect(sessions('remove', ['one', 'zzz'])).rejects.toBeInstanceOf(UsageError);
    const journal = await new SessionStore(paths).open('two');
    const { code, err } = await sessions('remove', ['one', 'two', 'one']);
    expect(code).toBe(1);
    expect(err).toBe(`harness-chat: removed one\nharness-chat: Session two is in use by process ${process.pid}.\n`);
    await journal.close();
    expect(readdirSync(paths.sessions).sort()).toEqual(['three.jsonl', 'two.jsonl']);
  });

  it.each<SessionsCommand>(['show', 'export', 'remove', 'path'])(
    '%s of an unknown session is wrong usage',
    async (sub) => {
      await expect(makeHome().sessions(sub, ['zzz'])).rejects.toThrow(/There is no session "zzz"/);
      if (sub !== 'path') await expect(makeHome().sessions(sub)).rejects.toBeInstanceOf(UsageError);
    },
  );
});

describe('audit', () => {
  const sound = new Journaling().start('/a').records;

  it('says that a journal is sound, with what stands open', async () => {
    const { put, audit } = makeHome();
    const open = new Journaling()
      .start('/a')
      .input('a')
      .event({ type: 'SessionActive' })
      .event({
        type: 'TurnStarted',
        loopId: 'loop',
        turnId: 't',
        turnIndex: 1,
        cause: { commandId: 'a', agency: 'user' },
        message: { role: 'user', blocks: [{ type: 'text', text: 'a' }] },
      });
    put('one', open.records);
    expect(await audit('on')).toEqual({
      code: 0,
      err: '',
      out: 'sound: session one, 5 records, 1 turn, 0 steps, 1 input, not stopped\nopen: turn 1 has no terminal\n',
    });
    const { out } = await audit('one', { json: true });
    expect(JSON.parse(out)).toMatchObject({
      session_id: 'one',
      sound: true,
      records: 5,
      open: ['turn 1 has no terminal'],
    });
  });

  it('names the first broken record', async () => {
    const { put, audit } = makeHome();
    put('gap', [sound[0]!, { ...sound[1]!, seq: 3 }]);
    expect(await audit('gap')).toEqual({
      code: 1,
      err: '',
      out: 'broken at record 2: record 2 is missing, 3 stands in its place\n',
    });
    expect(JSON.parse((await audit('gap', { json: true })).out)).toMatchObject({
      session_id: 'gap',
      sound: false,
      seq: 2,
    });
    put('empty', '');
    expect(await audit('empty')).toMatchObject({ code: 1, out: expect.stringContaining('holds no record') });
  });

  it('of an unknown session is wrong usage', async () => {
    await expect(makeHome().audit('zzz')).rejects.toBeInstanceOf(UsageError);
  });
});
