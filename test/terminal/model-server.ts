/** A local chat-completions server whose answers a test writes piece by piece. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  model: string;
  messages: { role: string; content: unknown }[];
  /** One piece of text. */
  text(text: string): void;
  think(text: string): void;
  call(name: string, input: Record<string, unknown>): void;
  /** The beginning of a call: its arguments break off. */
  part(name: string, json: string): void;
  /** An error object in the stream. */
  fail(message: string): void;
  /** The connection breaks. */
  cut(): void;
  /** The end of the stream. */
  end(): void;
  /** The system has all of it; the time. */
  sent: Promise<number>;
  /** The client closed the connection. */
  closed: Promise<void>;
}

export class ModelServer {
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method === 'GET') response.end(JSON.stringify({ data: this.models.map((id) => ({ id })) }));
      else this.#take(body, response);
    });
  });
  /** What the list of models names. */
  models: readonly string[] = ['scripted'];
  /** Why a request with this body is answered with a 400 at once, and is not told of. */
  refuse: (body: string) => string | undefined = () => undefined;
  #waiting: ((asked: Asked) => void)[] = [];
  #asked: Asked[] = [];

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }
  get env(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'x', OPENAI_MODEL: 'scripted' };
  }
  /** The next request, which waits for its answer. */
  next(): Promise<Asked> {
    const asked = this.#asked.shift();
    return asked ? Promise.resolve(asked) : new Promise((resolve) => this.#waiting.push(resolve));
  }
  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(body: string, response: ServerResponse): void {
    const refusal = this.refuse(body);
    if (refusal !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: refusal } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let calls = 0;
    const send = (delta: object, finish: string | null = null): void => {
      const chunk = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const part = (name: string, json: string): void => {
      const made = { index: calls, id: `call-${calls}`, type: 'function', function: { name, arguments: json } };
      calls += 1;
      send({ tool_calls: [made] });
    };
    const { model, messages } = JSON.parse(body);
    const asked: Asked = {
      model,
      messages,
      text: (text) => send({ content: text }),
      think: (text) => send({ reasoning_content: text }),
      call: (name, input) => part(name, JSON.stringify(input)),
      part,
      fail: (message) => response.end(`data: ${JSON.stringify({ error: { message } })}\n\n`),
      cut: () => response.destroy(),
      end: () => {
        send({}, calls > 0 ? 'tool_calls' : 'stop');
        response.end('data: [DONE]\n\n');
      },
      sent: new Promise((resolve) => response.on('finish', () => resolve(performance.now()))),
      closed: new Promise((resolve) => response.on('close', () => resolve())),
    };
    const taker = this.#waiting.shift();
    if (taker) taker(asked);
    else this.#asked.push(asked);
  }
}
