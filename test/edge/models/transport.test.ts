import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readText } from '../../../src/edge/models/response-body.ts';
import { createTransport } from '../../../src/edge/models/transport.ts';
import { replies, startFixtureServer } from './fixture-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A proxy that notes what it is asked, passes plain requests on, and answers a CONNECT with `status`. */
async function startProxy(status = 403) {
  const asked: { line: string; authorization?: string }[] = [];
  const server = http.createServer((incoming, response) => {
    asked.push({ line: `${incoming.method} ${incoming.url}`, authorization: incoming.headers['proxy-authorization'] });
    const { host, pathname } = new URL(incoming.url ?? '');
    const [hostname, port] = host.split(':');
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const onward = http.request({ hostname, port, path: pathname, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket) => {
    asked.push({ line: `CONNECT ${incoming.url}`, authorization: incoming.headers['proxy-authorization'] });
    socket.end(`HTTP/1.1 ${status} x\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: new URL(`http://u:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

const idle = () => new AbortController().signal;
const BASIC = `Basic ${Buffer.from('u:p@ss').toString('base64')}`;

test('a plain request goes through the proxy as a whole address', async () => {
  const server = await startFixtureServer();
  closing.push(() => server.close());
  server.answer(replies(200, 'through'));
  const { url: proxy, asked } = await startProxy();
  const url = new URL(`${server.url}/echo`);
  const response = await createTransport().send({
    url,
    method: 'POST',
    headers: {},
    body: 'hello',
    signal: idle(),
    proxy,
  });
  expect(await readText(response)).toBe('through');
  expect(asked).toEqual([{ line: `POST ${url.href}`, authorization: BASIC }]);
  expect(server.seen[0]).toMatchObject({ body: 'hello', headers: { host: server.host } });
  expect(server.seen[0]!.headers).not.toHaveProperty('proxy-authorization');
});

test('a secure one asks for a tunnel, and says when there is none', async () => {
  const { url: proxy, asked } = await startProxy(407);
  const sent = createTransport().send({
    url: new URL('https://api.example/v1'),
    method: 'GET',
    headers: {},
    signal: idle(),
    proxy,
  });
  await expect(sent).rejects.toMatchObject({ code: 'PROXY_REFUSED', status: 407 });
  expect(asked).toEqual([{ line: 'CONNECT api.example:443', authorization: BASIC }]);
});

test('an abort ends it before the connection stands, too', async () => {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const reason = new Error('enough');
  const before = createTransport().send({ url, method: 'GET', headers: {}, signal: AbortSignal.abort(reason) });
  await expect(before).rejects.toBe(reason);
  const controller = new AbortController();
  const socket = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
  const later = createTransport().send({ url, method: 'GET', headers: {}, signal: controller.signal });
  const closed = socket.then((end) => new Promise((resolve) => end.resume().once('close', resolve)));
  await socket;
  controller.abort(reason);
  await expect(later).rejects.toBe(reason);
  await closed;
});

test('a kept connection that the server closed is replaced without a word', async () => {
  const answers = [
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none',
    undefined,
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ntwo',
  ];
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      const answer = answers.shift();
      if (answer) socket.write(answer);
      else socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const transport = createTransport();
  const get = async () => readText(await transport.send({ url, method: 'GET', headers: {}, signal: idle() }));
  expect(await get()).toBe('one');
  expect(await get()).toBe('two');
  transport.close();
});

test('text is read up to its limit, and what came before a break', async () => {
  const server = await startFixtureServer();
  closing.push(() => server.close());
  const send = () => createTransport().send({ url: new URL(server.url), method: 'GET', headers: {}, signal: idle() });
  server.answer(replies(200, 'x'.repeat(1000)));
  expect(await readText(await send(), 10)).toBe('x'.repeat(10));
  server.answer((response) => {
    response.writeHead(500).write('half', () => setImmediate(() => response.socket?.resetAndDestroy()));
  });
  expect(await readText(await send())).toBe('half');
});
