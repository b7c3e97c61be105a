/** Escape and time on a real terminal (field reports R32, R46 and their neighbours). */
import { afterEach, describe, expect, test } from 'vitest';
import { Conversation, gap } from './conversation.ts';
import type { Asked } from './model-server.ts';
import { unavailable } from './terminal.ts';

describe.skipIf(unavailable())('Escape', () => {
  let talk: Conversation;
  afterEach(() => talk?.close());

  describe.each([
    ['', {}, 25],
    [' over ssh', { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }, 100],
  ])('while text streams%s', (_where, env, limit) => {
    const streaming = async (): Promise<Asked> => {
      talk = await Conversation.open({ env });
      await talk.chat.send('go');
      const asked = await talk.server.next();
      asked.text('some words');
      await talk.chat.shows('some words');
      return asked;
    };

    test('and a CR soon after it are a new line; one that is late is Enter', async () => {
      const asked = await streaming();
      for (const ms of [0, limit / 5, limit / 2]) {
        await talk.chat.type('a');
        talk.chat.write('\x1b');
        await gap(ms);
        talk.chat.write('\rb');
        await talk.chat.shows('› a\n  b');
        talk.chat.write('\x7f\x7f\x7f');
        await talk.chat.shows('Type a message');
      }
      expect(talk.chat.screen).toContain('working');
      talk.chat.write('\x1b');
      await talk.chat.shows('interrupted');
      await asked.closed;
    });

    test('and the tail of an arrow are the arrow, and never text', async () => {
      await streaming();
      for (const ms of [0, limit / 5, limit / 2]) {
        await talk.chat.type('ac');
        talk.chat.write('\x1b');
        await gap(ms);
        talk.chat.write('[D');
        await gap(5);
        talk.chat.write('b');
        await talk.chat.shows('› abc');
        talk.chat.write('\x05\x15');
        await talk.chat.shows('Type a message');
      }
      expect(talk.chat.screen).toContain('working');
      // later than the limit it interrupts, and is no text either
      talk.chat.write('\x1b');
      await gap(limit + 15);
      talk.chat.write('[A');
      await talk.chat.shows('interrupted');
      await talk.chat.type('after');
      expect(talk.chat.screen).not.toContain('[A');
    });
  });

  test('twice at once keeps what is written, idle and while text streams', async () => {
    talk = await Conversation.open();
    talk.chat.write('one\ntwo\nthree');
    await talk.chat.shows('› one\n  two\n  three');
    talk.chat.write('\x1b\x1b');
    await gap(200);
    expect(talk.chat.screen).toContain('› one\n  two\n  three');
    talk.chat.write('\r');
    const asked = await talk.server.next();
    asked.text('some words');
    await talk.chat.shows('some words');
    talk.chat.write('four\nfive');
    await talk.chat.shows('› four\n  five');
    talk.chat.write('\x1b\x1b');
    await asked.closed;
    await talk.chat.shows('interrupted');
    await gap(200);
    expect(talk.chat.screen).toContain('› four\n  five');
    expect(talk.chat.everything.split('■ interrupted')).toHaveLength(2);
  });

  test('Ctrl+C takes the text away, ↑ and undo bring it back', async () => {
    talk = await Conversation.open();
    for (const back of ['\x1b[A', '\x1f']) {
      talk.chat.write('one\ntwo\nthree');
      await talk.chat.shows('› one\n  two\n  three');
      talk.chat.write('\x03');
      await talk.chat.shows('Type a message');
      talk.chat.write(back);
      await talk.chat.shows('› one\n  two\n  three');
      talk.chat.write('\x03');
      await talk.chat.shows('Type a message');
    }
  });
});
