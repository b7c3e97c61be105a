/** A program that is late: what was typed meanwhile is what it would have been in time. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

describe.skipIf(unavailable() || process.platform === 'win32')('typing at a program that is late', () => {
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
  /** Written while the program stands still; it is late by what it stood. */
  const whileItStands = async (...entries: string[]): Promise<void> => {
    chat.pty.kill('SIGSTOP');
    for (const entry of entries) {
      chat.write(entry);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    chat.pty.kill('SIGCONT');
  };

  test('three quick entries are three inputs', async () => {
    await chat.type('one');
    await whileItStands('\r', 'two', '\r', 'three', '\r');
    const asked = await server.next();
    expect(asked.messages.at(-1)).toMatchObject({ content: 'one' });
    await chat.shows('queued 2');
    await chat.shows(/fold +two/);
    await chat.shows(/fold +three/);
    expect(chat.screen).toContain('Type a message');
  });

  test('a paste of several lines is one text in the composer, and sends nothing', async () => {
    await chat.type('see:');
    await whileItStands('a\n\n  b\nc\n');
    await chat.shows('› see:a');
    chat.write('!');
    await chat.shows('!');
    expect(chat.screen).not.toMatch(/started|queued/);
  });
});
