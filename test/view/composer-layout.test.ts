import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { composerRows, composerWindow } from '../../src/view/composer.ts';
import { rowStarts } from '../../src/view/composer-layout.ts';
import { at, edited, from, show, typing } from './composer-driver.ts';

function rows(marked: string, width: number): string[] {
  return composerRows(at(marked), width).rows.map((row) => row.text);
}

describe('rows of the draft', () => {
  it.each<[string, number, string[]]>([
    ['|', 10, ['']],
    ['one two|', 10, ['one two']],
    ['one two|', 5, ['one ', 'two']],
    ['hello world|', 5, ['hello', 'world']],
    ['hello   world|', 5, ['hello', 'world']],
    ['hello  |', 5, ['hello']],
    ['abcdefgh|', 5, ['abcde', 'fgh']],
    ['ab cdefghijk|', 5, ['ab ', 'cdefg', 'hijk']],
    ['漢字漢字|', 5, ['漢字', '漢字']],
    ['ab漢字|', 3, ['ab', '漢', '字']],
    ['a\nb\n|', 5, ['a', 'b', '']],
    ['👩‍👩‍👧👩‍👩‍👧|', 3, ['👩‍👩‍👧', '👩‍👩‍👧']],
    ['\tx|', 10, ['    x']],
    ['e\u0301e\u0301e\u0301|', 2, ['e\u0301e\u0301', 'e\u0301']],
  ])('%j in %i cells', (text, width, expected) => expect(rows(text, width)).toEqual(expected));

  it.each<[string, number, number, number]>([
    ['|', 10, 0, 0],
    ['ab|', 10, 0, 2],
    ['한글ab|', 20, 0, 6],
    ['한|글ab', 20, 0, 2],
    ['a\nb|\nc', 10, 1, 1],
    ['abcde|', 5, 0, 5],
    ['abcde|f', 5, 1, 0],
    ['hello   |world', 5, 1, 0],
    ['hello  | world', 5, 0, 5],
    ['\t|x', 10, 0, 4],
  ])('the cursor of %j in %i cells is in row %i, column %i', (text, width, row, column) => {
    expect(composerRows(at(text), width).cursor).toEqual({ row, column });
  });

  it('shows a window around the cursor and counts what it hides', () => {
    const text = Array.from({ length: 20 }, (_, index) => `${index}`).join('\n');
    const shown = composerWindow(at(`${text}|`), 10, 5);
    expect(shown.rows.map((row) => row.text)).toEqual(['15', '16', '17', '18', '19']);
    expect([shown.above, shown.below, shown.cursor.row]).toEqual([15, 0, 4]);
    const middle = composerWindow(
      from(at(`${text}|`), ...Array(10).fill({ type: 'up', width: 10, history: [] })),
      10,
      5,
    );
    expect([middle.rows[middle.cursor.row]?.text, middle.above, middle.below]).toEqual(['9', 7, 8]);
    expect(composerWindow(at('a|'), 10, 5)).toMatchObject({ above: 0, below: 0, rows: [{ text: 'a' }] });
    expect(composerWindow(at('a\nb|'), 10, 1).rows.map((row) => row.text)).toEqual(['b']);
  });

  it('cuts the label of a paste to the width', () => {
    const state = edited({ type: 'paste', text: 'x\n'.repeat(12) }, typing('ab'));
    expect(composerRows(state, 8).rows.map((row) => row.text)).toEqual(['[paste #', 'ab']);
  });

  it('never makes a row wider than it may be, and breaks plain text as any other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bc', ' ', '  ', '漢', '👩‍👧', 'e\u0301', '\t', '한', 'word', '\n'), {
        maxLength: 40,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 20 }), (draft, width) => {
        for (const row of composerRows(at(`${draft}|`), width).rows)
          expect(stringWidth(row.text)).toBeLessThanOrEqual(width);
        const plain = draft.replace(/[^ a-z\n]/gu, 'x').split('\n')[0] as string;
        // a character of no width makes the line one that is broken character by character
        const mixed = rowStarts(`\u2060${plain}`, width, []).map((start) => Math.max(0, start - 1));
        expect(rowStarts(plain, width, [])).toEqual(mixed);
      }),
    );
  });

  it('is laid out anew when the width, the text or a paste is another', () => {
    const state = at('one two|');
    expect(composerRows(state, 20).rows).toHaveLength(1);
    expect(composerRows(state, 4).rows).toHaveLength(2);
    expect(composerRows(state, 20).rows).toHaveLength(1);
    expect(composerRows(from(state, typing('\n')), 20).rows).toHaveLength(2);
  });

  it('costs little for one huge line, and for many', () => {
    for (const text of [
      'x'.repeat(90_000),
      'word '.repeat(18_000),
      '漢'.repeat(90_000),
      'é x\n'.repeat(1_900),
      '👩‍👧'.repeat(4000),
    ]) {
      const state = at(`${text}|`);
      // the processor's time, not the clock's: the machine may be busy
      const started = process.cpuUsage();
      composerWindow(state, 80, 10);
      from(state, typing('y'), { type: 'up', width: 80, history: [] }, 'left');
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(250);
    }
  });
});

describe('up and down', () => {
  const up = { type: 'up', width: 5, history: [] } as const;
  const down = { type: 'down', width: 5 } as const;

  it.each<[string, ('up' | 'down')[], string]>([
    ['abcdefgh|', ['up'], 'abc|defgh'],
    ['abc|defgh', ['down'], 'abcdefgh|'],
    ['hello world|', ['up'], 'hello| world'],
    ['ab\nc\nde|', ['up', 'up'], 'ab|\nc\nde'],
    ['ab|\nc\nde', ['down', 'down'], 'ab\nc\nde|'],
    ['漢字\nabc|', ['up'], '漢|字\nabc'],
    ['ab|c', ['up'], '|abc'],
    ['ab|c', ['down'], 'abc|'],
    ['|', ['up'], '|'],
    ['abc|', ['down'], 'abc|'],
  ])('%j %j', (before, keys, expected) => {
    expect(show(from(at(before), ...keys.map((key) => (key === 'up' ? up : down))))).toBe(expected);
  });
});
