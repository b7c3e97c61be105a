import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findLocalServer, listModels } from '../../../src/edge/models/discovery.ts';
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

describe('findLocalServer', () => {
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
