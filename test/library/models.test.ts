/** The models that come along answer in an embedded session with nothing but their own options. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { observeInput } from '../../src/examples/observe-input.ts';
import {
  type Clock,
  createDemoModel,
  createOpenAiModel,
  createSession,
  type Model,
  type ModelEvent,
  ProviderError,
  textOf,
} from '../../src/index.ts';

const ask = async (model: Model, modelName?: string): Promise<string> => {
  const session = await createSession({ model, modelName });
  const { message } = await observeInput(session, [{ type: 'text', text: 'help' }]);
  await session.shutdown();
  return textOf(message);
};

const requests: { url?: string; authorization?: string; model: unknown }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { url, headers } = request;
  requests.push({ url, authorization: headers.authorization, model: JSON.parse(body).model });
  const delta = { choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: 'stop' }] };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`);
});
afterEach(() => void server.close());

test('any server that speaks chat completions', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  expect(await ask(createOpenAiModel({ baseUrl, apiKey: 'k-1', env: {} }), 'small')).toBe('Hello.');
  expect(requests).toEqual([{ url: '/v1/chat/completions', authorization: 'Bearer k-1', model: 'small' }]);
});

test('a base URL that is none is refused at once', () => {
  expect(() => createOpenAiModel({ baseUrl: 'localhost' })).toThrow(ProviderError);
});

test.each<[string, () => unknown]>([
  ['throws', () => fail('left')],
  ['is no promise', () => undefined],
  ['rejects', () => Promise.reject(new Error('left'))],
])('an iterator of one’s own whose return %s', async (_, left) => {
  const events: ModelEvent[] = [
    { type: 'chunk', chunk: { type: 'text', text: 'Hello.' } },
    { type: 'end', finish: 'stop' },
  ];
  const next = async () => ({ done: false as const, value: events.shift() as ModelEvent });
  const stream = { [Symbol.asyncIterator]: () => ({ next, return: left }) } as AsyncIterable<ModelEvent>;
  expect(await ask({ stream: () => stream })).toBe('Hello.');
});
const fail = (why: string): never => {
  throw new Error(why);
};

test('the demo keeps the time of its clock', async () => {
  const hurried: Clock = {
    now: () => 0,
    after(_ms, callback) {
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  expect(await ask(createDemoModel({ clock: hurried }))).toContain('demo');
});
