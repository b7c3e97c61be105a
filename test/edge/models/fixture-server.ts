/** A server on loopback that does with each request what a test says, once the request is one that OpenAI takes. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { strictly } from './strict-server.ts';

export interface Seen {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  bytes: Uint8Array;
  /** Resolves when the connection of this request is closed, or its reply is over. */
  closed: Promise<void>;
}
export type Answer = (response: http.ServerResponse, seen: Seen) => void;

export interface FixtureServer {
  /** http://127.0.0.1:PORT/v1 */
  url: string;
  host: string;
  seen: Seen[];
  /** Why requests were answered with a 400 that no test asked for. */
  refused: string[];
  /** Queues answers, one for each request; the last one stays. */
  answer(...answers: Answer[]): void;
  close(): Promise<void>;
}

export async function startFixtureServer(): Promise<FixtureServer> {
  const queue: Answer[] = [];
  const seen: Seen[] = [];
  const refused: string[] = [];
  const server = http.createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part) => parts.push(part));
    incoming.on('end', () => {
      const closed = new Promise<void>((resolve) => response.once('close', resolve));
      const bytes = Buffer.concat(parts);
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: bytes.toString(),
        bytes,
        closed,
      };
      seen.push(request);
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      if (!answer) throw new Error('the fixture has no answer');
      strictly(answer, refused)(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/v1`,
    host,
    seen,
    refused,
    answer: (...answers) => void queue.splice(0, queue.length, ...answers),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const event = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
export const delta = (value: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});

const EVENTS = { 'content-type': 'text/event-stream' };
/** A whole stream: these events, then [DONE]. */
export const streamed =
  (...values: unknown[]): Answer =>
  (response) =>
    response.writeHead(200, EVENTS).end([...values.map(event), event('[DONE]')].join(''));
/** These events and no end. */
export const begun =
  (...values: unknown[]): Answer =>
  (response) => {
    response.writeHead(200, EVENTS).flushHeaders();
    if (values.length > 0) response.write(values.map(event).join(''));
  };
/** These events, all of them arrived, then the connection breaks. */
export const broken =
  (...values: unknown[]): Answer =>
  (response) => {
    response.writeHead(200, EVENTS).flushHeaders();
    response.write(values.map(event).join('') || ':\n\n', () => setImmediate(() => response.socket?.resetAndDestroy()));
  };
export const says = (text: string): Answer => streamed(delta({ content: text }), delta({}, 'stop'));
export const replies =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
