/** Queue and interrupt on the screen (field reports R20 to R30 and their neighbours). */
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { Conversation, gap, said } from './conversation.ts';
import type { Asked } from './model-server.ts';
import { type OpenOptions, type TerminalProgram, unavailable } from './terminal.ts';

const UP = '\x1b[A';
const ESC = '\x1b';

describe.skipIf(unavailable() || process.platform === 'win32')('queue and interrupt', () => {
  let talk: Conversation;
  afterEach(() => talk?.close());
  const begun = async (options?: OpenOptions): Promise<{ chat: TerminalProgram; asked: Asked }> => {
    talk = await Conversation.open(options);
    await talk.chat.send('go');
    return { chat: talk.chat, asked: await talk.server.next() };
  };
  const queue = async (chat: TerminalProgram, text: string): Promise<void> => {
    await chat.type(text);
    chat.write('\r');
    await chat.shows(new RegExp(`(fold|next turn) +${text}`));
  };
  const userTexts = (asked: Asked): unknown[] =>
    asked.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const running = (pattern: string): boolean => {
    try {
      return execFileSync('pgrep', ['-f', pattern], { encoding: 'utf8' }).trim() !== '';
    } catch {
      return false;
    }
  };

  test('R20 one Esc with four queued: all stay, in order, and one Enter lets them go on', async () => {
    const { chat, asked } = await begun();
    asked.text('slow');
    await chat.shows('slow');
    for (const text of ['m1', 'm2', 'm3', 'm4']) await queue(chat, text);
    chat.write(ESC);
    await chat.shows(/queued 4 · paused/);
    expect(chat.screen).toMatch(/m1[\s\S]*m2[\s\S]*m3[\s\S]*m4/);
    chat.write('\r');
    const next = await talk.server.next();
    expect(said(next)).toBe('m1');
    next.call('list_files', { path: '.' });
    next.end();
    expect(userTexts(await talk.server.next()).slice(-4)).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  test.each<[string, (asked: Asked, half: () => Promise<void>) => Promise<void>]>([
    ['an answer', async (asked, half) => half().then(asked.end)],
    ['an empty answer', async (asked) => asked.end()],
    ['an error in the stream', async (asked, half) => half().then(() => asked.fail('upstream is gone'))],
    ['a stream that is cut', async (asked, half) => half().then(asked.cut)],
    [
      'a tool that throws',
      async (asked) => {
        asked.call('read_file', { path: 'not-there' });
        asked.end();
      },
    ],
  ])('R21, R22 a queued input outlives %s, and the next one starts by itself or with one key', async (_name, end) => {
    const { chat, asked } = await begun();
    asked.text(' ');
    await queue(chat, 'kept');
    await end(asked, async () => {
      asked.text('half');
      await chat.shows('half');
    });
    await chat.until('sent or returned', () => /kept {2}· (started|folded)|returned 1/.test(chat.everything));
    const returned = chat.screen.includes('returned 1');
    if (returned) chat.write('\r');
    const next = await talk.server.next();
    expect(userTexts(next).filter((text) => text === 'kept')).toEqual(['kept']);
    next.text('fine');
    next.end();
    await chat.shows('done');
    await chat.send('x');
    expect(said(await talk.server.next())).toBe('x');
  });

  test('R24 a queued input stands behind the results of all parallel calls', async () => {
    const { chat, asked } = await begun({ args: ['--approval', 'auto'] });
    asked.call('shell', { command: 'sleep 0' });
    asked.call('shell', { command: 'while [ ! -e go ]; do sleep 0.05; done' });
    asked.end();
    await chat.shows('running');
    await queue(chat, 'I meant B');
    execFileSync('touch', [`${chat.home}/go`]);
    const next = await talk.server.next();
    expect(next.messages.slice(-4).map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
    expect(said(next)).toBe('I meant B');
  });

  test('R25 a retract to edit keeps the draft, and one version is sent', async () => {
    const { chat, asked } = await begun();
    asked.text('slow');
    await queue(chat, 'renmae the file');
    await chat.type('half a draft');
    chat.write('\x1b[1;3A');
    await chat.shows('❯ 1');
    chat.write('e');
    await chat.shows('› renmae the file');
    chat.write('\x17\x17\x17rename it\r');
    await chat.shows(/fold +rename it/);
    await chat.shows('› half a draft');
    asked.call('list_files', { path: '.' });
    asked.end();
    expect(userTexts(await talk.server.next()).slice(1)).toEqual(['rename it']);
  });

  test('R25 a retract while the turn ends: the text is sent or in the composer, never both, never neither', async () => {
    talk = await Conversation.open();
    const { chat, server } = talk;
    for (let round = 0; round < 20; round += 1) {
      await chat.send(`go-${round}`);
      const asked = await server.next();
      asked.text('slow');
      const text = `text-${round}`;
      await queue(chat, text);
      chat.write(UP);
      await chat.shows('❯ 1');
      const keys = (): void => chat.write('e');
      const ends = (): void => asked.end();
      for (const act of round % 2 === 0 ? [keys, ends] : [ends, keys]) {
        act();
        await gap(round % 5);
      }
      const sent = server.next();
      const started = (): boolean => chat.everything.includes(`${text}  · started`);
      const taken = (): boolean => chat.screen.includes(`› ${text}`) && !started();
      await chat.until('sent or taken', () => started() || (taken() && chat.everything.includes('retracted')));
      if (!started()) {
        await gap(30);
        expect(started()).toBe(false);
        chat.write('\r');
      }
      const next = await sent;
      expect(said(next)).toBe(text);
      next.text('.');
      next.end();
      await chat.until('the end', () => !chat.screen.includes('working'));
      // what too late a key has typed
      chat.write('\x15');
      await chat.shows('Type a message');
    }
  });

  describe('R27 Esc stops a turn in each of its phases, and the next message is taken', () => {
    test.each<[string, (asked: Asked, chat: TerminalProgram) => Promise<void>]>([
      ['before the first byte', async () => {}],
      ['in thinking', async (asked) => asked.think('hm')],
      [
        'in the text',
        async (asked, chat) => {
          asked.text('some words');
          await chat.shows('some words');
        },
      ],
      ['in the arguments of a call', async (asked) => asked.part('shell', '{"comm')],
      [
        'in a tool',
        async (asked, chat) => {
          asked.call('shell', { command: 'sleep 986' });
          asked.end();
          await chat.shows('running 1 tool');
        },
      ],
      [
        'in a tool that heeds no signal',
        async (asked, chat) => {
          asked.call('shell', { command: "trap '' TERM; sleep 985; sleep 985" });
          asked.end();
          await chat.shows('running 1 tool');
        },
      ],
    ])('%s', async (_name, reach) => {
      const { chat, asked } = await begun({ args: ['--approval', 'auto'] });
      await reach(asked, chat);
      const since = performance.now();
      chat.write(ESC);
      await chat.shows('■ interrupted');
      expect(performance.now() - since).toBeLessThan(4000);
      expect(chat.everything.split('■ interrupted')).toHaveLength(2);
      expect(chat.screen).toContain('Type a message');
      expect(running('sleep 98[56]')).toBe(false);
      await chat.send('next');
      const next = await talk.server.next();
      expect(said(next)).toBe('next');
      expect(next.messages.filter(({ role }) => role === 'tool')).toEqual([]);
    });
  });

  test.each([
    ['the help', '?', 'Keys and commands'],
    ['the commands', '/', '/help'],
    ['the history', '\x12', 'history:'],
    ['the queue', UP, '❯ 1'],
    ['the sessions', '/sessions\r', 'Sessions'],
    ['the transcript', '\x14', 'turn 1 of 1'],
  ])('R28 Esc closes %s, and nothing else', async (_name, keys, sign) => {
    const { chat, asked } = await begun();
    asked.text('some words\n\n');
    await chat.shows('some words');
    await queue(chat, 'waits');
    chat.write(keys);
    await chat.shows(new RegExp(sign.replace('?', '\\?'), 'i'));
    chat.write(ESC);
    await chat.shows('Esc interrupts');
    await gap(300);
    asked.text('and more');
    await chat.until('more', () => chat.everything.includes('and more'));
    expect(chat.screen).toContain('working');
    chat.write('\x15');
    await chat.shows('Type a message');
    chat.write(ESC);
    await chat.shows('interrupted');
  });

  test('R29 Ctrl+C: stops a tool; clears a text that can be had back; warns; leaves', async () => {
    const { chat, asked } = await begun({ args: ['--approval', 'auto'] });
    asked.call('shell', { command: 'sleep 987' });
    asked.end();
    await chat.shows('running 1 tool');
    chat.write('\x03');
    await chat.shows('■ interrupted');
    expect(running('sleep 98[7]')).toBe(false);
    await chat.type('not lost');
    chat.write('\x03');
    await chat.shows('Type a message');
    chat.write(UP);
    await chat.shows('› not lost');
    chat.write('\x03');
    await chat.shows('Type a message');
    chat.write('\x03');
    await chat.shows(/Ctrl\+C again/i);
    expect(chat.exitCode).toBeUndefined();
    chat.write('\x03');
    await chat.ended();
    expect([0, 130]).toContain(chat.exitCode);
    expect(chat.raw.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(chat.raw.lastIndexOf('\x1b[?2004h'));
  });

  test('R30 a partial answer stands once, marked, and a second Esc adds nothing', async () => {
    const { chat, asked } = await begun();
    asked.text('1. apples\n2. pears\n3. pl');
    await chat.shows('pl');
    chat.write(ESC);
    await asked.closed;
    await chat.shows('discarded');
    chat.write(ESC);
    await gap(300);
    expect(chat.everything.split('apples')).toHaveLength(2);
    expect(chat.everything.split('■ interrupted')).toHaveLength(2);
    await chat.send('expand point 2');
    expect(userTexts(await talk.server.next())).toEqual(['go', 'expand point 2']);
  });

  test('a paste while a question is open answers nothing, and stands in the draft', async () => {
    const { chat, asked } = await begun();
    asked.call('shell', { command: 'touch made' });
    asked.end();
    await chat.shows('touch made');
    await gap(500);
    chat.write('\x1b[200~1\n2\n\x1b[201~');
    await chat.shows('› 1\n  2');
    // neither does Enter behind it, nor a digit within the text
    chat.write('\r');
    await gap(400);
    chat.write('3');
    await chat.shows('› 1\n  2\n  3');
    expect(chat.screen).toContain('1 yes, once');
    chat.write(`${UP}${UP}`);
    await chat.shows('❯ 4 no');
    chat.write('\r');
    expect(said(await talk.server.next())).toMatch(/refused|denied|declined/i);
    await chat.shows('› 1\n  2\n  3');
  });
});
