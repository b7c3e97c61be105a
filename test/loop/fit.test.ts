import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, toolMessage, toolUsesOf, userMessage } from '../../src/domain/content.ts';
import { fitInto, shortenedWeight } from '../../src/loop/fit.ts';
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

/** A running Turn in which one Step has that result and another one came after it. */
function earlier(result: Message): History {
  const at = { turnIndex: 1, stepId: 'step' };
  const call: Message = { role: 'assistant', blocks: [{ type: 'tool_use', id: 'call', name: 'look', input: {} }] };
  const asked = extended(extended(undefined, user('question'), { turnIndex: 1 }), call, at);
  const next: Message = { role: 'assistant', blocks: [{ type: 'text', text: 'and on' }] };
  return extended(extended(asked, result, at), next, { turnIndex: 1, stepId: 'next' });
}
/** What is left of that text in a request that has no room at all. */
const leftOf = (text: string): string => results(fitted(earlier(toolMessage('call', text)), 0))[0] ?? '';

test('what stays of a result is its beginning and its end, with the count of what is gone between', () => {
  const text = `begin${'x'.repeat(990)}end..`;
  const mark = '[600 characters of this result were left out to save room; call the tool again to see them]';
  expect(leftOf(text)).toBe(`${text.slice(0, 200)}\n${mark}\n${text.slice(-200)}`);
});

test('the mark itself costs room: a result is cut where that saves any', () => {
  const mark = '\n[500 characters of this result were left out to save room; call the tool again to see them]\n'.length;
  const whole = 'x'.repeat(400 + mark);
  expect(leftOf(whole)).toBe(whole);
  expect(leftOf(`${whole}x`)).toContain('left out');
});

test('a cut never leaves half a character', () => {
  const left = leftOf(`${'x'.repeat(199)}😀${'y'.repeat(600)}😀${'z'.repeat(199)}`);
  expect(left).toContain('left out');
  expect(left.isWellFormed()).toBe(true);
});

test('an image of a result becomes a word; the result stays an error, of the same call', () => {
  const block = { type: 'tool_result', toolUseId: 'call', isError: true } as const;
  const image = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;
  const [, , result] = fitted(earlier({ role: 'tool', blocks: [{ ...block, content: [image] }] }), 500);
  expect(result).toEqual({
    role: 'tool',
    blocks: [{ ...block, content: [{ type: 'text', text: '[an image was left out]' }] }],
  });
});

test('nothing of a turn is left out when it fits exactly; one token less leaves the first turn out, and says so', () => {
  const history = conversation([
    { steps: 0, size: 0 },
    { steps: 0, size: 0 },
    { steps: 0, size: 0 },
  ]);
  const whole = weigh(messagesOf(history));
  expect(fitted(history, whole)).toEqual(messagesOf(history));
  const [note, ...rest] = fitted(history, whole - 1);
  expect(note).toEqual(user('[The beginning of this conversation was left out: it does not fit into the context.]'));
  expect(rest).toEqual(messagesOf(history).slice(4));
});

test('as many turns go as must, with the note counted; the running one never goes', () => {
  const history = conversation(Array.from({ length: 6 }, () => ({ steps: 0, size: 0 })));
  const turns = messagesOf(history);
  const note = weigh(fitted(history, 0).slice(0, 1));
  expect(fitted(history, note + weigh(turns.slice(6)))).toHaveLength(1 + 6);
  expect(fitted(history, note + weigh(turns.slice(6)) - 1)).toHaveLength(1 + 4);
  expect(fitted(history, 0).slice(1)).toEqual(turns.slice(10));
});

test('a turn alone is sent whole, however long it is; no history is no message', () => {
  const alone = extended(undefined, user('x'.repeat(4000)), { turnIndex: 1 });
  expect(fitted(alone, 10)).toEqual(messagesOf(alone));
  expect(fitted(undefined, 10)).toEqual([]);
});

test('a summary goes before the turns do', () => {
  const history = extended(extended(undefined, user('summary'.repeat(40)), { turnIndex: 0 }), user('now'), {
    turnIndex: 5,
  });
  expect(fitted(history, 20).map((message) => JSON.stringify(message))).toEqual([
    expect.stringContaining('was left out'),
    JSON.stringify(user('now')),
  ]);
});

test('what a history weighs shortened: each measure as far as it is needed', () => {
  const history = conversation(
    [
      { steps: 2, size: 8000 },
      { steps: 2, size: 8000 },
    ],
    true,
  );
  const weights = [9000, 5000, 3000, 900].map((budget) => shortenedWeight(history, budget));
  expect(weights[0]).toBe(weigh(messagesOf(history)));
  expect(weights[1]).toBe(weigh(fitted(history, 5000)));
  expect(weights.toSorted((a, b) => b - a)).toEqual(weights);
  expect(new Set(weights).size).toBe(4);
  expect(shortenedWeight(undefined, 0)).toBe(0);
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
