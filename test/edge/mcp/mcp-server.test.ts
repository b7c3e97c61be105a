import { expect, test } from 'vitest';
import { type Connection, ConnectionLost } from '../../../src/edge/mcp/connection.ts';
import {
  backoffMs,
  CALL_WAITS_MS,
  createMcpServer,
  REFRESH_MS,
  START_LIMIT_MS,
  STEADY_MS,
} from '../../../src/edge/mcp/mcp-server.ts';
import { fakeClock } from '../../support/fake-clock.ts';

/** A connection that does as it is told. */
class FakeConnection implements Connection {
  listed: unknown[] = [{ name: 'a' }];
  lists = 0;
  closes = 0;
  kills = 0;
  readonly calls: { resolve(value: unknown): void; reject(error: Error): void }[] = [];
  toolsChanged: () => void;
  #opened = { resolve: (_listed: unknown[]): void => undefined, reject: (_error: Error): void => undefined };
  readonly #opening = new Promise<unknown[]>((resolve, reject) => {
    this.#opened = { resolve, reject };
  });
  #end = (_how: string): void => undefined;
  readonly ended = new Promise<string>((resolve) => {
    this.#end = resolve;
  });
  constructor(toolsChanged: () => void) {
    this.toolsChanged = toolsChanged;
  }
  succeed(): void {
    this.#opened.resolve(this.listed);
  }
  refuse(why: string): void {
    this.#opened.reject(new Error(why));
  }
  die(how: string): void {
    this.#end(how);
    for (const call of this.calls) call.reject(new ConnectionLost(how));
  }
  open(): Promise<unknown[]> {
    return this.#opening;
  }
  async list(): Promise<unknown[]> {
    this.lists++;
    return this.listed;
  }
  call(): Promise<unknown> {
    return new Promise((resolve, reject) => void this.calls.push({ resolve, reject }));
  }
  async close(): Promise<void> {
    this.closes++;
    this.refuse('it was closed');
    this.#end('it was closed');
  }
  killNow(): void {
    this.kills++;
  }
}

