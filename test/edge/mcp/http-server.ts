/** A server behind an address, written out by hand, in both forms of HTTP; it does badly what it is told to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  id?: number;
  method: string;
  params?: { name?: string; arguments?: unknown };
}
export interface HttpServerOptions {
  port?: number;
  /** The Authorization header that it wants. */
  wants?: string;
  /** It takes no POST at its address: the older form alone. */
  onlySse?: boolean;
  /** It offers a stream for its own messages. */
  events?: boolean;
}

export async function httpServer(options: HttpServerOptions = {}) {
  const seen: { method: string; session: string; message?: Message }[] = [];
  const streams = new Set<ServerResponse>();
  let session = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const message = body ? (JSON.parse(body) as Message) : undefined;
      seen.push({
        method: request.method ?? '',
        session: String(request.headers['mcp-session-id'] ?? ''),
        ...(message && { message }),
      });
      if (options.wants && request.headers.authorization !== options.wants) return void response.writeHead(401).end();
      if (request.url === '/messages') return void overSse(response, message);
      if (request.method === 'GET') return void openStream(request, response);
      if (request.method === 'DELETE') return void response.writeHead(200).end();
      if (options.onlySse) return void response.writeHead(405).end();
      answer(request, response, message as Message);
    });
  });
  const openStream = (request: IncomingMessage, response: ServerResponse): void => {
    if (!options.events && !options.onlySse) return void response.writeHead(405).end();
    if (options.onlySse && request.url !== '/') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(options.onlySse ? 'event: endpoint\ndata: /messages\n\n' : ': hello\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
  };
  const overSse = (response: ServerResponse, message?: Message): void => {
    response.writeHead(202).end();
    const result = message?.id === undefined ? undefined : resultOf(message);
    if (result)
      for (const stream of streams)
        stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message?.id, result })}\n\n`);
  };
  const answer = (request: IncomingMessage, response: ServerResponse, message: Message): void => {
    if (message.method === 'initialize') session++;
    else if (request.headers['mcp-session-id'] !== `s${session}`) return void response.writeHead(404).end();
    if (message.id === undefined) return void response.writeHead(202).end();
    const name = message.method === 'tools/call' ? message.params?.name : undefined;
    if (name === 'forget') {
      session++;
      return void response.writeHead(404).end();
    }
    if (name && name !== 'echo') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
      if (name === 'cut') setImmediate(() => response.destroy());
      if (name === 'end') response.end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${session}` });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }));
  };
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    seen,
    /** At once, with all that is open. */
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function resultOf({ method, params }: Message): unknown {
  if (method === 'initialize') {
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'http', version: '1' } };
  }
  const names = ['echo', 'hang', 'cut', 'end', 'forget'];
  if (method === 'tools/list') return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  if (params?.name === 'hang') return undefined;
  return { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
