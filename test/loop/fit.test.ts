import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, toolMessage, toolUsesOf, userMessage } from '../../src/domain/content.ts';
import { fitInto } from '../../src/loop/fit.ts';
import { extended, type History, messagesOf } from '../../src/loop/history.ts';
import { tokensOfMessage } from '../../src/loop/tokens.ts';

const user = (text: string): Message => userMessage([{ type: 'text', text }]);
let ids = 0;

/** Turns of one question, `steps` tool Steps with a result of `size` characters each, and an answer. */
function conversation(turns: { steps: number; size: number }[], open = false): History | undefined {
  let history: History | undefined;
  for (const [i, { steps, size }] of turns.entries()) {
    const turnIndex = i + 1;
    history = extended(history, user(`question ${turnIndex}`), { turnIndex });
    for (let n = 0; n < steps; n += 1) {
      const id = `call-${++ids}`;
      const stepId = `step-${ids}`;
      history = extended(
        history,
        { role: 'assistant', blocks: [{ type: 'tool_use', id, name: 'look', input: {} }] },
        { turnIndex, stepId },
      );
      history = extended(history, toolMessage(id, `${'x'.repeat(size)}😀end`), { turnIndex, stepId });
    }
    if (open && i === turns.length - 1) continue;
    history = extended(
      history,
      { role: 'assistant', blocks: [{ type: 'text', text: `answer ${turnIndex}` }] },
      { turnIndex, stepId: `final-${++ids}` },
    );
  }
  return history;
}
/** With one limit for all. */
const fitted = (history: History | undefined, most: number): Message[] =>
  fitInto(history, { budget: most, compactAt: most });
const weigh = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
const results = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) =>
    message.role === 'tool' ? message.blocks[0].content.map((block) => (block.type === 'text' ? block.text : '')) : [],
  );

test('what fits is sent as it is', () => {
  const history = conversation([
    { steps: 1, size: 5000 },
    { steps: 1, size: 10 },
  ]);
  expect(fitted(history, Number.POSITIVE_INFINITY)).toEqual(messagesOf(history));
});

test('results of earlier turns are shortened first, visibly, those of the running one stay', () => {
  const history = conversation(
    [
      { steps: 2, size: 8000 },
      { steps: 1, size: 4000 },
    ],
    true,
  );
  const [first, second, last] = results(fitted(history, 3000));
  expect(first).toContain('left out');
  expect(first?.endsWith('end')).toBe(true);
  expect(second).toContain('left out');
  expect(last?.length).toBe(4005);
});

test('then those of earlier Steps of the turn, then the last ones, then whole turns from the beginning', () => {
  const running = conversation([{ steps: 3, size: 8000 }], true);
  const [first, second, last] = results(fitted(running, 3000));
  expect([first, second].every((text) => text?.includes('left out'))).toBe(true);
  expect(last).not.toContain('left out');
  expect(results(fitted(running, 1500)).every((text) => text.includes('left out'))).toBe(true);
  const long = conversation(Array.from({ length: 50 }, () => ({ steps: 1, size: 1000 })));
  const short = fitted(long, 1200);
  expect(JSON.stringify(short[0])).toContain('beginning of this conversation was left out');
  expect(JSON.stringify(short.at(-1))).toContain('answer 50');
  expect(weigh(short)).toBeLessThanOrEqual(1200);
});

test('what is not yet due to be summarised keeps its beginning, though there is nothing to shorten', () => {
  const talk = conversation(Array.from({ length: 30 }, () => ({ steps: 0, size: 0 })));
  const weight = weigh(messagesOf(talk));
  const budget = weight * 0.8;
  expect(fitInto(talk, { budget, compactAt: weight })).toEqual(messagesOf(talk));
  const short = fitInto(talk, { budget, compactAt: weight - 1 });
  expect(JSON.stringify(short[0])).toContain('beginning of this conversation was left out');
  expect(weigh(short)).toBeLessThan(weight);
});

test('whatever is left out, every tool use keeps its result, in order, and no half character is made', () => {
  const turns = fc.array(fc.record({ steps: fc.nat({ max: 3 }), size: fc.nat({ max: 3000 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(turns, fc.boolean(), fc.integer({ min: 0, max: 6000 }), (shape, open, budget) => {
      const history = conversation(shape, open);
      const messages = fitted(history, budget);
      const uses = messages.flatMap((message) =>
        message.role === 'assistant' ? toolUsesOf(message).map(({ id }) => id) : [],
      );
      const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.blocks[0].toolUseId] : []));
      expect(answered).toEqual(uses);
      expect(JSON.stringify(messages).isWellFormed()).toBe(true);
      expect(messages.at(-1)).toBeDefined();
      expect(fitted(history, budget)).toEqual(messages);
      if (weigh(messagesOf(history)) <= budget) expect(messages).toEqual(messagesOf(history));
    }),
    { numRuns: 300, seed: 20261130 },
  );
});
