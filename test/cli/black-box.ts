/**
 * The built program as a child process against a scripted model server. The kit that plays both lies beside the
 * checkout; where it does not, these cases are skipped with a word. Every case has its own home, workspace and server.
 */

import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'kit');

export interface Block {
  type: string;
  text?: string;
  [field: string]: unknown;
}
export interface WireMessage {
  role: string;
  blocks?: Block[];
  truncated?: boolean;
  [field: string]: unknown;
}
/** An event as a client reads it: what is not there was zero, empty or false. */
export interface WireEvent {
  type: string;
  event_id: string;
  session_id: string;
  loop_id?: string;
  turn_id?: string;
  step_id?: string;
  turn_index?: number;
  tool_execution_id?: string;
  tool_use_id?: string;
  tool_name?: string;
  reason?: string;
  effect?: string;
  source?: string;
  model?: string;
  provider?: string;
  agent_name?: string;
  cause?: { command_id: string; agency: string };
  err?: { kind: string; message: string };
  message?: WireMessage;
  messages?: WireMessage[];
  chunk?: { type: string; text?: string; [field: string]: unknown };
  request?: { tool_name: string; summary: string; detail?: string; scopes?: { scope: string; covers: string }[] };
  [field: string]: unknown;
}
export interface AnswerLine {
  ack?: {
    command_id: string;
    cancelled?: boolean;
    moved?: boolean;
    changed?: boolean;
    compacted?: boolean;
    reason?: string;
  };
  error?: { kind: string; message: string; line?: number; command_id?: string };
}
export interface SubmitOptions {
  no_fold?: boolean;
  agency?: 'user' | 'machine';
  loop_id?: string;
}
type Match = string | ((event: WireEvent) => boolean);
interface WaitOptions {
  ms?: number;
  from?: number;
  what?: string;
}
export interface Exit {
  code: number | null;
  signal: string | null;
}
export interface Chat {
  child: ChildProcess;
  deliveries: { journal_seq: number; event: WireEvent }[];
  /** Acks and errors, in order. */
  errors: AnswerLine[];
  strayLines: string[];
  submits: { command_id: string; blocks: Block[]; no_fold?: boolean; agency?: string; loop_id?: string }[];
  exited: Promise<Exit>;
  stderr: string;
  exit: Exit | null;
  events(type?: string): WireEvent[];
  send(command: Record<string, unknown>): void;
  sendRaw(bytes: string | Buffer): void;
  submit(text: string | Block[], options?: SubmitOptions): string;
  retract(target: string): string;
  interrupt(): string;
  until(match: Match, options?: WaitOptions): Promise<WireEvent>;
  replies(commandId: string): WireEvent[];
  resolution(commandId: string): WireEvent[];
  untilReply(commandId: string, type: string, options?: WaitOptions): Promise<WireEvent>;
  untilTerminal(from?: number, options?: WaitOptions): Promise<WireEvent>;
  close(ms?: number): Promise<Exit>;
  kill(signal?: string): Promise<Exit>;
}

export type Op = { op: string; [field: string]: unknown };
export interface ModelBody {
  model: string;
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
}
export interface ModelServer {
  url: string;
  requests: { body: ModelBody; headers: Record<string, string>; closedByClient: boolean }[];
  faults: Error[];
  reply(...scripts: (Op[] | Op)[]): void;
  answerBy(answer: (body: ModelBody) => Op[] | undefined): void;
  release(name: string): void;
  reached(name: string, ms?: number): Promise<void>;
  arrived(n: number, ms?: number): Promise<unknown>;
  close(): Promise<void>;
}
export interface Sandbox {
  root: string;
  home: string;
  workspace: string;
  remove(): void;
}
export interface RunOptions {
  env?: Record<string, string | undefined>;
  input?: string;
  during?: (child: ChildProcess) => Promise<void>;
  timeoutMs?: number;
}
export interface Ran extends Exit {
  stdout: string;
  stderr: string;
}

interface Script {
  startModelServer(): Promise<ModelServer>;
  text(value: string, options?: { size?: number; delayMs?: number }): Op;
  thinking(value: string): Op;
  toolCall(name: string, args: unknown, options?: { id?: string }): Op;
  hold(name: string): Op;
  wait(ms: number): Op;
  usage(input: number, output: number): Op;
  finish(reason: string): Op;
  drop(): Op;
  delta(value: Record<string, unknown>): Op;
  httpReply(status: number, body: unknown, headers?: Record<string, string>): Op;
  say(value: string, options?: { size?: number; delayMs?: number }): Op[];
  call(name: string, args: unknown): Op[];
}
interface Driver {
  makeSandbox(): Sandbox;
  binPath(): string;
  baseEnv(sandbox: Sandbox, model: ModelServer): Record<string, string>;
  startChat(options: {
    sandbox: Sandbox;
    model: ModelServer;
    args?: string[];
    env?: Record<string, string | undefined>;
  }): Chat;
  runToEnd(args: string[], options: RunOptions & { sandbox: Sandbox; model: ModelServer }): Promise<Ran>;
  textOf(message: WireMessage | undefined): string;
}
interface Invariants {
  violations(run: Record<string, unknown>): string[];
}

