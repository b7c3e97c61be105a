/** The strict server refuses what it is there for: without this, a test that it passes proves nothing. */
import { expect, test } from 'vitest';
import { refusalOf } from './strict-server.ts';

const user = { role: 'user', content: 'q' };
const call = (id: unknown, args: unknown = '{}', name: unknown = 'ls') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calls = (...list: unknown[]) => ({ role: 'assistant', content: null, tool_calls: list });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const body = (messages: unknown, more: object = {}) => JSON.stringify({ model: 'm', messages, stream: true, ...more });
const tool = (name: string, parameters: unknown = { type: 'object' }) => ({
  type: 'function',
  function: { name, parameters },
});

test.each<[string, string]>([
  ['a question', body([{ role: 'system', content: 's' }, user])],
  ['a batch', body([user, calls(call('a'), call('b')), result('b'), result('a'), user])],
  [
    'an image',
    body([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }]),
  ],
  ['tools', body([user], { tools: [tool('ls')], parallel_tool_calls: false, stream_options: { include_usage: true } })],
])('%s is taken', (_what, text) => {
  expect(refusalOf(text)).toBeUndefined();
});

test.each<[RegExp, string | Uint8Array]>([
  [/no JSON/, '{'],
  [/no JSON/, Uint8Array.of(0x22, 0xff, 0x22)],
  [/surrogate/, body([{ role: 'user', content: '\ud83d' }])],
  [/no model/, JSON.stringify({ messages: [user] })],
  [/unknown field foo/, body([user], { foo: 1 })],
  [/no list with messages/, body([])],
  [/known role/, body([{ role: 'robot', content: '' }])],
  [/unknown field thinking/, body([user, { role: 'assistant', content: 'a', thinking: 'b' }])],
  [/neither content nor calls/, body([user, { role: 'assistant', content: null }])],
  [/no list with calls/, body([user, { role: 'assistant', content: 'a', tool_calls: [] }])],
  [/is not answered/, body([user, calls(call('a'))])],
  [/before the call b is answered/, body([user, calls(call('a'), call('b')), result('a'), user])],
  [/answers no call/, body([user, calls(call('a')), result('a'), result('a')])],
  [/answers no call/, body([user, result('a')])],
  [/one id/, body([user, calls(call('a'), call('a')), result('a')])],
  [/1 to 40/, body([user, calls(call('')), result('')])],
  [/1 to 40/, body([user, calls(call(7)), result('7')])],
  [/1 to 40/, body([user, calls(call('x'.repeat(41))), result('x'.repeat(41))])],
  [/holds JSON/, body([user, calls(call('a', '')), result('a')])],
  [/holds JSON/, body([user, calls(call('a', {})), result('a')])],
  [/holds JSON/, body([user, calls(call('a', '{"p":')), result('a')])],
  [/name of a function/, body([user, calls(call('a', '{}', 'a b')), result('a')])],
  [/no text$/, body([user, calls(call('a')), { ...result('a'), content: [] }])],
  [/no parts/, body([{ role: 'user', content: [] }])],
  [/may not stand here/, body([{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'http://x' } }] }])],
  [/no image/, body([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'AAAA' } }] }])],
  [/without tools/, body([user], { parallel_tool_calls: true })],
  [/1 to 128/, body([user], { tools: [] })],
  [/one name/, body([user], { tools: [tool('ls'), tool('ls')] })],
  [/describe no object/, body([user], { tools: [tool('ls', {})] })],
  [/two limits/, body([user], { max_tokens: 1, max_completion_tokens: 1 })],
])('%s: refused', (why, text) => {
  expect(refusalOf(text)).toMatch(why);
});
