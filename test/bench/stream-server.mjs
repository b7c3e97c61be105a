/** Answers every request with the same stream of chunks, in many small writes; its address is its first line. In a process of its own, so that its work is not counted. */
import http from 'node:http';

const CHUNKS = Number(process.argv[2]);
const PER_WRITE = 4;

const chunk = (content) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-123',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm1',
    system_fingerprint: null,
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  })}\n\n`;
const writes = Array.from({ length: CHUNKS / PER_WRITE }, (_, i) =>
  Array.from({ length: PER_WRITE }, (_, n) => chunk(` word${(i * PER_WRITE + n) % 97}`)).join(''),
);
const end = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

const server = http.createServer(async (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.socket?.setNoDelay(true);
  for (const write of writes) if (!response.write(write)) await new Promise((go) => response.once('drain', go));
  response.end(end);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
