import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish, push, readerStart } from '../../../src/edge/models/chunk-reader.ts';
import { nothing, take } from './assembled.ts';

// the shapes that mean something stand in stream-shapes.ts and are played in answer.test.ts

const NAMES = [
  'choices',
  'delta',
  'message',
  'content',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'id',
  'index',
  'usage',
  'prompt_tokens',
  'finish_reason',
  'reasoning',
  'type',
  'text',
  'refusal',
  'function_call',
];
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(
      null,
      true,
      0,
      1,
      -1,
      2.5,
      '',
      '0',
      'read',
      '{}',
      '{"a":1}',
      '<think>',
      '</think>',
      'length',
      'stop',
    ),
    fc.string({ maxLength: 4 }),
  ),
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('tree'), { maxKeys: 4 }),
  ),
}));
const chunk = fc.record(
  {
    choices: fc.array(fc.record({ delta: tree, finish_reason: tree, message: tree }, { requiredKeys: ['delta'] }), {
      maxLength: 2,
    }),
    usage: tree,
  },
  { requiredKeys: ['choices'] },
);

test('no shape makes it throw, lose its order, or give a usage that is none', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(chunk, tree), { maxLength: 8 }), (values) => {
      const into = nothing();
      let state = readerStart();
      for (const value of values) {
        const read = push(state, value);
        for (const event of read.events) take(into, event);
        state = read.state;
      }
      for (const event of finish(state)) take(into, event);
      expect(into.finish).toBeDefined();
      for (const n of into.usage ?? []) expect(Number.isSafeInteger(n) && n >= 0).toBe(true);
      if (into.usage) expect(into.usage[2]).toBeLessThanOrEqual(into.usage[1]);
    }),
    { seed: 20261130, numRuns: 2000 },
  );
});

test('a push leaves the state before it as it was', () => {
  const first = push(readerStart(), { choices: [{ delta: { content: '<th' } }] }).state;
  const value = { choices: [{ delta: { tool_calls: [{ id: 'c1', function: { name: 'a', arguments: '{' } }] } }] };
  const frozen = JSON.stringify(first);
  expect(push(first, value)).toEqual(push(first, value));
  expect(JSON.stringify(first)).toBe(frozen);
});

test('a long call whose name is repeated is not quadratic', () => {
  let state = readerStart();
  const started = performance.now();
  for (let n = 0; n < 20_000; n++) {
    const call = {
      index: 0,
      id: 'c1',
      function: { name: 'write_file', arguments: n === 0 ? '{"content":"' : 'some words ' },
    };
    state = push(state, { choices: [{ delta: { tool_calls: [call] } }] }).state;
  }
  // 50 ms on an idle machine; quadratic it is many seconds
  expect(performance.now() - started).toBeLessThan(3000);
  expect(state.calls.calls).toHaveLength(1);
});

test('the fields that an endpoint wants back with a call are kept: of each call, from whichever fragment, and nothing else', () => {
  const signed = (signature: string) => ({ google: { thought_signature: signature } });
  const fragment = (index: number, more: object) => ({ choices: [{ delta: { tool_calls: [{ index, ...more }] } }] });
  const read = (name: string, args: string) => ({ id: name, type: 'function', function: { name, arguments: args } });
  const played = (fields?: readonly string[]) => {
    let state = readerStart(fields);
    const into = nothing();
    for (const value of [
      fragment(0, { ...read('a', '{}'), extra_content: signed('s1'), status: 'done', extra: null }),
      fragment(1, { ...read('b', '{"n":'), extra_content: null }),
      fragment(1, { function: { arguments: '1}' }, extra_content: signed('s2') }),
      fragment(2, read('c', '{}')),
      fragment(3, read('d', '{}')),
      // the whole call once more
      fragment(3, { ...read('d', '{}'), extra_content: signed('s4') }),
    ]) {
      const taken = push(state, value);
      state = taken.state;
      for (const event of taken.events) take(into, event);
    }
    for (const event of finish(state)) take(into, event);
    return into.calls.map(({ extra }) => extra);
  };
  expect(played(['extra_content', 'extra', 'constructor'])).toEqual([
    { extra_content: signed('s1') },
    { extra_content: signed('s2') },
    undefined,
    { extra_content: signed('s4') },
  ]);
  expect(played()).toEqual([undefined, undefined, undefined, undefined]);
});
