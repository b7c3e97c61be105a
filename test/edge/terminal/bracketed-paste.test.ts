import { describe, expect, it } from 'vitest';
import { decoder, read } from './decoder-driver.ts';

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
