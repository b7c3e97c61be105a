/** Runs one shell command: no terminal, nothing on standard input, bounded output, ended with all that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { type CapturedOutput, createOutputCollector, type OutputOptions } from './output-collector.ts';
import { createOutputPipe, type OutputPipe } from './output-pipe.ts';
import type { ProcessRow } from './process-table.ts';
import { createProcessTree, MARK_VARIABLE, type ProcessTree } from './process-tree.ts';

export interface CommandRequest {
  /** Text for the shell. */
  command: string;
  /** Absolute. */
  cwd: string;
  /** The whole environment: see `childEnvironment`. */
  env: NodeJS.ProcessEnv;
  /** Text for its standard input; default: none at all. */
  input?: string;
  output?: OutputOptions;
}
export interface CommandLimits {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** How the shell itself ended. */
export interface CommandExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}
export interface CommandResult extends CommandExit {
  output: CapturedOutput;
  durationMs: number;
  /** It was ended: by its time limit, or by its signal. */
  stopped?: 'timeout' | 'aborted';
  /** What it started that lives on. */
  stillRunning: ProcessRow[];
}

export interface RunningCommand {
  readonly pid: number;
  readonly tree: ProcessTree;
  readonly startedAt: number;
  readonly exited: Promise<CommandExit>;
  /** Resolves when the shell has exited and its output is read, or when nothing more comes of what it left behind. */
  readonly finished: Promise<CommandExit>;
  captured(): CapturedOutput;
  /** The output is complete; what still comes is read and thrown away. */
  close(): Promise<void>;
}

/** After the exit of the shell a child of it may keep the pipe open: how long it may be quiet, and how long it may talk. */
const QUIET_MS = 250;
const LINGER_MS = 1_500;
/** Linux takes no longer argument. */
const LONGEST_COMMAND = 128 * 1024 - 1;

/** Bash where there is one: models write for it. */
const SHELL = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';

/** Rejects with one line where the command cannot be started. */
export async function startCommand(request: CommandRequest): Promise<RunningCommand> {
  const fault = faultOf(request);
  if (fault) throw new Error(fault);
  const mark = randomUUID();
  const pipe = await createOutputPipe().catch(() => undefined);
  let child: ChildProcess;
  try {
    child = spawn(SHELL, ['-c', request.command], {
      cwd: request.cwd,
      env: { ...request.env, [MARK_VARIABLE]: mark },
      detached: true,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', pipe?.writeEnd ?? 'pipe', pipe?.writeEnd ?? 'pipe'],
    });
    await started(child);
  } catch (error) {
    pipe?.reader.destroy();
    throw new Error(`the command could not be started: ${(error as Error).message}`);
  } finally {
    pipe?.handedOver();
  }
  child.stdin?.on('error', () => {}).end(request.input);
  return follow(child, mark, request, pipe);
}

function faultOf({ command, cwd }: CommandRequest): string | undefined {
  if (command.includes('\0')) return 'the command holds a NUL character: leave it out';
  if (Buffer.byteLength(command) > LONGEST_COMMAND) {
    return `the command is longer than ${LONGEST_COMMAND} bytes: write it to a file and run that`;
  }
  return existsSync(cwd) ? undefined : `the folder ${cwd} is not there any more`;
}

const started = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });

function follow(child: ChildProcess, mark: string, request: CommandRequest, pipe?: OutputPipe): RunningCommand {
  const collector = createOutputCollector(request.output);
  const sources = pipe ? [pipe.reader] : [child.stdout, child.stderr].filter((stream) => stream !== null);
  const reading = readAll(sources, collector.push);
  const tree = createProcessTree(child.pid as number, mark);
  const exited = new Promise<CommandExit>((resolve) => {
    child.once('exit', (code, signal) => {
      tree.leaderEnded();
      resolve({ code, signal });
    });
  });
  const finished = exited.then(async (exit) => {
    await reading.settled(QUIET_MS, LINGER_MS);
    return exit;
  });
  const close = async (): Promise<void> => {
    reading.release();
    await collector.close();
  };
  const { captured } = collector;
  return { pid: child.pid as number, tree, startedAt: performance.now(), exited, finished, captured, close };
}

/** Reads streams as fast as `push` takes their bytes. */
function readAll(
  streams: readonly (Readable & { unref?(): unknown })[],
  push: (chunk: Buffer) => Promise<void> | undefined,
) {
  let lastByteAt = performance.now();
  const ended = Promise.all(
    streams.map(
      (stream) =>
        new Promise<void>((resolve) => {
          for (const event of ['end', 'close', 'error']) stream.once(event, resolve);
          stream.on('error', () => {});
          stream.on('data', (chunk: Buffer) => {
            lastByteAt = performance.now();
            const full = push(chunk);
            if (!full) return;
            stream.pause();
            void full.finally(() => stream.resume());
          });
        }),
    ),
  );
  return {
    /** Resolves at the end of the streams, or when they were quiet for `quietMs`, or after `lingerMs`. */
    async settled(quietMs: number, lingerMs: number): Promise<void> {
      const began = performance.now();
      lastByteAt = began;
      let timer: NodeJS.Timeout | undefined;
      const quiet = new Promise<void>((resolve) => {
        timer = setInterval(() => {
          const now = performance.now();
          if (now - lastByteAt >= quietMs || now - began >= lingerMs) resolve();
        }, 50);
      });
      await Promise.race([ended, quiet]);
      clearInterval(timer);
    },
    /** Goes on draining, so that nobody who still writes is broken off, but keeps this program from nothing. */
    release(): void {
      for (const stream of streams) stream.unref?.();
    },
  };
}

/** Runs it to its end, its time limit or its signal. Rejects with one line where it cannot be started. */
export async function runCommand(request: CommandRequest, limits: CommandLimits = {}): Promise<CommandResult> {
  limits.signal?.throwIfAborted();
  return completeCommand(await startCommand(request), limits);
}

/** Waits for the end of a started command and ends it where it must. */
export async function completeCommand(running: RunningCommand, limits: CommandLimits = {}): Promise<CommandResult> {
  const end = deadline(limits);
  const first = await Promise.race([running.finished, end.reached]);
  end.cancel();
  let stopped: CommandResult['stopped'];
  if (typeof first === 'string') {
    stopped = first;
    await running.tree.stop();
  }
  // what could not even be killed is not waited for
  const exit = typeof first === 'string' ? await Promise.race([running.finished, unkillable(running)]) : first;
  await running.close();
  return {
    ...exit,
    ...(stopped ? { stopped } : {}),
    output: running.captured(),
    durationMs: performance.now() - running.startedAt,
    stillRunning: await leftOver(running.tree),
  };
}

/** What lives on after a second look: much of it is only about to end. */
async function leftOver(tree: ProcessTree): Promise<ProcessRow[]> {
  if (tree.living().length === 0) return [];
  await new Promise((resolve) => setTimeout(resolve, 50));
  return tree.living();
}

const unkillable = (running: RunningCommand): Promise<CommandExit> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ code: null, signal: null }), 400);
    void running.finished.finally(() => clearTimeout(timer));
  });

function deadline({ timeoutMs, signal }: CommandLimits) {
  let cancel = (): void => {};
  const reached = new Promise<'timeout' | 'aborted'>((resolve) => {
    const onAbort = (): void => resolve('aborted');
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve('timeout'), timeoutMs);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    cancel = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  });
  return { reached, cancel: () => cancel() };
}
