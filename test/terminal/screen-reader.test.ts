/** The chat for a screen reader, byte by byte: lines that are written once, and the one that is being typed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const reason = unavailable();
const times = (text: string, part: string): number => text.split(part).length - 1;

/** What moves up, clears, saves the cursor, hides it, or leaves the screen. */
const TRICKS = /\x1b\[\d*[ABEFHJLMSTfsu]|\x1b\[\d*;\d*[Hfr]|\x1b[78DM]|\x1b\[\?(?:25[lh]|2026|1049|47|1047)/;

describe.skipIf(reason)('for a screen reader', () => {
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
    program = new TerminalProgram({ args: ['--screen-reader'], ...options, env: { ...server.env, ...options.env } });
    await program.until('the prompt', ({ screen, raw }) => screen.endsWith('>') && raw.includes('\x1b[?u'));
    return program;
  };
  const type = async (chat: TerminalProgram, text: string): Promise<void> => {
    chat.write(text);
    await chat.until(text, ({ screen }) => screen.endsWith(`> ${text}`));
  };
  const send = async (chat: TerminalProgram, text: string): Promise<void> => {
    await type(chat, text);
    chat.write('\r');
  };

  test('the journey: a queue of three, a question answered by its digit, an interrupt, nothing ever drawn again', async () => {
    const chat = await open();
    await send(chat, 'look at it');
    await chat.shows('You: look at it (started)');
    const first = await server.next();
    for (const [i, text] of ['one', 'two', 'three'].entries()) {
      await send(chat, text);
      await chat.shows(`Queued ${i + 1}, fold: ${text}`);
    }
    await send(chat, '!sleep 2');
    await chat.shows('Command: sleep 2, running');
    first.text('I run it.');
    first.call('shell', { command: 'echo hello' });
    first.end();
    await chat.shows('Question: shell wants to run: echo hello');
    await chat.shows('Assistant: I run it.');
    await chat.shows('4 no');
    // the end of the command is a clock: the question stood there long enough to be read
    await chat.shows('Tool !: done');
    chat.write('1');
    await chat.shows('Question answered.');
    const second = await server.next();
    await chat.shows('Tool shell: done');
    await chat.shows('Output: hello');
    for (const text of ['one', 'two', 'three']) await chat.shows(`You: ${text} (folded at step 1)`);
    second.text('half a thought');
    await type(chat, 'dra');
    chat.write('\x1b');
    await chat.shows('Stopping.');
    await second.closed;
    await chat.shows(/Interrupted: after \S+/);
    await chat.until('the draft stays', ({ screen }) => screen.endsWith('> dra'));
    chat.write('\x03');
    await chat.until('an empty line', ({ screen }) => screen.endsWith('\n>'));
    chat.write('\x04');
    await chat.ended();
    expect(chat.exitCode).toBe(0);
    expect(TRICKS.exec(chat.raw)?.[0]).toBeUndefined();
    // every line is erased only where it is the one that is typed
    for (const line of [
      'You: look at it',
      'Assistant: I run it.',
      'Queued 3',
      'Tool shell: done',
      'Interrupted: after',
    ])
      expect(times(chat.raw, line), line).toBe(1);
  });

  test('lists are numbered and said once; a resize says nothing', async () => {
    const chat = await open();
    chat.write('?');
    await chat.shows('Esc closes.');
    chat.write('\x1b');
    await chat.shows('Closed.');
    expect(times(chat.raw, 'Keys and commands')).toBe(1);
    await send(chat, 'a question');
    const request = await server.next();
    request.text('an answer');
    request.end();
    await chat.shows('Done: 1 step');
    await send(chat, '/fork');
    await chat.shows('1 a question, turn 1, step 1, an answer');
    await chat.shows('Chosen 1 a question');
    await chat.until('the search', ({ screen }) => screen.endsWith('search:'));
    const before = chat.raw;
    chat.resize(60, 15);
    chat.resize(100, 30);
    // a key is answered after what came before it
    chat.write('q');
    await chat.until('the key', ({ raw }) => raw.length > before.length && raw.slice(before.length).includes('q'));
    expect(chat.raw.slice(before.length)).toMatch(/^\r\x1b\[K1 to choose from/);
    chat.write('\x1b');
    await chat.until('closed', ({ raw }) => times(raw, 'Closed.') === 2);
    expect(TRICKS.exec(chat.raw)?.[0]).toBeUndefined();
  });

  test('what is typed is echoed as it is, and editing it writes what changes', async () => {
    const chat = await open();
    const start = chat.raw.length;
    await type(chat, 'hello');
    expect(chat.raw.slice(start)).toBe('hello');
    chat.write('\x7f');
    await chat.until('one less', ({ screen }) => screen.endsWith('> hell'));
    expect(chat.raw.slice(start)).toBe('hello\b\x1b[K');
    chat.write('\x1b[D');
    await chat.until('one left', ({ raw }) => raw.endsWith('\x1b[1D'));
    expect(chat.raw.slice(start)).toBe('hello\b\x1b[K\x1b[1D');
  });

  test('nothing is written while a turn runs and nothing happens', async () => {
    const chat = await open();
    await send(chat, 'wait');
    const request = await server.next();
    request.text('done with this line.\n\n');
    await chat.shows('Assistant: done with this line.');
    const before = chat.raw;
    // a second of the turn's clock passes while a command of the person's own runs
    chat.write('!sleep 1.2');
    await chat.until('typed', ({ screen }) => screen.endsWith('!sleep 1.2'));
    chat.write('\r');
    await chat.shows('Command: sleep 1.2, running');
    const running = chat.raw.length;
    await chat.shows(/Tool !: done after 1\.\ds: sleep 1.2/);
    expect(chat.raw.slice(running)).toMatch(/^\r\x1b\[KTool !: done after 1\.\ds: sleep 1\.2\r\n> $/);
    expect(before.length).toBeLessThan(running);
  });

  test.each([
    ['HARNESS_CHAT_SCREEN_READER', 'true'],
    ['ACCESSIBLE', '1'],
  ])('%s turns it on as well', async (name, value) => {
    const chat = await open({ args: [], env: { [name]: value } });
    await send(chat, 'hi');
    await chat.shows('You: hi (started)');
    expect(TRICKS.exec(chat.raw)?.[0]).toBeUndefined();
  });
});
