/** Any server that speaks /chat/completions with streaming (contract: Provider). */
import type { Message } from '../../domain/content.ts';
import { ProviderError } from '../../domain/failure.ts';
import type { Clock, Model, ModelEvent, ModelRequest } from '../../runtime/ports.ts';
import type { Asker } from './asker.ts';
import { decoded, type Endpoint, parseEndpoint } from './endpoint.ts';
import { imagesIn, withoutImages } from './images.ts';
import { pause, throwIfAborted } from './pause.ts';
import { type ProviderQuirks, quirksAt } from './providers.ts';
import { proxyFor, proxyVariables } from './proxy.ts';
import { requestBody } from './request-body.ts';
import { MAX_ATTEMPTS, waitAfter, waitInWords } from './retry.ts';
import { type Destination, RequestFault, unusableProxy } from './server-fault.ts';

export interface OpenAiOptions {
  baseUrl: string;
  /** Without one no Authorization header is sent. */
  apiKey?: string;
  /** Sent with every request; they win over our own of the same name. */
  headers?: Readonly<Record<string, string>>;
  /** Default: what is known of the server at this address. */
  quirks?: ProviderQuirks;
  /** Where the person sets the key, as messages name it. Default: OPENAI_API_KEY. */
  keyName?: string;
  clock: Clock;
  /** In [0, 1); spreads the waits between attempts. */
  random: () => number;
  /** Default: 60 s. */
  stallTimeoutMs?: number;
  /** A local model may load before it says anything. Default: 300 s. */
  firstByteTimeoutMs?: number;
  /** How long the end is waited for once the server gave its finish reason. Default: 5 s. */
  finishedTimeoutMs?: number;
  /** Read for proxy variables alone. Default: none are set. */
  env?: Readonly<Record<string, string | undefined>>;
}

const KEY_NAME = 'OPENAI_API_KEY';

/** Throws a ProviderError where base URL or key cannot be used at all. */
export function createOpenAiModel(options: OpenAiOptions): Model {
  const { env = {}, keyName = KEY_NAME } = options;
  const endpoint = parseEndpoint(options.baseUrl);
  const apiKey = options.apiKey?.trim() || undefined;
  if (apiKey && /[^\x21-\x7e]/.test(apiKey))
    throw new ProviderError(
      'provider_auth',
      `The API key holds characters that no key has. Set it again in ${keyName}.`,
    );
  const proxy = proxyFor(endpoint.url, env);
  const quirks = options.quirks ?? quirksAt(endpoint.url);
  let asker: Promise<Asker> | undefined;
  // what a request needs is loaded with the first one: nothing else waits for it
  const loaded = async (): Promise<Asker> => {
    const { createAsker } = await import('./asker.ts');
    return createAsker({ ...options, quirks }, endpoint, apiKey);
  };
  /** Models whose server has refused images: those of earlier inputs are not sent again. */
  const refusing = new Set<string>();
  const shownOf = ({ model, messages }: ModelRequest): readonly Message[] => {
    if (quirks.images === false) return withoutImages(messages, 'none');
    return refusing.has(model) ? withoutImages(messages, 'newest') : messages;
  };

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    throwIfAborted(signal);
    if (typeof proxy === 'string') throw unusableProxy(proxy, proxyVariables(env), endpoint.url);
    const to: Destination = {
      url: endpoint.url,
      model: request.model,
      keyName,
      hasKey: apiKey !== undefined || endpoint.userinfo !== undefined || hasAuthorization(options),
      secrets: secretsOf(options, endpoint, proxy),
      proxy,
    };
    asker ??= loaded();
    const ask = await asker;
    throwIfAborted(signal);
    for (let attempt = 1; ; attempt++) {
      let shown = false;
      const messages = shownOf(request);
      const images = imagesIn(messages);
      try {
        const body = requestBody({ ...request, messages }, quirks);
        for await (const events of ask(body, { ...to, images: images.any }, signal)) {
          for (const event of events) {
            throwIfAborted(signal);
            if (event.type === 'chunk') shown = true;
            yield event;
          }
        }
        return;
      } catch (error) {
        throwIfAborted(signal);
        if (!(error instanceof RequestFault)) throw error;
        const bare = error.aboutImages && images.earlier;
        if (error.aboutImages) refusing.add(request.model);
        if (shown || !(error.retry || bare)) throw error.error;
        const waitMs = bare ? 0 : waitBefore(error, attempt, options);
        const { kind, message } = error.error;
        yield { type: 'retrying', attempt, maxAttempts: MAX_ATTEMPTS, waitMs, err: { kind, message } };
        if (waitMs > 0) await pause(options.clock, waitMs, signal);
      }
    }
  }
  return { stream };
}

/** Throws where no further attempt is made. */
function waitBefore({ error, headers }: RequestFault, attempt: number, { clock, random }: OpenAiOptions): number {
  if (attempt >= MAX_ATTEMPTS)
    throw new ProviderError(error.kind, `${error.message} (${attempt} attempts)`, { cause: error.cause });
  const wait = waitAfter(attempt, headers, clock.now(), random);
  if ('ms' in wait) return wait.ms;
  const message = `${error.message} It asks to wait ${waitInWords(wait.tooLongMs)}.`;
  throw new ProviderError(error.kind, message, { cause: error.cause });
}

const hasAuthorization = ({ headers = {} }: OpenAiOptions): boolean =>
  Object.keys(headers).some((name) => /^(?:authorization|(?:x-)?api-key)$/i.test(name));

function secretsOf(
  { apiKey, headers = {} }: OpenAiOptions,
  { userinfo }: Endpoint,
  proxy: URL | string | undefined,
): string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]);
  const ofProxy = proxy instanceof URL ? [proxy.password, decoded(proxy.password)] : [];
  return [
    apiKey?.trim() ?? '',
    userinfo ?? '',
    ...(userinfo?.split(':') ?? []),
    ...ofProxy,
    ...values.filter((value) => value.length > 5),
  ];
}
