import { expect, test } from 'vitest';
import * as inbox from '../../src/loop/inbox.ts';
import type { InboxEntry } from '../../src/loop/state.ts';

/** Entries by their ids; one with a bar before it is held. */
const queue = (names: string): InboxEntry[] =>
  names.split(' ').map((name) => ({
    commandId: name.replace('|', ''),
    agency: 'user',
    message: { role: 'user', blocks: [] },
    noFold: name.startsWith('|'),
  }));
const names = (entries: readonly InboxEntry[] | undefined): string | undefined =>
  entries?.map(({ commandId, noFold }) => (noFold ? `|${commandId}` : commandId)).join(' ');

test('an entry is found and taken out by its id', () => {
  const entries = queue('a b c');
  expect(inbox.find(entries, 'b')).toBe(entries[1]);
  expect(inbox.find(entries, 'd')).toBeUndefined();
  expect(names(inbox.without(entries, 'b'))).toBe('a c');
  expect(names(inbox.without(entries, 'd'))).toBe('a b c');
});

test.each([
  ['a b c', 'a b c'],
  ['a |b c', 'a'],
  ['|a b', ''],
])('of %s, %s folds: what stands before the first that is held', (all, leading) => {
  expect(names(inbox.foldable(queue(all)))).toBe(leading);
});

test.each([
  ['a', undefined, 'b |c a'],
  ['|c', 'a', '|c a b'],
  ['a', '|c', 'b a |c'],
  ['a', 'b', 'a b |c'],
  ['a', 'a', undefined],
  ['x', undefined, undefined],
  ['x', 'a', undefined],
  ['a', 'x', undefined],
])('of a b |c, %s moves before %s: %s', (id, before, expected) => {
  const bare = (name: string | undefined) => name?.replace('|', '');
  expect(names(inbox.moved(queue('a b |c'), bare(id) ?? '', bare(before)))).toBe(expected);
});

test.each([
  ['b', true, 'a |b |c'],
  ['c', false, 'a b c'],
  ['a', false, 'a b |c'],
  ['x', true, undefined],
])('of a b |c, the hold of %s becomes %s: %s', (id, noFold, expected) => {
  expect(names(inbox.held(queue('a b |c'), id, noFold))).toBe(expected);
});

test('no change touches the inbox that it was given', () => {
  const entries = Object.freeze(queue('a b |c').map((entry) => Object.freeze(entry)));
  inbox.moved(entries, 'a');
  inbox.held(entries, 'a', true);
  expect(names(entries)).toBe('a b |c');
});
