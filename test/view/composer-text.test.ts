import { describe, expect, it } from 'vitest';
import { composerRows, composerText, editComposer, pressEnter } from '../../src/view/composer.ts';
import { nextPaste, unitOf } from '../../src/view/composer-text.ts';
import { edited, from, show, typing } from './composer-driver.ts';

const paste = (text: string) => ({ type: 'paste', text }) as const;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const drawnText = (state: ReturnType<typeof edited>) => composerRows(state, 80).rows.map((row) => row.text);

describe('pastes', () => {
  it('are one unit where they come in pieces, undone and brought back as a whole', () => {
    const pieces = Array.from({ length: 300 }, (_, i) => `${i} ${lines(12)}\n`);
    const state = edited(typing('see '), ...pieces.map(paste));
    expect(drawnText(state)).toEqual(['see [paste #1: 3600 lines]']);
    expect(composerText(state)).toBe(`see ${pieces.join('')}`);
    expect(show(from(state, 'undo'))).toBe('see |');
    expect(composerText(from(state, 'undo', 'redo'))).toBe(composerText(state));
  });

  it('stand apart from what came before another change', () => {
    const two = from(edited(paste(lines(11))), 'left', 'text-end', paste(lines(12)));
    expect(drawnText(two)).toEqual(['[paste #1: 11 lines][paste #2: 12 lines]']);
    const anew = from(edited(paste(lines(11))), 'undo', paste(lines(12)));
    expect(drawnText(anew)).toEqual(['[paste #2: 12 lines]']);
    expect(composerText(from(anew, 'undo'))).toBe('');
  });

  it('of up to ten lines and a thousand characters are text', () => {
    expect(show(edited(paste('a\nb')))).toBe('a\nb|');
    expect(edited(paste(lines(10))).lines).toHaveLength(10);
    expect(edited(paste('x'.repeat(1000))).lines[0]).toHaveLength(1000);
    expect(edited(paste('')).undo).toEqual([]);
  });

  it('beyond that are one unit, named by number and size', () => {
    const state = edited(typing('see '), paste(lines(11)), typing(' and '), paste('y'.repeat(1001)));
    expect(drawnText(state)).toEqual(['see [paste #1: 11 lines] and [paste #2: 1001 characters]']);
    expect(composerText(state)).toBe(`see ${lines(11)} and ${'y'.repeat(1001)}`);
    expect(drawnText(edited(paste(`${lines(20_000)}\n`)))).toEqual(['[paste #1: 20000 lines]']);
  });

  it('are passed and erased as one', () => {
    const state = edited(typing('a'), paste(lines(11)), typing('b'));
    expect(show(state)).toBe('a<0>b|');
    expect(show(from(state, 'left', 'left'))).toBe('a|<0>b');
    expect(show(from(state, 'left', 'word-left'))).toBe('a|<0>b');
    expect(show(from(state, 'text-start', 'word-right', 'word-right'))).toBe('a<0>|b');
    expect(show(from(state, 'left', 'backspace'))).toBe('a|b');
    expect(show(from(state, 'left', 'backspace', 'undo'))).toBe('a<0>|b');
    expect(show(from(state, 'left', typing('\u0301')))).toBe('a<0>\u0301|b');
  });

  it('come back in full from the kill ring, also after the draft was sent', () => {
    const text = lines(30);
    const state = from(edited(typing('a '), paste(text)), 'kill-to-start');
    expect(composerText(from(state, 'yank'))).toBe(`a ${text}`);
    expect(composerText(from(state, 'sent', 'yank', 'yank'))).toBe(`a ${text}a ${text}`);
  });

  it('are exact: nothing in a large one is cleaned', () => {
    const text = `\ufdd0\ufde0${'é\t'.repeat(600)}`;
    expect(composerText(edited(paste(text), typing('x')))).toBe(`${text}x`);
  });

  it('are numbered anew in each draft', () => {
    expect(drawnText(from(edited(paste(lines(11))), 'sent', paste(lines(12))))).toEqual(['[paste #1: 12 lines]']);
  });

  it('are text where all units are in use', () => {
    const full = Array.from({ length: 256 }, (_, id) => ({ id, number: id + 1, text: `p${id}` }));
    expect(nextPaste(full, 'x')).toBeUndefined();
    expect(new Set(full.map(({ id }) => unitOf(id))).size).toBe(256);
    const state = { ...edited(), lines: [full.map(({ id }) => unitOf(id)).join('')], pastes: full };
    expect(composerText(state)).toBe(full.map((one) => one.text).join(''));
    expect(from(state, paste(lines(11))).lines).toHaveLength(11);
  });

  it('of many megabytes cost little', () => {
    for (const text of [`${'x'.repeat(49)}\n`.repeat(100_000), 'é'.repeat(1_000_000), 'z'.repeat(5_000_000)]) {
      const started = performance.now();
      const state = from(edited(paste(text)), typing('x'), 'left', 'word-left', 'text-end');
      composerRows(state, 80);
      const enter = pressEnter(state);
      expect(performance.now() - started).toBeLessThan(200);
      expect(enter.kind === 'send' && enter.text === `${text}x`).toBe(true);
    }
  });

  it('a very large text that is loaded whole is one unit too', () => {
    const text = lines(20_000);
    const state = editComposer(edited(), { type: 'set', text });
    expect(drawnText(state)).toEqual(['[paste #1: 20000 lines]']);
    expect(composerText(state)).toBe(text);
    expect(editComposer(state, { type: 'set', text })).toBe(state);
    expect(editComposer(edited(), { type: 'set', text: lines(100) }).lines).toHaveLength(100);
  });
});
