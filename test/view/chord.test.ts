import { describe, expect, it } from 'vitest';
import type { KeyInput } from '../../src/domain/terminal-input.ts';
import { chordOf, parseChord, showChord } from '../../src/view/chord.ts';
import { press } from './key-press.ts';

describe('chords', () => {
  it.each([
    ['ctrl+j', 'ctrl+j'],
    ['Ctrl+J', 'ctrl+j'],
    [' control + j ', 'ctrl+j'],
    ['alt+enter', 'alt+enter'],
    ['shift+alt+ctrl+Up', 'ctrl+alt+shift+up'],
    ['esc', 'escape'],
    ['Return', 'enter'],
    ['shift+d', 'D'],
    ['D', 'D'],
    ['alt+D', 'alt+shift+d'],
    ['space', 'space'],
    ['ctrl+space', 'ctrl+space'],
    ['+', '+'],
    ['ctrl++', 'ctrl++'],
    ['ctrl+plus', 'ctrl++'],
    ['ctrl+m', 'enter'],
    ['ctrl+i', 'tab'],
    ['ctrl+[', 'escape'],
    ['ctrl+/', 'ctrl+_'],
    ['f12', 'f12'],
    ['ä', 'ä'],
    ['', undefined],
    [' ', undefined],
    ['ctrl', undefined],
    ['ctrl+', undefined],
    ['hyper+x', undefined],
    ['ctrl+xy', undefined],
    ['f36', undefined],
    ['\x1b', undefined],
    ['ctrl+__proto__', undefined],
    ['constructor+x', undefined],
  ])('%j is %j', (written, chord) => expect(parseChord(written)).toBe(chord));

  it.each<[KeyInput, string]>([
    [press('j', { ctrl: true }), 'ctrl+j'],
    [press('D', { text: 'D' }), 'D'],
    [press(' ', { text: ' ' }), 'space'],
    [press('tab', { shift: true }), 'shift+tab'],
    [press('b', { alt: true, shift: true }), 'alt+shift+b'],
    [press('h', { ctrl: true }), 'backspace'],
    [press('_', { ctrl: true }), 'ctrl+_'],
    [press('-', { ctrl: true, shift: true }), 'ctrl+_'],
    [press('m', { ctrl: true }), 'enter'],
  ])('a key %j is %j', (key, chord) => {
    expect(chordOf(key)).toBe(chord);
    expect(parseChord(chord)).toBe(chord);
  });

  it('are shown as people write them', () => {
    expect(
      ['ctrl+j', 'escape', 'alt+up', 'pageup', '?', 'space', 'ctrl++', 'D'].map((chord) => showChord(chord)),
    ).toEqual(['Ctrl+J', 'Esc', 'Alt+↑', 'PgUp', '?', 'Space', 'Ctrl++', 'D']);
    expect(showChord('alt+up', true)).toBe('Alt+Up');
  });
});
