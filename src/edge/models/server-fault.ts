/** What a server or the way to it did wrong, as a ProviderError: one line that says what to do. Pure. */
import { type FailureKind, ProviderError } from '../../domain/failure.ts';
import { faultIn, type StreamFault, wordsIn } from './chunk-reader.ts';
import { CONTEXT_CODES, CONTEXT_PHRASES, NO_IMAGES, NO_TOOLS, UNKNOWN_MODEL } from './fault-phrases.ts';
import { asRecord, asText, parseJson } from './json.ts';
import { oneLine } from './masking.ts';

/** Whom a request went to: what a message may name, and what it must not. */
export interface Destination {
  /** The base URL, without userinfo. */
  url: URL;
  model: string;
  hasKey: boolean;
  /** There are images in the request. */
  images?: boolean;
  /** Where the person sets the key, e.g. OPENAI_API_KEY. */
  keyName: string;
  /** Never printed. */
  secrets: readonly string[];
  /** The proxy that the request went through. */
  proxy?: URL;
}

/** A failed request, and whether asking again can help (contract: Provider). */
export class RequestFault extends Error {
  readonly error: ProviderError;
  readonly retry: boolean;
  /** The headers that may name a wait. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The images of the request may be why. */
  readonly aboutImages: boolean;
  constructor(error: ProviderError, retry: boolean, headers: RequestFault['headers'] = {}, aboutImages = false) {
    super(error.message);
    this.error = error;
    this.retry = retry;
    this.headers = headers;
    this.aboutImages = aboutImages;
  }
}

const RETRIED = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;
const withPort = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;

/** `Sentence (said).` with the server's words where it has some. */
function sentence(start: string, said: string, advice: string): string {
  return `${start}${said === '' ? '' : `: ${said.replace(/[.\s]+$/, '')}`}. ${advice}`.trim();
}

