import { afterEach, expect, test } from 'vitest';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { createMcpServers, type McpServers } from '../../../src/edge/mcp/mcp-servers.ts';
import { systemClock } from '../../../src/edge/system-clock.ts';
import { until } from '../process/until.ts';
import { type HttpServerOptions, httpServer } from './http-server.ts';

const toEnd: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

async function serve(options?: HttpServerOptions) {
  const server = await httpServer(options);
  toEnd.push(server.stop);
  return server;
}
function open(entry: Record<string, unknown>) {
  const mcp = createMcpServers({
    servers: { web: entry },
    env: {},
    cwd: '/',
    clock: systemClock,
    log: () => undefined,
  });
  toEnd.push(mcp.close);
  const call = async (
    name: string,
    input: unknown = {},
    signal = new AbortController().signal,
  ): Promise<ToolResult> => {
    const tool = mcp.tools().find((one) => one.name === `mcp__web__${name}`) ?? expect.fail(`no tool ${name}`);
    return tool.run(input, { cwd: '/', signal, toolExecutionId: 't' });
  };
  return { mcp, call };
}
const textOf = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : '')).join();
const state = (mcp: McpServers) => mcp.status()[0]?.state;
const ready = { name: 'web', state: 'ready', tools: 5 };

test('it is called, with the headers of its entry, and its session is ended at the close', async () => {
  const server = await serve({ wants: 'Bearer 12345678' });
  const { mcp, call } = open({ url: server.url, headers: { Authorization: 'Bearer 12345678' } });
  await mcp.settled(10_000);
  expect(mcp.status()).toEqual([ready]);
  expect(textOf(await call('echo', { a: [1] }))).toBe('{"a":[1]}');
  expect(textOf(await call('echo', { a: '12345678' }))).toBe('{"a":"[secret hidden]"}');
  await mcp.close();
  expect(server.seen.at(-1)).toEqual({ method: 'DELETE', session: 's1' });
});

test('one that wants to know who we are', async () => {
  const server = await serve({ wants: 'Bearer 12345678' });
  const { mcp } = open({ url: server.url });
  await mcp.settled(10_000);
  expect(mcp.status()).toEqual([
    {
      name: 'web',
      state: 'failed',
      tools: 0,
      reason: 'it answered 401: it wants to know who you are; say so in headers',
    },
  ]);
});

test('one that is not there', async () => {
  const server = await serve();
  await server.stop();
  const { mcp } = open({ url: server.url });
  await mcp.settled(10_000);
  expect(mcp.status()).toEqual([
    {
      name: 'web',
      state: 'failed',
      tools: 0,
      reason: `it cannot be reached: connect ECONNREFUSED 127.0.0.1:${server.port}`,
    },
  ]);
});

test('the older form, named or found out', async () => {
  const server = await serve({ onlySse: true });
  for (const type of [undefined, 'sse']) {
    const { mcp, call } = open({ url: server.url, type });
    await mcp.settled(10_000);
    expect(mcp.status()).toEqual([ready]);
    expect(textOf(await call('echo', { a: 1 }))).toBe('{"a":1}');
  }
  const { mcp } = open({ url: server.url, type: 'http' });
  await mcp.settled(10_000);
  expect(state(mcp)).toBe('failed');
});

test.each(['cut', 'end'])('an answer that breaks off (%s) is an error result, and the next call works', async (how) => {
  const server = await serve();
  const { mcp, call } = open({ url: server.url });
  await mcp.settled(10_000);
  const result = await call(how);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('the connection broke before the answer came');
  expect(textOf(await call('echo', { a: 1 }))).toBe('{"a":1}');
});

test('a forgotten session is an error result, and a new one is begun', async () => {
  const server = await serve();
  const { mcp, call } = open({ url: server.url });
  await mcp.settled(10_000);
  expect(textOf(await call('forget'))).toContain('it answered 404: its session is over');
  expect(state(mcp)).toBe('restarting');
  expect(textOf(await call('echo', { a: 1 }))).toBe('{"a":1}');
  expect(mcp.status()).toEqual([ready]);
});

test.each([
  ['http', false],
  ['http', true],
  ['sse', false],
] as const)('a server of the form %s that dies in a call (its own stream: %s) and comes back', async (type, events) => {
  const options = { onlySse: type === 'sse', events };
  const server = await serve(options);
  const { mcp, call } = open({ url: server.url, type });
  await mcp.settled(10_000);
  const hanging = call('hang');
  await until(() => server.seen.some(({ message }) => message?.params?.name === 'hang'));
  await server.stop();
  const result = await hanging;
  expect(result.isError).toBe(true);
  if (events || type === 'sse') await until(() => state(mcp) === 'restarting');
  else expect((await call('echo')).isError).toBe(true);
  expect(state(mcp)).toBe('restarting');
  await serve({ ...options, port: server.port });
  expect(textOf(await call('echo', { a: 1 }))).toBe('{"a":1}');
  expect(mcp.status()).toEqual([ready]);
});

test('a call that is told to stop stops at once', async () => {
  const server = await serve();
  const { mcp, call } = open({ url: server.url });
  await mcp.settled(10_000);
  const stop = new AbortController();
  const hanging = call('hang', {}, stop.signal);
  await until(() => server.seen.some(({ message }) => message?.params?.name === 'hang'));
  stop.abort();
  await expect(hanging).rejects.toThrow();
  await until(() => server.seen.some(({ message }) => message?.method === 'notifications/cancelled'));
});
