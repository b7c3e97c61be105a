/** What `stdio` cannot begin with, and a reader that is slow or gone. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, type Case, driver, line, script, typesOf, type WireEvent } from './black-box.ts';

const { say, hold, text, call } = script;
const input = (id: string, more: Record<string, unknown> = {}) =>
  line({ type: 'UserInput', command_id: id, agency: 'user', text: id, ...more });
const ended = (child: ReturnType<Case['start']>) =>
  new Promise<unknown>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));

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
