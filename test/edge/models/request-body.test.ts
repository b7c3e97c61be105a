import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, ToolMessage } from '../../../src/domain/content.ts';
import type { ProviderQuirks } from '../../../src/edge/models/providers.ts';
import { requestBody } from '../../../src/edge/models/request-body.ts';
import { request } from './assembled.ts';
import { refusalOf } from './strict-server.ts';

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

describe('what endpoints want said differently', () => {
  const list = [user('q'), says({ type: 'thinking', text: 'hm' }, use('c1')), result('c1', [text('ok')])];
  const assistant = (quirks: object, history = list) => messages(history, quirks)[1] as Record<string, unknown>;

  test.each([
    ['null', { content: null }],
    ['empty', { content: '' }],
    ['absent', {}],
  ])('empty content as %s', (emptyContent, want) => {
    const { role, tool_calls, ...rest } = assistant({ emptyContent });
    expect(rest).toEqual(want);
    expect(messages([user('q'), says(text(' ')), user('r')], { emptyContent })).toHaveLength(2);
  });

  test('thinking goes back only where it is wanted, and then with every call', () => {
    expect(assistant({ thinking: 'reasoning_content' })).toMatchObject({ reasoning_content: 'hm' });
    expect(assistant({ thinking: 'reasoning' })).toMatchObject({ reasoning: 'hm' });
    expect(JSON.stringify(assistant({ thinking: 'omit' }))).not.toContain('hm');
    const silent = [user('q'), says(use('c1')), result('c1', []), says(text('a')), user('r')];
    expect(assistant({ thinking: 'reasoning_content' }, silent)).toMatchObject({ reasoning_content: '' });
    expect(messages(silent, { thinking: 'reasoning_content' })[3]).toEqual({ role: 'assistant', content: 'a' });
    const alone = [user('q'), says({ type: 'thinking', text: 'hm' }), user('r')];
    expect(messages(alone, { thinking: 'reasoning_content' })).toHaveLength(2);
  });

  test('the system prompt by the role that is wanted', () => {
    const of = (system: 'system' | 'developer' | 'user', blocks = user('q')) =>
      requestBody(request({ system: 'Be kind.', messages: [blocks] }), { system }).messages;
    expect(of('developer')[0]).toEqual({ role: 'developer', content: 'Be kind.' });
    expect(of('user')).toEqual([{ role: 'user', content: 'Be kind.\n\nq' }]);
    expect(of('user', { role: 'user', blocks: [image] })).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Be kind.' }, png] },
    ]);
  });

  test('ids that a server takes, the same in the call and its result, and in every request', () => {
    const long = `call_${'x'.repeat(60)}`;
    const history = [user('q'), says(use('call_1'), use(long)), result('call_1', []), result(long, [])];
    const ids = (callIds: 'any' | 'max40' | 'nine') => {
      const [, calling, ...results] = messages(history, { callIds }) as [
        unknown,
        { tool_calls: { id: string }[] },
        ...{ tool_call_id: string }[],
      ];
      const called = calling.tool_calls.map(({ id }) => id);
      expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(called);
      return called;
    };
    expect(ids('any')).toEqual(['call_1', long]);
    expect(ids('max40')).toEqual(['call_1', expect.stringMatching(/^[0-9a-f]{9}$/)]);
    expect(ids('nine')).toEqual([expect.stringMatching(/^[0-9a-f]{9}$/), expect.stringMatching(/^[0-9a-f]{9}$/)]);
    expect(ids('nine')).toEqual(ids('nine'));
    expect(
      messages([user('q'), says(use('abcDEF123')), result('abcDEF123', [])], { callIds: 'nine' })[2],
    ).toMatchObject({ tool_call_id: 'abcDEF123' });
  });

  test('no tools for a model that takes none, a signature for one that misses it', () => {
    const tools = [{ name: 'ls', description: '', parameters: { type: 'object' } }];
    const body = requestBody(request({ tools }), { tools: false, parallelToolCalls: true });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('parallel_tool_calls');
    const signed = assistant({ skipThoughtSignature: true }) as { tool_calls: { extra_content?: unknown }[] };
    expect(signed.tool_calls[0]).toHaveProperty('extra_content.google.thought_signature');
  });

  test('what an endpoint wants back goes back with the very call, and nowhere else', () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const extra = { extra_content, other: 1, id: 'not mine' };
    const first = { ...use('c1'), extra };
    const calls = (quirks: ProviderQuirks, ...uses: ReturnType<typeof use>[]) =>
      (messages([user('q'), says(...uses)], quirks)[1] as { tool_calls: Record<string, unknown>[] }).tool_calls;
    const gemini = { callFields: ['extra_content', 'id'], skipThoughtSignature: true };
    expect(calls(gemini, first, use('c2'))).toEqual([
      { id: 'c1', type: 'function', function: expect.anything(), extra_content },
      { id: 'c2', type: 'function', function: expect.anything() },
    ]);
    expect(calls({}, first)[0]).toEqual({ id: 'c1', type: 'function', function: expect.anything() });
  });
});

describe('whatever the history', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', ' ', '\ud83d', 'x'.repeat(70)),
  );
  const picture = fc.constant(image);
  const textBlock = odd.map(text);
  const input = fc.dictionary(odd, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }) as fc.Arbitrary<
    Record<string, unknown>
  >;
  const said = fc.oneof(
    textBlock,
    odd.map((value) => ({ type: 'thinking' as const, text: value })),
    odd.map((value) => ({ type: 'refusal' as const, text: value })),
  );
  /** A Step: what the assistant said, its calls, and a result for each; the runtime makes ids unique and never empty. */
  const step = fc.record({
    said: fc.array(said, { maxLength: 3 }),
    calls: fc.array(fc.tuple(odd, odd, input, fc.array(fc.oneof(textBlock, picture), { maxLength: 2 })), {
      maxLength: 3,
    }),
  });
  const question = fc.array(fc.oneof(textBlock, picture), { maxLength: 2 });
  const turns = fc.array(fc.oneof(question, step), { maxLength: 8 });
  const quirks = fc.record(
    {
      joinUsers: fc.boolean(),
      bridgeToolToUser: fc.boolean(),
      includeUsage: fc.boolean(),
      tools: fc.boolean(),
      parallelToolCalls: fc.boolean(),
      toolImages: fc.constantFrom('message' as const, 'note' as const),
      emptyContent: fc.constantFrom('null' as const, 'empty' as const, 'absent' as const),
      system: fc.constantFrom('system' as const, 'developer' as const, 'user' as const),
      callIds: fc.constantFrom('max40' as const, 'nine' as const),
    },
    { requiredKeys: ['callIds'] },
  );

  test('OpenAI takes the request', () => {
    const tools = [{ name: 'ls', description: '', parameters: { type: 'object' } }];
    fc.assert(
      fc.property(turns, quirks, odd, fc.boolean(), (parts, switches, system, withTools) => {
        const history = parts.flatMap((part, n): Message[] => {
          if (Array.isArray(part)) return [{ role: 'user', blocks: part }];
          const calls = part.calls.map(([id, name, args], at) => use(`${n}.${at}${id}`, args, name));
          const results = part.calls.map(([, , , content], at) => result(calls[at]!.id, content, at % 2 === 0));
          return [says(...part.said, ...calls), ...results];
        });
        const body = requestBody(request({ messages: history, system, tools: withTools ? tools : [] }), switches);
        expect(refusalOf(JSON.stringify(body))).toBeUndefined();
      }),
      { seed: 20261130, numRuns: 400 },
    );
  });
});
