import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFetchUrlTool } from '../../../src/edge/tools/fetch-url.ts';
import { publicLookup } from '../../../src/edge/tools/guarded-request.ts';
import { htmlText } from '../../../src/edge/tools/html-text.ts';
import { isPrivateAddress } from '../../../src/edge/tools/private-address.ts';
import { called, judged, said, textOf } from './call.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const pages: Record<string, Answer> = {
  '/page': (r) =>
    r
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end('<title>T</title><p>Hello <b>W</b>&ouml;rld</p><script>x()</script>'),
  '/plain': (r) => r.setHeader('content-type', 'text/plain').end('a < b'),
  '/json': (r) => r.setHeader('content-type', 'application/json').end('{"a":1}'),
  '/latin': (r) => r.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from('caf\xe9', 'latin1')),
  '/odd-charset': (r) => r.setHeader('content-type', 'text/plain; charset=x-nothing').end('é'),
  '/binary': (r) => r.setHeader('content-type', 'application/octet-stream').end(Buffer.from([0, 1, 2])),
  '/gzip': (r) =>
    r.setHeader('content-type', 'text/plain').setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
  '/bomb': (r) =>
    r
      .setHeader('content-type', 'text/plain')
      .setHeader('content-encoding', 'gzip')
      .end(gzipSync(Buffer.alloc(50_000_000, 'x'))),
  '/broken-gzip': (r) => r.setHeader('content-type', 'text/plain').setHeader('content-encoding', 'gzip').end('no gzip'),
  '/endless': (r) => {
    r.setHeader('content-type', 'text/plain');
    const more = (): void => {
      while (!r.destroyed && r.write('x'.repeat(65_536)));
      if (!r.destroyed) r.once('drain', more);
    };
    more();
  },
  '/silent': () => undefined,
  '/missing': (r) => r.writeHead(404, { 'content-type': 'text/plain' }).end('no such page'),
  '/empty': (r) => r.setHeader('content-type', 'text/plain').end(),
  '/here': (r) => r.writeHead(302, { location: '/plain' }).end(),
  '/round': (r) => r.writeHead(302, { location: '/round' }).end(),
  '/elsewhere': (r) => r.writeHead(302, { location: 'http://example.com/x' }).end(),
  '/to-private': (r) => r.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/to-file': (r) => r.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/cut': (r) => {
    r.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('half');
    setImmediate(() => r.destroy());
  },
};

