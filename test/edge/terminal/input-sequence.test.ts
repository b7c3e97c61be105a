import { describe, expect, it } from 'vitest';
import { decoder, read } from './decoder-driver.ts';

describe('keys', () => {
  it.each<[string, string[]]>([
    ['a', ['a']],
    ['A ', ['A', ' ']],
    ['é한🙂', ['é', '한', '🙂']],
    ['\r', ['enter']],
    ['\n', ['ctrl+j']],
    ['\t', ['tab']],
    ['\x7f', ['backspace']],
    ['\x08', ['backspace']],
    ['\x7f\x7f\x7f', ['backspace', 'backspace', 'backspace']],
    ['\x00', ['ctrl+ ']],
    ['\x01\x17\x15\x0b\x05', ['ctrl+a', 'ctrl+w', 'ctrl+u', 'ctrl+k', 'ctrl+e']],
    ['\x1f', ['ctrl+_']],
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b\x1b\x1b', ['escape', 'escape', 'escape']],
    ['\x1bb\x1bF', ['alt+b', 'alt+shift+f']],
    ['\x1bé', ['alt+é']],
    ['\x1b\r', ['alt+enter']],
    ['\x1b\n', ['alt+enter']],
    ['\x1b\x7f\x1b\x08', ['alt+backspace', 'alt+backspace']],
    ['\x1b\x01', ['ctrl+alt+a']],
    ['\x1b[', ['alt+[']],
    ['\x1bO', ['alt+shift+o']],
    ['\x1b]', ['alt+]']],
    ['\x1b]x', ['alt+]', 'x']],
    ['\x1bPq', ['alt+shift+p', 'q']],
  ])('%j', (bytes, expected) => expect(read(bytes)).toEqual(expected));

  it.each<[string, string[]]>([
    ['\x1b[A\x1b[B\x1b[C\x1b[D', ['up', 'down', 'right', 'left']],
    ['\x1bOA\x1bOH\x1bOF\x1bOP', ['up', 'home', 'end', 'f1']],
    ['\x1bOM', ['enter']],
    ['\x1bOp\x1bOy\x1bOk', ['0', '9', '+']],
    ['\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~', ['home', 'end', 'home', 'end', 'home', 'end']],
    ['\x1b[2~\x1b[3~\x1b[5~\x1b[6~', ['insert', 'delete', 'pageup', 'pagedown']],
    ['\x1b[3;5~\x1b[3;2~', ['ctrl+delete', 'shift+delete']],
    ['\x1b[1;5C\x1b[1;3A\x1b[1;2D\x1b[1;8B', ['ctrl+right', 'alt+up', 'shift+left', 'ctrl+alt+shift+down']],
    ['\x1b[Z', ['shift+tab']],
    ['\x1b[15~\x1b[24~\x1b[[A\x1b[[E\x1b[R', ['f5', 'f12', 'f1', 'f5', 'f3']],
    ['\x1b[a\x1bOd\x1b[7$\x1b[8^\x1b[3@', ['shift+up', 'ctrl+left', 'shift+home', 'ctrl+end', 'ctrl+shift+delete']],
    ['\x1b\x1b[A\x1b\x1bOC', ['alt+up', 'alt+right']],
    ['\x1b\x1b[I', ['escape', 'focus true']],
  ])('as sequences %j', (bytes, expected) => expect(read(bytes)).toEqual(expected));

  it.each<[string, string[]]>([
    ['\x1b[27u', ['escape']],
    ['\x1b[13;2u\x1b[13;3u\x1b[13u', ['shift+enter', 'alt+enter', 'enter']],
    ['\x1b[27;2;13~\x1b[27;5;106~', ['shift+enter', 'ctrl+j']],
    ['\x1b[99;5u\x1b[120;3u', ['ctrl+c', 'alt+x']],
    ['\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u', ['a', 'a']],
    ['\x1b[1;1:3A\x1b[3;1:3~', []],
    ['\x1b[97:65;2u\x1b[97;2u\x1b[49:33;2u', ['A', 'A', '!']],
    ['\x1b[97;2;65u', ['A']],
    ['\x1b[0;;229u', ['å']],
    ['\x1b[1089::99;5u', ['ctrl+c']],
    ['\x1b[9;2u\x1b[127;5u', ['shift+tab', 'ctrl+backspace']],
    ['\x1b[57399u\x1b[57414u\x1b[57419u', ['0', 'enter', 'up']],
    ['\x1b[57441;2u\x1b[57358u', []],
    ['\x1b[97;65u\x1b[99;69u', ['a', 'ctrl+c']],
    // the desktop's key held: no bare letter, no Enter
    ['\x1b[99;9u\x1b[13;9u\x1b[1;9A', []],
    ['\x1b[55296u\x1b[1114112u\x1b[97;1;55296u', ['a']],
  ])('of the newer protocols %j', (bytes, expected) => expect(read(bytes)).toEqual(expected));
});

describe('what is no key', () => {
  it.each<[string, string[]]>([
    ['\x1b[I\x1b[O', ['focus true', 'focus false']],
    ['\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\x', ['background rgb:1e1e/1e1e/2e2e', 'x']],
    ['\x1b]11;rgb:ff/ff/ff\x07', ['background rgb:ff/ff/ff']],
    ['\x1b]52;c;aGk=\x07', ['osc 52;c;aGk=']],
    ['\x1b[?1u\x1b[?62;22c\x1b[>0;276;0c', ['kitty 1', 'da1 62;22', 'da2 0;276;0']],
    ['\x1b[12;40R\x1b[0n\x1b[?2026;2$y\x1b[8;24;80t', ['cursor 12;40', 'status 0', 'mode 2026;2', 'window 8;24;80']],
    ['\x1bP>|term 1\x1b\\\x1b_Gi=1;OK\x1b\\\x1b^pm\x1b\\', ['version term 1', 'apc Gi=1;OK']],
    ['\x1b[<0;10;5M\x1b[<0;10;5m\x1b[32;10;10M\x1b[M !!x', ['x']],
    ['\x1b[M\x20\u0105\u0106x', ['x']],
    ['\x1b[5i\x1b[1;2;3z\x1b[=1c\x1b[99~\x1bOz\x1b[1 q', []],
    ['\x1b[12\r', ['enter']],
    ['\x1b[12\x1b[A', ['up']],
    ['\x1b]11;rgb\x03', ['ctrl+c']],
    ['\x1b]11;rgb\x1b[A', ['up']],
    ['\x1b[201~', []],
    ['\u0085\u009b', []],
  ])('%j', (bytes, expected) => expect(read(bytes)).toEqual(expected));

  it('is not text either where its end is missing', () => {
    const { feed, timers, take } = decoder();
    feed('\x1b]11;rgb:1e1e');
    timers.advance(1000);
    feed('x');
    expect(take()).toEqual(['x']);
  });

  it('of bytes that are no UTF-8 makes a visible sign, and goes on', () => {
    expect(read(Uint8Array.of(0xff, 0x41))).toEqual(['\ufffd', 'A']);
    expect(read(Uint8Array.of(0xe4, 0x41))).toEqual(['\ufffd', 'A']);
    expect(read(Uint8Array.of(0x1b, 0xff, 0x41))).toEqual(['A']);
  });
});
