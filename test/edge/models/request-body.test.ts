import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, ToolMessage } from '../../../src/domain/content.ts';
import { requestBody } from '../../../src/edge/models/request-body.ts';
import { request } from './assembled.ts';

const user = (...texts: string[]): Message => ({ role: 'user', blocks: texts.map((text) => ({ type: 'text', text })) });
const says = (...blocks: AssistantMessage['blocks']): Message => ({ role: 'assistant', blocks });
const text = (value: string) => ({ type: 'text' as const, text: value });
const use = (id: string, input: Record<string, unknown> = {}, name = 'read_file') => ({
  type: 'tool_use' as const,
  id,
  name,
  input,
});
const image = { type: 'image' as const, mediaType: 'image/png', data: 'AAAA' };
const result = (toolUseId: string, content: ToolMessage['blocks'][0]['content'], isError = false): Message => ({
  role: 'tool',
  blocks: [{ type: 'tool_result', toolUseId, content, isError }],
});
const messages = (list: Message[], quirks = {}) =>
  requestBody(request({ messages: list }), quirks).messages as unknown[];
const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

describe('the body', () => {
  test('asks for a stream with usage, and for tools only where there are some', () => {
    expect(requestBody(request({ system: 'Be kind.' }))).toEqual({
      model: 'm1',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hello' },
      ],
    });
    const tools = [{ name: 'ls', description: 'lists', parameters: { type: 'object' } }];
    expect(requestBody(request({ tools })).tools).toEqual([
      { type: 'function', function: { name: 'ls', description: 'lists', parameters: { type: 'object' } } },
    ]);
  });

  test('takes switches', () => {
    const tools = [{ name: 'ls', description: '', parameters: {} }];
    const quirks = {
      includeUsage: false,
      parallelToolCalls: false,
      maxTokens: { field: 'max_completion_tokens', value: 9 },
    } as const;
    const body = requestBody(request({ tools }), quirks);
    expect(body).toMatchObject({ parallel_tool_calls: false, max_completion_tokens: 9 });
    expect(body).not.toHaveProperty('stream_options');
    expect(requestBody(request(), quirks)).not.toHaveProperty('parallel_tool_calls');
  });

  test('has no lone surrogate anywhere', () => {
    const list = [user('a\uD83D'), says(use('c1', { 'k\uDC00': ['\uD83D', '🦊'] })), result('c1', [text('\uDE00x')])];
    const body = JSON.stringify(requestBody(request({ system: '\uD83D', messages: list })));
    expect(body).not.toMatch(/\\\\?ud[89a-f]/i);
    expect(body).toContain('🦊');
    expect(body).toContain('a\uFFFD');
  });
});

describe('messages', () => {
  test('of a user: text as a string, images as parts in their order', () => {
    expect(messages([user('a', 'b')])).toEqual([{ role: 'user', content: 'a\n\nb' }]);
    expect(messages([{ role: 'user', blocks: [text('a'), image, text('b')] }])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }, png, { type: 'text', text: 'b' }] },
    ]);
  });

  test('without blocks: a placeholder that fits what stands above', () => {
    expect(messages([user()])).toEqual([{ role: 'user', content: '(empty message)' }]);
    expect(messages([user('  \n')])).toEqual([{ role: 'user', content: '(empty message)' }]);
    expect(messages([user('hello'), user()])).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'user', content: 'Please answer what stands above.' },
    ]);
    expect(messages([])).toEqual([{ role: 'user', content: '(empty message)' }]);
  });

  test('of the assistant: text, calls, refusals; thinking is left out', () => {
    const list = [
      user('q'),
      says({ type: 'thinking', text: 'hm' }, text('a')),
      user('q'),
      says({ type: 'thinking', text: 'hm' }),
      user('q'),
      says({ type: 'refusal', text: 'no' }),
      user('q'),
      says(text(' \n'), use('c1', { path: 'a' })),
      result('c1', [text('ok')]),
    ];
    expect(messages(list).filter((message) => (message as Message).role === 'assistant')).toEqual([
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'no' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
      },
    ]);
  });

  test('never end with the assistant, never hold one that says nothing', () => {
    expect(messages([user('q'), says(text('a'))]).at(-1)).toEqual({ role: 'user', content: 'Please go on.' });
    expect(messages([user('q'), says(text(' '))])).toEqual([{ role: 'user', content: 'q' }]);
    expect(messages([user('q'), says()])).toEqual([{ role: 'user', content: 'q' }]);
  });

  test('names that no server takes are made fit', () => {
    const names = ['', 'read file', 'a.b', 'x'.repeat(99)].map((name, n) => use(`c${n}`, {}, name));
    const [, assistant] = messages([user('q'), says(...names)]) as { tool_calls: { function: { name: string } }[] }[];
    expect(assistant!.tool_calls.map((call) => call.function.name)).toEqual([
      'unnamed_tool',
      'read_file',
      'a_b',
      'x'.repeat(64),
    ]);
  });

  test('of tools: readable where they failed or said nothing', () => {
    const list = [
      user('q'),
      says(use('a'), use('b'), use('c')),
      result('a', [text('no such file')], true),
      result('b', []),
      result('c', [text('Error: x')], true),
    ];
    expect(messages(list).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Error: no such file' },
      { role: 'tool', tool_call_id: 'b', content: '(no output)' },
      { role: 'tool', tool_call_id: 'c', content: 'Error: x' },
    ]);
  });

  test('images of tools follow the whole batch, or are told of', () => {
    const list = [
      user('q'),
      says(use('a'), use('b')),
      result('a', [image]),
      result('b', [text('ok'), image]),
      user('next'),
    ];
    expect(messages(list).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '(an image, shown below)' },
      { role: 'tool', tool_call_id: 'b', content: 'ok\n(an image, shown below)' },
      { role: 'user', content: [{ type: 'text', text: 'Images from the tool results above:' }, png, png] },
      { role: 'user', content: 'next' },
    ]);
    expect(messages(list, { toolImages: 'note' }).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '(an image that cannot be shown)' },
      { role: 'tool', tool_call_id: 'b', content: 'ok\n(an image that cannot be shown)' },
      { role: 'user', content: 'next' },
    ]);
  });

  test('neighbours stay apart, unless a server wants them joined or bridged', () => {
    const list = [
      user('a'),
      user('b'),
      says(use('c')),
      result('c', [text('ok')]),
      user('d'),
      { role: 'user', blocks: [image] } as Message,
    ];
    const roles = (quirks: object) => messages(list, quirks).map((message) => (message as Message).role);
    expect(roles({})).toEqual(['user', 'user', 'assistant', 'tool', 'user', 'user']);
    expect(roles({ joinUsers: true })).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(roles({ joinUsers: true, bridgeToolToUser: true })).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages(list, { joinUsers: true })[0]).toEqual({ role: 'user', content: 'a\n\nb' });
    expect(messages(list, { joinUsers: true }).at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'd' }, png],
    });
  });
});
