/** Which model servers answer, and with which models. */
import { ProviderError } from '../../domain/failure.ts';
import { authorization, baseOf, parseEndpoint } from './endpoint.ts';
import { asRecord, parseJson } from './json.ts';
import { canChat, type ListedModel, listedModels } from './listed-model.ts';
import { PROVIDERS, type ReadyProvider } from './providers.ts';
import { proxyFor, proxyVariables } from './proxy.ts';
import { readText } from './response-body.ts';
import { connectionFault, type Destination, protocolFault, statusFault, unusableProxy } from './server-fault.ts';
import { createTransport } from './transport.ts';

export interface ListOptions {
  signal?: AbortSignal;
  /** Where the person sets the key, as messages name it. Default: OPENAI_API_KEY. */
  keyName?: string;
  headers?: Readonly<Record<string, string>>;
  /** Read for proxy variables alone. */
  env?: Readonly<Record<string, string | undefined>>;
}
export interface LocalServer {
  entry: ReadyProvider;
  /** Those that can chat, at least one. */
  models: string[];
}

const LIST_LIMIT = 4 * 1024 * 1024;
const TIMEOUT_MS = 200;
const TICK_MS = 20;

/** The ids of the models a server offers, sorted, each once. Throws a ProviderError that says what is wrong. */
export const listModels = async (...asked: Parameters<typeof describeModels>): Promise<string[]> =>
  (await describeModels(...asked)).map(({ id }) => id);

/** The same with what the list tells of each. */
export async function describeModels(
  baseUrl: string,
  apiKey?: string,
  options: ListOptions = {},
): Promise<ListedModel[]> {
  const { signal = new AbortController().signal, env = {}, headers = {}, keyName = 'OPENAI_API_KEY' } = options;
  const endpoint = parseEndpoint(baseUrl);
  const proxy = proxyFor(endpoint.url, env);
  if (typeof proxy === 'string') throw unusableProxy(proxy, proxyVariables(env), endpoint.url);
  const url = new URL(`${baseOf(endpoint)}/models`);
  for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
  const secrets = [
    apiKey ?? '',
    ...(endpoint.userinfo?.split(':') ?? []),
    proxy?.password ?? '',
    ...Object.values(headers).filter((value) => value.length > 5),
  ];
  const to: Destination = { url: endpoint.url, model: '', keyName, hasKey: Boolean(apiKey), secrets, proxy };
  const sent = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'harness-chat',
    ...authorization(endpoint, apiKey),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const transport = createTransport();
  try {
    const response = await transport.send({ url, method: 'GET', headers: sent, signal, proxy }).catch((error) => {
      throw connectionFault(error, proxyVariables(env), to).error;
    });
    const body = await readText(response, LIST_LIMIT);
    const status = response.statusCode ?? 0;
    if (status !== 200) throw statusFault(status, body, response.headers, to, '/models').error;
    return modelsIn(parseJson(body), to);
  } finally {
    transport.close();
  }
}

function modelsIn(answer: unknown, to: Destination): ListedModel[] {
  const record = asRecord(answer);
  // a server without a single model may say null
  const list = Array.isArray(answer) ? answer : (record?.data ?? record?.models ?? (record?.object === 'list' && []));
  if (!Array.isArray(list))
    throw protocolFault('answered with no list of models. Check the base URL (--base-url).', to).error;
  return listedModels(list);
}

/** Whether a list names a model, also under a spelling of the server's own that it answers to as well. */
export const isListed = (models: readonly string[], model: string): boolean =>
  [model, `${model}:latest`, `models/${model}`].some((name) => models.includes(name));

/** The first of the known servers on this machine that answers in time and has a model; asked side by side. */
export async function findLocalServer({
  timeoutMs = TIMEOUT_MS,
  servers = PROVIDERS.filter((entry) => entry.local),
}: {
  timeoutMs?: number;
  servers?: readonly ReadyProvider[];
} = {}): Promise<LocalServer | undefined> {
  const { signal, stop } = startPatience(timeoutMs);
  const answers = await Promise.all(
    servers.map(async (entry): Promise<LocalServer> => {
      try {
        const models = await listModels(entry.baseUrl, undefined, { signal });
        return { entry, models: models.filter(canChat) };
      } catch (error) {
        if (error instanceof ProviderError) return { entry, models: [] };
        throw error;
      }
    }),
  );
  stop();
  return answers.find(({ models }) => models.length > 0);
}

/** Aborts after `ms` in which answers could be heard: a program that is busy as it starts hears none, and counts none. */
function startPatience(ms: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let left = Math.ceil(ms / TICK_MS);
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) controller.abort();
  }, TICK_MS);
  // nobody waits for this to leave
  timer.unref();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
