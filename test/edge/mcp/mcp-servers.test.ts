/** Against a server that is a real process. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Tool, ToolResult } from '../../../src/domain/tool.ts';
import { START_LIMIT_MS } from '../../../src/edge/mcp/mcp-server.ts';
import { createMcpServers, type McpOptions, type McpServers } from '../../../src/edge/mcp/mcp-servers.ts';
import { text, toolCall } from '../../../src/edge/models/scripted.ts';
import { systemClock } from '../../../src/edge/system-clock.ts';
import { startRig } from '../../support/rig.ts';
import { until } from '../process/until.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures', 'server.mjs');
const fixture = (...args: string[]) => ({ command: process.execPath, args: [FIXTURE, ...args] });
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-chat-mcp-')));

const opened: McpServers[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(servers: McpOptions['servers'], more: Partial<McpOptions> = {}) {
  const logged: string[] = [];
  const mcp = createMcpServers({
    servers,
    env: { PATH: process.env.PATH, ORDINARY: 'seen', OPENAI_API_KEY: 'sk-ours-and-secret', MINE: 'mine-and-secret' },
    secretVariables: ['MINE'],
    secrets: () => ['sk-ours-and-secret'],
    cwd: import.meta.dirname,
    clock: systemClock,
    log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
    ...more,
  });
  opened.push(mcp);
  const tool = (name: string): Tool => mcp.tools().find((one) => one.name === name) ?? expect.fail(`no tool ${name}`);
  const call = async (name: string, input: unknown = {}, signal = new AbortController().signal): Promise<ToolResult> =>
    tool(name).run(input, { cwd: folder, signal, toolExecutionId: 't' });
  return { mcp, logged, call, tool };
}
const textOf = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : '')).join();
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const becomes = (mcp: McpServers, state: string): Promise<void> => until(() => mcp.status()[0]?.state === state);

test('its tools are there when it has connected, and do what they say', async () => {
  const { mcp, call } = open({ files: fixture() });
  expect(mcp.status()).toEqual([{ name: 'files', state: 'connecting', tools: 0 }]);
  expect(mcp.tools()).toEqual([]);
  await mcp.settled(10_000);
  expect(mcp.status()).toEqual([{ name: 'files', state: 'ready', tools: 11 }]);
  expect(mcp.tools()[0]).toMatchObject({
    name: 'mcp__files__echo',
    description: 'Says it again',
    changes: false,
    parameters: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  });
  expect(await call('mcp__files__echo', { text: 'hi' })).toEqual({
    content: [
      { type: 'text', text: 'hi' },
      { type: 'text', text: '{\n  "text": "hi"\n}' },
    ],
  });
  expect(await call('mcp__files__fail')).toMatchObject({ isError: true, content: [{ text: 'it did not work' }] });
  expect(textOf(await call('mcp__files__refuse'))).toContain('The MCP server files did not do it: ');
  expect((await call('mcp__files__image')).content).toMatchObject([{ type: 'image', mediaType: 'image/png' }]);
});

test('its environment has no secret of ours, and what its entry names', async () => {
  const env = { GIVEN: `\${MINE}`, OWN_TOKEN: 'written-in-the-entry' };
  const { mcp, call } = open({ files: { ...fixture(), env, cwd: '..' } });
  await mcp.settled(10_000);
  const result = textOf(await call('mcp__files__env'));
  expect(result).toContain('"ORDINARY":"seen"');
  expect(result).not.toContain('OPENAI_API_KEY');
  expect(result).not.toContain('"MINE"');
  expect(result).toContain('"GIVEN":"[secret hidden]"');
  expect(result).toContain('"OWN_TOKEN":"[secret hidden]"');
  expect(JSON.parse(textOf(await call('mcp__files__where'))).cwd).toBe(join(import.meta.dirname, '..'));
});

test('what it says beside its messages goes to the log as one line', async () => {
  const { mcp, logged } = open({ files: fixture() });
  await mcp.settled(10_000);
  const says = logged.filter((line) => line.startsWith('mcp: files says'));
  expect(says.join('\n')).toContain('hello');
  expect(says.join('\n')).toContain('this line is no message');
  expect(says.join('\n')).not.toContain('\u001b');
});

test('killed in the middle of a call: an error result, then it is back', async () => {
  const { mcp, call } = open({ files: fixture() });
  await mcp.settled(10_000);
  const hanging = call('mcp__files__hang');
  const { pid } = JSON.parse(textOf(await call('mcp__files__where')));
  process.kill(pid, 'SIGKILL');
  const result = await hanging;
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    'The MCP server files went away during the call (it was ended by SIGKILL): whether the call was carried out is not known. It is being started again.',
  );
  expect(mcp.status()).toEqual([{ name: 'files', state: 'restarting', tools: 11, reason: 'it was ended by SIGKILL' }]);
  expect(textOf(await call('mcp__files__echo', { text: 'again' }))).toContain('again');
  expect(mcp.status()).toEqual([{ name: 'files', state: 'ready', tools: 11 }]);
});

test('killed in the middle of a call: the Turn goes on with an error result', async () => {
  const { mcp } = open({ files: fixture() });
  await mcp.settled(10_000);
  const replies = [
    [toolCall('mcp__files__die', {})],
    [toolCall('mcp__files__echo', { text: 'again' })],
    [text('done')],
  ];
  const rig = await startRig({ replies, tools: mcp.tools() });
  await rig.say('go');
  await rig.until('TurnDone');
  expect(rig.events('ToolCallCompleted').map(({ toolName, isError }) => [toolName, isError])).toEqual([
    ['mcp__files__die', true],
    ['mcp__files__echo', false],
  ]);
  expect(rig.events('PermissionDecided')).toHaveLength(2);
  expect(JSON.stringify(rig.model.requests[1]?.messages)).toContain('went away during the call');
});

test('a call that is told to stop stops at once, and the server hears of it', async () => {
  const { mcp, call } = open({ files: fixture() });
  await mcp.settled(10_000);
  const stop = new AbortController();
  const hanging = call('mcp__files__hang', {}, stop.signal);
  await call('mcp__files__echo', { text: 'it is on its way' });
  stop.abort();
  await expect(hanging).rejects.toThrow();
  expect(textOf(await call('mcp__files__canceled'))).toMatch(/^\[\d+\]$/);
});

test('a changed list is fetched', async () => {
  const { mcp, call } = open({ files: fixture() });
  await mcp.settled(10_000);
  const changed = new Promise<void>((resolve) => void mcp.onChange(resolve));
  await call('mcp__files__grow');
  await changed;
  expect(mcp.tools().map(({ name }) => name)).toContain('mcp__files__more11');
});

describe('servers that do not come up cost the others nothing', () => {
  test('wrong entries, missing programs, early ends', async () => {
    const { mcp } = open({
      wrong: { command: 7 },
      gone: { command: 'no-such-program-anywhere' },
      spaced: { command: 'npx -y something' },
      folder: { ...fixture(), cwd: 'not/there' },
      ends: fixture('exit'),
      off: { ...fixture(), disabled: true },
      good: fixture(),
    });
    await mcp.settled(10_000);
    expect(mcp.status()).toEqual([
      {
        name: 'wrong',
        state: 'failed',
        tools: 0,
        reason: 'mcpServers.wrong.command must be a text: the program to start',
      },
      {
        name: 'gone',
        state: 'failed',
        tools: 0,
        reason: '"no-such-program-anywhere" could not be started: there is no such program',
      },
      {
        name: 'spaced',
        state: 'failed',
        tools: 0,
        reason:
          '"npx -y something" could not be started: there is no such program (what comes behind the program belongs into args)',
      },
      {
        name: 'folder',
        state: 'failed',
        tools: 0,
        reason: `the folder "${join(import.meta.dirname, 'not/there')}" is not there`,
      },
      { name: 'ends', state: 'failed', tools: 0, reason: 'it exited with code 3: Error: the license is missing' },
      { name: 'good', state: 'ready', tools: 11 },
    ]);
  });

  test('one that never answers', async () => {
    const { mcp } = open({ mute: fixture('mute'), good: fixture() });
    await until(() => mcp.status()[1]?.state === 'ready');
    expect(mcp.status()[0]).toEqual({ name: 'mute', state: 'connecting', tools: 0 });
    expect(mcp.tools()).toHaveLength(11);
    const began = performance.now();
    await mcp.settled(20);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  test('one that does not come back is given up in the end', async () => {
    const fast = {
      ...systemClock,
      after: (ms: number, callback: () => void) => systemClock.after(ms === START_LIMIT_MS ? ms : ms / 100, callback),
    };
    const { mcp, call } = open({ once: fixture('once', join(folder, 'started')) }, { clock: fast });
    await becomes(mcp, 'ready');
    await call('mcp__once__die');
    await becomes(mcp, 'failed');
    expect(mcp.status()[0]?.reason).toBe('given up after 6 restarts: it exited with code 4');
    expect(mcp.tools()).toEqual([]);
  });
});

test('strange tools are left out or made bearable, and all pages are read', async () => {
  const { mcp } = open({ odd: fixture('odd') });
  await mcp.settled(10_000);
  const names = mcp.tools().map(({ name }) => name);
  expect(names).toHaveLength(12);
  expect(names.at(-1)).toMatch(/^mcp__odd__a_b___[0-9a-f]{8}$/);
});

test('a close ends the child and what it started, even where it is deaf', async () => {
  const { mcp, call } = open({ files: fixture('deaf') });
  await mcp.settled(10_000);
  const { pid } = JSON.parse(textOf(await call('mcp__files__where')));
  const grandchild = Number(textOf(await call('mcp__files__child')));
  expect([isRunning(pid), isRunning(grandchild)]).toEqual([true, true]);
  const began = performance.now();
  await mcp.close();
  expect(performance.now() - began).toBeLessThan(5_000);
  await until(() => !isRunning(pid) && !isRunning(grandchild));
});

test('killAll ends all at once', async () => {
  const { mcp, call } = open({ files: fixture('deaf') });
  await mcp.settled(10_000);
  const { pid } = JSON.parse(textOf(await call('mcp__files__where')));
  mcp.killAll();
  await until(() => !isRunning(pid));
});

test('a close while it is starting leaves nothing behind', async () => {
  const { mcp, logged } = open({ files: fixture('deaf') });
  await mcp.close();
  expect(logged.filter((line) => line.includes('is ready'))).toEqual([]);
  expect(mcp.tools()).toEqual([]);
});

test('a start that is put off begins when it is time', async () => {
  const { mcp } = open({ files: fixture(), wrong: {} }, { startAfterMs: 20 });
  expect(mcp.status().map(({ state }) => state)).toEqual(['connecting', 'failed']);
  await mcp.settled(10_000);
  expect(mcp.status().map(({ state }) => state)).toEqual(['ready', 'failed']);
});
