/** Sessions in the chat: chosen, changed, forked, taken up again after a stop and after a crash. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const DOWN = '\x1b[B';

describe.skipIf(unavailable())('sessions in the chat', () => {
  let server: ModelServer;
  let programs: TerminalProgram[];
  beforeEach(async () => {
    server = await new ModelServer().start();
    programs = [];
  });
  afterEach(() => {
    for (const program of programs.reverse()) program.close();
    server.stop();
  });

  const start = (options: OpenOptions = {}): TerminalProgram => {
    const home = programs[0]?.home;
    const program = new TerminalProgram({ ...(home && { home }), ...options, env: { ...server.env, ...options.env } });
    programs.push(program);
    return program;
  };
  const open = async (...args: string[]): Promise<TerminalProgram> => {
    const program = start({ args });
    await program.shows('Type a message');
    return program;
  };
  const command = async (chat: TerminalProgram, line: string): Promise<void> => {
    await chat.type(line);
    chat.write('\r');
  };
  const say = async (chat: TerminalProgram, text: string, answer: string): Promise<void> => {
    await chat.send(text);
    const asked = await server.next();
    asked.text(answer);
    asked.end();
    await chat.shows(answer);
    await chat.gone('Esc interrupts');
    await chat.shows('done');
  };
  const leave = async (chat: TerminalProgram): Promise<void> => {
    chat.write('\x03\x04');
    await chat.ended();
    expect(chat.exitCode).toBe(0);
  };
  const kill = async (chat: TerminalProgram): Promise<void> => {
    chat.pty.kill('SIGKILL');
    await chat.ended();
  };
  const drafts = (): string[] => {
    const folder = join(programs[0]?.home ?? '', 'drafts');
    return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
  };
  const journals = (): string[] =>
    readdirSync(join(programs[0]?.home ?? '', 'sessions'))
      .filter((name) => /jsonl$/.test(name))
      .sort();
  const journal = (name = ''): string => readFileSync(join(programs[0]?.home ?? '', 'sessions', name), 'utf8');

  test('--resume without an id: none is wrong usage, Esc leaves, Enter opens', async () => {
    const none = start({ args: ['--resume'] });
    await none.ended();
    expect([none.exitCode, none.raw]).toEqual([2, expect.stringContaining('there is no session yet')]);

    const first = await open();
    await say(first, 'the first question', 'the first answer');
    await leave(first);
    const second = await open();
    await say(second, 'another one', 'the second answer');
    await leave(second);

    const left = start({ args: ['--resume'] });
    await left.shows('Sessions');
    left.write('\x1b');
    await left.ended();
    expect(left.exitCode).toBe(0);
    expect(left.raw.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(left.raw.lastIndexOf('\x1b[?1049h'));

    const chosen = start({ args: ['--resume'] });
    await chosen.shows('another one');
    chosen.write('first');
    await chosen.gone('another one');
    chosen.write('\r');
    await chosen.shows('the first answer');
    await chosen.shows('Type a message');
    await say(chosen, 'and on', 'it goes');
    expect(journal(journals()[0])).toContain('it goes');
  });

  test('/sessions ends this one as a stop does; what it returned is offered when it is opened again', async () => {
    const first = await open();
    await say(first, 'the first question', 'the first answer');
    await leave(first);
    const chat = await open();
    await chat.send('run on');
    const asked = await server.next();
    asked.text('and on');
    await chat.shows('and on');
    await chat.type('wait for me');
    chat.write('\r');
    await chat.shows('queued 1');
    await command(chat, '/sessions');
    await chat.shows('Sessions  2');
    chat.write(`${DOWN}\r`);
    await chat.shows('a turn is running');
    chat.write('\r');
    await asked.closed;
    await chat.shows('the first answer');
    expect(journal(journals()[1])).toMatch(/SessionStopped.*\n$/);
    expect(chat.everything).toContain('wait for me  · returned (shutting down)');

    await command(chat, '/sessions');
    await chat.shows('Sessions  2');
    chat.write('run on');
    await chat.gone('first question');
    chat.write('\r');
    await chat.shows('returned 1');
    chat.write('\r');
    const resent = await server.next();
    expect(resent.messages.at(-1)).toMatchObject({ content: 'wait for me' });
    await leaveBusy(chat);
  });

  test('of returned inputs those come back that were neither dropped nor sent', async () => {
    const first = await open();
    await first.send('run on');
    const asked = await server.next();
    asked.text('and on');
    await first.shows('and on');
    for (const [i, text] of ['keep this', 'drop this'].entries()) {
      await command(first, text);
      await first.shows(`queued ${i + 1}`);
    }
    first.write('\x04');
    await first.shows('once more to leave');
    first.write('\x04');
    await first.ended();

    const second = start({ args: ['-c'] });
    await second.shows('returned 2');
    second.write('\x1b[A');
    await second.shows('d drop');
    second.write('d');
    await second.shows('returned 1');
    second.write('\x1b');
    await second.gone('d drop');
    await say(second, 'something else', 'another answer');
    await leave(second);

    const third = start({ args: ['-c'] });
    await third.shows('returned 1');
    expect(third.screen).toContain('returned (shutting down) keep this');
    await leave(third);
  });

  const leaveBusy = async (chat: TerminalProgram): Promise<void> => {
    await chat.shows('Esc interrupts');
    chat.write('\x1b');
    await chat.gone('Esc interrupts');
    await chat.gone('stopping');
    await leave(chat);
  };

  test('a session that is in use elsewhere: one line, this one stays', async () => {
    const first = await open();
    await say(first, 'mine', 'yours');
    const second = await open();
    await say(second, 'hers', 'theirs');
    await command(second, '/sessions');
    await second.shows('Sessions  2');
    second.write('mine\r');
    await second.shows('is in use by process');
    second.write('\x1b');
    await second.gone('Esc closes');
    await say(second, 'still here', 'as before');
  });

  test('-c while another process has it: what can be done meanwhile', async () => {
    const first = await open();
    await say(first, 'mine', 'yours');
    const second = start({ args: ['-c'] });
    await second.ended();
    expect(second.exitCode).toBe(1);
    expect(second.raw.replace(/\s+/g, ' ')).toMatch(/in use by process \d+\. Until then -r goes on .*--fork ID/);
  });

  test('-c where nothing reaches its model any more: the demo does not slip in unsaid', async () => {
    const first = await open();
    await say(first, 'mine', 'yours');
    await leave(first);
    const env = { OPENAI_BASE_URL: '', OPENAI_API_KEY: '', OPENAI_MODEL: '' };
    const second = start({ args: ['-c'], env });
    await second.shows('nothing is set up that reaches scripted');
    await second.shows('demo model');
  });

  test('/new begins another; the old one is complete', async () => {
    const chat = await open();
    await say(chat, 'one', 'answer one');
    await command(chat, '/new');
    await chat.until('two journals', () => journals().length === 2);
    await say(chat, 'two', 'answer two');
    expect(journal(journals()[0])).toMatch(/SessionStopped.*\n$/);
    expect(journal(journals()[1])).not.toContain('answer one');
    await leave(chat);
  });

  test('after kill -9 the queue is recovered and paused, and the draft is in the composer', async () => {
    const crashed = await open();
    await crashed.send('go');
    await server.next();
    await crashed.type('queued before');
    crashed.write('\r');
    await crashed.shows('queued 1');
    await crashed.type('half a draft');
    await crashed.until('the draft on disk', () => drafts().some((draft) => draft.includes('half a draft')));
    await kill(crashed);
    const [path = ''] = journals().map((name) => join(crashed.home, 'sessions', name));
    // years ago: the turn did not run since
    writeFileSync(path, readFileSync(path, 'utf8').replace(/("created_at":")[^"]+/g, '$12020-01-01T00:00:00.000Z'));
    const chat = start({ args: ['-c'] });
    await chat.shows('queued 1 · recovered · paused');
    await chat.shows('› half a draft');
    await chat.shows('interrupted · after 0.0s');
    chat.write('\x15');
    await chat.shows('Type a message');
    chat.write('\r');
    const asked = await server.next();
    expect(asked.messages.at(-1)).toMatchObject({ content: 'queued before' });
    await leaveBusy(chat);
    expect(drafts()).toEqual([]);
  });

  test('only the last turns are drawn again, the rest is counted', async () => {
    const chat = await open();
    for (let i = 1; i <= 5; i += 1) await say(chat, `question ${i}`, `answer-${i}`);
    await leave(chat);
    const resumed = await open('-c');
    await resumed.shows('answer-5');
    expect(resumed.everything).not.toContain('answer-2');
    for (const shown of ['2 earlier turns', 'answer-3', 'answer-4', 'answer-5', '5 turns'])
      expect(resumed.everything).toContain(shown);
    await command(resumed, '/status');
    await resumed.shows(/session [0-9a-f-]{36} in/);
  });

  test('Esc Esc forks at a step; the old session stays as it was', async () => {
    const chat = await open();
    await say(chat, 'one', 'answer one');
    await say(chat, 'two', 'answer two');
    await leave(chat);
    const again = await open('-c');
    const [source = ''] = journals();
    again.write('\x1b');
    await again.shows('Esc again');
    again.write('\x1b');
    await again.shows('Fork: from which step?');
    await again.shows('answer one');
    again.write(`${DOWN}\r`);
    await again.shows('a fork of session');
    await say(again, 'three', 'answer three');
    const [, fork = ''] = journals();
    expect(journal(fork)).toContain(`"forked_from":"${source.replace('.jsonl', '')}"`);
    expect(journal(fork)).not.toContain('answer two');
    expect(journal(fork)).not.toContain('TurnInterrupted');
    expect(journal(source)).not.toContain('answer three');
    await leave(again);
  });
});