/** The server's words: never HTML, never a dump of JSON. */
function wordsOf(message: string, to: Destination, depth = 0): string {
  const text = message.trim();
  if (text.startsWith('<')) return '';
  if (/^[[{]/.test(text)) {
    const inner = faultOf(parseJson(text));
    return inner && depth < 2 ? wordsOf(inner.message, to, depth + 1) : '';
  }
  return oneLine(text, to.secrets);
}

function faultOf(value: unknown): StreamFault | undefined {
  const record = asRecord(Array.isArray(value) ? value[0] : value);
  if (!record) return undefined;
  const message = wordsIn(record);
  return faultIn(record) ?? (message === '' ? undefined : { message, code: asText(record.code) });
}

function unknownModel(to: Destination, said: string): ProviderError {
  const advice = 'Choose another with --model or /model.';
  return new ProviderError(
    'provider_not_found',
    sentence(`${to.url.host} does not know the model ${oneLine(to.model, to.secrets, 80)}`, said, advice),
  );
}

function authFault(status: number, said: string, to: Destination): ProviderError {
  const host = to.url.host;
  const start = to.hasKey
    ? `${host} refused the API key (${status})`
    : `${host} wants an API key and none is set for it (${status})`;
  const advice = to.hasKey ? `Check ${to.keyName}, and that the key may use this model.` : `Set one in ${to.keyName}.`;
  return new ProviderError('provider_auth', sentence(start, said, advice));
}

/** By status, code and words. `status` 0: an error object without one. */
function byStatus(
  status: number,
  fault: StreamFault,
  to: Destination,
  route = '/chat/completions',
): { error: ProviderError; retry: boolean; aboutImages?: boolean } {
  const host = to.url.host;
  const said = wordsOf(fault.message, to);
  const number = status === 0 ? '' : ` (${status})`;
  const fail = (kind: FailureKind, start: string, advice: string, retry = false) => ({
    error: new ProviderError(kind, sentence(start, said, advice)),
    retry,
  });
  const quota = fault.code === 'insufficient_quota';
  if (status === 401 || status === 403) return { error: authFault(status, said, to), retry: false };
  if (CONTEXT_CODES.test(fault.code) || (status !== 429 && CONTEXT_PHRASES.test(fault.message)))
    return fail(
      'provider_context_length',
      'The conversation is longer than the model can read',
      'Use /compact, or start a new session.',
    );
  const unknown = fault.code === 'model_not_found' || (status === 404 && UNKNOWN_MODEL.test(fault.message));
  if (to.images && !unknown && (status === 413 || (status !== 429 && NO_IMAGES.test(fault.message)))) {
    const advice = 'Choose a model that takes them with /model, or go on: what follows is sent without them.';
    return { ...fail('provider_refused', `${host} refused the images${number}`, advice), aboutImages: true };
  }
  if (status === 429 || quota)
    return quota
      ? fail('provider_rate_limit', `The account at ${host} has no quota left`, 'Check its plan and billing.')
      : fail('provider_rate_limit', `${host} limits the rate of requests${number}`, 'Try again later.', true);
  if (status >= 400 && status < 500 && NO_TOOLS.test(fault.message))
    return fail('provider_refused', `The model takes no tools${number}`, 'Choose another with --model or /model.');
  if (unknown || (status === 400 && UNKNOWN_MODEL.test(fault.message)))
    return { error: unknownModel(to, said), retry: false };
  if (status === 404)
    return fail(
      'provider_not_found',
      `${host} has nothing at ${oneLine(to.url.pathname.replace(/\/$/, ''), to.secrets)}${route} (404)`,
      'Check the base URL (--base-url); most end in /v1.',
    );
  if (status === 413)
    return fail(
      'provider_context_length',
      `The request is too large for ${host} (413)`,
      'Use /compact, or start a new session.',
    );
  if (status === 408 || status === 409 || status >= 500)
    return fail('provider_unavailable', `${host} has a problem${number}`, 'Try again later.', true);
  if (status >= 400)
    return fail('provider_refused', `${host} refused the request${number}`, said === '' ? 'It did not say why.' : '');
  return fail('provider_unavailable', `${host} reported an error`, said === '' ? 'It did not say which.' : '');
}

/** A reply with a status other than 200. */
export function statusFault(
  status: number,
  body: string,
  headers: RequestFault['headers'],
  to: Destination,
  /** Behind the base URL. */
  route?: string,
): RequestFault {
  if (status >= 300 && status < 400) {
    const target = oneLine(String(headers.location ?? 'another place'), to.secrets);
    const message = `${to.url.host} sends on to ${target} (${status}). Set the base URL (--base-url) to where the server is.`;
    return new RequestFault(new ProviderError('provider_not_found', message), false);
  }
  const fault = faultOf(parseJson(body)) ?? { message: /^\s*[<[{]/.test(body) ? '' : body, code: '' };
  const { error, retry, aboutImages } = byStatus(status, fault, to, route);
  return new RequestFault(error, retry && RETRIED(status), headers, aboutImages);
}

/** An error object in a 200: counts as the number in it, without one it is not retried (contract: Provider). */
export function streamFault(fault: StreamFault, to: Destination): RequestFault {
  const { error, retry, aboutImages } = byStatus(fault.status ?? 0, fault, to);
  return new RequestFault(error, retry && fault.status !== undefined, {}, aboutImages);
}

/** A 200 that is no event stream. */
export function contentFault(contentType: string, body: string, to: Destination): RequestFault {
  const fault = faultOf(parseJson(body));
  const value = asRecord(parseJson(body));
  if (fault && !value?.choices) return streamFault(fault, to);
  const what =
    /html/i.test(contentType) || /^\s*</.test(body)
      ? 'a web page'
      : value?.choices
        ? 'a whole answer'
        : 'something else';
  return protocolFault(
    `answered with ${what} where a stream of events was asked for. Check the base URL (--base-url); most end in /v1.`,
    to,
  );
}

export const protocolFault = (what: string, to: Destination): RequestFault =>
  new RequestFault(new ProviderError('provider_protocol', `${to.url.host} ${what}`), false);

export function stalledFault(limitMs: number, started: boolean, to: Destination): RequestFault {
  const seconds = Math.round(limitMs / 100) / 10;
  const advice = started ? 'Try again, or raise the limit (stallTimeoutMs).' : 'Is the model loading? Try again.';
  const message = `${to.url.host} sent nothing ${started ? 'more ' : ''}for ${seconds} s. ${advice}`;
  return new RequestFault(new ProviderError('provider_stalled', message), false);
}

const codeOf = (error: unknown): string => {
  for (let at: unknown = error, n = 0; at instanceof Error && n < 5; at = at.cause, n++) {
    const code = (at as NodeJS.ErrnoException).code ?? (at instanceof AggregateError ? codeOf(at.errors[0]) : '');
    // a DOMException has a number there
    if (typeof code === 'string' && code !== '') return code;
  }
  return '';
};

const CERTIFICATE = /^CERT_|CERTIFICATE|SELF_SIGNED|_ISSUER_CERT|LEAF_SIGNATURE|ALTNAME/;

/** The connection could not be made, or broke before or after the headers. */
export function connectionFault(error: unknown, proxyVariables: readonly string[], to: Destination): RequestFault {
  const code = codeOf(error);
  const peer = withPort(to.proxy ?? to.url);
  const at = to.proxy ? `the proxy at ${peer}` : peer;
  const hint = to.proxy
    ? ` The proxy comes from ${proxyVariables.join(', ') || 'the environment'}; NO_PROXY names what is reached without it.`
    : proxyVariables.length > 0
      ? ` (${proxyVariables.join(', ')} ${proxyVariables.length > 1 ? 'are' : 'is'} set but not used for this address.)`
      : '';
  const fail = (start: string, advice: string, retry: boolean) =>
    new RequestFault(new ProviderError('provider_unavailable', `${start}. ${advice}${hint}`, { cause: error }), retry);
  if (code === 'PROXY_REFUSED') {
    const { status } = error as { status?: number };
    return fail(
      `${at} does not let through to ${withPort(to.url)} (${status})`,
      'Check the proxy and its credentials.',
      Number(status) >= 500,
    );
  }
  if (CERTIFICATE.test(code))
    return fail(
      `The certificate of ${withPort(to.url)} is not trusted (${code})`,
      'Give its authority in NODE_EXTRA_CA_CERTS.',
      false,
    );
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return fail(`${at} does not speak TLS as asked (${code})`, 'Check whether the base URL is http or https.', false);
  if (code.startsWith('HPE_'))
    return fail(`${at} does not answer in HTTP (${code})`, 'Check the base URL (--base-url).', false);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fail(
      `The address of ${at} was not found (${code})`,
      'Check the base URL (--base-url) and the network.',
      true,
    );
  if (code === 'ECONNREFUSED')
    return fail(
      `${at} refused the connection (${code})`,
      to.proxy ? '' : 'Is the server running? Check the base URL (--base-url).',
      true,
    );
  return fail(`The connection to ${at} broke${code === '' ? '' : ` (${code})`}`, 'Try again.', true);
}

/** What the environment names as a proxy is none. */
export function unusableProxy(reason: string, names: readonly string[], to: URL): ProviderError {
  const message = `The proxy of ${names.join(', ')} cannot be used: ${reason}. Unset it, or name ${to.hostname} in NO_PROXY.`;
  return new ProviderError('provider_unavailable', message);
}
