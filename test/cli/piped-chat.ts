/** The built program as a child: `harness-chat stdio` with all its commands at once, and what it answers to its end. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WireEvent } from './black-box.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'harness-chat.js');

export interface Place {
  env: Record<string, string | undefined>;
  workspace: string;
  config: string;
}

/** A home and a workspace that are thrown away. */
export function somewhere(env: Record<string, string>): Place {
  const root = mkdtempSync(join(tmpdir(), 'piped-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, workspace]) mkdirSync(folder, { mode: 0o700 });
  const { PATH } = process.env;
  return {
    env: { PATH, HOME: root, LANG: 'C.UTF-8', HARNESS_CHAT_HOME: home, ...env },
    workspace,
    config: join(home, 'config.json'),
  };
}

export interface Piped {
  code: number | null;
  events: WireEvent[];
  stdout: string;
  stderr: string;
}

/** `input`: commands, one object a line; texts stand for a UserInput. */
export function piped({ env, workspace }: Place, args: string[], input: (string | object)[] = []): Promise<Piped> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: workspace, env });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    const lines = input.map((one) => JSON.stringify(typeof one === 'string' ? { type: 'UserInput', text: one } : one));
    child.stdin.end(lines.map((line) => `${line}\n`).join(''));
    child.once('close', (code) => {
      const parsed = args.includes('stdio') ? said.stdout.split('\n').filter((line) => line !== '') : [];
      const events = parsed.flatMap((line) => (JSON.parse(line) as { event?: WireEvent }).event ?? []);
      resolve({ code, events, ...said });
    });
  });
}
