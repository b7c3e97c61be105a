/** When a history is summarised, and what stays of it. */
import { describe, expect, test } from 'vitest';
import { type Message, userMessage, ZERO_USAGE } from '../../src/domain/content.ts';
import { besideHistory, compactionPlan, type Window, wantsCompaction } from '../../src/loop/compaction.ts';
import { extended, type History } from '../../src/loop/history.ts';
import type { CompactionState, LoopState } from '../../src/loop/state.ts';

/** Entries as `step:tokens`; one without a step is what a person said. Each weighs at least 4. */
function history(text: string): History | undefined {
  let all: History | undefined;
  for (const [i, entry] of text.split(' ').filter(Boolean).entries()) {
    const [stepId, tokens = '4'] = entry.split(':');
    const blocks: [{ type: 'text'; text: string }] = [{ type: 'text', text: 'x'.repeat((Number(tokens) - 4) * 4) }];
    const message: Message = stepId ? { role: 'assistant', blocks } : userMessage(blocks);
    all = extended(all, message, { turnIndex: i, ...(stepId && { stepId }) });
  }
  return all;
}
const plan = (text: string): [number, string | undefined] | undefined => {
  const made = compactionPlan(history(text));
  return made && [made.summarised.length, made.keptFromStepId];
};

test.each<[string, string, [number, string | undefined] | undefined]>([
  ['nothing', '', undefined],
  ['what nobody has answered', ':10', undefined],
  ['a summary alone', ':10 :10', undefined],
  ['one answer: all of it', ':10 a:10', [2, undefined]],
  ['the newest step that is a quarter at most stays', ':10 a:60 :10 b:20', [3, 'b']],
  ['as many as a quarter holds', ':10 a:80 :4 b:10 :4 c:10', [3, 'b']],
  ['exactly a quarter', ':5 a:70 b:25', [2, 'b']],
  ['one more than a quarter', ':5 a:69 b:26', [3, undefined]],
  ['a step stays whole', ':10 a:80 b:10 b:4 c:4', [2, 'b']],
  ['a step of which only a part would fit goes whole', ':10 a:20 b:60 b:4 c:4', [4, 'c']],
  ['what a person said between goes with what stands before it', ':4 a:80 :4 b:4', [3, 'b']],
  ['the first message is never a step that stays', 'a:4 b:80', [2, undefined]],
])('of %s', (_, text, expected) => {
  expect(plan(text)).toEqual(expected);
});

test('a plan that keeps nothing names no step', () => {
  expect(compactionPlan(history(':10 a:10'))).not.toHaveProperty('keptFromStepId');
  expect(compactionPlan(history(':4 a:80 b:4'))?.summarised.map(({ stepId }) => stepId)).toEqual([undefined, 'a']);
});

const loop = (fields: Partial<LoopState> = {}): LoopState => ({
  id: 'main',
  agentName: 'main',
  model: 'm',
  provider: 'p',
  history: history(':10 a:40 b:50'),
  inbox: [],
  held: false,
  turn: undefined,
  turnIndex: 3,
  worked: false,
  owed: undefined,
  usage: ZERO_USAGE,
  measured: { tokens: 0, thought: 0, total: 0, upTo: 0 },
  compaction: { is: 'none' },
  ...fields,
});

test('what a request costs beside its history: estimated, then as measured', () => {
  const window: Window = { limit: 1000, thinking: true, beside: 30 };
  const beside = (tokens: number, total: number, fields: { thought?: number; upTo?: number } = {}) => {
    const { thought = 0, upTo = total } = fields;
    return besideHistory(loop({ measured: { tokens, thought, total, upTo } }), window);
  };
  expect(beside(0, 0)).toBe(30);
  expect(beside(500, 60)).toBe(440);
  expect(beside(100, 100)).toBe(0);
  // after a compaction what was measured stands for a history that is gone
  expect(beside(500, 60, { upTo: 0 })).toBe(440);
  expect(beside(50, 60, { upTo: 0 })).toBe(30);
  expect(besideHistory(loop({ measured: { tokens: 500, thought: 40, total: 60, upTo: 60 } }), window)).toBe(440);
  const kept = { ...window, thinking: false };
  expect(besideHistory(loop({ measured: { tokens: 500, thought: 40, total: 60, upTo: 60 } }), kept)).toBe(400);
});

describe('a loop is summarised before it goes on', () => {
  const wants = (fields: Partial<LoopState>, compactAt = 1000, budget = compactAt) =>
    wantsCompaction(loop(fields), { budget, compactAt });
  const is = (compaction: CompactionState) => ({ compaction });

  test.each([
    ['short enough', {}, 1000, false],
    ['as long as it may be', {}, 100, false],
    ['too long', {}, 99, true],
    ['too long, but a turn runs', { turn: {} as never }, 99, false],
    ['too long, and being summarised', is({ is: 'running' }), 99, false],
    ['too long, after a summary that failed', is({ is: 'none', failedAfter: 3 }), 99, false],
    ['too long, a turn after a summary that failed', is({ is: 'none', failedAfter: 2 }), 99, true],
    ['asked for', is({ is: 'due' }), 1000, true],
    ['asked for, after a summary that failed', is({ is: 'due', failedAfter: 3 }), 1000, true],
    ['asked for, with nothing to summarise', { ...is({ is: 'due' }), history: history(':10') }, 1000, false],
    ['too long, with nothing to summarise', { history: history(':200') }, 99, false],
    ['nothing at all', { history: undefined }, -1, false],
  ])('%s', (_, fields, compactAt, expected) => {
    expect(wants(fields, compactAt)).toBe(expected);
  });

  test('not where shortening its old tool output is enough', () => {
    const result: Message = {
      role: 'tool',
      blocks: [{ type: 'tool_result', toolUseId: 'u', content: [{ type: 'text', text: 'x'.repeat(20_000) }] }],
    };
    const long = extended(extended(history(':10 a:40'), result, { turnIndex: 1, stepId: 'a' }), userMessage([]), {
      turnIndex: 9,
    });
    expect(wants({ history: long }, 1000)).toBe(false);
    expect(wants({ history: long }, 1000, 10_000)).toBe(true);
  });
});
