import { expect, test } from 'vitest';
import type { Chunk } from '../../src/domain/content.ts';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import { attach, type Draft, extend, finish } from '../../src/loop/draft.ts';

const say = (text: string, type: 'text' | 'thinking' | 'refusal' = 'text'): Chunk => ({ type, text });
const call = (index: number, inputJson: string, id = '', name = ''): Chunk => ({
  type: 'tool_use',
  index,
  id,
  name,
  inputJson,
});
const finished = (chunks: Chunk[], cut = false) => {
  const draft: Draft = [];
  for (const chunk of chunks) extend(draft, chunk);
  return finish(draft, undefined, cut);
};
const blocks = (...chunks: Chunk[]) => finished(chunks).message.blocks;

test('neighbours of one kind are one block, in the order in which they began', () => {
  expect(blocks(say('a', 'thinking'), say('b', 'thinking'), say('c'), say('d'), say('e', 'refusal'), say('f'))).toEqual(
    [
      { type: 'thinking', text: 'ab' },
      { type: 'text', text: 'cd' },
      { type: 'refusal', text: 'e' },
      { type: 'text', text: 'f' },
    ],
  );
});

test('pieces of a call find their call by its index, also between other things', () => {
  const chunks = [
    call(0, '{"a"', 'one', 'look'),
    say('and'),
    call(1, '{}', 'two', 'list'),
    call(0, ':1}', 'late', 'other'),
  ];
  expect(blocks(...chunks)).toEqual([
    { type: 'tool_use', id: 'one', name: 'look', input: { a: 1 } },
    { type: 'text', text: 'and' },
    { type: 'tool_use', id: 'two', name: 'list', input: {} },
  ]);
});

test('an id and a name that come late are taken; the first ones stay', () => {
  expect(blocks(call(0, ''), call(0, '{}', 'id', 'look'), call(0, '', 'other', 'other'))).toEqual([
    { type: 'tool_use', id: 'id', name: 'look', input: {} },
  ]);
});

test('what goes back with a call stays with it', () => {
  const draft: Draft = [];
  for (const chunk of [say('a'), call(0, '{}', 'id', 'look'), call(1, '{}', 'two', 'list')]) extend(draft, chunk);
  attach(draft, 1, { signature: 'x' });
  attach(draft, 1, { more: 1 });
  attach(draft, 7, { lost: true });
  const [, plain, signed] = finish(draft, undefined, false).message.blocks;
  expect(plain).toStrictEqual({ type: 'tool_use', id: 'id', name: 'look', input: {} });
  expect(signed).toStrictEqual({
    type: 'tool_use',
    id: 'two',
    name: 'list',
    input: {},
    extra: { signature: 'x', more: 1 },
  });
});

test('text behind a call begins a block of its own', () => {
  expect(blocks(say('a'), call(0, '{}', 'id', 'look'), say('b')).map(({ type }) => type)).toEqual([
    'text',
    'tool_use',
    'text',
  ]);
});

test.each([
  ['', {}, undefined],
  [' \n', {}, undefined],
  ['null', {}, undefined],
  ['{"a":[1]}', { a: [1] }, undefined],
  // put into a text once more
  ['"{\\"a\\":1}"', { a: 1 }, undefined],
  ['" "', {}, undefined],
  ['"{\\"a"', {}, 'no_object'],
  ['[1]', {}, 'no_object'],
  ['"text"', {}, 'no_object'],
  ['7', {}, 'no_object'],
  ['{"a":', {}, 'cut'],
])('the arguments %j are %j, fault: %s', (json, input, why) => {
  const { calls, message } = finished([call(0, json, 'id', 'look')]);
  const use = { type: 'tool_use', id: 'id', name: 'look', input };
  expect(calls).toEqual([why ? { use, fault: { raw: json, why } } : { use }]);
  expect(message.blocks).toEqual([use]);
});

test.each([
  ['nothing', [], false],
  ['an empty text', [say('')], false],
  ['white space', [say(' \n'), say('\t', 'thinking')], false],
  ['text', [say(' a ')], true],
  ['thinking', [say('a', 'thinking')], true],
  ['a refusal', [say('a', 'refusal')], true],
  ['a call', [call(0, '', 'id', 'look')], true],
  ['a call behind white space', [say(' '), call(0, '', 'id', 'look')], true],
] as const)('%s is usable: %#', (_, chunks, usable) => {
  expect(finished([...chunks]).usable).toBe(usable);
});

test('empty blocks are left out; usage and the cut are said only where they are there', () => {
  expect(finished([say(''), say('a', 'thinking')]).message).toEqual({
    role: 'assistant',
    blocks: [{ type: 'thinking', text: 'a' }],
  });
  expect(Object.keys(finished([say('a')]).message)).toEqual(['role', 'blocks']);
  expect(finish([], ZERO_USAGE, true).message).toEqual({
    role: 'assistant',
    blocks: [],
    usage: ZERO_USAGE,
    truncated: true,
  });
});

test('the message keeps nothing of the draft, which may grow on', () => {
  const draft: Draft = [];
  extend(draft, say('a'));
  const { message } = finish(draft, undefined, false);
  extend(draft, say('b'));
  expect(message.blocks).toEqual([{ type: 'text', text: 'a' }]);
});
