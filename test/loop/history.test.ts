import { expect, test } from 'vitest';
import { userMessage } from '../../src/domain/content.ts';
import { entriesOf, extended, messagesOf } from '../../src/loop/history.ts';

const said = (text: string) => userMessage([{ type: 'text', text }]);

test('a history weighs what its messages weigh, and is read from the oldest on', () => {
  const one = extended(undefined, said('four'), { turnIndex: 1 });
  const two = extended(one, said('eight ch'), { turnIndex: 1, stepId: 's' });
  const three = extended(two, said(''), { turnIndex: 2, folded: true });
  expect(entriesOf(three)).toEqual([one, two, three]);
  expect(messagesOf(three)).toEqual([said('four'), said('eight ch'), said('')]);
  expect([one, two, three].map(({ tokens, total }) => [tokens, total])).toEqual([
    [5, 5],
    [6, 11],
    [4, 15],
  ]);
});

test('an entry says only what is so of it', () => {
  const one = extended(undefined, said('a'), { turnIndex: 3, folded: false });
  expect(one).toStrictEqual({ message: said('a'), turnIndex: 3, tokens: 5, total: 5, before: undefined });
  const two = extended(one, said('a'), { turnIndex: 4, stepId: 's', folded: true });
  expect(two).toStrictEqual({
    message: said('a'),
    turnIndex: 4,
    stepId: 's',
    folded: true,
    tokens: 5,
    total: 10,
    before: one,
  });
});

test('no history has no messages', () => {
  expect(entriesOf(undefined)).toEqual([]);
  expect(messagesOf(undefined)).toEqual([]);
});
