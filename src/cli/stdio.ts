/** `harness-chat stdio`: JSON commands in, JSON deliveries out, one a line (contract: Wire format). */

import { newId } from '../compose.ts';
import { type DecodedCommand, decodeCommand } from '../edge/wire/command-codec.ts';
import { encodeAck, encodeDelivery, encodeError } from '../edge/wire/delivery-codec.ts';
import type { LiveSession } from '../runtime/live-session.ts';
import type { Answer } from '../runtime/session.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { readLines } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { onStopSignal } from './stop-signal.ts';

export async function runStdio(invocation: Invocation): Promise<number> {
  const opened = await openSession(invocation, { purpose: 'script', attended: true });
  if (typeof opened === 'number') return opened;
  return serve(opened, invocation);
}

async function serve({ session, processes }: OpenedSession, { streams, readerGone }: Invocation): Promise<number> {
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
  const fault = await session.ended;
  await printed;
  if (fault) {
    out.line(encodeError({ kind: 'journal', message: fault.message }));
    code ||= EXIT.failed;
    // every later command is answered, to the end of the input
    if (!readerGone.aborted) await input.finished;
  }
  await input.answered();
  dispose();
  processes.killAll();
  await out.drained();
  return code;
}

const TOO_LONG: DecodedCommand = { ok: false, message: 'the line is longer than 64 MB' };

/** Carries out each line as it comes. The end of the input drains the session. */
function obey(session: LiveSession, stdin: NodeJS.ReadableStream, out: LineWriter) {
  const answers = new Set<Promise<void>>();
  const answer = async (line: string | undefined, number: number): Promise<void> => {
    const decoded = line === undefined ? TOO_LONG : decodeCommand(line, newId);
    if (!decoded.ok) {
      out.line(
        encodeError({ kind: 'invalid_command', message: decoded.message, line: number, commandId: decoded.commandId }),
      );
      return;
    }
    const { command } = decoded;
    const answered = await session.execute(command);
    printAnswer(out, command.commandId, answered, number, command.type === 'Shutdown');
  };
  const finished = (async () => {
    let number = 0;
    for await (const line of readLines(stdin as never)) {
      number += 1;
      const pending = answer(line, number).finally(() => answers.delete(pending));
      answers.add(pending);
    }
    void session.drain();
  })();
  finished.catch(() => void session.shutdown());
  return { finished, answered: () => Promise.all(answers) };
}

function printAnswer(out: LineWriter, commandId: string, answer: Answer, line: number, isShutdown: boolean): void {
  if (answer.ok) {
    if (answer.ack || isShutdown) out.line(encodeAck(answer.ack ?? { commandId }));
    return;
  }
  const { kind, message } = answer;
  out.line(encodeError({ kind, message, line, commandId }));
}
