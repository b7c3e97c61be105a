import { describe, expect, test } from 'vitest';
import { contextOf } from '../../src/view/chat-state.ts';
import { bytes } from '../../src/view/context.ts';
import { ago, chosenItem, foundItems, newPicker, pickerDrawing } from '../../src/view/picker.ts';
import { lineText } from '../../src/view/style.ts';
import { PLAIN } from '../support/chat-driver.ts';

const ITEMS = [
  { id: '1', title: 'Fix the parser', facts: ['3 turns', '~/work/app'], at: 1000 },
  { id: '2', title: 'Write the docs', facts: ['1 turn', '~/work/site'] },
  { id: '3', title: 'evil \x1b[2J\ntitle', facts: ['1 turn'] },
];
const picker = { ...newPicker('sessions'), items: ITEMS };
const draw = (query: string, height = 20, columns = 80, over = {}) => {
  const ctx = contextOf({ size: { rows: 24, columns }, settings: PLAIN }, 61_000);
  return pickerDrawing({ ...picker, query, ...over }, height, ctx);
};

test.each([
  ['', ['1', '2', '3']],
  ['parser', ['1']],
  ['WORK turn', ['1', '2']],
  ['work docs', ['2']],
  ['  ', ['1', '2', '3']],
  ['nothing of it', []],
])('%j finds %j', (query, ids) => {
  expect(foundItems({ items: ITEMS, query }).map(({ id }) => id)).toEqual(ids);
});

test('the chosen row stays among those that are found', () => {
  expect(chosenItem({ ...picker, query: 'docs', index: 2 })?.id).toBe('2');
  expect(chosenItem({ ...picker, query: 'none', index: 2 })).toBeUndefined();
  expect(chosenItem(newPicker('sessions'))).toBeUndefined();
});

describe('the picture', () => {
  test('what comes from outside is shown, not obeyed', () => {
    const text = draw('').lines.map(lineText).join('\n');
    expect(text).not.toContain('\x1b');
    expect(text).toContain('evil');
  });

  test.each([1, 2, 3, 5, 8, 12, 40])('is at most %i lines, with the chosen row among them', (height) => {
    const many = Array.from({ length: 50 }, (_, i) => ({ id: `${i}`, title: `row ${i}!`, facts: ['f'] }));
    const { lines } = draw('', height, 40, { items: many, index: 37, note: 'a note' });
    expect(lines.length).toBeLessThanOrEqual(height);
    if (height >= 8) expect(lines.map(lineText).join('\n')).toContain('❯ row 37!');
  });

  test('the cursor stands behind the query', () => {
    expect(draw('日本').cursor).toEqual({ x: 6, y: 1 });
  });

  test('says that nothing is found, or that it is still looking', () => {
    expect(draw('zzz').lines.map(lineText).join('\n')).toContain('nothing found');
    expect(draw('', 20, 80, { items: undefined }).lines.map(lineText).join('\n')).toContain('looking');
    expect(draw('', 20, 80, { items: [] }).lines.map(lineText).join('\n')).toContain('there is no session yet');
  });
});

test.each([
  [0, 'just now'],
  [-5000, 'just now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [3_600_000, '1 hour ago'],
  [47 * 3_600_000, '47 hours ago'],
  [48 * 3_600_000, '2 days ago'],
])('%i ms is %j', (ms, words) => expect(ago(ms)).toBe(words));

test.each([
  [12, '12 B'],
  [34_816, '34 kB'],
  [35 * 1024 * 1024, '35.0 MB'],
])('%i bytes are %j', (size, words) => expect(bytes(size)).toBe(words));
