import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOpenAiModel, type OpenAiOptions } from '../../../src/edge/models/openai.ts';
import type { ModelEvent } from '../../../src/runtime/ports.ts';
import { assemble, request } from './assembled.ts';
import { createHastyClock, createManualClock } from './clocks.ts';
import { describeModel, type Subject } from './conformance.ts';
import {
  begun,
  broken,
  delta,
  event,
  type FixtureServer,
  replies,
  says,
  startFixtureServer,
  streamed,
} from './fixture-server.ts';

const KEY = 'hunter2-example-0001';
const idle = () => new AbortController().signal;
const callOf = (name: string, args: unknown) => [
  delta({ role: 'assistant', content: '' }),
  delta({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: '' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(args) } }] }),
  delta({}, 'tool_calls'),
];

let server: FixtureServer;
beforeEach(async () => {
  server = await startFixtureServer();
});
afterEach(async () => {
  await server.close();
  expect(server.refused).toEqual([]);
});

/** Waits between attempts take no time here, so the limits are out of reach unless a test sets them. */
const FAR_MS = 1e12;
const modelOf = (over: Partial<OpenAiOptions> = {}) =>
  createOpenAiModel({
    baseUrl: server.url,
    apiKey: KEY,
    clock: createHastyClock(),
    random: () => 0.5,
    stallTimeoutMs: FAR_MS,
    firstByteTimeoutMs: FAR_MS,
    finishedTimeoutMs: FAR_MS,
    ...over,
  });
const ask = (over: Partial<OpenAiOptions> = {}) => assemble(modelOf(over).stream(request(), idle()));

async function firstEvent(stream: AsyncIterable<ModelEvent>) {
  const iterator = stream[Symbol.asyncIterator]();
  return { event: (await iterator.next()).value as ModelEvent, rest: iterator };
}

describeModel('openai', async (): Promise<Subject> => {
  const of = async (answer: Parameters<FixtureServer['answer']>[0]) => {
    server.answer(answer);
    return { model: modelOf(), request: request() };
  };
  return {
    saying: () => of(streamed(delta({ content: 'Hello ' }), delta({ content: 'world' }), delta({}, 'stop'))),
    calling: () => of(streamed(...callOf('list_files', { path: '.' }))),
    hanging: () => of(begun(delta({ content: 'Hel' }))),
    failing: () => of(streamed(delta({ content: 'Hel' }), { error: { code: 502, message: 'upstream busy' } })),
    asked: () => server.seen.length,
  };
});

