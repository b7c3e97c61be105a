/** One GET, within time and size, that reaches no private address: checked where the connection is made, not before. */
import { lookup as resolveName } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isPrivateAddress } from './private-address.ts';

export interface GuardedResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** There was more of it. */
  cut: boolean;
}
export interface GuardOptions {
  signal: AbortSignal;
  maxBytes: number;
  /** Whether this host may be private. */
  allowPrivate: boolean;
}

/** Rejects with one line. Follows no redirect. */
export async function guardedGet(url: URL, options: GuardOptions): Promise<GuardedResponse> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !options.allowPrivate && isPrivateAddress(host)) throw new Error(privateFault(url.hostname));
  const response = await requested(url, options);
  const { body, cut } = await bodyOf(response, options.maxBytes).finally(() => response.destroy());
  return { status: response.statusCode ?? 0, headers: response.headers, body, cut };
}

function requested(url: URL, { signal, allowPrivate }: GuardOptions): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  const headers = {
    accept: 'text/html,text/plain,text/markdown,application/json,*/*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'harness-chat',
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, signal, agent: false, ...(allowPrivate ? {} : { lookup: publicLookup }) });
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => reject(new Error(connectionFault(error, url))));
    outgoing.end();
  });
}

/** The connection is made to the very addresses that were checked: a name cannot change its mind in between. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const first = addresses[0];
    if (!first || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new Error(privateFault(hostname)), '', 0);
    }
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

const privateFault = (host: string): string =>
  `${host} is a private address: it is not reached unless the settings allow it`;

function connectionFault(error: Error & { code?: string }, url: URL): string {
  const proxied = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => process.env[name]);
  const hint = proxied && error.code ? ' (a proxy is set, which this tool does not use)' : '';
  return `${url.host} could not be reached: ${error.message || error.code}${hint}`;
}

async function bodyOf(response: http.IncomingMessage, maxBytes: number): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let total = 0;
  // what is unpacked counts: a small answer may hold a huge page
  for await (const chunk of unpacked(response)) {
    chunks.push(chunk as Buffer);
    total += (chunk as Buffer).length;
    if (total > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: total > maxBytes };
}

function unpacked(response: http.IncomingMessage): Readable {
  const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const decoder = decoders[response.headers['content-encoding']?.trim().toLowerCase() ?? '']?.();
  if (!decoder) return response;
  response.on('error', (error) => (decoder as unknown as Readable).destroy(error));
  return response.pipe(decoder) as unknown as Readable;
}
