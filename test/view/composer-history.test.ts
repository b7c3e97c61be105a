import { describe, expect, it } from 'vitest';
import { composerText, isBrowsing } from '../../src/view/composer.ts';
import { at, from, show, typing } from './composer-driver.ts';

const history = ['h1', 'h2'];
const up = { type: 'up', width: 20, history } as const;
const down = { type: 'down', width: 20 } as const;

describe('the history', () => {
  it('comes behind the text, and gives the draft and its cursor back', () => {
    const draft = at('first\nsec|ond\nthird');
    expect(show(from(draft, up))).toBe('fir|st\nsecond\nthird');
    expect(show(from(draft, up, up))).toBe('|first\nsecond\nthird');
    expect(show(from(draft, up, up, up))).toBe('h2|');
    expect(show(from(draft, up, up, up, down))).toBe('fir|st\nsecond\nthird');
    expect(show(from(draft, up, up, up, down, down))).toBe('first\nsec|ond\nthird');
  });

  it('gives a draft of one line back as it was', () => {
    expect(show(from(at('hel|lo'), up, up, down))).toBe('hel|lo');
    expect(show(from(at('|'), up, up, down, down))).toBe('|');
  });

  it('goes by rows of the screen in a long draft', () => {
    const narrow = { type: 'up', width: 5, history } as const;
    expect(show(from(at('hello world|'), narrow))).toBe('hello| world');
    expect(show(from(at('hello world|'), narrow, narrow))).toBe('|hello world');
    expect(show(from(at('hello world|'), narrow, narrow, narrow))).toBe('h2|');
  });

  it('goes on with one key an entry, and stops at the oldest', () => {
    expect(show(from(at('|'), up, up))).toBe('h1|');
    expect(show(from(at('|'), up, up, up, up))).toBe('|h1');
    expect(show(from(at('|'), up, up, down))).toBe('h2|');
    expect(isBrowsing(from(at('|'), up))).toBe(true);
    expect(isBrowsing(from(at('|'), up, down))).toBe(false);
  });

  it('walks through the rows of an entry before it leaves it', () => {
    const long = { type: 'up', width: 20, history: ['old', 'a\nb'] } as const;
    expect(show(from(at('|'), long))).toBe('a\nb|');
    expect(show(from(at('|'), long, long))).toBe('a|\nb');
    expect(show(from(at('|'), long, long, long))).toBe('old|');
  });

  it('keeps what was changed on the way, until something is sent', () => {
    const changed = from(at('draft|'), up, up, typing('!'));
    expect(show(changed)).toBe('h2!|');
    expect(show(from(changed, up, up))).toBe('h1|');
    expect(show(from(changed, up, up, down))).toBe('h2!|');
    expect(show(from(changed, down))).toBe('draft|');
    expect(show(from(changed, down, up, up))).toBe('h2!|');
    expect(show(from(changed, 'undo'))).toBe('h2|');
    expect(show(from(changed, 'sent', up))).toBe('h2|');
  });

  it('does not take back the draft’s own past', () => {
    expect(show(from(at('|'), typing('one two'), up, up, 'undo', down, 'undo'))).toBe('one |');
  });

  it('stays the one it was while somebody walks through it', () => {
    const more = { type: 'up', width: 20, history: [...history, 'h3'] } as const;
    expect(show(from(at('|'), up, more))).toBe('h1|');
    expect(show(from(at('|'), up, down, more))).toBe('h3|');
  });

  it('is reached by Ctrl+P and Ctrl+N from anywhere', () => {
    const older = { type: 'older', history } as const;
    expect(show(from(at('a\nb|'), older, older, 'newer'))).toBe('h2|');
    expect(show(from(at('a\nb|'), older, older, 'newer', 'newer'))).toBe('a\nb|');
    expect(from(at('x|'), { type: 'older', history: [] }).lines).toEqual(['x']);
  });

  it('holds entries of any size', () => {
    const huge = 'line\n'.repeat(30_000);
    const state = from(at('|'), { type: 'up', width: 20, history: [huge] });
    expect(state.lines).toHaveLength(1);
    expect(composerText(state)).toBe(huge);
  });

  it('a text put aside is no entry, and gives back the draft', () => {
    expect(show(from(at('dra|ft'), up, up, { type: 'put-aside', text: 'q' }, 'sent'))).toBe('dra|ft');
  });
});
