/**
 * A real server from the registry, driven and killed in the middle of a call. It is installed for the run, which takes
 * some 15 s and a registry: HARNESS_CHAT_TEST_NPM=1 asks for it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { createMcpServers, type McpServers } from '../../../src/edge/mcp/mcp-servers.ts';
import { commandLineOf, readProcessTable } from '../../../src/edge/process/process-table.ts';
import { systemClock } from '../../../src/edge/system-clock.ts';
import { until } from '../process/until.ts';

const PACKAGE = '@modelcontextprotocol/server-everything';
const asked = process.env.HARNESS_CHAT_TEST_NPM !== undefined;
const reachable = asked && spawnSync('npm', ['view', PACKAGE, 'version'], { timeout: 20_000 }).status === 0;
if (asked && !reachable) console.warn(`the registry is not reachable: ${PACKAGE} is not tried`);

describe.skipIf(!reachable)(PACKAGE, () => {
  let folder = '';
  let program = '';
  const logged: string[] = [];
  let mcp: McpServers;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'harness-chat-npm-'));
    program = join(folder, 'node_modules', PACKAGE, 'dist', 'index.js');
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, PACKAGE];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: 100_000 });
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    mcp = createMcpServers({
      servers: { everything: { command: process.execPath, args: [program] } },
      env: process.env,
      cwd: folder,
      clock: systemClock,
      log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
    });
    await mcp.settled(30_000);
  }, 150_000);
  afterAll(async () => {
    await mcp?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (name: string, input: unknown = {}): Promise<ToolResult> => {
    const names = mcp.tools().map((one) => one.name);
    const tool = mcp.tools().find((one) => one.name === `mcp__everything__${name}`) ?? expect.fail(`only ${names}`);
    return tool.run(input, { cwd: folder, signal: new AbortController().signal, toolExecutionId: 't' });
  };
  const textOf = (result: ToolResult): string =>
    result.content.map((block) => (block.type === 'text' ? block.text : `<${block.mediaType}>`)).join('\n');
  const pidOf = (): number => readProcessTable().find(({ pid }) => commandLineOf(pid).includes(program))?.pid ?? 0;

  test('its tools are called', async () => {
    expect(mcp.status()).toMatchObject([{ name: 'everything', state: 'ready' }]);
    expect(mcp.tools().length).toBeGreaterThan(5);
    for (const { name, parameters } of mcp.tools()) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(parameters.jsonSchema.type).toBe('object');
    }
    expect(textOf(await call('echo', { message: 'hello there' }))).toContain('hello there');
    expect(textOf(await call('get-sum', { a: 2, b: 40 }))).toContain('42');
    expect(textOf(await call('get-tiny-image'))).toContain('<image/png>');
    expect(await call('get-sum', { a: 'no number' })).toMatchObject({ isError: true });
  });

  test('it is killed in the middle of a call: an error result, and it is back', async () => {
    const long = call('trigger-long-running-operation', { duration: 60, steps: 60 });
    const pid = pidOf();
    await call('echo', { message: 'it is at work' });
    process.kill(pid, 'SIGKILL');
    const result = await long;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('went away during the call (it was ended by SIGKILL)');
    expect(textOf(await call('echo', { message: 'again' }))).toContain('again');
    expect(pidOf()).not.toBe(pid);
  });

  test('nothing of it is left after a close', async () => {
    await mcp.close();
    await until(() => pidOf() === 0);
  });
});
