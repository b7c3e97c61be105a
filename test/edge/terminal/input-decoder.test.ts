import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TerminalInput } from '../../../src/domain/terminal-input.ts';
import { InputDecoder } from '../../../src/edge/terminal/input-decoder.ts';
import { FakeTimers } from './fake-timers.ts';

function decoder(options: { escapeTimeoutMs?: number } = {}) {
  const inputs: TerminalInput[] = [];
  const timers = new FakeTimers();
  const decoding = new InputDecoder({ timers, sink: (input) => inputs.push(input), ...options });
  const take = () => inputs.splice(0).map(shown);
  return { decoding, timers, inputs, take, feed: (chunk: string | Uint8Array) => decoding.feed(chunk) };
}

/** One word an input: `ctrl+j`, `a`, `paste "…"`, `background rgb:…`. */
function shown(input: TerminalInput): string {
  if (input.type === 'paste') return `paste ${JSON.stringify(input.text)}`;
  if (input.type === 'focus') return `focus ${input.focused}`;
  if (input.type === 'reply') return `${input.kind} ${input.data}`;
  const held = (['ctrl', 'alt', 'shift'] as const).filter((name) => input[name]);
  const plain = input.text === undefined ? '' : input.text === input.name ? '' : `=${input.text}`;
  return [...held, input.name + plain].join('+');
}

/** All that comes of one read, when all timers have run. */
function read(chunk: string | Uint8Array): string[] {
  const { feed, timers, take } = decoder();
  feed(chunk);
  timers.advance(10_000);
  expect(timers.pending).toBe(0);
  return take();
}

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

describe('Escape and time', () => {
  it('knows a lone Escape after 25 ms, and not before', () => {
    const { feed, timers, take } = decoder();
    feed('\x1b');
    timers.advance(24);
    expect(take()).toEqual([]);
    timers.advance(1);
    expect(take()).toEqual(['escape']);
  });

  it('takes the time-out it is given, also later', () => {
    const { feed, timers, take, decoding } = decoder({ escapeTimeoutMs: 100 });
    feed('\x1b');
    timers.advance(99);
    expect(take()).toEqual([]);
    timers.advance(1);
    expect(take()).toEqual(['escape']);
    timers.advance(1000);
    decoding.setEscapeTimeout(0);
    feed('\x1b');
    expect(take()).toEqual(['escape']);
    feed('[A');
    expect(take()).toEqual([]);
  });

  it.each([
    ['[A', 'up'],
    ['OA', 'up'],
    ['\r', 'alt+enter'],
    ['b', 'alt+b'],
    ['[13;2u', 'shift+enter'],
  ])('within the time-out %j is the rest of the key', (tail, name) => {
    const { feed, timers, take } = decoder();
    feed('\x1b');
    timers.advance(20);
    feed(tail);
    timers.advance(1000);
    expect(take()).toEqual([name]);
  });

  it.each(['[A', 'OA', '[13;2u', '[1;5C', 'OM', '[<0;1;1M', ']11;rgb:0/0/0\x07'])(
    'behind it, within 150 ms of the ESC, %j is never text',
    (tail) => {
      for (const cut of [0, 1, 2, tail.length - 1]) {
        const { feed, timers, take } = decoder();
        feed('\x1b');
        timers.advance(80);
        feed(tail.slice(0, cut));
        timers.advance(60);
        feed(tail.slice(cut));
        timers.advance(1000);
        expect(take().filter((name) => !name.startsWith('background'))).toEqual(['escape']);
      }
    },
  );

  it.each([
    ['\r', ['enter']],
    ['stop', ['s', 't', 'o', 'p']],
    ['Oh', ['O', 'h']],
    ['[', ['[']],
    ['O', ['O']],
    [']x', [']', 'x']],
    ['Please', ['P', 'l', 'e', 'a', 's', 'e']],
    ['\x1b', ['escape']],
    ['\x1b[200~a\x1b[201~', ['paste "a"']],
    ['[200~a\x1b[201~', ['paste "a"']],
  ])('what somebody quick types behind it is kept: %j', (typed, expected) => {
    const { feed, timers, take } = decoder();
    feed('\x1b');
    timers.advance(80);
    feed(typed);
    timers.advance(1000);
    expect(take()).toEqual(['escape', ...expected]);
  });

  it('after 150 ms a bracket is a bracket', () => {
    const { feed, timers, take } = decoder();
    feed('\x1b');
    timers.advance(151);
    feed('[A');
    expect(take()).toEqual(['escape', '[', 'A']);
  });

  it('does not take a busy moment for silence: bytes read between the legs of the timer count', () => {
    const inputs: string[] = [];
    const due: (() => void)[] = [];
    const timers = {
      set: (run: () => void) => due.push(run),
      clear: (index: unknown) => delete due[(index as number) - 1],
    };
    const decoding = new InputDecoder({ timers, sink: (input) => inputs.push(shown(input)) });
    decoding.feed('\x1b');
    due[0]?.();
    decoding.feed('[A');
    due[1]?.();
    expect(inputs).toEqual(['up']);
  });

  it('forgets what was half read on a reset', () => {
    const { feed, timers, take, decoding } = decoder();
    for (const half of ['\x1b', '\x1b[1;', '\x1b[200~ab', 'x\r', '\ud83d']) {
      feed(half);
      decoding.reset();
      expect(timers.pending).toBe(0);
    }
    take();
    feed('y');
    expect(take()).toEqual(['y']);
  });
});

