/**
 * The commands that run, in front and in the background, and what they left behind. The rule: whatever a command leaves
 * running lives until it ends, is stopped by its id, or the program exits.
 */
import type { OutputOptions } from './output-collector.ts';
import { outputText } from './output-text.ts';
import { commandLineOf, type ProcessRow } from './process-table.ts';
import type { ProcessTree } from './process-tree.ts';
import {
  type CommandExit,
  type CommandLimits,
  type CommandRequest,
  type CommandResult,
  completeCommand,
  type RunningCommand,
  startCommand,
} from './run-command.ts';

export interface ProcessEntry {
  /** For people and for `stop`: "p1". */
  id: string;
  /** The group that `kill -- -PID` ends. */
  pid: number;
  command: string;
  kind: 'running' | 'background' | 'left';
  seconds: number;
  /** Of a background command: where its output goes. */
  file?: string;
}

/** What is known of a background command when its start is reported. */
export interface BackgroundStart {
  entry: ProcessEntry;
  /** It ended already. */
  exit?: CommandExit;
  output: string;
}

export interface Processes {
  /** Rejects with one line where the command cannot be started, or with the signal's reason where it is aborted before. */
  run(request: CommandRequest, limits?: CommandLimits): Promise<CommandResult>;
  /** Resolves when the command ended or after a moment, with what it printed by then. Its end becomes a notice. */
  startBackground(request: CommandRequest): Promise<BackgroundStart>;
  list(): ProcessEntry[];
  /** False where there is none of that id, or it cannot be killed. */
  stop(id: string): Promise<boolean>;
  /** For the model: which background commands ended since the last call. */
  takeNotices(): string[];
  /** Politely, then by force. No command is started after it. */
  stopAll(): Promise<void>;
  /** At once and synchronously: for the exit of the program. */
  killAll(): void;
}

interface Held extends Omit<ProcessEntry, 'seconds'> {
  tree: ProcessTree;
  startedAt: number;
  /** A person asked for its end: no notice. */
  stopping?: boolean;
}

const FIRST_LOOK_MS = 1_000;
const NOTICE_OUTPUT: OutputOptions = { headBytes: 500, tailBytes: 2_000 };

export function createProcesses(): Processes {
  const keeper = createKeeper();
  const notices: string[] = [];

  const complete = async (running: RunningCommand, entry: Held): Promise<void> => {
    await running.close();
    keeper.settle(entry);
  };
  const watch = async (running: RunningCommand, entry: Held): Promise<void> => {
    const exit = await running.finished;
    await complete(running, entry);
    if (!entry.stopping) notices.push(noticeOf(entry, exit, outputText(running.captured())));
  };
  return {
    async run(request, limits = {}) {
      limits.signal?.throwIfAborted();
      const { running, entry } = await keeper.start(request, 'running');
      try {
        return await completeCommand(running, limits);
      } finally {
        keeper.settle(entry);
      }
    },
    async startBackground(request) {
      const output = { ...NOTICE_OUTPUT, ...request.output, eager: true };
      const { running, entry } = await keeper.start({ ...request, output }, 'background');
      const shown = entryOf(entry);
      const early = await Promise.race([running.finished, moment(FIRST_LOOK_MS)]);
      if (early) await complete(running, entry);
      else void watch(running, entry);
      return { entry: shown, ...(early ? { exit: early } : {}), output: outputText(running.captured()) };
    },
    list: keeper.list,
    stop: keeper.stop,
    takeNotices: () => notices.splice(0),
    stopAll: keeper.stopAll,
    killAll: keeper.killAll,
  };
}

/** Which commands there are, from their start until nothing of them lives. */
function createKeeper() {
  const held = new Map<string, Held>();
  let count = 0;
  let over = false;
  /** Its shell has ended: only what it left behind is still of interest. */
  const settle = (entry: Held): void => {
    if (!becomesLeft(entry)) held.delete(entry.id);
  };
  const stopEntry = (entry: Held): Promise<ProcessRow[]> => {
    entry.stopping = true;
    return entry.tree.stop();
  };
  return {
    settle,
    async start(request: CommandRequest, kind: Held['kind']): Promise<{ running: RunningCommand; entry: Held }> {
      if (over) throw new Error('the program is about to exit: no command is started any more');
      const running = await startCommand(request);
      if (over) running.tree.killNow();
      const { pid, tree, startedAt } = running;
      const file = kind === 'background' && request.output?.file ? { file: request.output.file } : {};
      const entry: Held = { id: `p${++count}`, pid, command: request.command, kind, tree, startedAt, ...file };
      held.set(entry.id, entry);
      return { running, entry };
    },
    list(): ProcessEntry[] {
      for (const entry of [...held.values()]) if (entry.kind === 'left') settle(entry);
      return [...held.values()].map(entryOf);
    },
    async stop(id: string): Promise<boolean> {
      const entry = held.get(id);
      if (!entry || (await stopEntry(entry)).length > 0) return false;
      if (entry.kind === 'left') held.delete(id);
      return true;
    },
    async stopAll(): Promise<void> {
      over = true;
      await Promise.all([...held.values()].map(stopEntry));
    },
    killAll(): void {
      over = true;
      for (const entry of held.values()) entry.tree.killNow();
    },
  };
}

function entryOf({ id, pid, command, kind, startedAt, file }: Held): ProcessEntry {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { id, pid, command, kind, seconds, ...(file ? { file } : {}) };
}

/** Whether anything of it lives on, which then stands for it. */
function becomesLeft(entry: Held): boolean {
  const living = entry.tree.living();
  if (living.length === 0) return false;
  entry.kind = 'left';
  entry.command = living.map((row) => commandLineOf(row.pid)).join('; ') || entry.command;
  return true;
}

const moment = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });

/** "with exit code 1", "by SIGTERM". */
export const howEnded = ({ code, signal }: CommandExit): string => (signal ? `by ${signal}` : `with exit code ${code}`);

function noticeOf(entry: Held, exit: CommandExit, output: string): string {
  const seconds = Math.round((performance.now() - entry.startedAt) / 1000);
  const printed = output ? `Its output:\n${output}` : 'It printed nothing.';
  return `The background command ${entry.id} (${entry.command}) ended ${howEnded(exit)} after ${seconds} s. ${printed}`;
}
