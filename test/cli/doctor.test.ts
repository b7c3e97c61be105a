import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../../src/cli/doctor.ts';
import { type FakeHost, fakeHost, runWith } from './fake-host.ts';

const KEY = 'sk-TEST-0123456789abcdef';
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that lists model `m` and answers as given. */
async function serve(
  answer: Answer,
  models: Answer = (_request, response) => json(response, 200, { data: [{ id: 'm' }] }),
) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    (request.url === '/v1/models' ? models : answer)(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
const stream =
  (...events: unknown[]): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
    );
  };
const delta = (piece: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta: piece, finish_reason: finish }],
});
const call = delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'ping', arguments: '{}' } }] });
const good = stream(call, delta({}, 'tool_calls'), '[DONE]');

const doctor = (fake: FakeHost, ...args: string[]) =>
  runWith(fake, ['doctor', ...args], {
    doctor: (invocation) => runDoctor(invocation, { listTimeoutMs: 300, answerTimeoutMs: 300 }),
  });
const on = (url: string, env: Record<string, string> = {}) =>
  doctor(fakeHost({ env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'm', ...env } }));

test('all is well', async () => {
  const seen: (string | undefined)[] = [];
  const url = await serve((request, response, body) => {
    seen.push(request.headers.authorization);
    good(request, response, body);
  });
  const { code, stdout, stderr } = await on(url);
  expect([code, stderr, seen]).toEqual([0, '', [`Bearer ${KEY}`]]);
  expect(stdout).toMatch(/base URL {2}http.*OPENAI_BASE_URL in the environment/);
  expect(stdout).toMatch(/key {7}sk-…cdef \(OPENAI_API_KEY in the environment\)/);
  expect(stdout.match(/^ok .*$/gm)).toEqual([
    expect.stringMatching('reachable'),
    expect.stringMatching('model m is listed'),
    expect.stringMatching('the key is accepted'),
    expect.stringMatching('it streams'),
    expect.stringMatching('it calls tools'),
  ]);
  expect(stdout).not.toContain(KEY);
});

test('without a key no Authorization header is sent', async () => {
  const seen: (string | undefined)[] = [];
  const url = await serve((request, response, body) => {
    seen.push(request.headers.authorization);
    good(request, response, body);
  });
  const { code } = await on(url, { OPENAI_API_KEY: '' });
  expect([code, seen]).toEqual([0, [undefined]]);
});

const usable: [string, Answer, Answer | undefined, RegExp][] = [
  ['a model that calls no tool', stream(delta({ content: 'pong' }, 'stop')), undefined, /^warning .*called no tool$/m],
  [
    'a model that is not listed',
    good,
    (_q, r) => json(r, 200, { data: [{ id: 'a' }, null, {}] }),
    /^warning .*model m is not listed; listed are a$/m,
  ],
  ['a server without a list', good, (_q, r) => json(r, 404, {}), /^warning .*lists no models \(status 404\)$/m],
  ['a list that is none', good, (_q, r) => r.end('<html>'), /^warning .*not listed$/m],
  ['thinking alone', stream(delta({ reasoning_content: 'hm' }, 'stop')), undefined, /^ok .*it streams/m],
  [
    'no blank line at the end',
    (_q, r) =>
      r
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(delta({ content: 'x' }, 'stop'))}`),
    undefined,
    /^ok .*it streams/m,
  ],
  [
    'a server that refuses tools',
    (q, r, body) =>
      body.includes('"tools"')
        ? json(r, 400, { error: { message: 'no tools' } })
        : stream(delta({ content: 'pong' }, 'stop'))(q, r, body),
    undefined,
    /^warning .*refuses requests with tools$/m,
  ],
];
test.each(usable)('%s is no failure', async (_what, answer, models, line) => {
  const { code, stdout } = await on(await serve(answer, models));
  expect(stdout).toMatch(line);
  expect([code, stdout.includes('wrong')]).toEqual([0, false]);
});

const unusable: [string, Answer, Answer | undefined, RegExp][] = [
  [
    'a refused key',
    (_q, r) => json(r, 401, { error: { message: `Incorrect API key: ${KEY}` } }),
    undefined,
    /^wrong .*the key is refused \(status 401\)$/m,
  ],
  ['a key refused at the list', good, (_q, r) => json(r, 403, {}), /^wrong .*the key is refused \(status 403\)$/m],
  [
    'an unknown model',
    (_q, r) => json(r, 404, { error: { message: 'no model m' } }),
    undefined,
    /^wrong .*unknown.*no model m/m,
  ],
  [
    'a server error that repeats the key',
    (q, r) => json(r, 500, { headers: q.headers }),
    undefined,
    /^wrong .*answers 500/m,
  ],
  [
    'no stream',
    (_q, r) => json(r, 200, { choices: [] }),
    undefined,
    /^wrong .*does not stream \(it answers application\/json\)/m,
  ],
  [
    'HTML',
    (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<b>\u001b[2J'),
    undefined,
    /^wrong .*does not stream/m,
  ],
  ['an error in the stream', stream({ error: { message: 'busy' } }), undefined, /^wrong .*holds an error.*busy/m],
  ['an event that is no JSON', stream('nonsense'), undefined, /^wrong .*no JSON/m],
  ['an empty stream', stream(), undefined, /^wrong .*without its end \(0 events\)/m],
  ['a stream that is cut', stream(delta({ content: 'x' })), undefined, /^wrong .*without its end/m],
  ['an empty answer', stream(delta({}, 'stop'), '[DONE]'), undefined, /^wrong .*answers with nothing/m],
  [
    'odd events',
    stream(null, 7, { choices: null }, { choices: [null] }, '[DONE]'),
    undefined,
    /^wrong .*answers with nothing/m,
  ],
  ['silence', () => {}, undefined, /^wrong .*does not answer within 0\.3 s/m],
  ['a connection that breaks', (q) => q.socket.destroy(), undefined, /^wrong .*cannot be reached/m],
];
test.each(unusable)('%s cannot be used: exit 1', async (_what, answer, models, line) => {
  const { code, stdout } = await on(await serve(answer, models));
  expect(stdout).toMatch(line);
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/TEST-0123|\u001b/);
});

test('a server that is not there, with a password in its address', async () => {
  const url = (await serve(good)).replace(/:\d+\//, ':65533/').replace('//', '//u:p4ss@');
  const { code, stdout } = await on(url, { HTTPS_PROXY: 'http://u:p4ss@proxy' });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^wrong .*127\.0\.0\.1:65533.*ECONNREFUSED/m)]);
  expect(stdout).toMatch(/HTTPS_PROXY set/);
  expect(stdout).not.toContain('p4ss');
});

test('nothing configured, and the demo, are no failures', async () => {
  expect(await doctor(fakeHost())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^warning .*nothing is configured/m),
  });
  expect(await doctor(fakeHost(), '-p', 'demo')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok .*demo/m),
  });
});

test('what is refused is said', async () => {
  const fake = fakeHost({ env: { OPENAI_API_KEY: KEY } });
  writeFileSync(join(fake.root, '.env'), 'OPENAI_BASE_URL=http://thief.test/v1\n');
  expect(await doctor(fake)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^wrong .*thief\.test.*--base-url/m),
  });
  const wrong = await doctor(fakeHost({ env: { HARNESS_CHAT_MAX_STEPS: 'x' } }));
  expect(wrong).toMatchObject({ code: 2, stdout: expect.stringMatching(/^wrong .*maxSteps/m) });
});
