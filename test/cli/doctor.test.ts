import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../../src/cli/doctor.ts';
import { createSwiftClock } from '../edge/models/clocks.ts';
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
    doctor: (invocation) =>
      runDoctor(invocation, { clock: createSwiftClock(100), listTimeoutMs: 300, answerTimeoutMs: 600 }),
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
  [
    'a server without a list',
    good,
    (_q, r) => json(r, 404, {}),
    /^warning .*no list of models: .*\/v1\/models \(404\)/m,
  ],
  [
    'a key that is good for answers only',
    good,
    (_q, r) => json(r, 403, {}),
    /^warning .*no list of models: .*refused the API key \(403\)/m,
  ],
  ['a list that is none', good, (_q, r) => r.end('<html>'), /^warning .*no list of models: .*answered with no list/m],
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
    /^warning .*it answers without tools only: .*no tools/m,
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
    /^wrong .*refused the API key \(401\).*Check OPENAI_API_KEY/m,
  ],
  [
    'an unknown model',
    (_q, r) => json(r, 404, { error: { message: 'no model m' } }),
    undefined,
    /^wrong .*has nothing at \/v1\/chat\/completions \(404\): no model m/m,
  ],
  [
    'a server error that repeats the key',
    (q, r) => json(r, 500, { headers: q.headers }),
    undefined,
    /^wrong .*has a problem \(500\).*\(5 attempts\)/m,
  ],
  ['no stream', (_q, r) => json(r, 200, { choices: [] }), undefined, /^wrong .*a whole answer where a stream/m],
  [
    'HTML',
    (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<b>\u001b[2J'),
    undefined,
    /^wrong .*a web page/m,
  ],
  ['an error in the stream', stream({ error: { message: 'busy' } }), undefined, /^wrong .*reported an error: busy/m],
  ['an event that is no JSON', stream('nonsense'), undefined, /^wrong .*no JSON/m],
  ['an empty stream', stream(), undefined, /^wrong .*without a single event/m],
  ['a stream that is cut', stream(delta({ content: 'x' })), undefined, /^wrong .*in the middle/m],
  ['an empty answer', stream(delta({}, 'stop'), '[DONE]'), undefined, /^wrong .*answers with nothing/m],
  [
    'odd events',
    stream(null, 7, { choices: null }, { choices: [null] }, '[DONE]'),
    undefined,
    /^wrong .*answers with nothing/m,
  ],
  ['silence', () => {}, undefined, /^wrong .*does not answer within 0\.6 s/m],
  ['a connection that breaks', (q) => q.socket.destroy(), undefined, /^wrong .*broke \(ECONNRESET\).*\(5 attempts\)/m],
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
  expect(stdout).toMatch(/HTTPS_PROXY is set but not used/);
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

test('a model that is missing: what the server offers', async () => {
  const url = await serve(good, (_q, r) => json(r, 200, { data: 'gfedcba'.split('').map((id) => ({ id })) }));
  const { code, stdout } = await on(url, { OPENAI_MODEL: '' });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^wrong .*no model is set/m);
  expect(stdout).toMatch(/^ok .*it offers a, b, c, d, e and 2 more$/m);
});

test('an address that lacks its /v1', async () => {
  const url = await serve(
    (q, r, body) => (q.url?.startsWith('/v1/') ? good(q, r, body) : r.writeHead(404).end()),
    (_q, r) => json(r, 200, { data: [{ id: 'm' }] }),
  );
  const { code, stdout } = await on(url.replace('/v1', ''));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^wrong .*has nothing at \/chat\/completions/m);
  expect(stdout).toMatch(/^warning .*\/v1 offers models: set the base URL to that$/m);
});

test('a proxy is gone through, and named', async () => {
  const url = await serve((_q, r) => r.writeHead(403, { 'content-type': 'text/html' }).end('<b>blocked'));
  const proxy = url.replace('/v1', '').replace('//', '//u:p4ss@');
  const { code, stdout } = await on('http://models.test/v1', { HTTP_PROXY: proxy });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^proxy {5}http:\/\/127\.0\.0\.1:\d+$/m);
  expect(stdout).toMatch(/^wrong .*models\.test refused the API key \(403\)/m);
  const broken = await on('http://models.test/v1', { HTTP_PROXY: 'socks5://127.0.0.1:1' });
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^wrong .*The proxy of HTTP_PROXY cannot be used/m);
  expect(stdout + broken.stdout).not.toContain('p4ss');
});

test('https where the server speaks http', async () => {
  const { code, stdout } = await on((await serve(good)).replace('http:', 'https:'));
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^wrong .*does not speak TLS.*http or https/m)]);
});

test('a command that prints the key', async () => {
  const seen: (string | undefined)[] = [];
  const url = await serve((request, response, body) => {
    seen.push(request.headers.authorization);
    good(request, response, body);
  });
  const fake = fakeHost();
  const config = (apiKeyCommand: string) => {
    mkdirSync(fake.home, { recursive: true });
    writeFileSync(fake.config, JSON.stringify({ providers: { x: { baseUrl: url, model: 'm', apiKeyCommand } } }));
  };
  config(`echo ${KEY}`);
  const fine = await doctor(fake, '-p', 'x');
  expect([fine.code, seen]).toEqual([0, [`Bearer ${KEY}`]]);
  expect(fine.stdout).toMatch(/^key {7}printed by providers\.x\.apiKeyCommand$/m);
  config(`echo ${KEY}; exit 4`);
  const failed = await doctor(fake, '-p', 'x');
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringMatching(/^wrong .*providers\.x.*failed \(exit 4\)/m)]);
  expect(fine.stdout + failed.stdout).not.toContain(KEY);
});

test('a ready provider without its key', async () => {
  const { code, stdout } = await doctor(fakeHost({ env: { OPENAI_API_KEY: KEY } }), '-p', 'groq');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^wrong .*no key is set for .*GROQ_API_KEY/m)]);
});

test('each value is told with where it comes from', async () => {
  const fake = fakeHost({ env: { HARNESS_CHAT_MAX_STEPS: '9' } });
  mkdirSync(fake.home, { recursive: true });
  writeFileSync(fake.config, JSON.stringify({ ascii: true, keys: { hold: 'alt+h' } }));
  const { stdout, stderr } = await doctor(fake, '-p', 'demo');
  expect(stderr).toBe('');
  for (const line of [
    'maxSteps = 9 (HARNESS_CHAT_MAX_STEPS in the environment)',
    `ascii = true (${fake.config})`,
    `keys.hold = alt+h (${fake.config})`,
    'inboxLimit = 64 (default)',
  ])
    expect(stdout.split('\n')).toContain(line);
});

test('of what is run only that it is set: a secret may stand anywhere in it', async () => {
  const fake = fakeHost({ env: { OPENAI_BASE_URL: await serve(good), OPENAI_API_KEY: KEY, OPENAI_MODEL: 'm' } });
  mkdirSync(fake.home, { recursive: true });
  const secret = { command: 'serve', args: ['--token', 'tok-SECRET-1'] };
  const hooks = [{ on: 'Turn', run: 'notify tok-SECRET-2' }];
  const providers = { mine: { baseUrl: 'http://127.0.0.1:1/v1', apiKeyCommand: 'echo tok-SECRET-3' } };
  writeFileSync(fake.config, JSON.stringify({ mcpServers: { files: secret }, hooks, providers }));
  const { stdout, stderr } = await doctor(fake);
  expect(stdout + stderr).not.toContain('SECRET');
  expect(stdout).toMatch(/mcpServers\.files = set/);
});
