import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/content.ts';
import { createDemoModel } from '../../../src/edge/models/demo.ts';
import { assemble, request } from './assembled.ts';
import { createHastyClock, createManualClock } from './clocks.ts';
import { describeModel } from './conformance.ts';

const tools = ['read_file', 'list_files', 'shell'].map((name) => ({ name, description: '', parameters: {} }));
const asking = (text: string, ...after: Message[]) =>
  request({ tools, messages: [{ role: 'user', blocks: [{ type: 'text', text }] }, ...after] });
const idle = () => new AbortController().signal;
const answerTo = (text: string, ...after: Message[]) =>
  assemble(createDemoModel({ clock: createHastyClock() }).stream(asking(text, ...after), idle()));
const result = (text: string, isError = false): Message => ({
  role: 'tool',
  blocks: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text }], isError }],
});
const called: Message = { role: 'assistant', blocks: [{ type: 'tool_use', id: 'c1', name: 'read_file', input: {} }] };

describeModel('demo', async () => {
  const of = (text: string) =>
    Promise.resolve({
      model: createDemoModel({ clock: createHastyClock(), stallTimeoutMs: 1e9 }),
      request: asking(text),
    });
  return {
    saying: () => of('hello'),
    calling: () => of('list the files'),
    hanging: () => of('count to 1000'),
    failing: () => of('fail'),
  };
});

describe('demo', () => {
  test.each([
    ['read README.md', 'read_file', [{ path: 'README.md' }]],
    ['Please read `src/index.ts`.', 'read_file', [{ path: 'src/index.ts' }]],
    ['read a.txt and b.txt', 'read_file', [{ path: 'a.txt' }, { path: 'b.txt' }]],
    ['open the file notes.md', 'read_file', [{ path: 'notes.md' }]],
    ['list the files', 'list_files', [{ path: '.' }]],
    ['List the files in src.', 'list_files', [{ path: 'src' }]],
    ['ls', 'list_files', [{ path: '.' }]],
    ['ls src/', 'list_files', [{ path: 'src/' }]],
    ['read file notes.md', 'read_file', [{ path: 'notes.md' }]],
    ['run ls', 'shell', [{ command: 'ls' }]],
    ['run `ls -la | head -3`', 'shell', [{ command: 'ls -la | head -3' }]],
    ['$ echo hi!', 'shell', [{ command: 'echo hi!' }]],
    ['call tools for ever', 'list_files', [{ path: '.' }]],
    ['call tools forever', 'list_files', [{ path: '.' }]],
  ])('%s', async (text, name, inputs) => {
    const got = await answerTo(text);
    expect(got.calls.map((call) => [call.name, JSON.parse(call.json)])).toEqual(inputs.map((input) => [name, input]));
    expect(got.finish).toBe('tool_calls');
  });

  test('says that it is a demo and how to set a real model', async () => {
    for (const text of ['hello', 'what is the meaning of it all?', '', 'help']) {
      const { text: said } = await answerTo(text);
      expect(said).toContain('demo');
      expect(said).toContain('OPENAI_API_KEY');
      expect(said).toContain('--base-url');
    }
  });

  test('speaks of the results of its tools', async () => {
    expect((await answerTo('read a.txt', called, result('one\ntwo\n'))).text).toContain('2 lines, the first: `one`');
    expect((await answerTo('read a.txt', called, result('no such file', true))).text).toContain(
      'did **not** work: no such file',
    );
    expect((await answerTo('run true', called, result(''))).text).toContain('gave nothing back');
  });

  test('goes on for ever only while that is the last word', async () => {
    expect((await answerTo('call tools for ever', called, result('x'))).calls).toHaveLength(1);
    const stop: Message = { role: 'user', blocks: [{ type: 'text', text: 'stop it' }] };
    expect((await answerTo('call tools for ever', called, result('x'), stop)).calls).toEqual([]);
  });

  test('does not call what is not there', async () => {
    const model = createDemoModel({ clock: createHastyClock() });
    const got = await assemble(model.stream({ ...asking('run ls'), tools: [] }, idle()));
    expect(got).toMatchObject({ calls: [], finish: 'stop' });
    expect(got.text).toContain('no such tool');
  });

  test('fails, stalls, and says nothing when asked to', async () => {
    expect(await answerTo('fail')).toMatchObject({ error: 'provider_unavailable' });
    expect(await answerTo('stall')).toMatchObject({ error: 'provider_stalled' });
    expect(await answerTo('say nothing')).toMatchObject({ text: '', calls: [], finish: 'stop' });
  });

  test('has Markdown to show', async () => {
    const { text } = await answerTo('show markdown');
    for (const sign of ['## ', '```js', '| left', '- ']) expect(text).toContain(sign);
  });

  test('gives a chunk about every 20 ms', async () => {
    const clock = createManualClock();
    const stream = createDemoModel({ clock }).stream(asking('count to 3'), idle())[Symbol.asyncIterator]();
    const first = stream.next();
    clock.advance(119);
    expect(clock.waits).toEqual([120]);
    clock.advance(1);
    expect((await first).value).toMatchObject({ type: 'chunk' });
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      const next = stream.next();
      waits.push(...clock.waits);
      clock.advance(25);
      await next;
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...waits)).toBeLessThanOrEqual(25);
  });
});
