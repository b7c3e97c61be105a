/** How `stdio` ends: drained, shut down, by a signal, or without its reader. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ackOf, blackBox, type Case, driver, line, script, settled, typesOf, type WireEvent } from './black-box.ts';

const { say, hold, text, call } = script;
const input = (id: string, more: Record<string, unknown> = {}) =>
  line({ type: 'UserInput', command_id: id, agency: 'user', text: id, ...more });
const shutdown = (id: string) => line({ type: 'Shutdown', command_id: id, agency: 'user' });

const ended = (child: ReturnType<Case['start']>) =>
  new Promise<unknown>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));

describe('the end of standard input', () => {
  blackBox('with nothing said: the session is there and stops, exit 0', async (t) => {
    const { code, stdout, stderr } = await t.run(['stdio']);
    expect([code, stderr]).toEqual([0, '']);
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((each) => (JSON.parse(each) as { event: WireEvent }).event.type);
    expect(types).toEqual(['SessionStarted', 'LoopStarted', 'SessionStopped']);
  });

  blackBox('returns a paused queue, of people and machines, without a turn', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('a');
    const ids = [chat.submit('one'), chat.submit('two', { no_fold: true })];
    await settled(chat);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    ids.push(chat.submit('of a machine', { agency: 'machine' }));
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(ids.map((id) => chat.resolution(id).map(({ reason, turn_id }) => [reason, turn_id]))).toEqual(
      ids.map(() => [['turn_interrupted', undefined]]),
    );
    expect(t.model.requests).toHaveLength(1);
    t.sound(chat);
  });

  blackBox('with everything in one write: input, queue, interrupt', async (t) => {
    t.model.reply([hold('never')]);
    const chat = t.chat();
    chat.sendRaw(
      input('a') +
        input('b') +
        input('c', { agency: 'machine' }) +
        line({ type: 'Interrupt', command_id: 'stop', agency: 'user' }),
    );
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(typesOf(chat.resolution('a'))).toEqual(['TurnStarted']);
    expect(['b', 'c'].map((id) => chat.resolution(id).map(({ reason }) => reason))).toEqual([
      ['turn_interrupted'],
      ['turn_interrupted'],
    ]);
    expect([chat.events('TurnInterrupted').length, ackOf(chat, 'stop')?.cancelled]).toEqual([1, true]);
    t.sound(chat, {
      submits: ['a', 'b', 'c'].map((id) => ({
        command_id: id,
        blocks: [{ type: 'text', text: id }],
        agency: id === 'c' ? 'machine' : 'user',
      })),
    });
  });

  blackBox('a failed turn ends the drain as well, exit 0: what failed was said', async (t) => {
    t.model.reply([text('x'), hold('a'), script.drop()]);
    const chat = t.chat();
    chat.submit('a');
    await t.model.reached('a');
    const b = chat.submit('b');
    await settled(chat);
    chat.child.stdin?.end();
    t.model.release('a');
    expect(await chat.exited).toEqual({ code: 0, signal: null });
    expect(chat.resolution(b).map(({ reason }) => reason)).toEqual(['turn_failed']);
    t.sound(chat);
  });

  blackBox('that is closed, empty, a file, or no file at all', async (t) => {
    writeFileSync(join(t.sandbox.workspace, 'commands'), input('a'));
    for (const redirect of ['<&-', '</dev/null', '</']) {
      const { code, stdout, stderr } = await t.bash(`chat stdio ${redirect}`);
      expect([code, stderr, stdout.includes('SessionStopped')], redirect).toEqual([0, '', true]);
    }
    const read = await t.bash('chat stdio <commands');
    expect(read).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('TurnDone') });
  });
});

describe('Shutdown', () => {
  blackBox('twice, with commands behind it in the same write, of an idle session', async (t) => {
    const chat = t.chat();
    await chat.until('LoopStarted');
    chat.sendRaw(shutdown('first') + input('late') + line({ type: 'Interrupt', command_id: 'i' }) + shutdown('second'));
    expect(await chat.exited).toEqual({ code: 0, signal: null });
    expect(chat.resolution('late').map(({ type, reason }) => [type, reason])).toEqual([
      ['TurnRejected', 'shutting_down'],
    ]);
    expect(chat.errors).toEqual(
      expect.arrayContaining([
        { ack: { command_id: 'first' } },
        { ack: { command_id: 'second' } },
        { ack: { command_id: 'i', cancelled: false } },
      ]),
    );
    expect(typesOf(chat.events())).toEqual(['SessionStarted', 'LoopStarted', 'TurnRejected', 'SessionStopped']);
    t.sound(chat);
  });

  blackBox('behind an input in the same write: started, interrupted, and over', async (t) => {
    t.model.reply([hold('never')]);
    const chat = t.chat();
    chat.sendRaw(input('a') + input('b') + shutdown('end') + input('late'));
    expect(await chat.exited).toEqual({ code: 0, signal: null });
    expect(chat.resolution('b').map(({ reason }) => reason)).toEqual(['turn_interrupted']);
    expect(chat.resolution('late').map(({ reason }) => reason)).toEqual(['shutting_down']);
    expect(typesOf(chat.events()).slice(-3)).toEqual(['LoopIdle', 'SessionIdle', 'SessionStopped']);
    expect(ackOf(chat, 'end')).toEqual({ command_id: 'end' });
    t.sound(chat);
  });

  blackBox('of a paused queue, while its input ends too', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('a');
    const kept = chat.submit('kept');
    await settled(chat);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    chat.sendRaw(shutdown('end'));
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(chat.resolution(kept).map(({ reason }) => reason)).toEqual(['turn_interrupted']);
    expect([ackOf(chat, 'end'), chat.events('SessionStopped').length]).toEqual([{ command_id: 'end' }, 1]);
    t.sound(chat);
  });
});

describe('a signal', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    blackBox(`${signal}: the turn is interrupted, the queue returned, exit ${code}`, async (t) => {
      t.model.reply([text('x'), hold('never')]);
      const chat = t.chat();
      chat.submit('a');
      await t.model.reached('never');
      const b = chat.submit('b');
      await chat.untilReply(b, 'InputQueued');
      expect(await chat.kill(signal)).toEqual({ code, signal: null });
      expect(typesOf(chat.events()).slice(-5)).toEqual([
        'TurnInterrupted',
        'InputCancelled',
        'LoopIdle',
        'SessionIdle',
        'SessionStopped',
      ]);
      expect(chat.resolution(b).map(({ reason }) => reason)).toEqual(['turn_interrupted']);
      t.sound(chat);
    });
  }

  blackBox('while idle, and as the very first thing', async (t) => {
    const idle = t.chat();
    await idle.until('LoopStarted');
    expect(await idle.kill('SIGTERM')).toEqual({ code: 143, signal: null });
    expect(typesOf(idle.events())).toEqual(['SessionStarted', 'LoopStarted', 'SessionStopped']);
    const early = t.chat();
    await early.until('SessionStarted');
    expect(await early.kill('SIGINT')).toEqual({ code: 130, signal: null });
  });
});

describe('the reader', () => {
  blackBox('that pauses 3 s during 20,000 chunks loses nothing and slows nobody', async (t) => {
    const CHUNKS = 20_000;
    t.model.reply(say('ab'.repeat(CHUNKS), { size: 2 }));
    const child = t.start(['stdio']);
    child.stdin.write(input('go'));
    let seen = '';
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        seen += part;
        if (seen.includes('TokenDelta')) resolve();
      });
    });
    child.stdout.pause();
    const paused = Date.now();
    // the answer of the server is taken whole while nobody reads
    while (!t.model.requests[0] || !(t.model.requests[0] as unknown as { ended: boolean }).ended) {
      expect(Date.now() - paused).toBeLessThan(15_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 3000 - (Date.now() - paused))));
    child.stdout.resume();
    child.stdin.end();
    expect(await ended(child)).toEqual({ code: 0, signal: null });
    const events = seen
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as { event: WireEvent; dropped?: number });
    expect(events.some(({ dropped }) => dropped)).toBe(false);
    const deltas = events.filter(({ event }) => event.type === 'TokenDelta');
    expect(deltas).toHaveLength(CHUNKS);
    const done = events.find(({ event }) => event.type === 'TurnDone')?.event;
    expect(deltas.map(({ event }) => event.chunk?.text).join('')).toBe(driver.textOf(done?.message));
  });

  blackBox('that goes away: the turn is interrupted, exit 141, and nothing is said', async (t) => {
    t.model.reply([text('x'), hold('a'), text('y'.repeat(400), { size: 1 }), hold('never')]);
    const child = t.start(['stdio']);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
    });
    child.stdin.write(input('go'));
    await t.model.reached('a');
    child.stdout.destroy();
    t.model.release('a');
    expect(await ended(child)).toEqual({ code: 141, signal: null });
    expect(stderr).toBe('');
    const again = t.chat({ args: ['--continue'] });
    await again.until('RestoreDone');
    expect(typesOf(again.events())).not.toContain('TurnInterrupted');
    await again.close();
  });

  blackBox('that was gone from the start', async (t) => {
    const ran = await t.bash('set -o pipefail; chat stdio < <(sleep 2) | true');
    expect(ran).toMatchObject({ code: 141, stderr: '' });
  });
});

describe('what cannot begin', () => {
  blackBox('words, nothing configured, a home that cannot be made: one line, exit 2', async (t) => {
    const blank = { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined, OPENAI_MODEL: undefined };
    writeFileSync(join(t.sandbox.root, 'file'), '');
    const cases: [string[], Record<string, string | undefined>, RegExp][] = [
      [['stdio', 'hello'], {}, /hello|argument/],
      [['stdio'], blank, /OPENAI_API_KEY.*-p demo/],
      [['stdio', '-m', 'x'], blank, /OPENAI_API_KEY|base-url/],
      [['stdio'], { HARNESS_CHAT_HOME: join(t.sandbox.root, 'file', 'home') }, /HARNESS_CHAT_HOME/],
      [['stdio', '--approval', 'sometimes'], {}, /approval/],
      [['stdio', '--max-steps', 'many'], {}, /max-steps/],
      [['stdio', '--continue'], {}, /no session/],
      [['stdio', '--resume'], {}, /session id/],
      [['stdio', '--resume', 'unknown'], {}, /unknown/],
      [['stdio', '--fork', 'unknown'], {}, /unknown/],
      [['stdio', '--continue', '--resume', 'x'], {}, /continue|resume/],
    ];
    for (const [args, env, says] of cases) {
      const ran = await t.run(args, { env });
      expect([ran.code, ran.stdout], args.join(' ')).toEqual([2, '']);
      expect(ran.stderr).toMatch(/^harness-chat: [^\n]+\n$/);
      expect(ran.stderr).toMatch(says);
    }
  });

  blackBox('a sessions folder that takes nothing: one line, exit 1', async (t) => {
    if (process.getuid?.() === 0) writeFileSync(join(t.sandbox.home, 'harness-chat'), '');
    else {
      const sessions = join(t.sandbox.home, 'harness-chat', 'sessions');
      mkdirSync(sessions, { recursive: true });
      chmodSync(sessions, 0o500);
    }
    const ran = await t.run(['stdio'], { input: input('a') });
    expect([1, 2]).toContain(ran.code);
    expect(ran.stdout).not.toContain('"event"');
    expect(ran.stderr).toMatch(/^harness-chat: [^\n]+\n$/);
  });

  blackBox('a session that is in use: one line that says so, exit 1, and the first goes on', async (t) => {
    t.model.reply(call('shell', { command: 'true' }), say('done'));
    const chat = t.chat();
    await chat.until('LoopStarted');
    for (const mode of [['stdio'], ['exec', 'hi'], ['exec', '--json', 'hi']]) {
      const ran = await t.run([...mode, '--resume', chat.events()[0]?.session_id ?? '']);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/^harness-chat: [^\n]*in use[^\n]*\n$/);
    }
    chat.submit('go');
    await chat.until('TurnDone');
    await chat.close();
    t.sound(chat);
  });

  blackBox('a damaged journal: RestoreErrored on standard output, the line on standard error, exit 1', async (t) => {
    const first = t.chat();
    first.submit('go');
    await first.until('TurnDone');
    const id = first.events()[0]?.session_id ?? '';
    await first.close();
    const file = join(t.sandbox.home, 'harness-chat', 'sessions', `${id}.jsonl`);
    writeFileSync(file, '{"seq":1}\n{"seq":2}\n{"seq":3}\n');
    const again = t.chat({ args: ['--resume', id] });
    expect(await again.exited).toEqual({ code: 1, signal: null });
    expect(again.deliveries.map(({ journal_seq, event }) => [journal_seq, event.type, event.err?.kind])).toEqual([
      [0, 'RestoreErrored', 'journal'],
    ]);
    expect(again.stderr).toMatch(/^harness-chat: [^\n]*1[^\n]*\n$/);
    expect(again.errors).toEqual([]);
  });
});
