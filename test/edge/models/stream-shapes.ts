/** Streams as servers send them, and what each must come to. The field reports' numbers stand where one is meant. */
import type { Assembled } from './assembled.ts';

export interface Shape {
  name: string;
  /** The bytes of the body, as text. */
  body: string;
  want: Partial<Assembled>;
  /** The connection breaks behind the body. */
  breaks?: boolean;
}

const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const d = (delta: unknown, finish_reason: unknown = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const text = (content: string) => d({ content });
const call = (...tool_calls: unknown[]) => d({ tool_calls });
const fn = (name: unknown, args?: unknown, more: object = {}) => ({
  type: 'function',
  function: { name, arguments: args },
  ...more,
});
const end = (reason = 'stop') => d({}, reason);
const body = (...values: unknown[]): string => [...values, '[DONE]'].map(data).join('');
const shape = (name: string, values: unknown[], want: Partial<Assembled>): Shape => ({
  name,
  body: body(...values),
  want,
});
const read = (path: string, id = 'c1') => ({ id, name: 'read', json: JSON.stringify({ path }) });
const A = '{"path":"a.txt"}';
const B = '{"path":"b.txt"}';

const CALLS: Shape[] = [
  shape(
    'R01 two calls without index',
    [call({ id: 'c1', ...fn('read', A) }, { id: 'c2', ...fn('read', B) }), end('tool_calls')],
    { calls: [read('a.txt'), read('b.txt', 'c2')], finish: 'tool_calls' },
  ),
  shape(
    'R01 in separate chunks',
    [call({ id: 'c1', ...fn('read', A) }), call({ id: 'c2', ...fn('read', B) }), end('tool_calls')],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'R01 a tail with neither id nor index',
    [
      call({ id: 'c1', ...fn('read', '{"path":') }),
      call({ function: { arguments: '"a.txt"}' } }),
      call({ id: 'c2', ...fn('read', '{"path":') }),
      call({ function: { arguments: '"b.txt"}' } }),
      end('tool_calls'),
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'R01 tails that name their id',
    [
      call({ id: 'c1', ...fn('read', '{"path":') }, { id: 'c2', ...fn('read', '{"path":') }),
      call({ id: 'c1', function: { arguments: '"a.txt"}' } }),
      call({ id: 'c2', function: { arguments: '"b.txt"}' } }),
      end(),
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'R02 the name in each delta',
    [
      call({ index: 0, id: 'c1', ...fn('read', '{"pa') }),
      call({ index: 0, ...fn('read', 'th":"a') }),
      call({ index: 0, ...fn('read', '.txt"}') }),
      end('tool_calls'),
    ],
    { calls: [read('a.txt')] },
  ),
  shape('R02 without index or id', [call(fn('read', '{"pa')), call(fn('read', 'th":"a.txt"}')), end('tool_calls')], {
    calls: [read('a.txt', '')],
  }),
  shape(
    'R02 id and name in each delta',
    [
      call({ index: 0, id: 'c1', ...fn('read', '{"pa') }),
      call({ index: 0, id: 'c1', ...fn('read', 'th":"a.txt"}') }),
      end(),
    ],
    { calls: [read('a.txt')] },
  ),
  shape(
    'R03 a numeric id, then empty id and name',
    [call({ index: 0, id: 7, ...fn('read', '') }), call({ index: 0, id: '', ...fn('', A) }), end('tool_calls')],
    { calls: [read('a.txt', '7')] },
  ),
  shape(
    'R03 no id, two indexes',
    [call({ index: 0, ...fn('read', A) }), call({ index: 1, ...fn('read', B) }), end('tool_calls')],
    { calls: [read('a.txt', ''), read('b.txt', '')] },
  ),
  shape('no id, no index, side by side', [call(fn('read', A), fn('read', B)), end()], {
    calls: [read('a.txt', ''), read('b.txt', '')],
  }),
  shape('no id, no index, one after the other', [call(fn('read', A)), call(fn('read', B)), end()], {
    calls: [read('a.txt', ''), read('b.txt', '')],
  }),
  shape('no id, no index, two without arguments', [call(fn('ls', '')), call(fn('pwd', '')), end()], {
    calls: [
      { id: '', name: 'ls', json: '' },
      { id: '', name: 'pwd', json: '' },
    ],
  }),
  shape('null id, null index', [call({ index: null, id: null, ...fn('read', A) }), end()], {
    calls: [read('a.txt', '')],
  }),
  shape(
    'the id comes late',
    [call({ index: 0, ...fn('read', '') }), call({ index: 0, id: 'c1', function: { arguments: A } }), end()],
    { calls: [read('a.txt')] },
  ),
  shape(
    'the name comes late',
    [
      call({ index: 0, id: 'c1', function: { arguments: '{"path":' } }),
      call({ index: 0, function: { name: 'read', arguments: '"a.txt"}' } }),
      end(),
    ],
    { calls: [read('a.txt')] },
  ),
  shape(
    'the index comes late',
    [call({ id: 'c1', ...fn('read', '') }), call({ index: 0, function: { arguments: A } }), end()],
    { calls: [read('a.txt')] },
  ),
  shape(
    'the index is text',
    [
      call({ index: '0', id: 'c1', ...fn('read', '{"path":') }),
      call({ index: '0', function: { arguments: '"a.txt"}' } }),
      end(),
    ],
    { calls: [read('a.txt')] },
  ),
  shape(
    'indexes from 1, with a gap',
    [call({ index: 1, id: 'c1', ...fn('read', A) }), call({ index: 5, id: 'c2', ...fn('read', B) }), end()],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'one index, another id: a new call',
    [
      call({ index: 0, id: 'c1', ...fn('read', A) }),
      call({ index: 0, id: 'c2', ...fn('read', '{"path":') }),
      call({ index: 0, function: { arguments: '"b.txt"}' } }),
      end(),
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'one index, no ids, whole calls',
    [call({ index: 0, ...fn('read', A) }), call({ index: 0, ...fn('read', B) }), end()],
    { calls: [read('a.txt', ''), read('b.txt', '')] },
  ),
  shape(
    'one id for two indexes',
    [call({ index: 0, id: 'c1', ...fn('read', A) }), call({ index: 1, id: 'c1', ...fn('read', B) }), end()],
    { calls: [read('a.txt'), read('b.txt')] },
  ),
  shape(
    'one id for two whole calls',
    [call({ id: 'c1', ...fn('read', A) }), call({ id: 'c1', ...fn('read', B) }), end()],
    { calls: [read('a.txt'), read('b.txt')] },
  ),
  shape(
    'the whole call once more at its end',
    [
      call({ index: 0, id: 'c1', ...fn('read', '{"path":') }),
      call({ index: 0, function: { arguments: '"a.txt"}' } }),
      call({ index: 0, id: 'c1', ...fn('read', A) }),
      end(),
    ],
    { calls: [read('a.txt')] },
  ),
  shape(
    'interleaved by index',
    [
      call({ index: 0, id: 'c1', ...fn('read', '{"path":') }),
      call({ index: 1, id: 'c2', ...fn('read', '{"path":') }),
      call({ index: 0, function: { arguments: '"a.txt"}' } }),
      call({ index: 1, function: { arguments: '"b.txt"}' } }),
      end(),
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'R04 arguments as an object',
    [call({ index: 0, id: 'c1', ...fn('read', { path: 'a.txt' }) }), end('tool_calls')],
    { calls: [read('a.txt')] },
  ),
  shape('R05 arguments ""', [call({ index: 0, id: 'c1', ...fn('list_files', '') }), end('tool_calls')], {
    calls: [{ id: 'c1', name: 'list_files', json: '' }],
  }),
  shape('R05 arguments null', [call({ index: 0, id: 'c1', ...fn('list_files', null) }), end('tool_calls')], {
    calls: [{ id: 'c1', name: 'list_files', json: '' }],
  }),
  shape('R05 arguments absent', [call({ index: 0, id: 'c1', function: { name: 'list_files' } }), end('tool_calls')], {
    calls: [{ id: 'c1', name: 'list_files', json: '' }],
  }),
  shape('R05 arguments of two spaces', [call({ index: 0, id: 'c1', ...fn('list_files', '  ') }), end('tool_calls')], {
    calls: [{ id: 'c1', name: 'list_files', json: '  ' }],
  }),
  shape(
    'escapes cut in two',
    [
      call({ index: 0, id: 'c1', ...fn('read', '{"path":"\\u00') }),
      call({ index: 0, function: { arguments: 'e4\\' } }),
      call({ index: 0, function: { arguments: 'n"}' } }),
      end(),
    ],
    { calls: [{ id: 'c1', name: 'read', json: '{"path":"\\u00e4\\n"}' }] },
  ),
  shape('R06 stop although there is a call', [call({ index: 0, id: 'c1', ...fn('read', A) }), end('stop')], {
    calls: [read('a.txt')],
    finish: 'stop',
  }),
  shape('R06 no finish reason but [DONE]', [call({ index: 0, id: 'c1', ...fn('read', A) })], {
    calls: [read('a.txt')],
    finish: 'tool_calls',
  }),
  shape('R06 tool_calls without calls', [text('hi'), end('tool_calls')], {
    text: 'hi',
    calls: [],
    finish: 'tool_calls',
  }),
  shape('R07 length within a call', [call({ index: 0, id: 'c1', ...fn('write', '{"path":"n') }), end('length')], {
    calls: [{ id: 'c1', name: 'write', json: '{"path":"n' }],
    finish: 'length',
  }),
  shape(
    'length is not taken back',
    [call({ index: 0, id: 'c1', ...fn('write', '{') }), end('length'), end('tool_calls')],
    { calls: [{ id: 'c1', name: 'write', json: '{' }], finish: 'length' },
  ),
  shape(
    'the older function_call',
    [
      d({ function_call: { name: 'read', arguments: '{"path":' } }),
      d({ function_call: { arguments: '"a.txt"}' } }),
      end('function_call'),
    ],
    { calls: [read('a.txt', '')], finish: 'tool_calls' },
  ),
  shape(
    'calls as an object keyed by their index',
    [
      d({ tool_calls: { 0: { id: 'c1', ...fn('read', '{"pa') }, 1: { id: 'c2', ...fn('read', B) } } }),
      d({ tool_calls: { 0: fn(undefined, 'th":"a.txt"}') } }),
      end('tool_calls'),
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'an empty object before the arguments',
    [
      call({ index: 0, id: 'c1', ...fn('read', '{}') }),
      call({ index: 0, ...fn(undefined, '{"path":') }),
      call({ index: 0, ...fn(undefined, '"a.txt"}') }),
      end('tool_calls'),
    ],
    { calls: [read('a.txt')] },
  ),
  shape(
    'an empty object before the arguments, name and id repeated',
    [
      call({ index: 0, id: 'c1', ...fn('read', {}) }),
      call({ index: 0, id: 'c1', ...fn('read', { path: 'a.txt' }) }),
      end('tool_calls'),
    ],
    { calls: [read('a.txt')] },
  ),
  shape(
    'an empty object and nothing more',
    [
      call({ index: 0, id: 'c1', ...fn('ls', '{}') }),
      call({ index: 0, ...fn(undefined, '') }),
      call({ index: 1, id: 'c2', ...fn('ls', {}) }),
      end('tool_calls'),
    ],
    {
      calls: [
        { id: 'c1', name: 'ls', json: '{}' },
        { id: 'c2', name: 'ls', json: '{}' },
      ],
    },
  ),
  shape(
    'arguments under other names',
    [
      call({ index: 0, id: 'c1', function: { name: ' read ', parameters: { path: 'a.txt' } } }),
      call({ index: 1, id: 'c2', name: 'read', input: { path: 'b.txt' } }),
      end('tool_calls'),
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape('no wrapper around the function', [call({ index: 0, id: 'c1', name: 'read', arguments: A }), end()], {
    calls: [read('a.txt')],
  }),
  shape('one call and no list', [d({ tool_calls: { id: 'c1', ...fn('read', A) } }), end()], { calls: [read('a.txt')] }),
  shape(
    'no calls in many forms',
    [
      d({ content: 'hi', tool_calls: [] }),
      d({ tool_calls: null }),
      d({ tool_calls: [null] }),
      d({ tool_calls: [{}] }),
      end(),
    ],
    { text: 'hi', calls: [] },
  ),
  shape('a call that never gets a name', [call({ index: 0, id: 'c1', function: { arguments: A } }), end()], {
    calls: [{ id: 'c1', name: 'unnamed_tool', json: A }],
  }),
  shape(
    'calls in a whole message at the end',
    [
      d({ role: 'assistant' }),
      {
        choices: [
          {
            message: {
              content: null,
              tool_calls: [
                { id: 'c1', ...fn('read', A) },
                { id: 'c2', ...fn('read', B) },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
      },
    ],
    { calls: [read('a.txt'), read('b.txt', 'c2')] },
  ),
  shape(
    'text, then calls',
    [text('Let me '), text('see.'), call({ index: 0, id: 'c1', ...fn('read', A) }), end('tool_calls')],
    { text: 'Let me see.', calls: [read('a.txt')] },
  ),
];

const usage = (value: unknown) => ({ choices: [], usage: value });
const TEXTS: Shape[] = [
  shape(
    'R08 empty choices around it',
    [
      { id: '', choices: [] },
      d({ role: 'assistant' }),
      text('hi'),
      end(),
      usage({ prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }),
    ],
    { text: 'hi', usage: [5, 1, 0, 0, 0], finish: 'stop' },
  ),
  shape(
    'R08 null and missing choices',
    [
      { choices: null, usage: null },
      { choices: [{ index: 0, delta: null, finish_reason: null }] },
      { id: 'x' },
      { choices: [null] },
      { choices: {} },
      text('hi'),
      end(),
    ],
    { text: 'hi', finish: 'stop', usage: undefined },
  ),
  shape('what is no chunk at all', ['null', '1', '"word"', '[]', 'true', text('hi'), end()], {
    text: 'hi',
    finish: 'stop',
  }),
  shape('usage that is early', [{ ...text('hi'), usage: { prompt_tokens: 5, completion_tokens: 0 } }, end()], {
    usage: [5, 0, 0, 0, 0],
  }),
  shape(
    'usage that grows in each chunk',
    [
      { ...text('h'), usage: { prompt_tokens: 5, completion_tokens: 1 } },
      { ...text('i'), usage: { prompt_tokens: 5, completion_tokens: 2 } },
      end(),
    ],
    { text: 'hi', usage: [5, 2, 0, 0, 0] },
  ),
  shape(
    'usage in halves, then null',
    [
      usage({ prompt_tokens: 5 }),
      text('hi'),
      usage({ completion_tokens: 2 }),
      usage(null),
      usage({}),
      usage({ prompt_tokens: 0, completion_tokens: 0 }),
      end(),
    ],
    { usage: [5, 2, 0, 0, 0] },
  ),
  shape(
    'usage with cached and reasoning tokens',
    [
      text('hi'),
      end(),
      usage({
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 8 },
      }),
    ],
    { usage: [40, 20, 8, 60, 0] },
  ),
  shape(
    'usage by other names',
    [text('hi'), end(), usage({ prompt_tokens: 100, prompt_cache_hit_tokens: 30, completion_tokens: 2 })],
    { usage: [70, 2, 0, 30, 0] },
  ),
  shape(
    'more reasoning than output',
    [
      text('hi'),
      end(),
      usage({ prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 9 } }),
    ],
    { usage: [1, 11, 9, 0, 0] },
  ),
  shape(
    'usage that is no number',
    [text('hi'), end(), usage({ prompt_tokens: '7', completion_tokens: -3, total_tokens: Number.MAX_VALUE })],
    { usage: [7, 0, 0, 0, 0] },
  ),
  shape(
    'usage beside the choice',
    [
      {
        choices: [
          {
            index: 0,
            delta: { content: 'hi' },
            finish_reason: 'stop',
            usage: { prompt_tokens: 5, completion_tokens: 1 },
          },
        ],
      },
    ],
    { usage: [5, 1, 0, 0, 0] },
  ),
  shape(
    'R15 think tags cut',
    ['<th', 'ink>secret</thi', 'nk>Answer 1 < 2', ' and <b>'].map(text).concat(end() as never),
    { thinking: 'secret', text: 'Answer 1 < 2 and <b>' },
  ),
  shape('R15 never closed', [text('<think>all of '), text('it</thin'), end('length')], {
    thinking: 'all of it</thin',
    text: '',
    finish: 'length',
  }),
  shape('R15 a lone < at the end', [text('a '), text('<'), end()], { text: 'a <' }),
  shape('R15 only a lone <', [text('<'), end()], { text: '<' }),
  shape('R15 a closing tag in the answer', [text('```\n</think>\n```'), end()], {
    text: '```\n</think>\n```',
    thinking: '',
  }),
  shape('an opening tag later is text', [text('Use <think> like so'), end()], { text: 'Use <think> like so' }),
  shape('white space around the block', [text('\n<think>\nhm\n</think>\n\n'), text('Hi'), end()], {
    thinking: 'hm\n',
    text: 'Hi',
  }),
  shape('an empty block', [text('<think>\n\n</think>\n\nHi'), end()], { thinking: '', text: 'Hi' }),
  shape('two blocks', [text('<think>a</think><think>b</think>c'), end()], { thinking: 'ab', text: 'c' }),
  shape('<thinking>', [text('<thinking>a</thinking>b'), end()], { thinking: 'a', text: 'b' }),
  shape('something like a tag', [text('<thin'), text('g>x'), end()], { text: '<thing>x' }),
  shape('a held piece before a call', [text('<th'), call({ index: 0, id: 'c1', ...fn('read', A) }), end()], {
    text: '<th',
    calls: [read('a.txt')],
  }),
  shape('reasoning_content', [d({ reasoning_content: 'hm' }), text('hi'), end()], { thinking: 'hm', text: 'hi' }),
  shape(
    'reasoning under two names',
    [
      d({ reasoning: 'hm', reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
      text('hi'),
      end(),
    ],
    { thinking: 'hm' },
  ),
  shape('reasoning_details alone', [d({ reasoning_details: [{ text: 'h' }, { summary: 'm' }] }), text('hi'), end()], {
    thinking: 'hm',
  }),
  shape(
    'reasoning, content null',
    [d({ reasoning: 'hm', content: null }), d({ content: 'hi', reasoning: null }), end()],
    { thinking: 'hm', text: 'hi' },
  ),
  shape('a refusal', [d({ refusal: 'I ' }), d({ refusal: 'must not.' }), end()], { refusal: 'I must not.', text: '' }),
  shape('content_filter', [text('Hal'), end('content_filter')], { text: 'Hal', finish: 'refusal' }),
  shape(
    'content in parts',
    [
      d({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      d({ content: [{ type: 'text', text: 'h' }, 'i'] }),
      end(),
    ],
    { thinking: 'hm', text: 'hi' },
  ),
  shape(
    'R16 the full message at the end',
    [
      text('Hello '),
      text('world'),
      { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello world' }, finish_reason: 'stop' }] },
    ],
    { text: 'Hello world', finish: 'stop' },
  ),
  shape(
    'R16 only the full message',
    [
      {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Hello', reasoning_content: 'hm' },
            finish_reason: 'stop',
          },
        ],
      },
    ],
    { text: 'Hello', thinking: 'hm' },
  ),
  shape(
    'R16 the full message behind thinking',
    [
      d({ reasoning_content: 'hm' }),
      { choices: [{ message: { content: 'Hello', reasoning_content: 'hm' }, finish_reason: 'stop' }] },
    ],
    { text: 'Hello', thinking: 'hm' },
  ),
  shape('R16 twice the same word', [text('ha'), text('ha'), end()], { text: 'haha' }),
  shape('R17 no content', [d({ role: 'assistant', content: '' }), end()], { text: '', finish: 'stop' }),
  shape('R10 only [DONE]', [], { text: '', finish: 'stop' }),
  shape('words for the end', [text('hi'), end('STOP')], { finish: 'stop' }),
  shape('an unknown word for the end', [text('hi'), end('constructor')], { finish: 'other' }),
  shape('text with the end', [d({ content: 'hi' }, 'max_tokens')], { text: 'hi', finish: 'length' }),
  shape('other choices', [text('hi'), { choices: [{ index: 1, delta: { content: 'not asked for' } }] }, end()], {
    text: 'hi',
  }),
  shape('what is far from ASCII', [text('äö 🦊👩‍👩‍👧 '), text('日本'), end()], { text: 'äö 🦊👩‍👩‍👧 日本' }),
];

const FAULTS: Shape[] = [
  shape('R09 an error in the middle', [text('Hel'), { choices: [], error: { code: 502, message: 'upstream busy' } }], {
    text: 'Hel',
    error: 'provider_unavailable',
    finish: undefined,
  }),
  shape('R09 an error first', [{ error: { code: 502, message: 'upstream busy' } }], { error: 'provider_unavailable' }),
  {
    name: 'R09 event: error',
    body: `${data(text('Hel'))}event: error\n${data({ error: { code: 502, message: 'upstream busy' } })}`,
    want: { text: 'Hel', error: 'provider_unavailable' },
  },
  {
    name: 'event: error with bare words',
    body: `event: error\ndata: upstream busy\n\n`,
    want: { error: 'provider_unavailable' },
  },
  {
    name: 'event: error without a wrapper',
    body: `event: error\n${data({ message: 'slow down', code: 429 })}`,
    want: { error: 'provider_rate_limit' },
  },
  shape('an error as text', [{ error: 'model is loading' }], { error: 'provider_unavailable' }),
  shape('an error with its code as text', [{ error: { code: '429', message: 'slow' } }], {
    error: 'provider_rate_limit',
  }),
  shape('an error with a word for code', [{ error: { code: 'context_length_exceeded', message: 'too long' } }], {
    error: 'provider_context_length',
  }),
  shape('an error with a status', [{ error: { message: 'bad key', status: 401 } }], { error: 'provider_auth' }),
  shape('an error object on its own', [{ object: 'error', message: 'no', code: 400 }], { error: 'provider_refused' }),
  shape(
    'an error in the choice',
    [{ choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'x' } }] }],
    { error: 'provider_unavailable' },
  ),
  shape('the finish reason error', [text('Hel'), end('error')], { text: 'Hel', error: 'provider_unavailable' }),
  shape('an error as a list', [{ error: [{ code: 429, message: 'slow' }] }], { error: 'provider_rate_limit' }),
  shape('errors', [text('Hel'), { errors: [{ message: 'no' }] }], { text: 'Hel', error: 'provider_unavailable' }),
  shape('a detail where choices should be', [text('Hel'), { detail: 'bad key' }], {
    text: 'Hel',
    error: 'provider_unavailable',
  }),
  shape('a message with its code in the place of choices', [{ message: 'who are you', code: 401 }], {
    error: 'provider_auth',
  }),
  shape('a message that is no error', [{ code: 200, message: 'success' }, text('hi'), end()], {
    text: 'hi',
    finish: 'stop',
  }),
  shape(
    'the words that a gateway passes on',
    [
      {
        error: { code: 400, message: 'Provider returned error', metadata: { raw: '{"error":{"message":"no beans"}}' } },
      },
    ],
    { error: 'provider_refused' },
  ),
  shape('no error at all', [{ ...text('hi'), error: null }, { choices: [], error: {} }, end()], {
    text: 'hi',
    finish: 'stop',
  }),
  {
    name: 'a bare line of JSON',
    body: '{"error":{"message":"no credit","code":402}}\n',
    want: { error: 'provider_refused' },
  },
  shape('what is no JSON', [text('Hel'), '{"choices":[', text('lo')], { text: 'Hel', error: 'provider_protocol' }),
  { name: 'R10 nothing at all', body: '', want: { error: 'provider_protocol' } },
  { name: 'R10 only comments', body: ': hello\n\n: still here\n\n', want: { error: 'provider_protocol' } },
  {
    name: 'R12 neither finish reason nor [DONE]',
    body: data(text('Hel')),
    want: { text: 'Hel', error: 'provider_protocol' },
  },
  {
    name: 'R12 cut in an event',
    body: `${data(text('Hel'))}data: {"choices":[{"delta":{"con`,
    want: { text: 'Hel', error: 'provider_protocol' },
  },
  { name: 'R12 a reset', body: data(text('Hel')), breaks: true, want: { text: 'Hel', error: 'provider_unavailable' } },
  {
    name: 'R12 a reset in a call',
    body: data(call({ index: 0, id: 'c1', ...fn('write', '{"pa') })),
    breaks: true,
    want: { calls: [{ id: 'c1', name: 'write', json: '{"pa' }], error: 'provider_unavailable' },
  },
  {
    name: 'a reset behind the finish reason',
    body: data(text('hi')) + data(end()),
    breaks: true,
    want: { text: 'hi', finish: 'stop' },
  },
];

const HI = data(text('hi')) + data(end());
const FRAMES: Shape[] = [
  { name: 'R11 (a) no [DONE]', body: HI, want: { text: 'hi', finish: 'stop' } },
  { name: 'R11 (b) one line feed', body: HI.slice(0, -1), want: { text: 'hi', finish: 'stop' } },
  { name: 'R11 (c) none', body: HI.slice(0, -2), want: { text: 'hi', finish: 'stop' } },
  {
    name: 'R11 (c) a call as the last event',
    body: (data(end('tool_calls')) + data(call({ index: 0, id: 'c1', ...fn('read', A) }))).slice(0, -2),
    want: { calls: [read('a.txt')], finish: 'tool_calls' },
  },
  {
    name: 'R11 (c) [DONE] as the last event',
    body: `${data(text('hi'))}data: [DONE]`,
    want: { text: 'hi', finish: 'stop' },
  },
  { name: 'CRLF', body: HI.replaceAll('\n', '\r\n'), want: { text: 'hi', finish: 'stop' } },
  {
    name: 'CRLF, the last one missing',
    body: HI.replaceAll('\n', '\r\n').slice(0, -3),
    want: { text: 'hi', finish: 'stop' },
  },
  { name: 'CR alone', body: HI.replaceAll('\n', '\r'), want: { text: 'hi', finish: 'stop' } },
  { name: 'a byte order mark', body: `\uFEFF${HI}`, want: { text: 'hi', finish: 'stop' } },
  { name: 'no space behind the colon', body: HI.replaceAll('data: ', 'data:'), want: { text: 'hi', finish: 'stop' } },
  {
    name: 'comments, ids, retries, names',
    body: `: hi\n\nretry: 10\nid: 7\nevent: message\n${HI}event: ping\ndata: {}\n\n`,
    want: { text: 'hi', finish: 'stop' },
  },
  {
    name: 'the field named twice',
    body: HI.replaceAll('data: ', 'data: data: '),
    want: { text: 'hi', finish: 'stop' },
  },
  {
    name: '[DONE] in small letters',
    body: `${data(text('hi'))}data: [done]\n\n`,
    want: { text: 'hi', finish: 'stop' },
  },
  { name: 'empty data', body: `data:\n\n${HI}data: \n\n`, want: { text: 'hi', finish: 'stop' } },
  {
    name: 'an event over several lines',
    body: `data: {"choices":\ndata: [{"delta":{"content":"hi"}}]}\n\n${data(end())}`,
    want: { text: 'hi', finish: 'stop' },
  },
  {
    name: 'two events without a blank line between',
    body: `${data(text('h')).trimEnd()}\n${data(text('i'))}${data(end()).trimEnd()}\ndata: [DONE]\n\n`,
    want: { text: 'hi', finish: 'stop' },
  },
  {
    name: 'more behind [DONE]',
    body: `${body(text('hi'), end())}${data(text('not any more'))}`,
    want: { text: 'hi', finish: 'stop' },
  },
  {
    name: '[DONE] with space around',
    body: `${data(text('hi'))}data:  [DONE] \n\n`,
    want: { text: 'hi', finish: 'stop' },
  },
];

export const SHAPES: readonly Shape[] = [...CALLS, ...TEXTS, ...FAULTS, ...FRAMES];
