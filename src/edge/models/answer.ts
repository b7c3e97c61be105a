/** Reads one streamed answer from its response, and says when it is none. */
import type { IncomingMessage } from 'node:http';
import type { Clock, ModelEvent } from '../../runtime/ports.ts';
import { faultIn, finish, isFinished, push, type ReaderState, readerStart } from './chunk-reader.ts';
import { createEventStream, type StreamItem } from './event-stream.ts';
import { oneLine } from './masking.ts';
import { lookInto, readsOf, readText, textOf, UnknownEncodingError, unpacked } from './response-body.ts';
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

/** After [DONE] a server ends its body; one that does not within this time loses its connection. */
const DRAIN_MS = 1000;

type Reads = AsyncIterator<Uint8Array>;

/**
 * The reads of a reply that is a stream of events; throws where it is none. A content type that says nothing is given
 * the benefit of the doubt, and one that says something else is believed less than the first bytes.
 */
export async function openAnswer(response: IncomingMessage, to: Destination): Promise<Reads> {
  // an error that comes when nobody reads any more is none
  response.on('error', () => {});
  const status = response.statusCode ?? 0;
  const type = response.headers['content-type'] ?? '';
  if (status < 200 || status > 299) throw statusFault(status, await readText(response), response.headers, to);
  const reads = bytesOf(response, to);
  if (!/html|json|xml|image\//i.test(type)) return reads;
  const looked = await lookInto(reads).catch((error) => {
    throw connectionFault(error, [], to);
  });
  if (!looked.isEvents) throw contentFault(type, await textOf(looked.reads), to);
  return looked.reads;
}

function bytesOf(response: IncomingMessage, to: Destination): Reads {
  try {
    return readsOf(unpacked(response));
  } catch (error) {
    if (!(error instanceof UnknownEncodingError)) throw error;
    const name = oneLine(error.message, [], 40);
    throw protocolFault(`compressed its answer (${name}), which was not asked for. Check what stands between.`, to);
  }
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

/** Milliseconds. */
export interface Patience {
  /** Between two reads. */
  stallMs: number;
  /** In all, behind the finish reason: for the usage and the end of the body. */
  finishedMs: number;
}

/**
 * What each read brought, `end` last. Only time spent waiting for bytes counts as a stall. Where the server
 * gave its finish reason, whatever happens to the connection after it changes nothing.
 */
export async function* readAnswer(
  reads: Reads,
  timer: StallTimer,
  { stallMs, finishedMs }: Patience,
  to: Destination,
  callFields?: readonly string[],
): AsyncGenerator<ModelEvent[]> {
  const stream = createEventStream();
  let state: ReaderState = readerStart(callFields);
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
    if (!isFinished(state)) timer.rest();
    if (next.done) break;
    const items = stream.feed(next.value);
    heard ||= items.length > 0;
    const taken = take(state, items, to);
    yield taken.events;
    if (taken.fault) throw taken.fault;
    const ended = isFinished(state);
    ({ state, done } = taken);
    if (!isFinished(state)) timer.wait(stallMs);
    else if (!ended) timer.wait(Math.min(stallMs, finishedMs));
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
