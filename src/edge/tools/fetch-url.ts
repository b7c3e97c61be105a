/** `fetch_url`: the text of a page. Every host that is reached was asked about. */
import * as z from 'zod';
import type { Tool, ToolResult } from '../../domain/tool.ts';
import { firstBytes } from '../process/byte-text.ts';
import type { GuardedResponse } from './guarded-request.ts';
import { htmlText } from './html-text.ts';
import { MAX_TEXT, refused, said } from './result.ts';
import { parameters } from './schema.ts';

export interface FetchUrlOptions {
  /** Hosts ("name" or "name:port") that may be reached although they are private. */
  allowPrivateHosts?: readonly string[];
  /** For the whole of it, in ms. */
  timeoutMs?: number;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

const schema = parameters({ url: z.string().min(1).describe('http or https') });

export function createFetchUrlTool(options: FetchUrlOptions = {}): Tool<{ url: string }> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  return {
    name: 'fetch_url',
    description:
      'Fetches a page and gives its text. Private addresses are not reached. A redirect to another host is told, not followed.',
    parameters: schema,
    changes: false,
    summary: ({ url }) => url,
    async access({ url }) {
      const { href, origin } = parsed(url);
      const covers = `pages of ${origin}`;
      return {
        kind: 'reach',
        detail: `GET ${href}`,
        grants: [
          { scope: 'session', covers },
          { scope: 'always', covers },
        ],
      };
    },
    timeoutMs: () => timeoutMs + 5_000,
    async run({ url }, { signal }) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        return await fetched(parsed(url), AbortSignal.any([signal, limit]), options);
      } catch (error) {
        if (limit.aborted) throw new Error(`${url} did not answer within ${timeoutMs / 1000} s`);
        throw error;
      }
    },
  };
}

/** Throws one line for the model. */
function parsed(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(`${JSON.stringify(text)} is no URL: give it whole, with https://`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol} is not supported: only http and https`);
  if (url.username || url.password) throw new Error('the URL holds a user name or a password: leave them out');
  url.hash = '';
  return url;
}

async function fetched(start: URL, signal: AbortSignal, options: FetchUrlOptions): Promise<ToolResult> {
  const { guardedGet } = await import('./guarded-request.ts');
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const allowPrivate = [url.host, url.hostname].some((host) => options.allowPrivateHosts?.includes(host));
    const response = await guardedGet(url, { signal, maxBytes: MAX_BYTES, allowPrivate });
    const target = redirectOf(response, url);
    if (!target) return resultOf(url, response);
    if (!isSameSite(target, start))
      return refused(`${url.href} redirects to ${target.href}, another host: fetch that, if it is what you want`);
    url = target;
  }
  return refused(`${start.href} redirects more than ${MAX_REDIRECTS} times`);
}

function redirectOf({ status, headers }: GuardedResponse, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || !headers.location) return undefined;
  return parsed(new URL(headers.location, from).href);
}

/** What was asked about covers its secure form, and nothing else. */
const isSameSite = (target: URL, asked: URL): boolean =>
  target.origin === asked.origin ||
  (target.protocol === 'https:' &&
    asked.protocol === 'http:' &&
    target.hostname === asked.hostname &&
    target.port === '' &&
    asked.port === '');

function resultOf(url: URL, response: GuardedResponse): ToolResult {
  const text = textOf(response);
  const cut = response.cut || text.length > MAX_TEXT;
  const notes = cut
    ? `\n[… cut here: ${response.cut ? `the page is longer than ${MAX_BYTES} bytes` : `the text has ${text.length} characters`}]`
    : '';
  const body = text.slice(0, MAX_TEXT) + notes || '(the page is empty)';
  if (response.status < 400) return said(`${url.href}\n\n${body}`, body);
  return refused(`${url.href} answered ${response.status}\n\n${body}`);
}

function textOf({ headers, body }: GuardedResponse): string {
  const type = headers['content-type'] ?? '';
  if (!isText(type, body))
    return `[${type || 'unknown type'}, ${body.length} bytes, not shown; it begins with ${firstBytes(body)}]`;
  const text = decodedAs(/charset="?([\w-]+)/i.exec(type)?.[1], body);
  return /html/i.test(type) || /^\s*<(!doctype html|html)/i.test(text.slice(0, 500)) ? htmlText(text) : text;
}

const isText = (type: string, body: Buffer): boolean =>
  /^text\/|json|xml|javascript|yaml|x-www-form/i.test(type) || (type === '' && !body.includes(0));

/** An unknown character set is read as UTF-8. */
function decodedAs(charset: string | undefined, body: Buffer): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
