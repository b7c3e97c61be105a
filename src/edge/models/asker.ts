/** One request of an openai model, over a transport of its own. */
import type { IncomingMessage } from 'node:http';
import type { ModelEvent } from '../../runtime/ports.ts';
import { drain, openAnswer, readAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { OpenAiOptions } from './openai.ts';
import { abortError } from './pause.ts';
import { proxyVariables } from './proxy.ts';
import type { WireBody } from './request-body.ts';
import { sendBySdk } from './sdk-request.ts';
import { connectionFault, type Destination, type RequestFault, stalledFault } from './server-fault.ts';
import { startStallTimer } from './stall-timer.ts';
import { createTransport } from './transport.ts';

const STALL_MS = 60_000;
const FINISHED_MS = 5_000;
const FIRST_BYTE_MS = 300_000;

export type Asker = (body: WireBody, to: Destination, signal: AbortSignal) => AsyncGenerator<ModelEvent[]>;

/** Makes one request and reads its answer; the connection is closed when the signal is aborted or nobody reads on. */
export function createAsker(options: OpenAiOptions, endpoint: Endpoint, apiKey: string | undefined): Asker {
  const { clock, stallTimeoutMs = STALL_MS, env = {}, headers = {} } = options;
  // a limit that was raised beyond it holds from the start
  const firstByteTimeoutMs = Math.max(options.firstByteTimeoutMs ?? FIRST_BYTE_MS, stallTimeoutMs);
  const patience = { stallMs: stallTimeoutMs, finishedMs: options.finishedTimeoutMs ?? FINISHED_MS };
  const transport = createTransport();

  return async function* ask(body: WireBody, to: Destination, signal: AbortSignal): AsyncGenerator<ModelEvent[]> {
    const own = new AbortController();
    const onAbort = () => own.abort(abortError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    let started = false;
    let stalled: RequestFault | undefined;
    const timer = startStallTimer(clock, firstByteTimeoutMs, (limitMs) => {
      stalled = stalledFault(limitMs, started, to);
      own.abort(stalled);
    });
    let response: IncomingMessage | undefined;
    let ended = false;
    try {
      const failed = (error: unknown) => connectionFault(error, proxyVariables(env), to);
      const request = { endpoint, apiKey, headers, body, proxy: to.proxy, signal: own.signal, failed };
      response = await sendBySdk(transport, request);
      const reads = await openAnswer(response, to);
      for await (const events of readAnswer(reads, timer, patience, to, options.quirks?.callFields)) {
        started = true;
        ended = events.at(-1)?.type === 'end';
        yield events;
      }
    } catch (error) {
      throw stalled ?? error;
    } finally {
      timer.stop();
      signal.removeEventListener('abort', onAbort);
      if (ended && response) drain(response, clock);
      else own.abort();
    }
  };
}
