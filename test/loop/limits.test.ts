import { expect, test } from 'vitest';
import { type Message, toolMessage, userMessage } from '../../src/domain/content.ts';
import { MAX_REPEATS, overLimit, repeatAfter } from '../../src/loop/limits.ts';
import type { TurnState } from '../../src/loop/state.ts';

const LIMITS = { maxSteps: 2, maxToolCalls: 5 };
const turn = (toolSteps: number, toolCalls: number, count = 0) =>
  ({ toolSteps, toolCalls, repeat: { key: 'k', count } }) as TurnState;
const uses = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ type: 'tool_use' as const, id: `${i}`, name: 'look', input: {} }));

test.each([
  ['room for both', turn(1, 3), 2, undefined],
  ['the last step is used', turn(2, 2), 1, 'used its 2 tool steps'],
  ['one call too many', turn(1, 3), 3, 'more than 5 tool calls'],
  ['equal calls, one less than the limit', turn(0, 0, MAX_REPEATS - 1), 1, undefined],
  ['equal calls at the limit', turn(0, 0, MAX_REPEATS), 1, 'the same call 3 times'],
] as const)('%s', (_, state, calls, why) => {
  const said = overLimit(state, uses(calls), LIMITS);
  if (why) expect(said).toContain(why);
  else expect(said).toBeUndefined();
});

/** A Step with calls as `name:argument`, each refused or failed where it ends in `!`. */
const step = (...calls: string[]): Message[] => [
  {
    role: 'assistant',
    blocks: calls.map((call, i) => {
      const [name = '', n] = call.replace('!', '').split(':');
      return { type: 'tool_use', id: `u${i}`, name, input: { n } };
    }),
  },
  ...calls.map((call, i) => toolMessage(`u${i}`, 'said', call.endsWith('!'))),
];

test.each([
  ['a bad call', [step('look:1!')], 1],
  ['the same again', [step('look:1!'), step('look:1!')], 2],
  ['the same in one step', [step('look:1!', 'look:1!', 'look:1!')], 3],
  ['another argument', [step('look:1!'), step('look:2!')], 1],
  ['another tool', [step('look:1!'), step('list:1!')], 1],
  ['a good one', [step('look:1!'), step('look:1')], 0],
  ['a good one between', [step('look:1!'), step('list:1'), step('look:1!')], 1],
  ['a good one before', [step('look:1', 'look:1!')], 1],
  ['a step without calls', [step('look:1!'), step()], 1],
  ['a call without its result', [step('look:1!'), step('look:1!').slice(0, 1)], 0],
  ['a result that is none', [step('look:1!'), [...step('look:1!').slice(0, 1), userMessage([])]], 0],
  ['no answer at all', [step('look:1!'), [userMessage([])]], 1],
  ['nothing', [step('look:1!'), []], 1],
])('equal bad calls in a row, after %s: %#', (_, steps, count) => {
  const start = { key: '', count: 0 };
  expect(steps.reduce<TurnState['repeat']>(repeatAfter, start).count).toBe(count);
});