describe('a request', () => {
  test('goes to the base URL with the key, and asks for a stream with usage', async () => {
    server.answer(says('hi'));
    expect(await ask()).toMatchObject({ text: 'hi', finish: 'stop' });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/chat/completions' });
    expect(seen!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(seen!.body)).toMatchObject({
      model: 'm1',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('has no Authorization without a key, whatever OPENAI_ variables say', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'org-1');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-secret: 1');
    server.answer(says('hi'));
    expect(await ask({ apiKey: undefined })).toMatchObject({ text: 'hi' });
    vi.unstubAllEnvs();
    const { headers } = server.seen[0]!;
    for (const name of ['authorization', 'openai-organization', 'x-secret']) expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify(server.seen)).not.toContain('sk-from');
  });

  test('takes userinfo of the base URL as credentials and prints none of it', async () => {
    server.answer(replies(401, { error: { message: 'no entry for u:p4ss' } }));
    const got = await ask({ apiKey: undefined, baseUrl: server.url.replace('//', '//u:p4ss@') });
    expect(server.seen[0]!.headers.authorization).toBe(`Basic ${Buffer.from('u:p4ss').toString('base64')}`);
    expect(got.error).toBe('provider_auth');
    expect(got.message).not.toContain('p4ss');
  });

  test('takes a base URL with a slash, a query or the whole route', async () => {
    server.answer(says('hi'));
    for (const end of ['/', '/chat/completions', '?api-version=7', '/?api-version=7'])
      await ask({ baseUrl: server.url + end });
    const urls = server.seen.map((seen) => seen.url);
    expect(urls).toEqual(['', '', '?api-version=7', '?api-version=7'].map((query) => `/v1/chat/completions${query}`));
  });

  test('refuses what is no base URL and no key', () => {
    expect(() => modelOf({ baseUrl: 'localhost:8080/v1' })).toThrow('no http:// or https:// address');
    expect(() => modelOf({ apiKey: 'a\nb' })).toThrow('characters that no key has');
  });

  test('uses its connection again after [DONE]', async () => {
    const sockets = new Set<unknown>();
    server.answer((response, seen) => {
      sockets.add(response.socket);
      says('hi')(response, seen);
    });
    const model = modelOf({ clock: createManualClock() });
    for (let n = 0; n < 3; n++) {
      await assemble(model.stream(request(), idle()));
      await server.seen[n]!.closed;
      // the end of the body is on its way to the client still
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    }
    expect(sockets.size).toBe(1);
  });
});

describe('ends of a stream', () => {
  test('without finish reason or [DONE] is a failure, never an answer', async () => {
    server.answer((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event(delta({ content: 'Hel' }))),
    );
    expect(await ask()).toMatchObject({ text: 'Hel', error: 'provider_protocol' });
    expect(server.seen).toHaveLength(1);
  });

  test('a reset behind text is not asked again, and named', async () => {
    server.answer(broken(delta({ content: 'one two ' })));
    expect(await ask()).toMatchObject({ text: 'one two ', error: 'provider_unavailable', retries: [] });
    expect(server.seen).toHaveLength(1);
  });

  test('a reset before anything was shown is asked again', async () => {
    server.answer(broken(), broken(delta({ role: 'assistant' })), says('hi'));
    expect(await ask()).toMatchObject({ text: 'hi', finish: 'stop', retries: [500, 1000] });
  });

  test('a reset behind the finish reason changes nothing', async () => {
    server.answer(broken(delta({ content: 'hi' }), delta({}, 'stop')));
    expect(await ask()).toMatchObject({ text: 'hi', finish: 'stop' });
  });

  test('a 200 that is no stream of events', async () => {
    server.answer(replies(200, '<html><body>Sign in</body></html>', { 'content-type': 'text/html' }));
    const page = await ask();
    expect(page).toMatchObject({ error: 'provider_protocol', retries: [] });
    expect(page.message).toMatch(/web page.*--base-url/);
    expect(page.message).not.toContain('<');
    server.answer(replies(200, { choices: [{ message: { content: 'hi' } }] }));
    expect(await ask()).toMatchObject({ error: 'provider_protocol', text: '' });
    server.answer(replies(200, { error: { message: 'no credit' } }));
    expect((await ask()).message).toContain('no credit');
    server.answer((response) => response.writeHead(200).end(event(delta({ content: 'untyped' }, 'stop'))));
    expect(await ask()).toMatchObject({ text: 'untyped', finish: 'stop' });
  });
});

describe('retries', () => {
  test('a 429 five times in all, with growing waits, then fails', async () => {
    server.answer(replies(429, { error: { message: 'slow down' } }));
    const got = await ask();
    expect(got).toMatchObject({ error: 'provider_rate_limit', retries: [500, 1000, 2000, 4000] });
    expect(got.message).toContain('slow down');
    expect(server.seen).toHaveLength(5);
  });

  test.each([408, 409, 500, 502, 503, 529])('a %i once', async (status) => {
    server.answer(replies(status, 'busy'), says('hi'));
    expect(await ask()).toMatchObject({ text: 'hi', retries: [500] });
  });

  test.each([400, 401, 403, 404, 422])('never a %i', async (status) => {
    server.answer(replies(status, { error: { message: 'no' } }), says('hi'));
    expect(await ask()).toMatchObject({ retries: [] });
    expect(server.seen).toHaveLength(1);
  });

  test('no empty quota', async () => {
    server.answer(replies(429, { error: { message: 'quota', code: 'insufficient_quota' } }));
    expect(await ask()).toMatchObject({ error: 'provider_rate_limit', retries: [] });
  });

  test('an error object in a 200 counts as the number in it', async () => {
    server.answer(
      streamed({ error: { code: 502, message: 'busy' } }),
      streamed(delta({ role: 'assistant' }), { error: { status: 429, message: 'busy' } }),
      says('hi'),
    );
    expect(await ask()).toMatchObject({ text: 'hi', retries: [500, 1000] });
    server.answer(streamed({ error: { code: 'overloaded', message: 'busy' } }), says('hi'));
    const got = await ask();
    expect(got).toMatchObject({ retries: [], text: '' });
    expect(got.message).toContain('busy');
  });

  test('nothing once something was shown', async () => {
    server.answer(streamed(delta({ content: 'Hel' }), { error: { code: 502, message: 'upstream busy' } }), says('hi'));
    const got = await ask();
    expect(got).toMatchObject({ text: 'Hel', error: 'provider_unavailable', retries: [] });
    expect(got.message).toContain('upstream busy');
  });

  test('a refused connection, naming host and port', async () => {
    const { url, host } = server;
    await server.close();
    const got = await ask({ baseUrl: url });
    expect(got).toMatchObject({ error: 'provider_unavailable', retries: [500, 1000, 2000, 4000] });
    expect(got.message).toContain(host);
    expect(got.message).toContain('ECONNREFUSED');
  });

  test('honours what the server asks for, and fails at once where it is too long', async () => {
    server.answer(replies(429, {}, { 'retry-after': '3' }), replies(429, {}, { 'retry-after-ms': '70' }), says('hi'));
    expect(await ask()).toMatchObject({ text: 'hi', retries: [3000, 70] });
    server.answer(replies(429, { error: { message: 'slow down' } }, { 'retry-after': '172800' }));
    const got = await ask();
    expect(got).toMatchObject({ error: 'provider_rate_limit', retries: [] });
    expect(got.message).toMatch(/slow down.*2 days \(172800 s\)/);
  });

  test('says that it waits before it does, and an abort ends the wait at once', async () => {
    server.answer(replies(429, {}, { 'retry-after': '30' }));
    const clock = createManualClock();
    const controller = new AbortController();
    const { event: said, rest } = await firstEvent(modelOf({ clock }).stream(request(), controller.signal));
    expect(said).toMatchObject({
      type: 'retrying',
      attempt: 1,
      maxAttempts: 5,
      waitMs: 30_000,
      err: { kind: 'provider_rate_limit' },
    });
    const next = rest.next();
    await Promise.resolve();
    controller.abort();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.waits).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });
});

