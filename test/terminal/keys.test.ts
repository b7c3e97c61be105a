/** Keys as terminals send them, byte by byte (field reports R48, R49, R52 and their neighbours). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Conversation } from './conversation.ts';
import { unavailable } from './terminal.ts';

const LEFT = '\x1b[D';

describe.skipIf(unavailable())('keys', () => {
  let talk: Conversation;
  beforeAll(async () => {
    talk = await Conversation.open();
  });
  afterAll(() => talk?.close());

  test.each([
    ['DEL', '\x7f', 'acd'],
    ['BS', '\x08', 'acd'],
    ['Delete', '\x1b[3~', 'abd'],
    ['Ctrl+Delete', '\x1b[3;5~', 'ab'],
    ['Shift+Delete', '\x1b[3;2~', 'abd'],
    ['rxvt’s Shift+Delete', '\x1b[3$', 'abd'],
    ['Ctrl+D', '\x04', 'abd'],
    ['kitty’s Backspace', '\x1b[127u', 'acd'],
    ['modifyOtherKeys’ Backspace', '\x1b[27;1;127~', 'acd'],
    ['Ctrl+W', '\x17', 'cd'],
    ['Ctrl+U', '\x15', 'cd'],
    ['Ctrl+K', '\x0b', 'ab'],
    ['Ctrl+A and a letter', '\x01X', 'Xabcd'],
    ['Ctrl+E and a letter', '\x05X', 'abcdX'],
    ['Home and a letter', '\x1bOHX', 'Xabcd'],
    ['End and a letter', '\x1b[4~X', 'abcdX'],
    ['Alt+B and a letter', '\x1bbX', 'Xabcd'],
    ['Alt+F and a letter', '\x1bfX', 'abcdX'],
    ['Alt+D', '\x1bd', 'ab'],
    ['Alt+Backspace', '\x1b\x7f', 'cd'],
    ['an old arrow', '\x1bODX', 'aXbcd'],
    ['kitty’s arrow', '\x1b[1;1:1D\x1b[1;1:3DX', 'aXbcd'],
    ['Ctrl+Left', '\x1b[1;5DX', 'Xabcd'],
    ['Alt+Left as two ESC', '\x1b\x1b[DX', 'Xabcd'],
    ['undo of a deletion', '\x7f\x1f', 'abcd'],
    ['cut and put back', '\x0b\x01\x19', 'cdab'],
  ])('%s, in the midst of abcd', async (_name, keys, left) => {
    expect(await talk.made(`abcd${LEFT}${LEFT}`, keys)).toBe(left);
  });

  test.each([
    ['Ctrl+J', '\n'],
    ['Alt+Enter', '\x1b\r'],
    ['kitty’s Shift+Enter', '\x1b[13;2u'],
    ['kitty’s Shift+Enter, pressed and released', '\x1b[13;2:1u\x1b[13;2:3u'],
    ['kitty’s Ctrl+Enter', '\x1b[13;5u'],
    ['modifyOtherKeys’ Shift+Enter', '\x1b[27;2;13~'],
    ['kitty’s Ctrl+J', '\x1b[106;5u'],
    ['a backslash and Enter', '\\\r'],
  ])('%s is a new line', async (_name, key) => {
    expect(await talk.made('one', key, 'two')).toBe('one\ntwo');
  });

  test.each([
    ['the keypad’s Enter', '\x1bOM'],
    ['kitty’s Enter', '\x1b[13u'],
    ['kitty’s keypad Enter', '\x1b[57414u'],
  ])('%s sends', async (_name, key) => {
    await talk.chat.type('sent');
    talk.chat.write(key);
    expect(await talk.answered(await talk.server.next())).toBe('sent');
  });

  test.each<[string, string, string]>([
    ['letters of the kitty protocol', '\x1b[97u\x1b[97;2u\x1b[97:65;2u\x1b[98;1:2u\x1b[98;1:3u', 'aAAb'],
    ['text that goes with a key', '\x1b[97;2;65u\x1b[0;;229u\x1b[0;;44053:45208u', 'Aå강나'],
    ['the keypad', '\x1b[57399u\x1b[57413u\x1bOp\x1bOk', '0+0+'],
    ['caps lock and num lock held', '\x1b[97;65u\x1b[97;129u', 'aa'],
    ['the desktop’s key held', '\x1b[97;9u\x1b[13;9u\x1b[1;9A', ''],
    ['only modifiers', '\x1b[57441;2u\x1b[57441;1:3u\x1b[57358u', ''],
    ['modifyOtherKeys', '\x1b[27;1;97~\x1b[27;2;65~', 'aA'],
    ['keys that do nothing', '\x1b[24~\x1bOQ\x1b[2~\x1b[5~\x1b[6~\x1b[[A', ''],
    ['unknown sequences', '\x1b[1;2;3z\x1b[99~\x1b[?9z\x1b[1$w\x1bO5z\x1b[>5;q', ''],
    ['mouse reports', '\x1b[<0;10;5M\x1b[<0;10;5m\x1b[32;10;10M\x1b[M !!', ''],
    ['focus events', '\x1b[I\x1b[O', ''],
    ['device attributes, late', '\x1b[?62;22c\x1b[>0;276;0c\x1b[=1c', ''],
    ['a cursor report and other answers', '\x1b[12;40R\x1b[0n\x1b[?2026;2$y\x1b[8;24;80t\x1b[?1u', ''],
    ['colours, with both ends', '\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b]10;rgb:ff/ff/ff\x07', ''],
    ['a clipboard that nobody asked for', '\x1b]52;c;ZXZpbA==\x07', ''],
    ['a version and a private answer', '\x1bP>|xterm(390)\x1b\\\x1b_Gi=1;OK\x1b\\', ''],
    ['NUL and other control bytes', '\x00\x06\x0e\x1c\x1d\x1e', ''],
    ['an end mark without its paste', '\x1b[201~', ''],
    ['a controlled end of the line', '\x1b[12\x1b[C', ''],
  ])('%s', async (_name, keys, text) => {
    expect(await talk.made('<', keys, '>')).toBe(`<${text}>`);
  });

  test.each<[string, (string | Buffer)[], string]>([
    ['text cut within a character', [...Buffer.from('é한🙂')].map((byte) => Buffer.of(byte)), 'é한🙂'],
    ['bytes that are no UTF-8', [Buffer.of(0xff, 0x41, 0xc3, 0x28)], '\ufffdA\ufffd('],
    ['half a character with a key behind it', [Buffer.of(0xe2, 0x82), '\x1b[C', 'x'], '\ufffdx'],
    ['several graphemes of an input method at once', ['안녕하세요 👩‍👩‍👧 हिन्दी'], '안녕하세요 👩‍👩‍👧 हिन्दी'],
    ['jamo one by one', ['\u1112', '\u1161', '\u11ab'], '\u1112\u1161\u11ab'],
    ['an arrow cut in three', ['ac', '\x1b', '[', 'D', 'b', '\x05'], 'abc'],
    ['a sequence of the kitty protocol cut', ['a', '\x1b[13', ';2', 'u', 'b'], 'a\nb'],
  ])('%s', async (_name, pieces, text) => {
    expect(await talk.made('[', ...pieces, ']')).toBe(`[${text}]`);
  });

  test.each([
    ['an emoji', 'hey 🙂', 'hey '],
    ['a family', 'x👩‍👩‍👧', 'x'],
    ['a combining accent', 'xe\u0301', 'x'],
    ['several accents', 'xa\u0301\u0323\u0302', 'x'],
    ['the second of two flags', '🇩🇪🇫🇷', '🇩🇪'],
    ['a skin tone', 'x👍🏽', 'x'],
    ['a keycap', 'x1️⃣', 'x'],
    ['a heart with its variation selector', 'x❤️', 'x'],
    ['conjoining jamo', 'x\u1112\u1161\u11ab', 'x'],
    ['a letter with a vowel sign', 'xनि', 'x'],
    ['CRLF that came as two', 'x\n', 'x'],
  ])('Backspace takes %s whole', async (_name, text, left) => {
    expect(await talk.made(text, '\x7f', '!')).toBe(`${left}!`);
  });

  test.each([
    ['Delete before it', `hey 🙂!${LEFT}${LEFT}`, '\x1b[3~', 'hey !'],
    ['Left over it and a letter', '🇩🇪🇫🇷', `${LEFT}x`, '🇩🇪x🇫🇷'],
    ['Right over it and a letter', '👩‍👩‍👧b\x01', '\x1b[Cx', '👩‍👩‍👧xb'],
    ['words of other scripts', '한글 слово naïve', '\x1bb\x1bbX', '한글 Xслово naïve'],
  ])('a grapheme is one step: %s', async (_name, text, keys, left) => {
    expect(await talk.made(text, keys)).toBe(left);
  });
});
