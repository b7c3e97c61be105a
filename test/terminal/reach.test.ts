/** What the chat does beside the conversation: commands of one's own, files that go along, the export. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

describe.skipIf(unavailable())('what the chat reaches', () => {
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
  const command = async (line: string): Promise<void> => {
    await chat.type(line);
    chat.write('\r');
  };

  test('a command of one’s own is shown, and goes before the next input', async () => {
    await command('!echo from-$((40+2))');
    await chat.shows('from-42');
    await chat.shows('1 output goes along');
    await command('why?');
    const asked = await server.next();
    const said = JSON.stringify(asked.messages.at(-1));
    expect(said.indexOf('from-42')).toBeLessThan(said.indexOf('why?'));
    expect(said).toContain('exit code 0');
    asked.end();
  });

  test('a file that is named goes along; Tab completes it', async () => {
    mkdirSync(join(chat.home, 'deep'));
    writeFileSync(join(chat.home, 'deep', 'alphabet.txt'), 'abc-content');
    await chat.type('read @alph');
    await chat.shows('❯ deep/alphabet.txt');
    chat.write('\t');
    await chat.shows('› read @deep/alphabet.txt');
    chat.write('now\r');
    const asked = await server.next();
    expect(JSON.stringify(asked.messages.at(-1))).toContain('abc-content');
    await chat.shows('[file deep/alphabet.txt]');
    expect(chat.everything).not.toContain('abc-content');
    asked.end();
  });

  test('/export writes the conversation, and overwrites nothing', async () => {
    await chat.send('a question');
    const asked = await server.next();
    asked.text('the answer');
    asked.end();
    await chat.shows('done');
    await command('/export talk.md');
    await chat.shows('the session is in');
    expect(readFileSync(join(chat.home, 'talk.md'), 'utf8')).toMatch(/a question[\s\S]*the answer/);
    await command('/export talk.md');
    await chat.shows('it is there already');
    await command('/export');
    await chat.until('another file', () => readdirSync(chat.home).some((name) => /^harness-chat-.*\.md$/.test(name)));
  });

  test('/compact says what it saved', async () => {
    await chat.send('a question');
    const asked = await server.next();
    asked.text('the answer');
    asked.end();
    await chat.shows('done');
    await command('/compact');
    const summary = await server.next();
    await chat.shows('summarising the conversation');
    summary.text('They asked, it was answered.');
    summary.end();
    await chat.shows('the conversation so far was summarised');
    await chat.gone('summarising the conversation');
  });

  test('/context: the parts of the next request, also after a fold, a summary and a restart', async () => {
    writeFileSync(join(chat.home, 'facts.txt'), 'a fact\n'.repeat(500));
    await command('/context');
    await chat.shows(/system prompt +≈\d+/);
    await chat.send('read it');
    const asked = await server.next();
    asked.call('read_file', { path: 'facts.txt' });
    await chat.type('and be brief');
    chat.write('\r');
    await chat.shows('queued 1');
    asked.end();
    const answered = await server.next();
    expect(JSON.stringify(answered.messages.at(-1))).toContain('and be brief');
    answered.text('read');
    answered.end();
    await chat.shows('✔ done');
    await command('/context');
    await chat.shows(/folded inputs \(1\) +≈7 /);
    await chat.shows(/tool results \(1\) +≈\d{3}/);
    await command('/compact');
    const summary = await server.next();
    summary.text('They read facts.');
    summary.end();
    await chat.shows('the conversation so far was summarised');
    await command('/context');
    await chat.shows(/summary +≈\d+/);
    const report = chat.screen.slice(chat.screen.lastIndexOf('the next request holds'));
    expect(report).not.toContain('tool results');
    const before = /summary.*/.exec(report)?.[0];
    await command('/quit');
    await chat.ended();
    const again = new TerminalProgram({ env: server.env, home: chat.home, args: ['-c'] });
    try {
      await again.shows('Type a message');
      await again.type('/context');
      again.write('\r');
      await again.shows(/system prompt +≈\d+/);
      expect(again.screen).toContain(before);
    } finally {
      again.close();
    }
  });

  test('/copy puts the last answer into the terminal’s clipboard', async () => {
    await chat.send('a question');
    const asked = await server.next();
    asked.text('the **answer**');
    asked.end();
    await chat.shows('done');
    await command('/copy');
    await chat.until('the sequence', () =>
      chat.raw.includes(`\x1b]52;c;${Buffer.from('the **answer**').toString('base64')}`),
    );
  });
});
