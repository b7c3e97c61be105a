/**
 * The built program as a child process against a scripted model server. The kit that plays both lies beside the
 * checkout; where it does not, these cases are skipped with a word. Every case has its own home, workspace and server.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  type AnswerLine,
  type Chat,
  driver,
  invariants,
  type ModelServer,
  present,
  type Ran,
  type RunOptions,
  type Sandbox,
  script,
  type WireEvent,
} from './black-box-kit.ts';

export type { Chat, Op, Ran, WireEvent } from './black-box-kit.ts';
export { driver, script } from './black-box-kit.ts';

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
