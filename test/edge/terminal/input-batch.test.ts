import { describe, expect, it } from 'vitest';
import type { TerminalInput } from '../../../src/domain/terminal-input.ts';
import { decoder, read } from './decoder-driver.ts';

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
