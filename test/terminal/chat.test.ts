/** The chat in a real terminal, from the first key to the last. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const UP = '\x1b[A';
const reason = unavailable();
if (reason) process.stderr.write(`terminal tests are skipped: ${reason}\n`);

describe.skipIf(reason)('the chat in a terminal', () => {
  let server: ModelServer;
  let program: TerminalProgram | undefined;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    program?.close();
    server.stop();
  });
  const open = async (options: OpenOptions = {}): Promise<TerminalProgram> => {
    program = new TerminalProgram({ ...options, env: { ...server.env, ...options.env } });
    await program.shows('Type a message');
    return program;
  };

  test('the journey: queue two, retract one, fold, interrupt, go on, fail, leave', async () => {
    const chat = await open();
    await chat.send('look at it');
    const first = await server.next();
    first.text('I look.\n\n');
    await chat.shows('I look.');

    await chat.type('fold this in');
    chat.write('\r');
    await chat.shows('queued 1');
    await chat.type('never mind');
    chat.write('\r');
    await chat.shows('queued 2');
    chat.write(UP);
    await chat.shows('❯ 2');
    chat.write('d');
    await chat.shows('never mind  · retracted');
    await chat.shows('queued 1');

    first.call('list_files', { path: '.' });
    first.end();
    const second = await server.next();
    await chat.shows('fold this in  · folded at step 1');
    expect(second.messages.at(-1)).toMatchObject({ role: 'user', content: 'fold this in' });

    second.text('half an answer');
    await chat.type('then this');
    chat.write('\t');
    await chat.shows('next turn  then this');
    chat.write('\x1b');
    await chat.shows('interrupted');
    await second.closed;
    await chat.shows(/queued 1 · paused/);
    await chat.shows('discarded');

    chat.write('\r');
    const third = await server.next();
    expect(third.messages.at(-1)).toMatchObject({ role: 'user', content: 'then this' });
    await chat.type('and one more');
    chat.write('\r');
    await chat.shows('queued 1');
    third.end();
    await chat.shows('failed · empty_response');
    await chat.shows('returned 1');

    chat.write('\x04');
    await chat.ended();
    expect(chat.exitCode).toBe(0);
    expect(chat.raw).not.toContain('\x1b[2J');
    expect(chat.raw).not.toContain('\x1b[3J');
    for (const line of ['look at it  · started', 'I look.', 'half an answer', 'then this  · started'])
      expect(chat.everything.split(line)).toHaveLength(2);
  });

  test('the terminal is left as it was found', async () => {
    const chat = new TerminalProgram({
      env: server.env,
      shell:
        'stty -a > "$HOME/before"; "$NODE" "$PROGRAM"; code=$?; stty -a > "$HOME/after"; cmp "$HOME/before" "$HOME/after" && echo "same $code"',
    });
    program = chat;
    await chat.shows('Type a message');
    chat.write('?');
    await chat.shows('Keys and commands');
    chat.write('\x03');
    await chat.gone('Keys and commands');
    chat.write('\x03\x03');
    await chat.shows('same 0');
    for (const mode of ['2004', '1049'])
      expect(chat.raw.lastIndexOf(`\x1b[?${mode}l`)).toBeGreaterThan(chat.raw.lastIndexOf(`\x1b[?${mode}h`));
    expect(chat.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(chat.raw.lastIndexOf('\x1b[?25l'));
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s ends it in order', async (signal, code) => {
    const chat = await open();
    await chat.send('go');
    const asked = await server.next();
    asked.text('some words');
    await chat.shows('some words');
    chat.pty.kill(signal);
    await chat.ended();
    expect(chat.exitCode).toBe(code);
    expect(chat.raw.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(chat.raw.lastIndexOf('\x1b[?2004h'));
    await asked.closed;
  });

  test('Ctrl+Z gives the terminal to the shell; fg brings the draft back', async () => {
    const chat = new TerminalProgram({
      env: server.env,
      shell:
        'set -m; "$NODE" "$PROGRAM"; echo "stopped $?"; stty -a | grep -c " icanon"; fg >/dev/null; echo "ended $?"',
    });
    program = chat;
    await chat.shows('Type a message');
    await chat.type('half a draft');
    chat.write('\x1a');
    await chat.until('the shell', () => /stopped \d+\r?\n1/.test(chat.raw));
    await chat.until('the draft again', () => chat.raw.slice(chat.raw.indexOf('stopped')).includes('half a draft'));
    chat.write('!');
    await chat.shows('half a draft!');
    chat.write('\x03\x04');
    await chat.shows('ended 0');
  });

  test('a terminal that goes away ends the session, and the tool with it', async () => {
    const chat = await open({ args: ['--approval', 'auto'] });
    await chat.send('run it');
    const asked = await server.next();
    asked.call('shell', { command: 'sleep 300' });
    asked.end();
    await chat.shows('running 1 tool');
    chat.pty.kill('SIGHUP');
    await chat.ended();
    expect(chat.exitCode).toBe(129);
    expect(chat.raw).toContain('stopped');
  });

  test('keys while it streams: none is lost, the cursor stands behind the last', async () => {
    const chat = await open();
    await chat.send('go');
    const asked = await server.next();
    const typed = 'the quick brown fox';
    for (const [i, key] of [...typed].entries()) {
      asked.text(`word ${i}\n\n`);
      chat.write(key);
    }
    await chat.shows(`› ${typed}`);
    await chat.shows('word 18');
    await chat.until('the cursor behind the draft', () => chat.cursor.x === 2 + typed.length);
    asked.end();
    await chat.shows('done');
    expect(chat.everything.match(/^word \d+$/gm)).toHaveLength(typed.length);
  });

  test('resizing while it streams leaves one prompt and every word once', async () => {
    const chat = await open();
    await chat.send('go');
    const asked = await server.next();
    let said = 0;
    for (let round = 0; round < 5; round += 1)
      for (const [columns, rows] of [
        [80, 24],
        [40, 24],
        [120, 24],
        [60, 12],
      ] as const) {
        chat.resize(columns, rows);
        said += 1;
        asked.text(`word-${said}\n\n`);
        await chat.until(
          `word-${said}`,
          () => chat.everything.includes(`word-${said}\n`) && chat.screen.includes('Type a message'),
        );
      }
    asked.end();
    await chat.shows('done');
    await chat.until('one prompt', () => chat.everything.split('Type a message').length === 2);
    for (let n = 1; n <= said; n += 1) expect(chat.everything.match(new RegExp(`^word-${n}$`, 'gm'))).toHaveLength(1);
    expect(chat.raw).not.toContain('\x1b[2J');
  });

  test('with nothing configured it is the demo, and says so', async () => {
    const chat = await open({ env: { OPENAI_BASE_URL: '', OPENAI_API_KEY: '', OPENAI_MODEL: '' } });
    await chat.shows('demo');
    await chat.shows('OPENAI_API_KEY');
  });
});