describe('stalls', () => {
  const LIMITS = { stallTimeoutMs: undefined, firstByteTimeoutMs: undefined, finishedTimeoutMs: undefined };
  const begin = async (clock = createManualClock()) => {
    server.answer(begun(delta({ content: 'Hel' })));
    const { rest } = await firstEvent(modelOf({ ...LIMITS, clock }).stream(request(), idle()));
    const next = rest.next();
    // the stream waits for bytes when its timer runs for the next ones
    await vi.waitFor(() => expect(clock.waits).toHaveLength(1));
    return { clock, next };
  };

  test('60 s without a byte', async () => {
    const { clock, next } = await begin();
    clock.advance(59_999);
    clock.advance(1);
    await expect(next).rejects.toMatchObject({ kind: 'provider_stalled', message: expect.stringContaining('60 s') });
    await server.seen[0]!.closed;
  });

  test('time in which the process was stopped does not count', async () => {
    const { clock, next } = await begin();
    clock.advance(59_000);
    clock.jump(3_600_000);
    clock.advance(500);
    expect(await Promise.race([next.catch(() => 'stalled'), Promise.resolve('waits')])).toBe('waits');
    clock.advance(1000);
    await expect(next).rejects.toMatchObject({ kind: 'provider_stalled' });
  });

  test('300 s before the first byte', async () => {
    server.answer(begun());
    const clock = createManualClock();
    const ended = assemble(modelOf({ ...LIMITS, clock }).stream(request(), idle()));
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    clock.advance(299_999);
    clock.advance(1);
    expect(await ended).toMatchObject({ error: 'provider_stalled', retries: [] });
  });

  test('a comment is a byte, and an answer with its finish reason is whole', async () => {
    const clock = createManualClock();
    let write: (text: string) => void = () => {};
    server.answer((response) => {
      begun(delta({ content: 'hi' }))(response, server.seen[0]!);
      write = (text) => response.write(text);
    });
    const stream = modelOf({ ...LIMITS, clock })
      .stream(request(), idle())
      [Symbol.asyncIterator]();
    await stream.next();
    const next = stream.next();
    clock.advance(50_000);
    write(': still here\n\n');
    await vi.waitFor(() => {
      clock.advance(0);
      write(': and here\n\n');
    });
    write(event(delta({ content: '!' }, 'stop')));
    expect((await next).value).toMatchObject({ chunk: { text: '!' } });
    const end = stream.next();
    await vi.waitFor(() => expect(clock.waits).toHaveLength(1));
    // what is sent on and on behind it holds nothing up
    clock.advance(3000);
    write(': and here\n\n');
    write(event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } }));
    let over = false;
    void end.then(() => {
      over = true;
    });
    await vi.waitFor(() => {
      write(': and here\n\n');
      clock.advance(500);
      expect(over).toBe(true);
    });
    expect((await end).value).toMatchObject({ type: 'usage', usage: { inputTokens: 5 } });
    expect((await stream.next()).value).toEqual({ type: 'end', finish: 'stop' });
  });
});

