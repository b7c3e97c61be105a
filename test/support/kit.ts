/** The black-box kit, where it stands beside the project: real processes on a scripted model server. */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, onTestFinished as onThisFinished, test } from 'vitest';

/** An event as a client reads it: the contract's wire form, of which the fields stand here that tests look at. */
export interface WireEvent {
  type: string;
  session_id: string;
  loop_id?: string;
  turn_id?: string;
  turn_index?: number;
  tool_execution_id?: string;
  effect?: string;
  source?: string;
  reason?: string;
  forked_from?: string;
  cause?: { command_id: string; agency: string };
  err?: { kind: string; message: string };
  step_id?: string;
  message?: WireMessage;
  messages?: WireMessage[];
  summary?: string;
  kept_from_step_id?: string;
}
export interface WireMessage {
  role: string;
  blocks?: { type: string; text?: string }[];
}
export interface WireDelivery {
  journal_seq: number;
  event: WireEvent;
}
export interface WireCommand {
  type: string;
  command_id: string;
  agency: 'user' | 'machine';
  loop_id?: string;
  no_fold?: boolean;
  blocks?: { type: string; text?: string }[];
}
export interface Submit {
  command_id: string;
  blocks: { type: string; text?: string }[];
  no_fold: boolean;
  agency: string;
  loop_id?: string;
}

export interface ModelMessage {
  role: string;
  content: string | { type: string; text?: string }[] | null;
}
/** What a request asked, and how it ended. */
export interface SeenRequest {
  body: { messages: ModelMessage[] };
  closedByClient: boolean;
}
export type Op = { op: string };
export interface ModelServer {
  url: string;
  requests: SeenRequest[];
  faults: Error[];
  reply(...scripts: unknown[]): void;
  answerBy(fn: (body: SeenRequest['body']) => Op[] | undefined): void;
  release(name: string): void;
  reached(name: string, ms?: number): Promise<void>;
  arrived(n: number, ms?: number): Promise<SeenRequest>;
  close(): Promise<void>;
}

export interface Sandbox {
  root: string;
  home: string;
  workspace: string;
  remove(): void;
}
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}
type Match = string | ((event: WireEvent, delivery: WireDelivery) => boolean);
interface Patience {
  ms?: number;
  from?: number;
  what?: string;
}
export interface Chat {
  child: ChildProcess;
  deliveries: WireDelivery[];
  /** Lines that are no delivery: errors and acks. */
  errors: { error?: { kind: string; message: string; command_id?: string }; ack?: { command_id: string } }[];
  strayLines: string[];
  submits: Submit[];
  readonly stderr: string;
  readonly exit: Exit | null;
  exited: Promise<Exit>;
  events(type?: string): WireEvent[];
  send(command: Record<string, unknown>): void;
  sendRaw(line: string): void;
  submit(text: string, options?: { no_fold?: boolean; agency?: 'user' | 'machine'; loop_id?: string }): string;
  retract(target: string): string;
  interrupt(): string;
  until(match: Match, patience?: Patience): Promise<WireEvent>;
  untilReply(commandId: string, type: string, patience?: Patience): Promise<WireEvent>;
  untilTerminal(from?: number, patience?: Patience): Promise<WireEvent>;
  close(ms?: number): Promise<Exit>;
  kill(signal?: NodeJS.Signals): Promise<Exit>;
}
interface StartOptions {
  args?: string[];
  env?: Record<string, string>;
  /** Default: the world's. */
  model?: ModelServer;
}
interface RunOptions extends StartOptions {
  input?: string;
  during?: (child: ChildProcess) => unknown;
  timeoutMs?: number;
}
export interface Finished extends Exit {
  stdout: string;
  stderr: string;
}

export interface Kit {
  startModelServer(options?: { fallback?: Op[] }): Promise<ModelServer>;
  say(text: string): Op[];
  call(name: string, args: unknown): Op[];
  text(value: string, options?: { size?: number; delayMs?: number }): Op;
  toolCall(name: string, args: unknown): Op;
  finish(reason: string): Op;
  hold(name: string): Op;
  drop(): Op;
  httpReply(status: number, body: unknown): Op;
  makeSandbox(): Sandbox;
  baseEnv(sandbox: Sandbox, model?: ModelServer): Record<string, string>;
  startChat(options: StartOptions & { sandbox: Sandbox }): Chat;
  runToEnd(args: string[], options: RunOptions & { sandbox: Sandbox }): Promise<Finished>;
  binPath(): string;
  violations(run: {
    deliveries: WireDelivery[];
    submits?: Submit[];
    requests?: SeenRequest[];
    strayLines?: string[];
    ended?: boolean;
  }): string[];
}

const folder = resolve(import.meta.dirname, '../../../shared/kit');
const parts = ['model-server.mjs', 'driver.mjs', 'invariants.mjs'].map((file) => join(folder, file));
const modules = parts.every((path) => existsSync(path))
  ? await Promise.all(parts.map((path) => import(pathToFileURL(path).href)))
  : undefined;
const kit = modules && (Object.assign({}, ...modules) as Kit);

/** A group of tests that need the kit; where it is not there they are skipped, and say why. */
export function withKit(title: string, tests: (kit: Kit) => void): void {
  if (kit) describe(title, () => tests(kit));
  else test.skip(`${title}: skipped, for ../shared/kit is not beside the project`, () => undefined);
}

/** A throw-away home with its model server and the processes that were started in it. */
export interface World extends Pick<Kit, 'say' | 'call'> {
  kit: Kit;
  sandbox: Sandbox;
  model: ModelServer;
  chats: Chat[];
  chat(options?: StartOptions): Chat;
  run(args: string[], options?: RunOptions): Promise<Finished>;
  /** The journal of a session. */
  journal(sessionId: string): string;
  /** The folder of the journals. */
  sessions: string;
  close(): Promise<void>;
}

export async function makeWorld(kit: Kit): Promise<World> {
  const sandbox = kit.makeSandbox();
  const model = await kit.startModelServer();
  const chats: Chat[] = [];
  const sessions = join(sandbox.home, 'harness-chat', 'sessions');
  return {
    kit,
    say: kit.say,
    call: kit.call,
    sandbox,
    model,
    chats,
    sessions,
    chat(options = {}) {
      const chat = kit.startChat({ sandbox, model, ...options });
      chats.push(chat);
      return chat;
    },
    run: (args, options = {}) => kit.runToEnd(args, { sandbox, model, ...options }),
    journal: (sessionId) => join(sessions, `${sessionId}.jsonl`),
    async close() {
      await Promise.all(chats.map((chat) => chat.exit ?? chat.kill('SIGKILL')));
      await model.close();
      sandbox.remove();
    },
  };
}

/** The same, closed when the test is over; one that runs beside others hands over its own `onTestFinished`. */
export async function openWorld(kit: Kit, onTestFinished = onThisFinished): Promise<World> {
  const world = await makeWorld(kit);
  onTestFinished(() => world.close());
  return world;
}

/** The text of a model's message, whatever form it was sent in. */
export const contentOf = ({ content }: ModelMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

export const sessionOf = (chat: Chat): string => {
  const [first] = chat.deliveries;
  if (!first) throw new Error(`nothing was delivered yet\n${chat.stderr}`);
  return first.event.session_id;
};
