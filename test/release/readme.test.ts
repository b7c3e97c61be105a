/**
 * The commands of README and CONTRIBUTING, as they are written there. Each is in one of the lists below: run in a shell
 * with the built program on the PATH and a scripted server; or only read by the program's own options, where it opens the
 * chat or asks a server of the world; or one of npm, of which the script must be there (test/release/pack.test.ts runs
 * pack and install). A command that is in none of them fails.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Host } from '../../src/cli/invocation.ts';
import { run as runProgram } from '../../src/cli/program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Lines of the blocks of `sh`, without their comments. */
const linesOf = (name: string): string[] =>
  [...readFileSync(join(ROOT, name), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter(Boolean),
  );
const lines = [...linesOf('README.md'), ...linesOf('CONTRIBUTING.md')];

/** What they print, or begin with. */
const RUN: Record<string, RegExp> = {
  'harness-chat config set baseUrl http://127.0.0.1:11434/v1': /^$/,
  'harness-chat doctor': /the key is accepted[\s\S]*it streams/,
  'harness-chat exec "explain this" < error.log': /^An answer\.\n$/,
  'harness-chat exec --json "…"': /^\{"journal_seq":1,"event":\{"type":"SessionStarted"/,
  'echo \'{"type":"UserInput","text":"hi"}\' | harness-chat stdio': /"type":"TurnDone".*\n.*"type":"LoopIdle"/,
  'harness-chat sessions list --all': /explain this/,
  'harness-chat sessions export --html ID > session.html': /^$/,
  'harness-chat audit ID': /^sound: /,
};
const READ = [
  'harness-chat',
  'harness-chat --base-url http://127.0.0.1:11434/v1 --model llama3.2',
  'harness-chat -p groq',
  'harness-chat -c',
  'harness-chat -r',
  'harness-chat --fork ID@SEQ',
];
const NPM =
  /^npm (?:(start|test)|run ([\w-]+)|ci|pack|init -y|install (?:--global )?[\w./-]*harness-chat-[\w.*]+\.tgz)$/;
const SHELL = ['export OPENAI_API_KEY=…'];

const folder = mkdtempSync(join(tmpdir(), 'harness-chat-readme-'));

/** Calls the die where it is offered, and then answers; how many messages it was given. */
const asked: number[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (more) => {
    body += more;
  });
  request.on('end', () => {
    if (request.method === 'GET') return response.end('{"data":[{"id":"scripted"}]}');
    const { messages, tools } = JSON.parse(body);
    asked.push(messages.length);
    const offered = tools?.[0]?.function.name === 'dice' && messages.at(-1).role === 'user';
    const call = {
      index: 0,
      id: `call-${asked.length}`,
      type: 'function',
      function: { name: 'dice', arguments: '{"sides":20}' },
    };
    const delta = offered ? { tool_calls: [call] } : { content: 'An answer.' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { choices: [{ index: 0, delta, finish_reason: offered ? 'tool_calls' : 'stop' }] };
    return response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'harness-chat'),
    `#!/bin/sh\nexec "${process.execPath}" "${ROOT}/bin/harness-chat.js" "$@"\n`,
  );
  chmodSync(join(bin, 'harness-chat'), 0o755);
  writeFileSync(join(folder, 'error.log'), 'Error: no such file\n');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

function shell(command: string, cwd = folder): Promise<{ code: number | null; out: string; err: string }> {
  const env = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: folder,
    HARNESS_CHAT_HOME: join(folder, 'home'),
    OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    OPENAI_API_KEY: 'x',
    OPENAI_MODEL: 'scripted',
  };
  const child = spawn('/bin/sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const taken = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    taken.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    taken.err += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...taken })));
}

describe('the commands', () => {
  it('are all known here, and none is gone from the documents', () => {
    expect(
      lines.filter((line) => !(line in RUN) && !READ.includes(line) && !NPM.test(line) && !SHELL.includes(line)),
    ).toEqual([]);
    for (const line of [...Object.keys(RUN), ...READ, ...SHELL]) expect(lines).toContain(line);
  });

  it('of npm name scripts that are there', () => {
    const named = lines.flatMap((line) => NPM.exec(line)?.slice(1).filter(Boolean) ?? []);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
  });

  it.each(READ)('%s is read by the program', async (line) => {
    const words = line.replace('@SEQ', '@12').split(' ').slice(1);
    const started: string[] = [];
    const start = (name: string) => async () => {
      started.push(name);
      return 0;
    };
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const host: Host = {
      env: {},
      currentFolder: () => folder,
      platform: process.platform,
      home: folder,
      streams,
      isTerminal: () => true,
      readerGone: new AbortController().signal,
    };
    const commands = Object.fromEntries(
      ['chat', 'exec', 'stdio', 'sessions', 'audit', 'config', 'doctor'].map((name) => [name, start(name)]),
    ) as unknown as Parameters<typeof runProgram>[2];
    expect([await runProgram(words, host, commands), String(streams.stderr.read() ?? '')]).toEqual([0, '']);
    expect(started).toEqual(['chat']);
  });

  it('that need no terminal do what they say', async () => {
    await shell('harness-chat exec "explain this"');
    const [id = ''] = readdirSync(join(folder, 'home', 'sessions')).flatMap(
      (name) => /^(.*)\.jsonl$/.exec(name)?.[1] ?? [],
    );
    for (const line of lines.filter((one) => one in RUN)) {
      const { code, out, err } = await shell(line.replace(/\bID\b/, id));
      expect([line, code, out, err]).toEqual([
        line,
        line.endsWith('doctor') ? expect.any(Number) : 0,
        expect.stringMatching(RUN[line] as RegExp),
        expect.any(String),
      ]);
    }
    expect(readFileSync(join(folder, 'session.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  }, 60_000);
});

it('the embedded session runs as it is written, and goes on when it is run again', async () => {
  const code = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const project = join(folder, 'embedded');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(project, 'node_modules', 'harness-chat'), 'dir');
  writeFileSync(join(project, 'dice.mjs'), code);
  const before = asked.length;
  const first = await shell(`"${process.execPath}" dice.mjs`, project);
  expect(first).toEqual({
    code: 0,
    err: '',
    out: expect.stringMatching(/^\[dice \{"sides":20\}: ([1-9]|1\d|20)\]\nAn answer\.\n$/),
  });
  const second = await shell(`"${process.execPath}" dice.mjs`, project);
  expect([second.code, second.err, second.out]).toEqual([0, '', expect.stringMatching(/An answer\.\n$/)]);
  // the input, the call with its result, the answer; then the next input
  expect(asked.slice(before)).toEqual([1, 3, 5, 7]);
});
