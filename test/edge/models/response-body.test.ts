import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenAiModel } from '../../../src/edge/models/openai.ts';
import { lookInto, readsOf, textOf } from '../../../src/edge/models/response-body.ts';
import { assemble, request } from './assembled.ts';
import { createHastyClock } from './clocks.ts';
import { type Answer, delta, event, type FixtureServer, replies, startFixtureServer } from './fixture-server.ts';

let server: FixtureServer;
beforeEach(async () => {
  server = await startFixtureServer();
});
afterEach(() => server.close());

const ask = () => {
  const limits = { stallTimeoutMs: 1e12, firstByteTimeoutMs: 1e12 };
  const model = createOpenAiModel({ baseUrl: server.url, clock: createHastyClock(), random: () => 0, ...limits });
  return assemble(model.stream(request(), new AbortController().signal));
};
const STREAM = [delta({ content: 'Grüße ' }), delta({ content: '🦊' }), delta({}, 'stop'), '[DONE]']
  .map(event)
  .join('');
const sends =
  (body: string | Uint8Array, headers: Record<string, string>): Answer =>
  (response) =>
    response.writeHead(200, headers).end(body);

describe('compressed answers, though none was asked for', () => {
  const packed: [string, Uint8Array][] = [
    ['gzip', zlib.gzipSync(STREAM)],
    ['x-gzip', zlib.gzipSync(STREAM)],
    ['deflate', zlib.deflateSync(STREAM)],
    ['br', zlib.brotliCompressSync(STREAM)],
    ['GZIP', zlib.gzipSync(STREAM)],
  ];
  test.each(packed)('%s', async (encoding, bytes) => {
    server.answer(sends(bytes, { 'content-type': 'text/event-stream', 'content-encoding': encoding }));
    expect(await ask()).toMatchObject({ text: 'Grüße 🦊', finish: 'stop' });
    expect(server.seen[0]!.headers['accept-encoding']).toBe('identity');
  });

  test('text is there as soon as it was sent', async () => {
    server.answer((response) => {
      const packer = zlib.createGzip();
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      packer.pipe(response);
      packer.write(event(delta({ content: 'first' })));
      packer.flush();
    });
    const clock = createHastyClock();
    const limits = { stallTimeoutMs: 1e12, firstByteTimeoutMs: 1e12 };
    const model = createOpenAiModel({ baseUrl: server.url, clock, random: () => 0, ...limits });
    for await (const said of model.stream(request(), new AbortController().signal)) {
      expect(said).toMatchObject({ chunk: { text: 'first' } });
      break;
    }
    await server.seen[0]!.closed;
  });

  test('one that is cut, is broken, or cannot be unpacked', async () => {
    const whole = zlib.gzipSync(event(delta({ content: 'hi' })).repeat(50));
    server.answer(
      sends(whole.subarray(0, whole.length - 12), { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }),
    );
    expect(await ask()).toMatchObject({ error: 'provider_protocol', text: expect.stringMatching(/^hi/) });
    server.answer(sends('no gzip', { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }));
    expect(await ask()).toMatchObject({ error: 'provider_unavailable', text: '' });
    server.answer(sends('x', { 'content-type': 'text/event-stream', 'content-encoding': 'zstd' }));
    const odd = await ask();
    expect(odd).toMatchObject({ error: 'provider_protocol', retries: [] });
    expect(odd.message).toContain('zstd');
  });

  test('an error', async () => {
    const body = zlib.gzipSync(JSON.stringify({ error: { message: 'no credit left' } }));
    server.answer(sends(body, { 'content-type': 'application/json', 'content-encoding': 'gzip' }));
    expect((await ask()).message).toContain('no credit left');
    server.answer((response) => response.writeHead(400, { 'content-encoding': 'gzip' }).end(body));
    expect((await ask()).message).toContain('no credit left');
  });
});

describe('a stream of events under another name', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'text/html', 'text/plain', 'application/xml'])(
    '%s',
    async (type) => {
      server.answer(sends(STREAM, { 'content-type': type }));
      expect(await ask()).toMatchObject({ text: 'Grüße 🦊', finish: 'stop' });
      server.answer(sends(`\ufeff: hello\n\n${STREAM}`, { 'content-type': type }));
      expect(await ask()).toMatchObject({ text: 'Grüße 🦊', finish: 'stop' });
    },
  );

  test('what is none stays none', async () => {
    const answer = { choices: [{ message: { role: 'assistant', content: 'data: hi' }, finish_reason: 'stop' }] };
    for (const body of [
      JSON.stringify(answer),
      '<html>data: x</html>',
      '',
      '  ',
      '[]',
      '"data: x"',
      'database error',
    ]) {
      server.answer(replies(200, body));
      expect(await ask()).toMatchObject({ error: 'provider_protocol', text: '', retries: [] });
    }
  });

  test('a connection that breaks before the first byte is asked again', async () => {
    server.answer(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        setImmediate(() => response.socket?.resetAndDestroy());
      },
      sends(STREAM, { 'content-type': 'application/json' }),
    );
    expect(await ask()).toMatchObject({ text: 'Grüße 🦊', retries: [400] });
  });
});

test('what was looked at is read all the same, however it is cut', async () => {
  for (const size of [1, 2, 5, 1000]) {
    const bytes = Buffer.from(`\r\n ${STREAM}`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    const { isEvents, reads } = await lookInto(readsOf(Readable.from(pieces, { objectMode: false })));
    expect([isEvents, await textOf(reads)]).toEqual([true, bytes.toString()]);
  }
});
