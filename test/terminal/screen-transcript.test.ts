/** The transcript on a real terminal: on a screen of its own, while the session goes on below. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

const CTRL_T = '\x14';

describe.skipIf(unavailable())('the transcript', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
    chat = new TerminalProgram({ env: server.env });
    await chat.shows('Type a message');
  });
  afterEach(() => {
    chat.close();
    server.stop();
  });
  const answer = async (words: string, text: string): Promise<void> => {
    await chat.send(words);
    const asked = await server.next();
    asked.text(text);
    const ended = chat.everything.split('✔ done').length;
    asked.end();
    await chat.until('its end', () => chat.everything.split('✔ done').length > ended && chat.screen.includes('? keys'));
  };

  test('opens, searches, copies, closes, and leaves the screen below as it was', async () => {
    await answer('first', 'the **needle** is here\n\n```js\nlet a;\n```\n');
    await answer('second', `${'hay\n\n'.repeat(40)}`);
    const before = chat.everything;
    chat.write(CTRL_T);
    await chat.shows('turn 2 of 2');
    expect(chat.emulator.buffer.active.type).toBe('alternate');
    chat.write('/needle is');
    await chat.shows('/needle is');
    chat.write('\r');
    await chat.shows('the needle is here');
    await chat.shows('matches');
    chat.write('c');
    await chat.shows('clipboard');
    expect(chat.raw).toContain(
      `\x1b]52;c;${Buffer.from('the **needle** is here\n\n```js\nlet a;\n```').toString('base64')}\x07`,
    );
    chat.write('C');
    await chat.until('the code', () => chat.raw.includes(`\x1b]52;c;${Buffer.from('let a;').toString('base64')}\x07`));
    chat.write('q');
    await chat.until('the main screen', () => chat.emulator.buffer.active.type === 'normal');
    await chat.until('the same picture', () => chat.everything === before);
  });

  test('what is said meanwhile is in it, and is printed below once it closes', async () => {
    await chat.send('go');
    const asked = await server.next();
    asked.text('before-line\n\n');
    await chat.shows('before-line');
    chat.write(CTRL_T);
    await chat.shows('turn 1 of 1');
    asked.text('meanwhile-line\n\n');
    asked.end();
    await chat.shows('✔ done');
    expect(chat.screen).toContain('meanwhile-line');
    // the turn is over: Esc closes, and interrupts nothing
    chat.write('\x1b');
    await chat.until('the main screen', () => chat.emulator.buffer.active.type === 'normal');
    await chat.until(
      'what was said',
      () => chat.screen.includes('meanwhile-line') && chat.screen.includes('Type a message'),
    );
    for (const line of ['before-line', 'meanwhile-line']) expect(chat.everything.split(line)).toHaveLength(2);
    expect(chat.raw).not.toMatch(/\x1b\[[23]J/);
  });
});
