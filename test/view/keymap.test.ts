import { describe, expect, it } from 'vitest';
import type { KeyInput } from '../../src/domain/terminal-input.ts';
import { isPlainEdit } from '../../src/view/composer.ts';
import { buildKeymap, defaultKeymap, hintFor, type KeyContext, keyHelp, resolveKey } from '../../src/view/keymap.ts';
import { press } from './key-press.ts';

const meaning = (contexts: KeyContext[], key: KeyInput) => resolveKey(defaultKeymap, contexts, key);

describe('the keys of the chat', () => {
  it.each<[KeyContext[], KeyInput, string | undefined]>([
    [['composer'], press('enter'), 'send'],
    [['composer'], press('enter', { shift: true }), 'newline'],
    [['composer'], press('enter', { alt: true }), 'newline'],
    [['composer'], press('j', { ctrl: true }), 'newline'],
    [['composer'], press('tab'), 'hold'],
    [['completion', 'composer'], press('tab'), 'completion-take'],
    [['completion', 'composer'], press('enter'), 'send'],
    [['composer'], press('tab', { shift: true }), 'approval-mode'],
    [['composer'], press('escape'), 'interrupt'],
    [['queue'], press('escape'), 'queue-back'],
    [['overlay'], press('escape'), 'overlay-close'],
    [['queue'], press('d', { text: 'd' }), 'queue-retract'],
    [['queue'], press('D', { text: 'D' }), 'queue-retract-all'],
    [['queue'], press('backspace'), 'queue-retract'],
    [['queue'], press('up', { alt: true }), 'queue-move-up'],
    [['composer'], press('up', { alt: true }), 'enter-queue'],
    [['queue'], press('x', { text: 'x' }), undefined],
    [['gate', 'composer'], press('1', { text: '1' }), 'gate-1'],
    [['gate', 'composer'], press('y', { text: 'y' }), undefined],
    [['gate', 'composer'], press('w', { ctrl: true }), 'kill-blank-left'],
    [['composer'], press('1', { text: '1' }), undefined],
    [['overlay'], press('c', { ctrl: true }), 'cancel'],
    [['composer'], press('/', { ctrl: true }), 'undo'],
    [['composer'], press('delete', { ctrl: true }), 'kill-word-right'],
    [['composer'], press('backspace', { alt: true }), 'kill-word-left'],
  ])('in %j %j means %s', (contexts, key, action) => expect(meaning(contexts, key)).toBe(action));

  it('no paste, focus or answer of the terminal is a key', () => {
    expect(resolveKey(defaultKeymap, ['gate'], { type: 'paste', text: '1' })).toBeUndefined();
    expect(resolveKey(defaultKeymap, ['gate'], { type: 'reply', kind: 'da1', data: '1' })).toBeUndefined();
  });

  it('name a key that every terminal sends', () => {
    expect(hintFor(defaultKeymap, 'newline')).toBe('Ctrl+J');
    expect(hintFor(defaultKeymap, 'interrupt')).toBe('Esc');
    expect(hintFor(defaultKeymap, 'enter-queue', true)).toBe('Alt+Up');
  });

  it('have help, each one once, in every context', () => {
    const contexts = ['composer', 'completion', 'queue', 'gate', 'overlay', 'anywhere'] as const;
    const rows = contexts.flatMap((context) => keyHelp(defaultKeymap, context));
    const bound = defaultKeymap.bindings.filter(({ chords }) => chords.length > 0);
    expect(rows).toHaveLength(bound.length);
    expect(
      defaultKeymap.bindings.filter((one) => !bound.includes(one)).every(({ action }) => action.startsWith('/')),
    ).toBe(true);
    expect(keyHelp(defaultKeymap, 'queue')[2]).toEqual({
      keys: 'd, Delete, Backspace',
      help: 'retract; a returned one: drop',
      slash: '/retract N',
    });
    for (const { help } of rows) expect(help).not.toBe('');
    expect(new Set(defaultKeymap.bindings.map((one) => one.action)).size).toBe(defaultKeymap.bindings.length);
  });

  it('of the editor are its edits', () => {
    const others = ['send', 'hold', 'up', 'down', 'enter-queue', 'older', 'search-history', 'edit-outside', 'help'];
    for (const { action, context } of defaultKeymap.bindings) {
      if (context === 'composer' && !others.includes(action)) expect(isPlainEdit(action)).toBe(true);
    }
  });
});

describe('keys of one’s own', () => {
  function built(overrides: Record<string, string | string[]>) {
    const result = buildKeymap(overrides);
    if (result.keymap === undefined) throw new Error(result.error);
    return result.keymap;
  }

  it('replace those of the table, in hints and help too', () => {
    const keymap = built({ newline: ['Ctrl+N', 'f2'], newer: 'none', 'completion-next': 'down' });
    expect(resolveKey(keymap, ['composer'], press('n', { ctrl: true }))).toBe('newline');
    expect(resolveKey(keymap, ['composer'], press('j', { ctrl: true }))).toBeUndefined();
    expect(hintFor(keymap, 'newline')).toBe('Ctrl+N');
    expect(hintFor(keymap, 'newer')).toBeUndefined();
    expect(keyHelp(keymap, 'composer').map((row) => row.keys)).toContain('Ctrl+N, F2');
  });

  it('may be swapped', () => {
    const keymap = built({ transcript: 'ctrl+o', unfold: 'ctrl+t' });
    expect(resolveKey(keymap, [], press('o', { ctrl: true }))).toBe('transcript');
  });

  it('may close a list with the key that interrupts, under any name', () => {
    const keymap = built({ interrupt: 'f1', 'overlay-close': 'f1' });
    expect(resolveKey(keymap, ['overlay'], press('f1'))).toBe('overlay-close');
    expect(resolveKey(keymap, ['queue'], press('escape'))).toBe('queue-back');
  });

  it.each<[Record<string, string | string[]>, string]>([
    [{ transcript: 'ctrl+o' }, 'keys: ctrl+o is bound to both unfold and transcript; give one of them another key'],
    [{ undo: 'ctrl+c' }, 'keys: ctrl+c is bound to both undo and cancel; give one of them another key'],
    [{ redraw: 'Ctrl+M' }, 'keys: enter is bound to both send and redraw; give one of them another key'],
    [{ 'queue-hold': 'd' }, 'keys: d is bound to both queue-retract and queue-hold; give one of them another key'],
    [{ undo: 'x' }, 'keys: x for undo could no longer be typed; use it with ctrl or alt'],
    [{ redraw: 'shift+r' }, 'keys: R for redraw could no longer be typed; use it with ctrl or alt'],
    [
      { 'gate-1': 'y' },
      'keys: y for gate-1 could be typed by accident at a question; use a digit, or a key with ctrl or alt',
    ],
    [{ undo: 'ctrl+' }, 'keys: "ctrl+" for undo is no key; write it like ctrl+j, alt+up or f2'],
    [{ send: [] }, 'keys: send needs a key; give it one, or leave it out'],
    [{ cancel: 'none' }, 'keys: cancel needs a key; give it one, or leave it out'],
    [{ retract: 'x' }, 'keys: there is no action "retract"; did you mean queue-retract?'],
    [{ kill_to_end: 'f3' }, 'keys: there is no action "kill_to_end"; did you mean kill-to-end?'],
    [{ toString: 'f3' }, 'keys: there is no action "toString"; "?" in the chat lists them'],
  ])('%j are refused', (overrides, error) => expect(buildKeymap(overrides)).toEqual({ error }));
});
