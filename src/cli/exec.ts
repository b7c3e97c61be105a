/** `harness-chat exec`: one prompt; the answer on standard output and nothing else there. */
import { newId } from '../compose.ts';
import { type AssistantMessage, textOf } from '../domain/content.ts';
import { type Delivery, isReply, isTerminal, replyTo } from '../domain/event.ts';
import type { Terminal, TurnFailed } from '../domain/turn-event.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { encodeDelivery, encodeError } from '../edge/wire/delivery-codec.ts';
import type { LiveSession } from '../runtime/live-session.ts';
import { sanitizeText } from '../view/sanitize.ts';
import { askOnTerminal } from './exec-gate.ts';
import { EXIT, type Invocation } from './invocation.ts';
import { LineWriter } from './line-writer.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { promptOf } from './prompt.ts';
import { onStopSignal } from './stop-signal.ts';

export async function runExec(invocation: Invocation, words: string[]): Promise<number> {
  // before there is a session nothing is under way that had to be ended
  const dispose = onStopSignal((code) => process.exit(code));
  const prepared = await prepare(invocation, words).finally(dispose);
  if (typeof prepared === 'number') return prepared;
  return new Execution(prepared.opened, invocation).run(prepared.prompt);
}

async function prepare(invocation: Invocation, words: string[]) {
  const { streams, options } = invocation;
  const prompt = await promptOf(words, streams);
  // a person can be asked where both ends of the conversation are a terminal that was not read to its end
  const attended = isTty(streams.stdin) && isTty(streams.stderr) && !streams.stdin.readableEnded;
  const opened = await openSession(invocation, {
    purpose: 'script',
    attended,
    deliveries: options.json,
    ...(!attended && { defaultApproval: 'deny' }),
  });
  return typeof opened === 'number' ? opened : { opened, prompt };
}

const isTty = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true;

class Execution {
  readonly #session: LiveSession;
  readonly #opened: OpenedSession;
  readonly #invocation: Invocation;
  readonly #commandId = newId();
  /** The Turn that holds the prompt. */
  #turnId: string | undefined;
  /** Why a Turn before it failed. */
  #before: string | undefined;
  #code: number = EXIT.failed;
  /** Calls that a mode refused, and why. */
  readonly #refused = new Map<string, string>();
  #settled = false;

  constructor(opened: OpenedSession, invocation: Invocation) {
    this.#opened = opened;
    this.#session = opened.session;
    this.#invocation = invocation;
  }

  async run(prompt: string): Promise<number> {
    const { streams, options, readerGone } = this.#invocation;
    const out = new LineWriter(streams.stdout);
    const subscription = this.#session.subscribeEvents(
      { enduring: 'all', ephemeral: 'all' },
      { deliveries: Number.POSITIVE_INFINITY },
    );
    const end = (code: number): void => {
      this.#settle(code);
      void this.#session.shutdown();
    };
    out.onLoss = () => {
      out.last(
        encodeError({ kind: 'subscription_lost', message: 'the reader was too slow: more than 64 MB waited for it' }),
      );
      end(EXIT.failed);
    };
    const dispose = onStopSignal(end);
    process.once('exit', this.#opened.killAll);
    readerGone.addEventListener('abort', () => end(EXIT.readerGone), { once: true });
    const read = this.#read(
      subscription,
      options.json ? (delivery) => out.line(encodeDelivery(delivery)) : undefined,
      out,
    );
    void this.#session.begin();
    void this.#session.submit([{ type: 'text', text: prompt }], { commandId: this.#commandId }).catch(() => undefined);
    const fault = await this.#session.ended;
    await read;
    if (fault) {
      if (options.json) out.line(encodeError({ kind: 'journal', message: fault.message }));
      this.#note(fault.message);
      this.#settle(EXIT.failed);
    }
    await this.#opened.close();
    dispose();
    await out.drained();
    return this.#code;
  }

  async #read(
    deliveries: AsyncIterable<Delivery>,
    show: ((delivery: Delivery) => void) | undefined,
    out: LineWriter,
  ): Promise<void> {
    for await (const delivery of deliveries) {
      show?.(delivery);
      const { event } = delivery;
      if (event.type === 'PermissionRequested' || event.type === 'UserInputRequested') {
        void askOnTerminal(event, this.#session, this.#invocation.streams);
      }
      if (event.type === 'PermissionDecided' && event.source === 'policy' && event.effect === 'deny') {
        this.#refused.set(event.toolExecutionId, event.reason ?? 'refused');
      }
      if (event.type === 'ToolCallCompleted') this.#tellRefusal(event.toolExecutionId, event.toolName, event.summary);
      if (event.type === 'InferenceRetrying' && !show) {
        this.#note(
          `${event.err.message} Trying again in ${Math.ceil(event.waitMs / 1000)} s (${event.attempt} of ${event.maxAttempts - 1}).`,
        );
      }
      if (isReply(event) && replyTo(event) === this.#commandId) {
        if (event.type === 'TurnStarted' || event.type === 'TurnFoldedInto') this.#turnId = event.turnId;
        if (event.type === 'TurnRejected') this.#fail(`the prompt was rejected: ${event.reason}`);
        if (event.type === 'InputCancelled') this.#fail(`the prompt was returned: ${this.#before ?? event.reason}`);
      }
      if (!isTerminal(event)) continue;
      if (event.turnId === this.#turnId) this.#conclude(event, show ? undefined : out);
      else if (event.type === 'TurnFailed') this.#before = saidOf(event);
    }
  }

  #conclude(event: Terminal, out: LineWriter | undefined): void {
    if (event.type === 'TurnDone') {
      out?.line(this.#answerOf(event.message).replace(/\n$/, ''));
      if (event.message.truncated) this.#note('the answer was cut by the output limit');
      this.#settle(EXIT.done);
    } else if (event.type === 'TurnInterrupted') this.#settle(EXIT.interrupted);
    else this.#fail(saidOf(event));
    void this.#session.shutdown();
  }

  /** A terminal is never driven by what a model says; a pipe gets it as it is. */
  #answerOf(message: AssistantMessage): string {
    const refusal = (): string => message.blocks.map((block) => (block.type === 'refusal' ? block.text : '')).join('');
    const answer = textOf(message) || refusal();
    return isTty(this.#invocation.streams.stdout) ? sanitizeText(answer) : answer;
  }

  /** Once it is known how it went, as after a signal, what that leads to is no failure. */
  #fail(why: string): void {
    if (!this.#settled) this.#note(why);
    this.#settle(EXIT.failed);
    void this.#session.shutdown();
  }

  /** The first word on how it went stands. */
  #settle(code: number): void {
    if (!this.#settled) this.#code = code;
    this.#settled = true;
  }

  /** A script's author should not have to guess why nothing was done. */
  #tellRefusal(toolExecutionId: string, toolName: string, summary: string): void {
    const reason = this.#refused.get(toolExecutionId);
    if (reason) this.#note(`${oneLine(`${toolName} ${summary}`)} was refused: ${reason} (--approval auto lets it run)`);
  }

  #note(text: string): void {
    this.#invocation.streams.stderr.write(`harness-chat: ${oneLine(text, 1000)}\n`);
  }
}

const saidOf = ({ failure }: TurnFailed): string => `${failure.message} (${failure.kind})`;
