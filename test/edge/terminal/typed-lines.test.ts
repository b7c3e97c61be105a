/** What is typed while the program is busy, and pastes that come while it is. */
import { describe, expect, it } from 'vitest';
import { decoder } from './decoder-driver.ts';

/** Somebody has typed just now, then the program is busy for `ms`, then `reads` are there. */
function afterBlock(ms: number, ...reads: string[]): string[] {
  const { feed, timers, take } = decoder();
  feed('x');
  timers.advance(500);
  take();
  timers.block(ms);
  // an overdue timer runs before what has gathered is read
  timers.advance(0);
  for (const chunk of reads) {
    feed(chunk);
    timers.advance(1);
  }
  timers.advance(5000);
  expect(timers.pending).toBe(0);
  return take();
}

describe('lines typed while the program was busy', () => {
  it.each<[number, string, string[]]>([
    [300, 'one\rtwo\r', ['o', 'n', 'e', 'enter', 't', 'w', 'o', 'enter']],
    [300, '\rtwo\r', ['enter', 't', 'w', 'o', 'enter']],
    [900, 'a\rb\rc\r', ['a', 'enter', 'b', 'enter', 'c', 'enter']],
    [120, 'a b\rc\r', ['a', ' ', 'b', 'enter', 'c', 'enter']],
  ])('late by %i ms: %j is sent line by line', (ms, bytes, inputs) => expect(afterBlock(ms, bytes)).toEqual(inputs));

  it('also where it is seen within the round of events in which it was busy', () => {
    const { feed, timers, take } = decoder();
    feed('one');
    timers.block(300);
    feed('\rtwo\r');
    expect(take()).toEqual(['o', 'n', 'e', 'enter', 't', 'w', 'o', 'enter']);
  });

  it('a return that waited for more is the Enter key', () => {
    for (const [next, typed] of [
      ['two\r', ['t', 'w', 'o', 'enter']],
      ['two', ['t', 'w', 'o']],
    ] as const) {
      const { feed, timers, take } = decoder();
      feed('one\r');
      timers.block(300);
      timers.advance(0);
      feed(next);
      timers.advance(5000);
      expect(take()).toEqual(['o', 'n', 'e', 'enter', ...typed]);
    }
  });
});

describe('a paste without marks sends nothing, also where the program was busy', () => {
  const row = 'x'.repeat(201);
  it.each<[number, string]>([
    [0, 'one\rtwo\rthree\r'],
    [30, 'one\rtwo\rthree\r'],
    [5000, 'one\rtwo'],
    [5000, 'one\ntwo\r\nthree\n'],
    [5000, 'one\r\rthree\r'],
    [5000, 'if x:\r  y\rz\r'],
    [5000, 'a\tb\rc\r'],
    [5000, `${row}\rtwo\r`],
    [300, 'line\r'.repeat(20)],
  ])('late by %i ms: %j', (ms, bytes) => {
    const inputs = afterBlock(ms, bytes);
    expect(inputs.slice(0, -1)).not.toContain('enter');
  });

  it('a paste in many reads, the first of them late', () => {
    const inputs = afterBlock(5000, 'one\rtw', 'o\rthre', 'e\r');
    expect(inputs.filter((input) => input === 'enter').length).toBeLessThanOrEqual(1);
  });
});

it('nothing wakes up once nobody types', () => {
  const { feed, timers } = decoder();
  feed('x');
  timers.advance(4000);
  expect(timers.pending).toBe(0);
});
