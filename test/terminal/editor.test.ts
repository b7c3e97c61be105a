/** The terminal is lent to the person's editor: every key is the editor's, and the chat is there again after it. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { TerminalProgram, unavailable } from './terminal.ts';

/** Writes down each key and signal; `q` saves and leaves. */
const editor = (raw: boolean): string => `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const file = process.argv[2];
const draft = readFileSync(file, 'utf8');
let keys = '';
process.on('SIGINT', () => process.stdout.write('<interrupted>'));
${raw ? 'process.stdin.setRawMode(true);' : ''}
process.stdin.on('data', (bytes) => {
  keys += bytes.toString('latin1');
  writeFileSync(process.env.HOME + '/keys', keys);
  process.stdout.write('<' + keys.length + '>');
  if (!keys.includes('q')) return;
  writeFileSync(file, draft + ', edited');
  process.exit(0);
});
process.stdout.write('\\r\\neditor of ' + draft + '\\r\\n');
`;

describe.skipIf(unavailable() || process.platform === 'win32')('the editor of the draft', () => {
  let server: ModelServer;
  let chat: TerminalProgram;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    chat?.close();
    server.stop();
  });
  const open = async (raw: boolean): Promise<void> => {
    chat = new TerminalProgram({
      shell: 'export EDITOR="$HOME/editor"; exec "$NODE" "$PROGRAM"',
      env: server.env,
    });
    const path = join(chat.home, 'editor');
    writeFileSync(path, editor(raw));
    chmodSync(path, 0o755);
    await chat.shows('Type a message');
  };
  const edit = async (): Promise<void> => {
    await chat.type('my draft');
    chat.write('\x07');
    await chat.shows('editor of my draft');
  };
  const goesOn = async (): Promise<void> => {
    await chat.shows('› my draft, edited');
    chat.write('!');
    await chat.shows('› my draft, edited!');
    chat.write('\r');
    expect((await server.next()).messages.at(-1)).toMatchObject({ content: 'my draft, edited!' });
  };

  test('it gets every key, Ctrl+C and Esc too; a resize draws nothing over it', async () => {
    await open(true);
    await edit();
    const keys = `${'abcdefghijklmnop'.repeat(3)}\x03\x1b\r\x04\x1b[A`;
    let sent = 0;
    for (const key of keys) {
      chat.write(key);
      sent += 1;
      await chat.until(`key ${sent}`, () => chat.raw.includes(`<${sent}>`));
    }
    const from = chat.raw.length;
    chat.resize(60, 20);
    // the chat would draw when the size has stood for 30 ms
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(chat.raw.slice(from)).toBe('');
    chat.write('q');
    await goesOn();
    expect(readFileSync(join(chat.home, 'keys'), 'latin1')).toBe(`${keys}q`);
  });

  test('a Ctrl+C that the terminal makes a signal of is the editor’s alone, as often as it comes', async () => {
    await open(false);
    await edit();
    for (const times of [1, 2, 3]) {
      chat.write('\x03');
      await chat.until('the signal', () => chat.raw.split('<interrupted>').length === times + 1);
    }
    chat.write('q\r');
    await goesOn();
    chat.pty.kill('SIGINT');
    await chat.ended();
    expect(chat.exitCode).toBe(130);
  });
});
