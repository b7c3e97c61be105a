/**
 * A server as a child process: in a process group of its own, ended with all that it started. One JSON message a line
 * on its standard input and output; what it says on standard error goes to whoever asked for it, never to the screen.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createProcessTree, MARK_VARIABLE, type ProcessTree } from '../process/process-tree.ts';
import { quoteValue } from '../settings/one-line.ts';
import { createLineSplitter } from './line-splitter.ts';
import type { StdioEntry } from './server-entry.ts';

export interface StdioTransport extends Transport {
  /** How it came to its end, once it has. */
  ended(): string | undefined;
  /** At once and synchronously: for the exit of the program. */
  killNow(): void;
}

export interface StdioParts {
  /** The whole environment of the child. */
  env: NodeJS.ProcessEnv;
  /** Makes a message of what one line holds, or throws. */
  parse(line: string): JSONRPCMessage;
  /** One line of standard error, or of standard output where it is no message. */
  said(line: string): void;
}

const LONGEST_MESSAGE = 32 * 1024 * 1024;
const LONGEST_NOISE = 2_000;
/** Its standard output may still hold an answer when it has exited; a child of it may keep that open. */
const LAST_WORDS_MS = 200;
/** To end by itself when its standard input ends; then it is told to, then killed. */
const FAREWELL_MS = 300;
const GRACE_MS = 1_000;

export function createStdioTransport(entry: StdioEntry, parts: StdioParts): StdioTransport {
  let child: ChildProcessWithoutNullStreams | undefined;
  let tree: ProcessTree | undefined;
  let how: string | undefined;
  let over = false;
  const finish = async (reason: string): Promise<void> => {
    how ??= reason;
    if (over) return;
    over = true;
    const left = tree?.stop(GRACE_MS);
    transport.onclose?.();
    await left;
  };
  const transport: StdioTransport = {
    async start() {
      if (!existsSync(entry.cwd)) throw new Error(`the folder ${quoteValue(entry.cwd)} is not there`);
      const mark = randomUUID();
      child = await spawned(entry, { ...parts.env, [MARK_VARIABLE]: mark });
      tree = createProcessTree(child.pid as number, mark);
      child.once('exit', (code, signal) => {
        tree?.leaderEnded();
        how ??= signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
      });
      void gone(child).then(() => finish('it ended'));
      listen(child, parts, transport, (reason) => void finish(reason));
      // closed while it was starting
      if (over) await tree.stop(GRACE_MS);
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (over || !child) reject(new Error('the server is not running'));
        else child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      if (child && !over) {
        how ??= 'it was closed';
        child.stdin.end();
        await within(gone(child), FAREWELL_MS);
      }
      await finish('it was closed');
    },
    ended: () => how,
    killNow: () => tree?.killNow(),
  };
  return transport;
}

/** Rejects with one line where it cannot be started. */
async function spawned({ command, args, cwd }: StdioEntry, env: NodeJS.ProcessEnv) {
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: 'pipe' });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = /\s/.test(command) ? ' (what comes behind the program belongs into args)' : '';
    const why =
      code === 'ENOENT' ? `there is no such program${hint}` : code === 'EACCES' ? 'it may not be run' : message;
    throw new Error(`${quoteValue(command)} could not be started: ${why}`);
  }
}

function listen(
  child: ChildProcessWithoutNullStreams,
  { parse, said }: StdioParts,
  transport: Transport,
  fail: (reason: string) => void,
): void {
  const messages = createLineSplitter(LONGEST_MESSAGE, {
    line(line) {
      if (line.trim() === '') return;
      let message: JSONRPCMessage;
      try {
        message = parse(line);
      } catch {
        said(line.slice(0, LONGEST_NOISE));
        return;
      }
      transport.onmessage?.(message);
    },
    overlong: () => fail(`it sent a message of more than ${LONGEST_MESSAGE / 1024 / 1024} MB`),
  });
  const noise = createLineSplitter(LONGEST_NOISE, { line: said, overlong: said });
  child.stdout.on('data', messages.push);
  child.stderr.on('data', noise.push);
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on('error', (error) => transport.onerror?.(error));
  }
}

/** Resolves when it has exited and what it had to say was read. */
async function gone(child: ChildProcessWithoutNullStreams): Promise<void> {
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  }
  await within(closed, LAST_WORDS_MS);
}

/** Waits for it, but no longer. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
