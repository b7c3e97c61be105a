import { expect, test } from 'vitest';
import type { Message } from '../../src/domain/content.ts';
import { tokensOfMessage, tokensOfText } from '../../src/loop/tokens.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['four', 1],
  ['fives', 2],
])('%j weighs %i', (text, tokens) => {
  expect(tokensOfText(text)).toBe(tokens);
});

const text = { type: 'text', text: 'eight ch' } as const;
const image = { type: 'image', mediaType: 'image/png', data: 'x'.repeat(100_000) } as const;

test.each<[string, Message, number]>([
  ['nothing', { role: 'user', blocks: [] }, 4],
  ['text', { role: 'user', blocks: [text, text] }, 8],
  ['a refusal', { role: 'assistant', blocks: [{ ...text, type: 'refusal' }] }, 6],
  ['thinking, which is not sent back', { role: 'assistant', blocks: [{ ...text, type: 'thinking' }, text] }, 6],
  ['an image, whatever its size', { role: 'user', blocks: [image] }, 1004],
  [
    'a call: its name and its arguments',
    { role: 'assistant', blocks: [{ type: 'tool_use', id: 'a long id', name: 'look', input: { a: 'bc' } }] },
    4 + 1 + 3,
  ],
  [
    'a result: all that it holds',
    { role: 'tool', blocks: [{ type: 'tool_result', toolUseId: 'a long id', content: [text, image, text] }] },
    4 + 2 + 1000 + 2,
  ],
])('a message with %s', (_, message, tokens) => {
  expect(tokensOfMessage(message)).toBe(tokens);
});