describe('an abort', () => {
  test.each(['before the headers', 'in the text'])('%s closes the connection at once', async (when) => {
    server.answer(when === 'in the text' ? begun(delta({ content: 'Hel' })) : () => {});
    const controller = new AbortController();
    const stream = modelOf().stream(request(), controller.signal)[Symbol.asyncIterator]();
    const started = stream.next();
    if (when === 'in the text') await started;
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    const waiting = when === 'in the text' ? stream.next() : started;
    const at = performance.now();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await server.seen[0]!.closed;
    // generous for a loaded machine; what is measured is about 2 ms
    expect(performance.now() - at).toBeLessThan(500);
  });

  test('leaving the stream closes the connection', async () => {
    server.answer(begun(delta({ content: 'Hel' })));
    for await (const _ of modelOf().stream(request(), idle())) break;
    await server.seen[0]!.closed;
  });
});

describe('keys', () => {
  test('are not in what is said of a failure', async () => {
    for (const status of [400, 401, 403, 404, 429, 500]) {
      server.answer(
        replies(status, { error: { message: `Incorrect API key provided: ${KEY}; authorization: Bearer ${KEY}` } }),
      );
      const got = await ask();
      expect(got.message, String(status)).not.toContain(KEY);
      expect(got.message).toContain(server.host);
    }
  });
});

const KIT = '../../../../shared/kit/model-server.mjs';
const kit = new URL(KIT, import.meta.url);
describe.skipIf(!existsSync(kit))('against the scripted server of the kit', () => {
  test('thinking, text, calls and usage', async () => {
    const { startModelServer, thinking, text, toolCall, finish, usage } = await import(kit.href);
    const scripted = await startModelServer();
    scripted.reply([
      thinking('hm, hm'),
      text('Let me see. 🦊'),
      toolCall('list_files', { path: '.' }),
      finish('tool_calls'),
      usage(10, 5),
    ]);
    const got = await assemble(modelOf({ baseUrl: scripted.url }).stream(request(), idle()));
    expect(got).toMatchObject({
      thinking: 'hm, hm',
      text: 'Let me see. 🦊',
      usage: [10, 5, 0, 0, 0],
      finish: 'tool_calls',
    });
    expect(got.calls).toEqual([{ id: 'call_1', name: 'list_files', json: '{"path":"."}' }]);
    expect(scripted.faults).toEqual([]);
    expect(scripted.requests[0].closedByClient).toBe(false);
    await scripted.close();
  });
});
