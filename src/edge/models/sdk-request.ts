/** One chat completions request, made by the SDK over our own transport. */
import type { IncomingMessage } from 'node:http';
import { authorization, baseOf, type Endpoint } from './endpoint.ts';
import { throwIfAborted } from './pause.ts';
import type { WireBody } from './request-body.ts';
import type { Transport } from './transport.ts';

export interface SdkRequest {
  endpoint: Endpoint;
  apiKey: string | undefined;
  headers: Readonly<Record<string, string>>;
  body: WireBody;
  proxy: URL | undefined;
  signal: AbortSignal;
  /** Names what the transport rejects with. */
  failed: (error: unknown) => Error;
}

/** The longest that a timer can be set to: the SDK's own limit must never be the one that strikes. */
const NEVER_MS = 2 ** 31 - 1;

/** Loads the SDK; called early, the first request need not wait for it. */
export const loadSdk = () => import('openai');

/**
 * Resolves with the response as it stands on the socket: the SDK's own stream loop hides broken ends. Rejects with
 * what `failed` makes of the transport's error.
 */
export async function sendBySdk(transport: Transport, request: SdkRequest): Promise<IncomingMessage> {
  const { endpoint, apiKey, body, proxy, signal, failed } = request;
  const { OpenAI } = await loadSdk();
  throwIfAborted(signal);
  const headers = {
    accept: 'text/event-stream, application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': 'harness-chat',
    ...authorization(endpoint, apiKey),
    ...Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  let sent: Promise<IncomingMessage> | undefined;
  const client = new OpenAI({
    // null and not absent: nothing is taken from OPENAI_* variables, the settings are settled before
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseOf(endpoint),
    defaultQuery: endpoint.query,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    fetch: async (url, init) => {
      // of the SDK's headers none is taken: some come from the environment, one names a key that may not be there
      const exchange = {
        url: new URL(String(url)),
        method: 'POST',
        headers,
        body: String(init?.body),
        signal,
        proxy,
      } as const;
      sent = transport.send(exchange).catch((error) => {
        throw failed(error);
      });
      await sent;
      return new Response(null);
    },
  });
  try {
    await client.chat.completions.create(body).asResponse();
  } catch (error) {
    // what the SDK says of a failed connection hides its cause
    if (!sent) throw error;
  }
  return sent!;
}
