import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ComposerAction,
  composerRows,
  composerText,
  editComposer,
  emptyComposer,
  isEmpty,
  isPlainEdit,
  type PlainEdit,
  pressEnter,
} from '../../src/view/composer.ts';
import { at, edited, from, show, typing } from './composer-driver.ts';

describe('keys of the editor', () => {
  it.each<[string, PlainEdit, string]>([
    ['ab|cd', 'backspace', 'a|cd'],
    ['ab|cd', 'delete', 'ab|d'],
    ['|x', 'backspace', '|x'],
    ['x|', 'delete', 'x|'],
    ['a\n|b', 'backspace', 'a|b'],
    ['a|\nb', 'delete', 'a|b'],
    ['hey 🙂|', 'backspace', 'hey |'],
    ['x👩‍👩‍👧|', 'backspace', 'x|'],
    ['e\u0301|', 'backspace', '|'],
    ['🇩🇪🇫🇷|', 'backspace', '🇩🇪|'],
    ['|🙂x', 'delete', '|x'],
    ['a🙂|', 'left', 'a|🙂'],
    ['a|🇩🇪b', 'right', 'a🇩🇪|b'],
    ['a\n|b', 'left', 'a|\nb'],
    ['a|\nb', 'right', 'a\n|b'],
    ['one two|', 'word-left', 'one |two'],
    ['one  |two', 'word-left', '|one  two'],
    ['one\n|two', 'word-left', '|one\ntwo'],
    ['|one two', 'word-right', 'one| two'],
    ['one| two', 'word-right', 'one two|'],
    ['one|\n two', 'word-right', 'one\n two|'],
    ['größe наша|', 'word-left', 'größe |наша'],
    ['cafe\u0301 x|', 'word-left', 'cafe\u0301 |x'],
    ['a-b/c|', 'kill-word-left', 'a-b/|'],
    ['a-b/c|', 'kill-blank-left', '|'],
    ['x a-b  |', 'kill-blank-left', 'x |'],
    ['a\n|b', 'kill-blank-left', 'a|b'],
    ['one| two three', 'kill-word-right', 'one| three'],
    ['one |two\nx', 'kill-to-end', 'one |\nx'],
    ['one|\nx', 'kill-to-end', 'one|x'],
    ['x\none |two', 'kill-to-start', 'x\n|two'],
    ['x\n|two', 'kill-to-start', 'x|two'],
    ['a\nb|c\nd', 'line-start', 'a\n|bc\nd'],
    ['a\nb|c\nd', 'line-end', 'a\nbc|\nd'],
    ['a\nb|c\nd', 'text-start', '|a\nbc\nd'],
    ['a\nb|c\nd', 'text-end', 'a\nbc\nd|'],
    ['a|b', 'newline', 'a\n|b'],
    ['ab|', 'clear', '|'],
    ['ab|', 'yank', 'ab|'],
    ['ab|', 'undo', 'ab|'],
    ['ab|', 'newer', 'ab|'],
    ['ab|', 'bring-back', 'ab|'],
  ])('%j %s', (before, edit, expected) => expect(show(from(at(before), edit))).toBe(expected));

  it('puts the cursor behind a character that an edit has made of two', () => {
    expect(show(from(at('👩|👧'), { type: 'insert', text: '\u200d' }))).toBe('👩\u200d👧|');
    expect(show(from(at('🇩x|🇪'), 'backspace'))).toBe('🇩🇪|');
  });

  it('types text of several lines, cleaned', () => {
    expect(show(edited({ type: 'insert', text: 'a\r\nb\rc\0\x1b[A\t\ud83d!' }))).toBe('a\nb\nc[A\t\ufffd!|');
    expect(composerText(edited({ type: 'insert', text: '\ufdd0\ufde0' }))).toBe('\ufffd\ufffd');
    expect(edited({ type: 'insert', text: '\0' })).toBe(emptyComposer);
  });

  it('puts a completion in the place of what it completes', () => {
    expect(show(from(at('see @src/vi| now'), { type: 'complete', from: 4, text: '@src/view/' }))).toBe(
      'see @src/view/| now',
    );
  });

  it('gives the same object where nothing changes', () => {
    const start = at('|');
    for (const edit of ['backspace', 'delete', 'kill-to-end', 'undo', 'redo', 'yank', 'clear'] as const) {
      expect(from(start, edit)).toBe(start);
    }
  });

  it('knows its edits by name', () => {
    expect(isPlainEdit('word-left')).toBe(true);
    expect(isPlainEdit('toString')).toBe(false);
    expect(isPlainEdit('insert')).toBe(false);
  });
});

