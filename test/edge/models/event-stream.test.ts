import { expect, test } from 'vitest';
import { createEventStream } from '../../../src/edge/models/event-stream.ts';

function items(text: string) {
  const stream = createEventStream();
  return [...stream.feed(new TextEncoder().encode(text)), ...stream.end()];
}
const json = (value: unknown) => ({ type: 'json', value });

test.each<[string, unknown[]]>([
  ['', []],
  [': a comment\n\n', []],
  ['data: {"a":1}\n\n', [json({ a: 1 })]],
  ['data:{"a":1}\r\n\r\n', [json({ a: 1 })]],
  ['data: {"a":1}', [json({ a: 1 })]],
  ['data: {"a":\ndata: 1}\n\n', [json({ a: 1 })]],
  ['data: {"a":1}\ndata: {"b":2}\n\n', [json({ a: 1 }), json({ b: 2 })]],
  ['data: {"a":1}\ndata: [DONE]\n\n', [json({ a: 1 }), { type: 'done' }]],
  ['data:  [DONE]  \n\n', [{ type: 'done' }]],
  ['data:\n\n', []],
  ['event: ping\ndata: {}\n\n', [json({})]],
  ['event: error\ndata: {"message":"no"}\n\n', [{ type: 'error', value: { error: { message: 'no' } } }]],
  ['event: error\ndata: {"error":"no"}\n\n', [{ type: 'error', value: { error: 'no' } }]],
  ['event: error\ndata: out of memory\n\n', [{ type: 'error', value: { error: 'out of memory' } }]],
  ['{"error":"no"}\n', [json({ error: 'no' })]],
  ['data: nonsense\n\n', [{ type: 'junk', text: 'nonsense' }]],
  ['\ufeffdata: {"a":1}\n\n', [json({ a: 1 })]],
  ['data: "\u2028"\n\n', [json('\u2028')]],
])('%j', (text, want) => {
  expect(items(text)).toEqual(want);
});

test('an event without an end is given up', () => {
  const stream = createEventStream();
  const piece = new TextEncoder().encode('x'.repeat(1024 * 1024));
  stream.feed(new TextEncoder().encode('data: '));
  let seen: unknown[] = [];
  for (let sent = 0; seen.length === 0 && sent < 40; sent += 1) seen = stream.feed(piece);
  expect(seen).toEqual([{ type: 'junk', text: 'an event of more than 32 MB' }]);
});
