/**
 * Servers of this kind that others wrote, driven by the built program. They are installed from the registry into a folder
 * of their own when they are asked for: HARNESS_CHAT_TEST_REAL_SERVER=1.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { WireEvent } from './black-box.ts';
import { piped, somewhere } from './piped-chat.ts';

const WANTED = process.env.HARNESS_CHAT_TEST_REAL_SERVER === '1';
const WHY_NOT = 'set HARNESS_CHAT_TEST_REAL_SERVER=1 to install and drive it';
const KEY = 'sk-real-server-0001';
const CALL = { path: 'notes.txt' };

interface Real {
  name: string;
  install: string;
  /** Writes what the server is to say, and answers with its command line. */
  prepare(folder: string, port: number): string[];
  wantsKey: boolean;
}

const SERVERS: Real[] = [
  {
    name: 'aimock',
    install: '@copilotkit/aimock@1.43.0',
    wantsKey: false,
    prepare(folder, port) {
      const match = { userMessage: 'read the notes' };
      const fixtures = [
        {
          match: { ...match, hasToolResult: false },
          response: { toolCalls: [{ id: 'call_a', name: 'read_file', arguments: JSON.stringify(CALL) }] },
        },
        { match: { ...match, hasToolResult: true }, response: { content: 'They say **remember the milk** 🥛.' } },
        { match: { userMessage: 'Call the tool ping' }, response: { toolCalls: [{ name: 'ping', arguments: '{}' }] } },
      ];
      mkdirSync(join(folder, 'fixtures'));
      writeFileSync(join(folder, 'fixtures', 'all.json'), JSON.stringify({ fixtures }));
      const bin = join(folder, 'node_modules', '@copilotkit', 'aimock', 'dist', 'cli.js');
      return [bin, '--fixtures', join(folder, 'fixtures'), '--port', String(port), '--chunk-size', '3'];
    },
  },
  {
    // says "stop" behind calls, and sends calls without an index
    name: 'openai-mock-api',
    install: 'openai-mock-api@0.4.0',
    wantsKey: true,
    prepare(folder, port) {
      const call = { id: 'call_a', type: 'function', function: { name: 'read_file', arguments: JSON.stringify(CALL) } };
      const ping = { id: 'call_p', type: 'function', function: { name: 'ping', arguments: '{}' } };
      const read = [
        { role: 'system', matcher: 'any' },
        { role: 'user', content: 'read the notes', matcher: 'contains' },
        { role: 'assistant', tool_calls: [call] },
      ];
      const answer = [
        { role: 'tool', matcher: 'any', tool_call_id: 'call_a' },
        { role: 'assistant', content: 'They say **remember the milk** 🥛.' },
      ];
      const responses = [
        { id: 'call', messages: read },
        { id: 'answer', messages: [...read, ...answer] },
        {
          id: 'ping',
          messages: [
            { role: 'user', content: 'ping', matcher: 'contains' },
            { role: 'assistant', tool_calls: [ping] },
          ],
        },
      ];
      // JSON is YAML
      writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ apiKey: KEY, port, responses }));
      const bin = join(folder, 'node_modules', 'openai-mock-api', 'dist', 'cli.js');
      return [bin, '--config', join(folder, 'config.yaml'), '--port', String(port)];
    },
  },
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when it takes connections; asks on, since it says so in words of its own. */
async function answering(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/models`).catch(() => undefined);
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server ended');
}

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing.splice(0)) close();
});

async function start(real: Real): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'real-server-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const flags = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...flags, real.install], { cwd: folder, timeout: 100_000 });
  } catch {
    return undefined;
  }
  const port = await freePort();
  const child = spawn(process.execPath, real.prepare(folder, port), { cwd: folder, stdio: 'ignore' });
  closing.unshift(() => child.kill());
  const url = `http://127.0.0.1:${port}/v1`;
  await answering(url, child);
  return url;
}

describe.each(SERVERS)('$name, a server of others', (real) => {
  test.skipIf(!WANTED)(`a Turn with a tool, and doctor (${WHY_NOT})`, { timeout: 180_000 }, async (context) => {
    const url = await start(real);
    if (url === undefined) return context.skip(`npm cannot install ${real.install}`);
    const place = somewhere({ OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'gpt-4o' });
    writeFileSync(join(place.workspace, 'notes.txt'), 'remember the milk\n');

    const run = await piped(place, ['stdio'], ['read the notes']);
    const of = (type: string): WireEvent[] => run.events.filter((event) => event.type === type);
    expect([run.code, of('TurnFailed'), of('TurnDone')]).toEqual([0, [], [expect.anything()]]);
    const [call, answer] = of('StepDone');
    expect(call?.messages?.[0]?.blocks).toEqual([
      { type: 'tool_use', id: expect.any(String), name: 'read_file', input: CALL },
    ]);
    expect(JSON.stringify(call?.messages?.[1])).toContain('remember the milk');
    expect(answer?.messages?.[0]?.blocks).toEqual([{ type: 'text', text: 'They say **remember the milk** 🥛.' }]);
    expect(of('TokenDelta').length).toBeGreaterThan(3);

    const doctor = await piped(place, ['doctor']);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/^ok .*it calls tools$/m)]);
    expect(doctor.stdout).not.toContain(KEY);

    if (!real.wantsKey) return;
    const stranger = { ...place, env: { ...place.env, OPENAI_API_KEY: 'sk-of-somebody-else' } };
    const refused = await piped(stranger, ['exec', 'read the notes']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/refused the API key \(401\)/)]);
    expect(refused.stderr).not.toContain('sk-of-somebody-else');
    expect((await piped(stranger, ['doctor'])).code).toBe(1);
  });
});