let server: Server;
let base: string;
let host: string;
let reached = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    reached++;
    pages[request.url ?? '']?.(response, request);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  base = `http://${host}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const tool = (timeoutMs?: number) =>
  createFetchUrlTool({ allowPrivateHosts: [host], ...(timeoutMs ? { timeoutMs } : {}) });
const fetched = (path: string) => said(tool(), { url: base + path }, '/');

describe('a page', () => {
  test.each([
    ['/page', 'T\nHello Wörld'],
    ['/plain', 'a < b'],
    ['/json', '{"a":1}'],
    ['/latin', 'café'],
    ['/odd-charset', 'é'],
    ['/gzip', 'packed'],
    ['/empty', '(the page is empty)'],
    ['/binary', '[application/octet-stream, 3 bytes, not shown; it begins with 00 01 02 |...|]'],
  ])('%s', async (path, text) => {
    expect((await fetched(path)).replace(/\n\n+/g, '\n')).toBe(`${base}${path}\n${text}`);
  });
  test('a redirect on the same host is followed', async () => {
    expect(await fetched('/here')).toBe(`${base}/plain\n\na < b`);
  });
  test.each(['/endless', '/bomb'])('without an end is cut, said, and let go: %s', async (path) => {
    const text = await fetched(path);
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/\[… cut here: the page is longer than 2097152 bytes\]$/);
  });
  test('an error of the server is an error with its text', async () => {
    const result = await called(tool(), { url: `${base}/missing` }, '/');
    expect([textOf(result), result.isError]).toEqual([`${base}/missing answered 404\n\nno such page`, true]);
  });
  test.each([
    ['/elsewhere', /redirects to http:\/\/example\.com\/x, another host/],
    ['/to-private', /redirects to http:\/\/169\.254\.169\.254/],
    ['/round', /redirects more than 5 times/],
  ])('a redirect that is not followed: %s', async (path, message) => {
    const result = await called(tool(), { url: base + path }, '/');
    expect(textOf(result)).toMatch(message);
    expect(result.isError).toBe(true);
  });
  test.each([
    ['/to-file', /file: is not supported/],
    ['/cut', /aborted|could not be reached/],
    ['/broken-gzip', /./],
  ])('what fails is one line: %s', async (path, message) => {
    await expect(called(tool(), { url: base + path }, '/')).rejects.toThrow(message);
  });
  test('that never comes is over in time, or with the interrupt', async () => {
    await expect(called(tool(200), { url: `${base}/silent` }, '/')).rejects.toThrow(/did not answer within 0\.2 s/);
    const call = await judged(tool(), { url: `${base}/silent` }, '/');
    const abort = new AbortController();
    const running = call.run({ signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    await expect(running).rejects.toThrow();
  });
});

describe('private addresses', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST.:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://１２７.0.0.1:PORT/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
  ])('are not reached: %s', async (url) => {
    const before = reached;
    const call = called(createFetchUrlTool(), { url: url.replace('PORT', host.split(':')[1] as string) }, '/');
    await expect(call).rejects.toThrow(/is a private address|ENOTFOUND localhost/);
    expect(reached).toBe(before);
  });
  test.each([
    ['8.8.8.8', false],
    ['172.15.0.1', false],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['100.64.0.1', true],
    ['0.0.0.0', true],
    ['255.255.255.255', true],
    ['2606:4700::1111', false],
    ['::', true],
    ['fe80::1%eth0', true],
    ['fd00::1', true],
    ['::ffff:8.8.8.8', true],
    ['64:ff9b::7f00:1', true],
    ['2002:7f00:1::', true],
    ['ff02::1', true],
    ['nonsense', true],
  ])('%s: %s', (address, isPrivate) => {
    expect(isPrivateAddress(address)).toBe(isPrivate);
  });
});

describe('a name', () => {
  const answer = (name: string, options: object) =>
    new Promise((resolve) => {
      publicLookup(name, options, (error, ...rest) => resolve(error ? error.message : rest));
    });
  test('is resolved to the addresses that were checked, and only public ones', async () => {
    expect(await answer('8.8.8.8', { all: true })).toEqual([[{ address: '8.8.8.8', family: 4 }]]);
    expect(await answer('8.8.8.8', {})).toEqual(['8.8.8.8', 4]);
    expect(await answer('localhost', { all: true })).toMatch(/^localhost is a private address/);
    expect(await answer('localhost', {})).toMatch(/^localhost is a private address/);
  });
});

describe('the question', () => {
  test('shows the whole address, a grant covers the host', async () => {
    const { access } = await judged(tool(), { url: 'https://example.com/a?b=c#d' }, '/');
    expect(access).toMatchObject({ kind: 'reach', detail: 'GET https://example.com/a?b=c' });
    expect(access.grants[0]).toEqual({ scope: 'session', covers: 'pages of https://example.com' });
  });
  test('shows a host in disguise as what it is', async () => {
    expect((await judged(tool(), { url: 'https://exаmple.com/' }, '/')).access.detail).toContain('xn--');
  });
  test.each([
    ['example.com', /is no URL/],
    ['ftp://example.com', /only http and https/],
    ['file:///etc/passwd', /only http and https/],
    ['https://me:pw@example.com', /leave them out/],
  ])('is not even asked: %s', async (url, message) => {
    await expect(judged(tool(), { url }, '/')).rejects.toThrow(message);
  });
});

describe('the text of HTML', () => {
  test.each([
    ['<h1>Title</h1><p>a\n  b</p><ul><li>x<li>y</ul>', '# Title\n\na b\n\n- x\n- y'],
    ['a<br>b<!-- <p>c --> d', 'a\nb d'],
    ['&lt;tag&gt; &amp;amp; &#65;&#x42; &nope; &#xD800;', '<tag> &amp; AB &nope; \uFFFD'],
    ['1 < 2 and <3', '1 < 2 and <3'],
    ['<script>if (a</script >b', 'b'],
    ['<style>p{}</style>x<script>', 'x'],
    ['<table><tr><td>a<td>b</table>', '| a | b'],
    ['<img alt="cat" src=x>', 'cat'],
    ['x <pre>if a:\n    b\n\n\tc</pre>  y  z', 'x\n\nif a:\n    b\n\n\tc\n\ny z'],
    ['<script src=/a/>hidden</script>b', 'b'],
    ['<p', ''],
    ['', ''],
  ])('%s', (html, text) => {
    expect(htmlText(html)).toBe(text);
  });
  test('takes time by its length only', () => {
    const began = performance.now();
    for (const piece of [
      '<',
      '<!--',
      '<script>',
      '<a ',
      '&',
      '<p>',
      ' \n',
      '<b> </b>',
      '<script></script>',
      '</',
      '<img alt="',
    ])
      htmlText(piece.repeat(2_000_000 / piece.length));
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});
