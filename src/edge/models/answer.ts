/** Reads one streamed answer from its response, and says when it is none. */
import type { IncomingMessage } from 'node:http';
import type { Clock, ModelEvent } from '../../runtime/ports.ts';
import { faultIn, finish, isFinished, push, READER_START, type ReaderState } from './chunk-reader.ts';
import { createEventStream, type StreamItem } from './event-stream.ts';
import {
  connectionFault,
  contentFault,
  type Destination,
  protocolFault,
  type RequestFault,
  statusFault,
  streamFault,
} from './server-fault.ts';
import type { StallTimer } from './stall-timer.ts';
import { readText } from './transport.ts';

/** After [DONE] a server ends its body; one that does not within this time loses its connection. */
const DRAIN_MS = 1000;

/** Throws where the reply is no stream of events. A content type that says nothing is given the benefit of the doubt. */
export async function checkHead(response: IncomingMessage, to: Destination): Promise<void> {
  // an error that comes when nobody reads any more is none
  response.on('error', () => {});
  const status = response.statusCode ?? 0;
  const type = response.headers['content-type'] ?? '';
  if (status < 200 || status > 299) throw statusFault(status, await readText(response), response.headers, to);
  if (/html|json|xml|image\//i.test(type)) throw contentFault(type, await readText(response), to);
}

const CUT = 'ended its answer in the middle, without a finish reason. Try again.';
const UNHEARD = 'answered without a single event. Try again, or check the base URL (--base-url).';

interface Taken {
  state: ReaderState;
  events: ModelEvent[];
  done: boolean;
  fault?: RequestFault;
}

function take(before: ReaderState, items: readonly StreamItem[], to: Destination): Taken {
  const events: ModelEvent[] = [];
  let state = before;
  for (const item of items) {
    if (item.type === 'done') return { state, events, done: true };
    if (item.type === 'junk') {
      const fault = protocolFault('sent an event that is no JSON. Try again, or check the base URL (--base-url).', to);
      return { state, events, done: false, fault };
    }
    if (item.type === 'error') {
      const fault = streamFault(faultIn(item.value) ?? { message: '', code: '' }, to);
      return { state, events, done: false, fault };
    }
    const read = push(state, item.value);
    state = read.state;
    for (const event of read.events) events.push(event);
    if (read.fault) return { state, events, done: false, fault: streamFault(read.fault, to) };
  }
  return { state, events, done: false };
}

/**
 * What each read of the response brought, `end` last. Only time spent waiting for bytes counts as a stall. Where the server
 * gave its finish reason, whatever happens to the connection after it changes nothing.
 */
export async function* readAnswer(
  response: IncomingMessage,
  timer: StallTimer,
  stallTimeoutMs: number,
  to: Destination,
): AsyncGenerator<ModelEvent[]> {
  const stream = createEventStream();
  const reads = response.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let state: ReaderState = READER_START;
  let done = false;
  let heard = false;
  let broken: unknown;
  while (!done) {
    let next: IteratorResult<Uint8Array>;
    try {
      next = await reads.next();
    } catch (error) {
      broken = error;
      break;
    }
    timer.rest();
    if (next.done) break;
    const items = stream.feed(next.value);
    heard ||= items.length > 0;
    const taken = take(state, items, to);
    yield taken.events;
    if (taken.fault) throw taken.fault;
    ({ state, done } = taken);
    timer.wait(stallTimeoutMs);
  }
  if (!done) {
    // the last event may lack its blank line; what the end cut in two is no event
    const whole = stream.end().filter((item) => item.type !== 'junk');
    const taken = take(state, whole, to);
    yield taken.events;
    if (taken.fault) throw taken.fault;
    ({ state, done } = taken);
  }
  if (!done && !isFinished(state)) {
    if (broken) throw connectionFault(broken, [], to);
    throw protocolFault(heard ? CUT : UNHEARD, to);
  }
  yield finish(state);
}

/** Lets the connection be used again. */
export function drain(response: IncomingMessage, clock: Clock): void {
  if (response.closed) return;
  const cancel = clock.after(DRAIN_MS, () => response.destroy());
  response.once('close', cancel);
  response.resume();
}