describe('pastes with marks', () => {
  it.each<[string, string]>([
    ['one\ntwo\r\nthree\n', 'one\ntwo\nthree\n'],
    ['L1\rL2\rL3', 'L1\nL2\nL3'],
    ['a\tb\0c\x03\x1b[A\x7fd', 'a\tbc[Ad'],
    ['y\r', 'y\n'],
    ['한글🙂', '한글🙂'],
    ['', ''],
    ['\u009b31m', '31m'],
  ])('%j', (body, text) => {
    expect(read(`x\x1b[200~${body}\x1b[201~\r`)).toEqual(['x', `paste ${JSON.stringify(text)}`, 'enter']);
  });

  it('are given out without an end mark after a silence', () => {
    const { feed, timers, take } = decoder();
    feed('\x1b[200~one\r');
    timers.advance(900);
    feed('two\x1b[20');
    timers.advance(999);
    expect(take()).toEqual([]);
    timers.advance(1);
    expect(take()).toEqual(['paste "one\\ntwo"']);
    feed('z');
    expect(take()).toEqual(['z']);
  });

  it('of 5 MB take no longer than they must', () => {
    const { feed, inputs } = decoder();
    const body = `${'x'.repeat(249)}\r`.repeat(20_000);
    const bytes = Buffer.from(`\x1b[200~${body}\x1b[201~`);
    const started = performance.now();
    for (let at = 0; at < bytes.length; at += 4096) feed(bytes.subarray(at, at + 4096));
    expect(performance.now() - started).toBeLessThan(1000);
    expect(inputs).toEqual([{ type: 'paste', text: body.replaceAll('\r', '\n') }]);
  });
});

describe('pastes without marks', () => {
  it.each<[string, string[]]>([
    ['one\ntwo\r\nthree\n', ['paste "one\\ntwo\\nthree\\n"']],
    ['one\rtwo', ['paste "one\\ntwo"']],
    ['a\tb\rc', ['paste "a\\tb\\nc"']],
    ['text\r', ['t', 'e', 'x', 't', 'enter']],
    ['a\r\r', ['a', 'ctrl+j', 'enter']],
    ['a\r\n', ['a', 'ctrl+j']],
    ['\r\x1b[A', ['enter', 'up']],
    ['\r\x1b[I', ['focus true', 'enter']],
    ['\x1b[B\r', ['down', 'enter']],
    ['x'.repeat(80), [`paste "${'x'.repeat(80)}"`]],
  ])('%j', (bytes, expected) => expect(read(bytes)).toEqual(expected));

  it('in small reads: no line is sent on its own', () => {
    for (const ends of ['\r', '\r\n', '\n']) {
      const text = ['first line', 'second', '', 'and a third', 'x'].join(ends);
      for (let size = 1; size <= 12; size += 1) {
        const { feed, timers, take, inputs } = decoder();
        for (let at = 0; at < text.length; at += size) {
          feed(text.slice(at, at + size));
          timers.advance(at > 20 ? 12 : 2);
        }
        timers.advance(500);
        expect(written(inputs)).toBe('first line\nsecond\n\nand a third\nx');
        take();
        feed('\r');
        expect(take()).toEqual(['enter']);
      }
    }
  });

  it('typing at 10 ms a key is typing', () => {
    const { feed, timers, take } = decoder();
    for (const char of 'm1\rm2\r') {
      feed(char);
      timers.advance(10);
    }
    expect(take()).toEqual(['m', '1', 'enter', 'm', '2', 'enter']);
  });

  it('an Enter of its own is known at once', () => {
    const { feed, take } = decoder();
    feed('\r');
    expect(take()).toEqual(['enter']);
  });
});

