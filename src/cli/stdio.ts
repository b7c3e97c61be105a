/** `harness-chat stdio`: JSON commands in, JSON deliveries out, one a line (contract: Wire format). */
import type { Readable } from 'node:stream';

import { newId } from '../compose.ts';
import type { CommandType } from '../domain/command.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { type DecodedCommand, decodeCommand } from '../edge/wire/command-codec.ts';
import { encodeAck, encodeDelivery, encodeError } from '../edge/wire/delivery-codec.ts';
import type { LiveSession } from '../runtime/live-session.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { type Line, readLines } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { onStopSignal } from './stop-signal.ts';

export async function runStdio(invocation: Invocation): Promise<number> {
  // before there is a session nothing is under way that had to be ended
  const dispose = onStopSignal((code) => process.exit(code));
  const opened = await openSession(invocation, { purpose: 'script', attended: true, deliveries: true }).finally(
    dispose,
  );
  if (typeof opened === 'number') return opened;
  return serve(opened, invocation);
}

async function serve({ session, killAll, close }: OpenedSession, { streams, readerGone }: Invocation): Promise<number> {
  const out = new LineWriter(streams.stdout);
  const subscription = session.subscribeEvents(
    { enduring: 'all', ephemeral: 'all' },
    { deliveries: Number.POSITIVE_INFINITY },
  );
  let code: number = EXIT.done;
  const stop = (exit: number): void => {
    code ||= exit;
    void session.shutdown();
  };
  const dispose = onStopSignal(stop);
  process.once('exit', killAll);
  readerGone.addEventListener('abort', () => stop(EXIT.readerGone), { once: true });
  out.onLoss = () => {
    out.last(
      encodeError({ kind: 'subscription_lost', message: 'the reader was too slow: more than 64 MB waited for it' }),
    );
    stop(EXIT.failed);
  };
  const printed = (async () => {
    for await (const delivery of subscription) out.line(encodeDelivery(delivery));
  })();
  void session.begin();
  const input = obey(session, streams.stdin, out);
  input.finished.catch((error: Error) => {
    streams.stderr.write(`harness-chat: standard input cannot be read (${oneLine(error.message)})\n`);
    stop(EXIT.failed);
  });
  const fault = await session.ended;
  await printed;
  if (fault) {
    out.line(encodeError({ kind: 'journal', message: fault.message }));
    // every later command is answered, to the end of the input, unless the end was asked for
    const asked = code !== EXIT.done || readerGone.aborted;
    code ||= EXIT.failed;
    if (!asked) await input.finished.catch(() => undefined);
  }
  await input.answered();
  await close();
  dispose();
  await out.drained();
  return code;
}

/** Answered when all is over, and when the summary is there. */
const SLOW: ReadonlySet<CommandType> = new Set(['Shutdown', 'Compact']);

/** Carries out each line as it comes. The end of the input drains the session. */
function obey(session: LiveSession, stdin: Readable, out: LineWriter) {
  const later: Promise<void>[] = [];
  let printed = Promise.resolve();
  const print = (answer: string | undefined): void => {
    if (answer !== undefined) out.line(answer);
  };
  const obeyLine = (line: Line, number: number): void => {
    const decoded: DecodedCommand =
      'fault' in line ? { ok: false, message: line.fault } : decodeCommand(line.text, newId);
    const answer = carryOut(session, decoded, number);
    // answers stand in the order of their commands, but one that takes its time holds up no other
    const shown = printed.then(() => answer).then(print);
    if (decoded.ok && SLOW.has(decoded.command.type)) later.push(shown);
    else printed = shown;
  };
  const finished = (async () => {
    let number = 0;
    for await (const lines of readLines(stdin)) for (const line of lines) obeyLine(line, ++number);
    void session.drain();
  })();
  return { finished, answered: () => Promise.all([printed, ...later]) };
}

/** The line that answers a command, where it has an answer. */
async function carryOut(session: LiveSession, decoded: DecodedCommand, line: number): Promise<string | undefined> {
  if (!decoded.ok) {
    const { message, commandId } = decoded;
    return encodeError({ kind: 'invalid_command', message, line, commandId });
  }
  const { type, commandId } = decoded.command;
  const answer = await session.execute(decoded.command);
  if (!answer.ok) return encodeError({ kind: answer.kind, message: answer.message, line, commandId });
  if (answer.ack || type === 'Shutdown') return encodeAck(answer.ack ?? { commandId });
  return undefined;
}
