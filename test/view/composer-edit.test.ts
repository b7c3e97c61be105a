import { describe, expect, it } from 'vitest';
import { at, edited, from, show, typing } from './composer-driver.ts';

describe('kill and yank', () => {
  it('takes kills in a row for one, in their order', () => {
    expect(show(from(at('one two three|'), 'kill-word-left', 'kill-word-left', 'yank'))).toBe('one two three|');
    expect(show(from(at('one| two three'), 'kill-word-right', 'kill-word-right', 'yank', 'yank'))).toBe(
      'one two three two three|',
    );
    expect(show(from(at('one |two'), 'kill-to-end', 'kill-to-start', 'yank'))).toBe('one two|');
  });

  it('goes back through earlier kills right after a yank', () => {
    const state = from(at('one two|'), 'kill-word-left', 'left', 'kill-to-start', 'text-end', 'yank');
    expect(show(state)).toBe(' one|');
    expect(show(from(state, 'yank-earlier'))).toBe(' two|');
    expect(show(from(state, 'yank-earlier', 'yank-earlier'))).toBe(' one|');
    expect(show(from(state, 'left', 'yank-earlier'))).toBe(' on|e');
  });

  it('keeps what was killed when a draft is sent', () => {
    expect(show(from(at('gone|'), 'kill-to-start', 'sent', 'yank'))).toBe('gone|');
  });

  it('brings lines back', () => {
    expect(show(from(at('|\nb'), 'kill-to-end', 'yank', 'yank'))).toBe('\n\n|b');
  });
});

describe('undo', () => {
  it('takes back a word at a time', () => {
    const state = edited(typing('one two'));
    expect(show(from(state, 'undo'))).toBe('one |');
    expect(show(from(state, 'undo', 'undo'))).toBe('|');
    expect(show(from(state, 'undo', 'undo', 'redo'))).toBe('one |');
    expect(show(from(state, 'undo', typing('x'), 'redo'))).toBe('one x|');
  });

  it('takes back a clear, and erasing in a row in one go', () => {
    expect(show(from(at('a\nb|'), 'clear', 'undo'))).toBe('a\nb|');
    expect(show(from(at('abc|'), 'backspace', 'backspace', 'undo'))).toBe('abc|');
    expect(show(from(at('abc|'), 'backspace', 'left', 'backspace', 'undo'))).toBe('a|b');
  });

  it('takes back a text that was set', () => {
    expect(show(from(at('mi|ne'), { type: 'set', text: 'other' }, 'undo'))).toBe('mi|ne');
  });

  it('ends with a message', () => {
    expect(show(from(at('x|'), typing('y'), 'sent', 'undo'))).toBe('|');
  });
});