function rig(maxRestarts = 3) {
  const clock = fakeClock();
  const connections: FakeConnection[] = [];
  let changes = 0;
  const server = createMcpServer({
    name: 'x',
    connect({ toolsChanged }) {
      const fake = new FakeConnection(toolsChanged);
      connections.push(fake);
      return fake;
    },
    clock,
    log: () => undefined,
    changed: () => void changes++,
    maxRestarts,
  });
  const last = () => connections.at(-1) as FakeConnection;
  const ready = async () => {
    last().succeed();
    await settle();
    expect(server.status().state).toBe('ready');
  };
  const die = async (how = 'it exited with code 1') => {
    last().die(how);
    await settle();
  };
  return { clock, server, connections, last, ready, die, changes: () => changes };
}
/** All that is decided without a timer has happened. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

test('it connects in the background, then offers its tools', async () => {
  const { server, ready, changes } = rig();
  expect(server.status()).toEqual({ name: 'x', state: 'connecting', tools: 0 });
  expect(server.offered()).toEqual([]);
  await ready();
  expect(server.status()).toEqual({ name: 'x', state: 'ready', tools: 1 });
  expect(changes()).toBe(1);
});

test('one that never answers its start is given up, and closed', async () => {
  const { server, clock, last, connections } = rig();
  clock.advance(START_LIMIT_MS - 1);
  await settle();
  expect(server.status().state).toBe('connecting');
  clock.advance(1);
  await settle();
  expect(server.status()).toEqual({ name: 'x', state: 'failed', tools: 0, reason: 'it did not answer within 30 s' });
  expect(last().closes).toBeGreaterThan(0);
  clock.advance(3_600_000);
  await settle();
  expect(connections).toHaveLength(1);
});

test('one that cannot be started says why', async () => {
  const { server, last } = rig();
  last().refuse('there is no such program');
  await settle();
  expect(server.status()).toMatchObject({ state: 'failed', reason: 'there is no such program' });
  await expect(server.call('a', {}, never)).rejects.toThrow(
    'The MCP server x is not there (there is no such program): go on without it.',
  );
});

test('one that dies is started again after longer and longer pauses, and at last given up', async () => {
  const { server, clock, ready, die, connections, last } = rig(3);
  await ready();
  for (let restart = 1; restart <= 3; restart++) {
    await die('it was ended by SIGKILL');
    expect(server.status()).toEqual({ name: 'x', state: 'restarting', tools: 1, reason: 'it was ended by SIGKILL' });
    expect(last().closes).toBe(1);
    clock.advance(backoffMs(restart) - 1);
    expect(connections).toHaveLength(restart);
    clock.advance(1);
    expect(connections).toHaveLength(restart + 1);
    if (restart === 2) {
      last().refuse('it exited with code 4');
      await settle();
      expect(server.status()).toMatchObject({ state: 'restarting', reason: 'it exited with code 4' });
      clock.advance(backoffMs(++restart));
      await settle();
    }
    await ready();
  }
  await die();
  expect(server.status()).toEqual({
    name: 'x',
    state: 'failed',
    tools: 0,
    reason: 'given up after 3 restarts: it exited with code 1',
  });
  expect(server.offered()).toEqual([]);
});

test('after a steady time a death counts as the first', async () => {
  const { server, clock, ready, die } = rig(1);
  await ready();
  for (let i = 0; i < 4; i++) {
    clock.advance(STEADY_MS);
    await die();
    expect(server.status().state).toBe('restarting');
    clock.advance(backoffMs(1));
    await ready();
  }
  await die();
  expect(server.status().state).toBe('failed');
});

test('the pauses grow to a minute', () => {
  expect([1, 2, 3, 4, 7, 8, 20, 2_000].map(backoffMs)).toEqual([
    500, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});

test('a call under way ends with an error, the next one waits for the restart', async () => {
  const { server, clock, ready, die, last } = rig();
  await ready();
  const first = server.call('a', {}, never);
  const broken = expect(first).rejects.toThrow(
    'The MCP server x went away during the call (it was ended by SIGKILL): whether the call was carried out is not known. It is being started again.',
  );
  await settle();
  await die('it was ended by SIGKILL');
  await broken;
  const second = server.call('a', {}, never);
  clock.advance(backoffMs(1));
  await ready();
  last().calls[0]?.resolve('answer');
  expect(await second).toBe('answer');
});

test('a call waits for a restart only so long, and not beyond its signal', async () => {
  const { server, clock, ready, die } = rig();
  await ready();
  await die();
  const late = server.call('a', {}, never);
  const stop = new AbortController();
  const stopped = server.call('a', {}, stop.signal);
  const both = Promise.all([
    expect(late).rejects.toThrow('is not there (it exited with code 1): go on without it.'),
    expect(stopped).rejects.toThrow('is not there'),
  ]);
  stop.abort();
  clock.advance(CALL_WAITS_MS);
  await both;
});

test('what the server itself refuses is told as that', async () => {
  const { server, ready, last } = rig();
  await ready();
  const call = server.call('a', {}, never);
  await settle();
  last().calls[0]?.reject(new Error('no such tool'));
  await expect(call).rejects.toThrow('The MCP server x did not do it: no such tool');
});

test('a changed list is fetched, once for many words, and a failing list changes nothing', async () => {
  const { server, clock, ready, last } = rig();
  await ready();
  last().listed = [{ name: 'a' }, { name: 'b' }];
  for (let i = 0; i < 100; i++) last().toolsChanged();
  clock.advance(REFRESH_MS);
  await settle();
  expect(server.status().tools).toBe(2);
  expect(last().lists).toBe(1);
  last().list = () => Promise.reject(new Error('no'));
  last().toolsChanged();
  clock.advance(REFRESH_MS);
  await settle();
  expect(server.status()).toEqual({ name: 'x', state: 'ready', tools: 2 });
});

test('a close ends it in every state, for good', async () => {
  const connecting = rig();
  await connecting.server.close();
  expect(connecting.last().closes).toBeGreaterThan(0);

  const restarting = rig();
  await restarting.ready();
  await restarting.die();
  const waits = expect(restarting.server.call('a', {}, never)).rejects.toThrow('is not there');
  await restarting.server.close();
  await waits;
  restarting.clock.advance(3_600_000);
  await settle();
  expect(restarting.connections).toHaveLength(1);

  const ready = rig();
  await ready.ready();
  await ready.server.close();
  ready.clock.advance(3_600_000);
  await settle();
  expect(ready.connections).toHaveLength(1);
  ready.server.killNow();
  expect(ready.last().kills).toBe(1);
});
