/** Which model servers answer, and with which models. */
import { ProviderError } from '../../domain/failure.ts';
import { authorization, baseOf, parseEndpoint } from './endpoint.ts';
import { asArray, asRecord, asText, parseJson } from './json.ts';
import { PROVIDERS, type ReadyProvider } from './providers.ts';
import { proxyFor, proxyVariables } from './proxy.ts';
import { connectionFault, type Destination, protocolFault, statusFault } from './server-fault.ts';
import { createTransport, readText } from './transport.ts';

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
  /** At least one. */
  models: string[];
}

const LIST_LIMIT = 4 * 1024 * 1024;
const TIMEOUT_MS = 200;

/** The ids of the models a server offers, sorted. Throws a ProviderError that says what is wrong. */
export async function listModels(baseUrl: string, apiKey?: string, options: ListOptions = {}): Promise<string[]> {
  const { signal = new AbortController().signal, env = {}, headers = {}, keyName = 'OPENAI_API_KEY' } = options;
  const endpoint = parseEndpoint(baseUrl);
  const found = proxyFor(endpoint.url, env);
  const proxy = found instanceof URL ? found : undefined;
  const url = new URL(`${baseOf(endpoint)}/models`);
  for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
  const secrets = [apiKey ?? '', ...(endpoint.userinfo?.split(':') ?? []), proxy?.password ?? ''];
  const to: Destination = { url: endpoint.url, model: '', keyName, hasKey: Boolean(apiKey), secrets, proxy };
  const sent = {
    accept: 'application/json',
    'user-agent': 'harness-chat',
    ...authorization(endpoint, apiKey),
    ...headers,
  };
  const transport = createTransport();
  const response = await transport.send({ url, method: 'GET', headers: sent, signal, proxy }).catch((error) => {
    throw connectionFault(error, proxyVariables(env), to).error;
  });
  const body = await readText(response, LIST_LIMIT);
  transport.close();
  const status = response.statusCode ?? 0;
  if (status !== 200) throw statusFault(status, body, response.headers, to).error;
  const answer = parseJson(body);
  const list = Array.isArray(answer) ? answer : (asRecord(answer)?.data ?? asRecord(answer)?.models);
  if (!Array.isArray(list))
    throw protocolFault('answered with no list of models. Check the base URL (--base-url).', to).error;
  return asArray(list)
    .map((model) => asText(model) || asText(asRecord(model)?.id) || asText(asRecord(model)?.name))
    .filter((id) => id !== '')
    .sort();
}

/** The first of the known servers on this machine that answers in time and has a model; asked side by side. */
export async function findLocalServer({
  timeoutMs = TIMEOUT_MS,
  servers = PROVIDERS.filter((entry) => entry.local),
}: {
  timeoutMs?: number;
  servers?: readonly ReadyProvider[];
} = {}): Promise<LocalServer | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answers = await Promise.all(
    servers.map(async (entry): Promise<LocalServer> => {
      try {
        return { entry, models: await listModels(entry.baseUrl, undefined, { signal }) };
      } catch (error) {
        if (error instanceof ProviderError) return { entry, models: [] };
        throw error;
      }
    }),
  );
  return answers.find(({ models }) => models.length > 0);
}
