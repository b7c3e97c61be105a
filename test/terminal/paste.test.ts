/** Pastes, with and without their marks, cut anywhere (field reports R43, R44, R45 and their neighbours). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Conversation, gap, said } from './conversation.ts';
import { unavailable } from './terminal.ts';

const BEGIN = '\x1b[200~';
const END = '\x1b[201~';
const marked = (text: string): string => BEGIN + text + END;
/** From a word that the server sends to the screen: 200 ms of the program, and what the emulator of the test needs. */
const SLOWEST_MS = 250;
/** Bytes that a pseudo-terminal takes at once: beyond a kernel's buffer it takes part of a write. */
const WRITE = 4096;

describe.skipIf(unavailable())('a paste', () => {
  let talk: Conversation;
  beforeAll(async () => {
    talk = await Conversation.open();
  });
  afterAll(() => talk?.close());

  test.each<[string, string[], string]>([
    ['with marks, of several lines', [marked('one\ntwo\r\nthree\n')], 'one\ntwo\nthree\n'],
    ['with marks, behind what was typed', ['sum: ', marked('L1\rL2\rL3')], 'sum: L1\nL2\nL3'],
    ['with CRLF', ['sum: ', marked('L1\r\nL2\r\nL3')], 'sum: L1\nL2\nL3'],
    ['with a tab, a NUL and a stray key', ['sum: ', marked('a\tb\0c\x1b[Ad\x03\x04e')], 'sum: a\tbc[Ade'],
    ['with what begins like its end', [marked('a\x1b[20b\x1b[201c\x1b[200~d')], 'a[20b[201c[200~d'],
    ['of nothing', ['a', marked(''), 'b'], 'ab'],
    ['right behind another', [marked('a\nb') + marked('c\nd')], 'a\nbc\nd'],
    ['with keys around it in one read', [`x${marked('a\nb')}\x7fc`], 'xa\nc'],
    ['without marks', ['one\ntwo\nthree\n'], 'one\ntwo\nthree\n'],
    ['without marks, with CR', ['one\rtwo\rthree'], 'one\ntwo\nthree'],
    ['without marks, with CRLF', ['one\r\ntwo\r\nthree'], 'one\ntwo\nthree'],
    ['of one line without marks, with a tab', ['a\tb\tc\nd'], 'a\tb\tc\nd'],
    ['that is a command but not its beginning', ['see ', marked('/quit\n!rm\n@x')], 'see /quit\n!rm\n@x'],
  ])('%s is text, and sends nothing', async (_name, pieces, text) => {
    expect((await talk.made(...pieces)).trimEnd()).toBe(text.trimEnd());
  });

  test('without marks, in writes of 7 bytes a millisecond apart, is one input', async () => {
    const text = 'one line\ntwo lines\nthree lines and more\rfour';
    for (let at = 0; at < text.length; at += 7) {
      talk.chat.write(text.slice(at, at + 7));
      await gap(1);
    }
    await gap(500);
    expect(await talk.entered()).toBe(text.replace('\r', '\n'));
  });

  const whole = `${BEGIN}a\nbé🙂${END}c`;
  const bytes = Buffer.from(whole);
  test.each(Array.from(bytes, (_, at) => at + 1).slice(0, -1))('cut behind byte %i is the same text', async (at) => {
    expect(await talk.made(bytes.subarray(0, at), bytes.subarray(at))).toBe('a\nbé🙂c');
  });

  test('whose end never comes does not swallow keys for ever', async () => {
    talk.chat.write(`${BEGIN}half\na paste`);
    await talk.chat.shows('a paste');
    talk.chat.write('!');
    await talk.chat.shows('a paste!');
    expect(await talk.entered()).toBe('half\na paste!');
  });

  test('whose end mark comes late, after it was taken as it is, types nothing', async () => {
    talk.chat.write(`${BEGIN}late`);
    await talk.chat.shows('› late');
    expect(await talk.made(END, '!')).toBe('late!');
  });

  test('that is large stands as one unit, goes whole, and is one step back', async () => {
    const text = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
    talk.chat.write(`a${marked(text)}b`);
    await talk.chat.shows('a[paste #1: 40 lines]b');
    talk.chat.write('\x1b[D\x7f');
    await talk.chat.gone('[paste');
    talk.chat.write('\x1f');
    await talk.chat.shows('a[paste #1: 40 lines]b');
    expect(await talk.entered()).toBe(`a${text}b`);
  });
});

describe.skipIf(unavailable())('a paste of megabytes', () => {
  test.each([
    ['1 MB', 20_000, 25],
    ['5 MB', 100_000, 25],
  ])(
    '%s in writes of 4 kB, while text streams, delays nothing and goes to the letter',
    { timeout: 60_000 },
    async (_name, lines, width) => {
      const talk = await Conversation.open();
      try {
        await talk.chat.send('go');
        const asked = await talk.server.next();
        const text = Array.from({ length: lines }, (_, i) => `${i} `.padEnd(width, 'é')).join('\n');
        const stream = streamed((word) => asked.text(word), talk);
        const bytes = Buffer.from(marked(text));
        for (let at = 0; at < bytes.length; at += WRITE) {
          talk.chat.write(bytes.subarray(at, at + WRITE));
          if ((at / WRITE) % 16 === 0) await gap(0);
        }
        await talk.chat.shows(`[paste #1: ${lines} lines]`);
        const slowest = await stream.stop();
        talk.chat.write('x');
        await talk.chat.shows(`lines]x`);
        asked.end();
        await talk.chat.shows('done');
        talk.chat.write('\r');
        expect(said(await talk.server.next()) === `${text}x`).toBe(true);
        expect(slowest, 'ms from a word to the screen').toBeLessThan(SLOWEST_MS);
      } finally {
        talk.close();
      }
    },
  );
});

/** A word every 50 ms; the answer of `stop` is the longest time that one took to the screen. */
function streamed(say: (word: string) => void, { chat }: Conversation): { stop(): Promise<number> } {
  let on = true;
  let slowest = 0;
  const run = (async () => {
    for (let n = 0; on; n += 1) {
      const since = performance.now();
      say(`word-${n}\n\n`);
      await chat.until(`word-${n}`, () => chat.screen.includes(`word-${n}\n`));
      slowest = Math.max(slowest, performance.now() - since);
      await gap(50);
    }
    return slowest;
  })();
  return {
    stop: () => {
      on = false;
      return run;
    },
  };
}
