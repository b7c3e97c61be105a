import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findLocalServer, isListed, listModels } from '../../../src/edge/models/discovery.ts';
import type { ReadyProvider } from '../../../src/edge/models/providers.ts';
import { begun, type FixtureServer, replies, startFixtureServer } from './fixture-server.ts';

let server: FixtureServer;
beforeEach(async () => {
  server = await startFixtureServer();
});
afterEach(() => server.close());

const entry = (name: string, baseUrl: string): ReadyProvider => ({
  name,
  title: name,
  baseUrl,
  keyVariable: 'X_KEY',
  local: true,
  quirks: {},
});

describe('listModels', () => {
  test.each([
    [{ data: [{ id: 'b' }, { id: 'a' }, {}] }, ['a', 'b']],
    [{ models: [{ name: 'm' }] }, ['m']],
    [
      ['x', { id: 'y' }],
      ['x', 'y'],
    ],
    [{ data: [] }, []],
    [{ object: 'list', data: null }, []],
    [{ data: [{ id: 'm' }, { id: 'm' }, null, 7, [], { id: 8 }] }, ['m']],
  ])('%o', async (body, want) => {
    server.answer(replies(200, body));
    expect(await listModels(server.url, 'sk-key')).toEqual(want);
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/v1/models',
      headers: { authorization: 'Bearer sk-key' },
    });
  });

  test('says what is wrong', async () => {
    server.answer(replies(401, {}));
    await expect(listModels(server.url)).rejects.toMatchObject({ kind: 'provider_auth' });
    expect(server.seen[0]!.headers).not.toHaveProperty('authorization');
    server.answer(replies(200, '<html>'));
    await expect(listModels(server.url)).rejects.toMatchObject({ kind: 'provider_protocol' });
    await server.close();
    await expect(listModels(server.url)).rejects.toMatchObject({ kind: 'provider_unavailable' });
    server = await startFixtureServer();
  });
});

test('a list is read whatever its type, packed or not, and by the proxy that holds for it', async () => {
  const list = JSON.stringify({ data: [{ id: 'm' }] });
  server.answer((response) => response.writeHead(200, { 'content-type': 'text/html' }).end(list));
  expect(await listModels(server.url)).toEqual(['m']);
  server.answer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(list)));
  expect(await listModels(server.url)).toEqual(['m']);
  const env = { HTTP_PROXY: 'socks5://127.0.0.1:1' };
  await expect(listModels('http://models.test/v1', 'k', { env })).rejects.toThrow(/proxy of HTTP_PROXY cannot be used/);
});

test('an address without a list is named as such', async () => {
  server.answer(replies(404, 'nothing here'));
  await expect(listModels(server.url)).rejects.toThrow(/has nothing at \/v1\/models \(404\)/);
});

test.each<[string[], string, boolean]>([
  [['m'], 'm', true],
  [['llama3.2:latest'], 'llama3.2', true],
  [['models/gemini-flash'], 'gemini-flash', true],
  [['m1'], 'm', false],
  [[], 'm', false],
])('%j lists %s: %s', (models, model, want) => {
  expect(isListed(models, model)).toBe(want);
});

describe('findLocalServer', () => {
  test('does not offer what cannot chat', async () => {
    server.answer(replies(200, { data: [{ id: 'text-embedding-nomic-embed-text-v1.5' }] }));
    expect(await findLocalServer({ timeoutMs: 5000, servers: [entry('x', server.url)] })).toBeUndefined();
    server.answer(replies(200, { data: [{ id: 'bge-m3' }, { id: 'llama3.2' }] }));
    expect((await findLocalServer({ timeoutMs: 5000, servers: [entry('x', server.url)] }))?.models).toEqual([
      'llama3.2',
    ]);
  });

  test('a slow one is not waited for, one that trickles neither, and a redirect is not followed', async () => {
    const trickle = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(timer));
    };
    for (const answer of [() => {}, trickle, replies(302, '', { location: server.url })]) {
      server.answer(answer);
      const began = performance.now();
      expect(await findLocalServer({ servers: [entry('x', server.url)] })).toBeUndefined();
      // the limit is 200 ms; the rest is for a loaded machine
      expect(performance.now() - began).toBeLessThan(2000);
    }
    expect(server.seen).toHaveLength(3);
  });

  test('a program that is busy as it starts still hears the answer', async () => {
    server.answer(replies(200, { data: [{ id: 'm' }] }));
    const found = findLocalServer({ timeoutMs: 100, servers: [entry('x', server.url)] });
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect((await found)?.models).toEqual(['m']);
  });

  test('takes the first in order that has a model', async () => {
    server.answer(replies(200, { data: [{ id: 'm' }] }));
    const servers = [entry('closed', 'http://127.0.0.1:9/v1'), entry('open', server.url), entry('later', server.url)];
    expect(await findLocalServer({ timeoutMs: 5000, servers })).toEqual({ entry: servers[1], models: ['m'] });
  });

  test('is not fooled by another server, by one without models, or by one that hangs', async () => {
    for (const answer of [
      replies(200, '<html>', { 'content-type': 'text/html' }),
      replies(200, { data: [] }),
      replies(404, ''),
      begun(),
    ]) {
      server.answer(answer);
      expect(await findLocalServer({ timeoutMs: 50, servers: [entry('x', server.url)] })).toBeUndefined();
    }
  });
});
