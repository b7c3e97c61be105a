/** What calls the person back to a terminal that nobody looks at, byte by byte. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram, unavailable } from './terminal.ts';

const reason = unavailable();
const [IN, OUT] = ['\x1b[I', '\x1b[O'];
const [ON, OFF] = ['\x1b[?1004h', '\x1b[?1004l'];
const times = (text: string, part: string): number => text.split(part).length - 1;
/** A bell that ends no OSC. */
const bells = (raw: string): number => times(raw.replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, ''), '\x07');

describe.skipIf(reason)('notices', () => {
  let server: ModelServer;
  let program: TerminalProgram | undefined;
  beforeEach(async () => {
    server = await new ModelServer().start();
  });
  afterEach(() => {
    program?.close();
    server.stop();
  });
  const open = async (env: Record<string, string> = {}, options: OpenOptions = {}): Promise<TerminalProgram> => {
    program = new TerminalProgram({ ...options, env: { ...server.env, ...env } });
    await program.shows('Type a message');
    return program;
  };
  const answer = async (chat: TerminalProgram, text: string): Promise<void> => {
    await chat.send(text);
    const request = await server.next();
    request.text(`answer to ${text}`);
    request.end();
    await chat.until(
      'the end of the turn',
      ({ screen }) => screen.includes(`answer to ${text}`) && / done · /.test(screen),
    );
    await chat.gone('Esc interrupts');
  };

  test('a bell when the turn ends unseen; focus is never text, and its reports are off at the end', async () => {
    const chat = await open();
    await chat.until('focus reports', ({ raw }) => raw.includes(ON));
    await answer(chat, 'seen');
    expect(bells(chat.raw)).toBe(0);
    await chat.send('unseen');
    const request = await server.next();
    chat.write(OUT);
    // read in order: what is typed behind it shows that the report was taken
    request.text('nearly');
    await chat.shows('nearly');
    request.end();
    await chat.until('a bell', ({ raw }) => bells(raw) === 1);
    chat.write(`${IN}${OUT}${IN}dr${OUT}${IN}aft`);
    await chat.shows('› draft');
    expect(chat.everything).not.toMatch(/\[I|\[O/);
    chat.write('\x03\x04');
    await chat.ended();
    expect(bells(chat.raw)).toBe(1);
    expect(times(chat.raw, ON)).toBe(1);
    expect(chat.raw.lastIndexOf(OFF)).toBeGreaterThan(chat.raw.lastIndexOf(ON));
  });

  test('a question and a failure call as well', async () => {
    const chat = await open({ HARNESS_CHAT_NOTIFY_BY: 'osc9' });
    await chat.send('do it');
    chat.write(OUT);
    const first = await server.next();
    first.call('shell', { command: 'echo very-private' });
    first.end();
    await chat.until('a call', ({ raw }) => raw.includes('\x1b]9;harness-chat: a question waits\x07'));
    await chat.shows('very-private');
    // its clock shows that the question was there long enough to be read
    const seconds = (): number => Number(/answer · .* · (\d+)s/.exec(chat.screen)?.[1] ?? 0);
    const since = seconds();
    await chat.until('two seconds more', () => seconds() >= since + 2);
    chat.write('4');
    const second = await server.next();
    chat.write(OUT);
    await chat.gone('waiting for your answer');
    second.end();
    await chat.until('another', ({ raw }) => raw.includes('\x1b]9;harness-chat: the turn failed\x07'));
    expect(times(chat.raw, '\x1b]9;')).toBe(2);
    expect(bells(chat.raw)).toBe(0);
  });

  test('a title is put over the one that is there, and taken away again', async () => {
    const chat = await open({ HARNESS_CHAT_NOTIFY: 'on', HARNESS_CHAT_NOTIFY_BY: 'title' });
    await answer(chat, 'one');
    const call = '\x1b[22;2t\x1b]2;harness-chat: the turn is done\x07';
    await chat.until('a title', ({ raw }) => raw.includes(call));
    chat.write('x');
    await chat.until('it is gone', ({ raw }) => raw.indexOf('\x1b[23;2t') > raw.indexOf(call));
    chat.write('\x03\x04');
    await chat.ended();
    expect(times(chat.raw, '\x1b[22;2t')).toBe(times(chat.raw, '\x1b[23;2t'));
    expect(chat.raw).not.toContain(ON);
  });

  test('off is silent', async () => {
    const chat = await open({ HARNESS_CHAT_NOTIFY: 'off' });
    chat.write(OUT);
    await answer(chat, 'one');
    chat.write('\x04');
    await chat.ended();
    expect(bells(chat.raw)).toBe(0);
    expect(chat.raw).not.toContain(ON);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('the reports are off after %s', async (signal) => {
    const chat = await open();
    await chat.until('focus reports', ({ raw }) => raw.includes(ON));
    chat.pty.kill(signal);
    await chat.ended();
    expect(chat.raw.lastIndexOf(OFF)).toBeGreaterThan(chat.raw.lastIndexOf(ON));
  });

  test('an editor gets no reports, and the chat has them back after it', async () => {
    const chat = await open({ EDITOR: 'printf EDITING >/dev/tty; true' });
    await chat.until('focus reports', ({ raw }) => raw.includes(ON));
    chat.write('\x07');
    await chat.until('the editor', ({ raw }) => raw.includes('EDITING'));
    await chat.until('on again', ({ raw }) => times(raw, ON) === 2);
    const editing = chat.raw.indexOf('EDITING');
    expect(chat.raw.lastIndexOf(OFF, editing)).toBeGreaterThan(chat.raw.lastIndexOf(ON, editing));
  });
});