describe('Enter', () => {
  it.each([
    ['text|', 'send', 'text'],
    ['', 'send', ''],
    ['one\\|', 'newline', 'one\n|'],
    ['one\\\\|', 'send', 'one\\'],
    ['one\\\\\\|', 'newline', 'one\\\\\n|'],
    ['one\\\\\\\\|', 'send', 'one\\\\\\'],
    ['on|e\\', 'send', 'one\\'],
    ['one\\|\ntwo', 'newline', 'one\n|\ntwo'],
    ['one\\\\|\ntwo', 'send', 'one\\\ntwo'],
    ['\\|', 'newline', '\n|'],
  ])('on %j', (before, kind, result) => {
    const enter = pressEnter(at(before));
    expect(enter.kind).toBe(kind);
    expect(enter.kind === 'send' ? enter.text : show(enter.state)).toBe(result);
  });

  it('a new line by backslash is undone in one go', () => {
    const enter = pressEnter(edited(typing('one\\')));
    expect(enter.kind === 'newline' && show(from(enter.state, 'undo'))).toBe('one\\|');
  });
});

describe('a draft put aside', () => {
  it('comes back after the other text was sent, and when it is asked for', () => {
    const draft = from(at('my dr|aft'), { type: 'put-aside', text: 'queued' });
    expect(show(draft)).toBe('queued|');
    expect(show(from(draft, typing('!'), 'sent'))).toBe('my dr|aft');
    expect(show(from(draft, 'bring-back', typing('!')))).toBe('my dr!|aft');
    expect(show(from(draft, { type: 'put-aside', text: 'third' }, 'sent', 'sent'))).toBe('my dr|aft');
  });

  it('keeps its pastes and its past', () => {
    const big = 'line\n'.repeat(50);
    const state = edited(typing('x '), { type: 'paste', text: big }, { type: 'put-aside', text: 'queued' }, 'sent');
    expect(composerText(state)).toBe(`x ${big}`);
    expect(show(from(state, 'undo'))).toBe('x |');
  });
});

describe('whatever is done', () => {
  const scraps = [
    'a',
    'b c',
    ' ',
    '\n',
    'e',
    '\u0301',
    '\u200d',
    '👩',
    '👧',
    '🏽',
    '🇩',
    '🇪',
    '한',
    '\u1112',
    '漢',
    '\t',
    '\ud83d',
    '\udc69',
  ];
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...scraps).map((text): ComposerAction => ({ type: 'insert', text })) },
    fc
      .constantFrom('x\r\ny', 'long\n'.repeat(12), 'z'.repeat(1001), '🙂\\')
      .map((text): ComposerAction => ({ type: 'paste', text })),
    fc
      .constantFrom<PlainEdit>(
        ...([
          'newline',
          'backspace',
          'delete',
          'left',
          'right',
          'word-left',
          'word-right',
          'line-start',
          'line-end',
        ] as const),
        ...(['kill-word-left', 'kill-word-right', 'kill-blank-left', 'kill-to-start', 'kill-to-end', 'yank'] as const),
        ...(['yank-earlier', 'undo', 'redo', 'clear', 'bring-back', 'text-start', 'text-end', 'newer'] as const),
      )
      .map((type): ComposerAction => ({ type })),
    fc.constantFrom<ComposerAction>(
      { type: 'up', width: 5, history: ['h1', 'h2\n한'] },
      { type: 'down', width: 5 },
      { type: 'older', history: ['h1', 'h2\n한'] },
      { type: 'put-aside', text: 'q\nr' },
      { type: 'sent' },
    ),
  );
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

  it('the cursor stands between characters, no character is halved, the rows hold the text', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (actions, width) => {
        let state = emptyComposer;
        for (const next of actions) {
          state = editComposer(state, next);
          const { line, offset } = state.cursor;
          const text = state.lines[line];
          expect(text).toBeDefined();
          // a unit is two code units of its own class, which the segmenter does not know
          const plain = (text as string).replace(/[\ufdd0-\ufddf][\ufde0-\ufdef]/g, '\r\n');
          const borders = [...[...segmenter.segment(plain)].map((part) => part.index), plain.length];
          expect(borders).toContain(offset);
          expect(composerText(state)).not.toMatch(/\p{Surrogate}|[\ufdd0-\ufdef\r]/u);
          expect(state.lines.join('')).not.toMatch(/\n/);
        }
        const { rows, cursor } = composerRows(state, width);
        expect(rows.map((row) => (state.lines[row.line] as string).slice(row.start, row.end)).join('')).toBe(
          state.lines.join(''),
        );
        expect(cursor.column).toBeLessThanOrEqual(width);
        expect(rows[cursor.row]).toBeDefined();
      }),
      { numRuns: 400 },
    );
  });

  it('undo leads back to the beginning, and redo to the end', () => {
    const edits = fc.array(
      action.filter(
        (next) => !['sent', 'put-aside', 'bring-back', 'up', 'older', 'newer', 'undo', 'redo'].includes(next.type),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(edits, (actions) => {
        const end = actions.reduce(editComposer, emptyComposer);
        let state = end;
        while (state.undo.length > 0) state = editComposer(state, { type: 'undo' });
        expect(isEmpty(state)).toBe(true);
        while (state.redo.length > 0) state = editComposer(state, { type: 'redo' });
        expect(state.lines).toEqual(end.lines);
      }),
    );
  });
});
