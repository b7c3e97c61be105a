import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoder, read } from './decoder-driver.ts';

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
    const { feed, timers, take } = decoder();
    feed('\x1b');
    timers.block(300);
    timers.advance(0);
    feed('[A');
    timers.advance(500);
    expect(take()).toEqual(['up']);
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
