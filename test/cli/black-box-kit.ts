/** What the black-box kit beside the checkout gives, in types, and the kit itself where it is there. */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
export const invariants = present ? await load<Invariants>('invariants.mjs') : undefined;
