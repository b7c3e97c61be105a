/**
 * A server behind an address, in the streaming form or the older one with an event stream. The SDK speaks; here stands
 * what it leaves out: noticing that the server is gone, and that an answer will never come.
 */
import type { FetchLike, JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { HttpEntry } from './server-entry.ts';
import { within } from './stdio-transport.ts';

type Sdk = typeof import('@modelcontextprotocol/client');

const FAREWELL_MS = 500;

/** `gone` is told once the server cannot be reached, or has forgotten the session; the connection is then of no use. */
export function createHttpTransport(
  sdk: Sdk,
  entry: HttpEntry,
  form: 'http' | 'sse',
  gone: (reason: string) => void,
): Transport {
  let lost = false;
  const lose = (reason: string): void => {
    lost = true;
    gone(reason);
  };
  const url = new URL(entry.url);
  const options = { requestInit: { headers: entry.headers }, fetch: watchedFetch(lose) };
  if (form === 'http') return withEndings(new sdk.StreamableHTTPClientTransport(url, options), () => lost);
  const transport = new sdk.SSEClientTransport(url, options);
  // the event stream is the only way for answers: those that were on their way when it broke never come
  transport.onerror = (error) => {
    if (error instanceof sdk.SseError) lose(`its event stream broke: ${error.message}`);
  };
  return transport;
}

const watchedFetch =
  (lose: (reason: string) => void): FetchLike =>
  async (url, init) => {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      if (!init?.signal?.aborted) lose(unreachable(error));
      throw error;
    }
    if (init?.method === 'POST' && new Headers(init.headers).has('mcp-session-id') && (await isForgotten(response))) {
      lose(`it answered ${response.status}: its session is over`);
    }
    return response;
  };

/** Servers are to say so with 404; some say it with 400. */
const isForgotten = async (response: Response): Promise<boolean> =>
  response.status === 404 || (response.status === 400 && /session/i.test(await response.clone().text()));

export function unreachable(error: unknown): string {
  const { cause, message } = error as Error;
  return `it cannot be reached: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message}`;
}

/** A stream that ends without the answer it was opened for fails that request; a close ends the server's session. */
function withEndings(transport: InstanceType<Sdk['StreamableHTTPClientTransport']>, isLost: () => boolean): Transport {
  const [send, close] = [transport.send.bind(transport), transport.close.bind(transport)];
  const waiting = new Set<string | number>();
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('id' in message && message.id !== undefined && !('method' in message)) waiting.delete(message.id);
  };
  transport.send = (message: JSONRPCMessage, options?: TransportSendOptions) => {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined) return send(message, options);
    waiting.add(id);
    const onRequestStreamEnd = (): void => {
      const error = { code: -32_000, message: 'the connection broke before the answer came' };
      if (waiting.delete(id)) transport.onmessage?.({ jsonrpc: '2.0', id, error });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
  transport.close = async () => {
    if (!isLost()) await within(transport.terminateSession(), FAREWELL_MS);
    await close();
  };
  return transport;
}