const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(FOLDER, file)).href)) as T;
export const present = existsSync(FOLDER);
export const script = (present ? await load<Script>('model-server.mjs') : {}) as Script;
export const driver = (present ? await load<Driver>('driver.mjs') : {}) as Driver;
const invariants = present ? await load<Invariants>('invariants.mjs') : undefined;

export interface Case {
  sandbox: Sandbox;
  model: ModelServer;
  /** Starts `harness-chat stdio --approval auto`. */
  chat(options?: { args?: string[]; env?: Record<string, string | undefined> }): Chat;
  /** Runs a command line to its end. */
  run(args: string[], options?: RunOptions): Promise<Ran>;
  /** The program with its streams in the hands of the case. */
  start(args: string[]): ChildProcessWithoutNullStreams;
  /** A line of bash in which `chat` is the program. */
  bash(line: string, env?: Record<string, string>): Promise<Ran>;
  /** Fails where an invariant of the run is broken. */
  sound(chat: Chat, more?: Record<string, unknown>): void;
}

/** One case, side by side with the others of its file. */
export function blackBox(name: string, run: (t: Case) => Promise<void>): void {
  if (!present) {
    test.skip(`${name} (there is no black-box kit beside the checkout)`);
    return;
  }
  test.concurrent(name, { timeout: 45_000 }, async () => {
    const sandbox = driver.makeSandbox();
    const model = await script.startModelServer();
    const chats: Chat[] = [];
    try {
      await run({
        sandbox,
        model,
        chat(options = {}) {
          const chat = driver.startChat({ sandbox, model, ...options });
          chats.push(chat);
          return chat;
        },
        run: (args, options = {}) => driver.runToEnd(args, { sandbox, model, ...options }),
        start: (args) =>
          spawn(process.execPath, [driver.binPath(), ...args], {
            cwd: sandbox.workspace,
            env: driver.baseEnv(sandbox, model),
          }),
        bash: (line, env = {}) =>
          bash(`chat() { '${process.execPath}' '${driver.binPath()}' "$@"; }\n${line}`, {
            cwd: sandbox.workspace,
            env: { ...driver.baseEnv(sandbox, model), ...env },
          }),
        sound(chat, more = {}) {
          const { deliveries, submits, strayLines } = chat;
          const broken = invariants?.violations({ deliveries, submits, requests: model.requests, strayLines, ...more });
          expect(broken).toEqual([]);
        },
      });
      expect(model.faults).toEqual([]);
    } finally {
      for (const chat of chats) if (!chat.exit) await chat.kill('SIGKILL');
      await model.close();
      sandbox.remove();
    }
  });
}

function bash(line: string, options: { cwd: string; env: Record<string, string> }): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', line], { ...options, timeout: 20_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, signal: error?.signal ?? null, stdout, stderr });
    });
    child.stdin?.end();
  });
}

export const ackOf = (chat: Chat, commandId: string) =>
  chat.errors.find(({ ack }) => ack?.command_id === commandId)?.ack;

/** Resolves when a line of that kind has come; acks and errors are no events, so this looks each few milliseconds. */
export async function untilLine(chat: Chat, match: (line: AnswerLine) => boolean, ms = 10_000): Promise<AnswerLine> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = chat.errors.find(match);
    if (found) return found;
    if (chat.exit || Date.now() > deadline)
      throw new Error(`no such line: ${JSON.stringify(chat.errors)} ${chat.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
export const untilAck = async (chat: Chat, commandId: string) =>
  (await untilLine(chat, ({ ack }) => ack?.command_id === commandId)).ack;

/** What a command before has led to is there when the answer to this one is: commands are handled in order. */
export async function settled(chat: Chat): Promise<void> {
  const id = `settled-${Math.random()}`;
  chat.send({ type: 'SetQueuedInput', command_id: id, agency: 'user', target_command_id: 'no-such-input' });
  await untilAck(chat, id);
}

export const typesOf = (events: readonly WireEvent[]): string[] => events.map(({ type }) => type);
export const line = (command: Record<string, unknown>): string => `${JSON.stringify(command)}\n`;