/** What an editor would hold that takes Enter for `<enter>`. */
function written(inputs: readonly TerminalInput[]): string {
  return inputs
    .map((input) => {
      if (input.type === 'paste') return input.text;
      if (input.type !== 'key') return '';
      return input.text ?? (input.name === 'j' ? '\n' : `<${input.name}>`);
    })
    .join('');
}

describe('cuts', () => {
  const pieces = fc.constantFrom(
    ...['a', 'é', '한', '🙂', ' ', 'xyz', '\x7f', '\x03', '\x1bb', '\x1bé', '\x1b\r', '\x1b[A', '\x1bOB', '\x1b[1;5C'],
    ...[
      '\x1b[3~',
      '\x1b[13;2u',
      '\x1b[27;2;13~',
      '\x1b[Z',
      '\x1b[I',
      '\x1b[<0;1;2M',
      '\x1b[M !!',
      '\x1b[[A',
      '\x1b[7$',
    ],
    ...[
      '\x1b]11;rgb:1/2/3\x07',
      '\x1b]11;rgb:1/2/3\x1b\\',
      '\x1bP>|t\x1b\\',
      '\x1b[?1u',
      '\x1b[5;6R',
      '\x1b\x1b[A',
      '\x1b',
    ],
    ...['\x1b[200~a\r\nb\x1b[C\x1b[201~', '\x1b[200~\x1b[201~', '\x1b[200~\x1b[20\x1b[201~', '\t', '\x1b[', '\x1b]'],
  );
  const streams = fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join('')));
  const noise = fc.array(
    fc.constantFrom(0x1b, 0x5b, 0x4f, 0x5d, 0x41, 0x4d, 0x3b, 0x31, 0x7e, 0xc3, 0xa9, 0xf0, 0x07, 0x24),
    {
      maxLength: 24,
    },
  );
  const cutsOf = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 7 })), { maxLength: 30 });

  function inPieces(bytes: Uint8Array, cuts: readonly (readonly [number, number])[], gaps: boolean): string[] {
    const { feed, timers, take } = decoder({ escapeTimeoutMs: 25 });
    let at = 0;
    for (const [length, gap] of cuts) {
      feed(bytes.subarray(at, at + length));
      at += length;
      if (gaps) timers.advance(gap);
    }
    feed(bytes.subarray(at));
    timers.advance(10_000);
    expect(timers.pending).toBe(0);
    return take();
  }

  it('never change the inputs, with or without gaps between them', () => {
    fc.assert(
      fc.property(streams, cutsOf, fc.boolean(), (bytes, cuts, gaps) => {
        expect(inPieces(bytes, cuts, gaps)).toEqual(inPieces(bytes, [], false));
      }),
      { numRuns: 2000 },
    );
  });

  it('never change what noise comes to', () => {
    fc.assert(
      fc.property(noise, cutsOf, fc.boolean(), (codes, cuts, gaps) => {
        const bytes = Uint8Array.from(codes);
        expect(inPieces(bytes, cuts, gaps)).toEqual(inPieces(bytes, [], false));
      }),
      { numRuns: 2000 },
    );
  });

  it('never change the text of strings, wherever they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('🙂', 'é', 'a', '\x1b[A')), fc.nat(), (parts, seed) => {
        const text = parts.join('');
        const cut = text.length === 0 ? 0 : seed % text.length;
        const { feed, timers, take } = decoder();
        feed(text.slice(0, cut));
        feed(text.slice(cut));
        timers.advance(1000);
        expect(take()).toEqual(read(text));
      }),
    );
  });

  it('make no control character and no half character of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), cutsOf, (bytes, cuts) => {
        const { feed, timers, inputs } = decoder();
        let at = 0;
        for (const [length, gap] of cuts) {
          feed(bytes.subarray(at, at + length));
          at += length;
          timers.advance(gap);
        }
        feed(bytes.subarray(at));
        timers.advance(10_000);
        const text = inputs
          .map((input) => (input.type === 'key' || input.type === 'paste' ? (input.text ?? '') : ''))
          .join('');
        expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u);
      }),
      { numRuns: 500 },
    );
  });
});
