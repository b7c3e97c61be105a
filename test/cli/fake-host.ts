/** A process of the tests' own: streams that are read, a home and a workspace that are thrown away. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Commands, Host, Invocation } from '../../src/cli/invocation.ts';
import { run } from '../../src/cli/program.ts';

export interface Started {
  name: keyof Commands;
  invocation: Invocation;
  rest: unknown[];
}

export function fakeHost(given: { env?: Record<string, string>; terminal?: boolean; input?: string } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cli-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const home = join(root, 'home');
  const host: Host = {
    env: { HARNESS_CHAT_HOME: home, ...given.env },
    currentFolder: () => root,
    platform: 'linux',
    home: root,
    streams: { stdin: Readable.from([given.input ?? '']), stdout, stderr },
    isTerminal: () => given.terminal === true,
    readerGone: new AbortController().signal,
  };
  const said = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString('utf8') ?? '';
  return {
    host,
    root,
    home,
    config: join(home, 'config.json'),
    stdout: () => said(stdout),
    stderr: () => said(stderr),
  };
}
export type FakeHost = ReturnType<typeof fakeHost>;

/** Runs a command line; every subcommand but those given only says how it was started. */
export async function runWith(fake: FakeHost, args: string[], real: Partial<Commands> = {}) {
  const started: Started[] = [];
  const recorded =
    (name: keyof Commands) =>
    async (invocation: Invocation, ...rest: unknown[]) => {
      started.push({ name, invocation, rest });
      return 0;
    };
  const names = ['chat', 'exec', 'stdio', 'sessions', 'audit', 'config', 'doctor'] as const;
  const commands = {
    ...Object.fromEntries(names.map((name) => [name, recorded(name)])),
    ...real,
  } as unknown as Commands;
  const code = await run(args, fake.host, commands);
  return { code, started: started[0], stdout: fake.stdout(), stderr: fake.stderr() };
}
