/** Asks an endpoint what it can do: one look at its models and one tiny streamed answer. */
import { createParser } from 'eventsource-parser';
import type { ModelChoice } from './endpoint.ts';
import { oneLine } from './one-line.ts';
import { maskSecrets } from './secrets.ts';

/** `wrong`: the endpoint cannot be used as it is set. */
export interface Finding {
  level: 'ok' | 'warning' | 'wrong';
  text: string;
}
export interface ProbeOptions {
  /** Masked in all that the server says. */
  secrets: readonly string[];
  /** For the list of models and for the answer; a local server may have to load its model first. */
  listTimeoutMs?: number;
  answerTimeoutMs?: number;
}

/** What of an answer is looked at. */
interface Answer {
  events: number;
  text: boolean;
  toolCall: boolean;
  finished: boolean;
  error?: string;
}
const MOST_BYTES = 1_000_000;

export async function probeEndpoint(choice: ModelChoice, options: ProbeOptions): Promise<Finding[]> {
  const clean = (text: string) => oneLine(maskSecrets(text, options.secrets), 300);
  const listed = await probeModels(choice, options.listTimeoutMs ?? 5_000, clean);
  if (listed.some(({ level }) => level === 'wrong')) return listed;
  return [...listed, ...(await probeAnswer(choice, options.answerTimeoutMs ?? 60_000, clean))];
}

async function probeModels(
  choice: ModelChoice,
  timeoutMs: number,
  clean: (text: string) => string,
): Promise<Finding[]> {
  const url = `${choice.baseUrl}/models`;
  let response: Response;
  try {
    response = await fetch(url, { headers: headersOf(choice), signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    return [{ level: 'wrong', text: clean(unreachable(url, error, timeoutMs)) }];
  }
  const reached: Finding = { level: 'ok', text: clean(`reachable: ${url} answers ${response.status}`) };
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return [reached, keyRefused(choice, response.status)];
  }
  if (!response.ok) {
    await response.body?.cancel();
    return [reached, { level: 'warning', text: `the server lists no models (status ${response.status})` }];
  }
  return [reached, await isListed(choice, response, clean)];
}

async function isListed(choice: ModelChoice, response: Response, clean: (text: string) => string): Promise<Finding> {
  const body: unknown = await response.json().catch(() => undefined);
  const data: unknown = (body as { data?: unknown } | undefined)?.data;
  const ids = (Array.isArray(data) ? data : []).map((model) => (model as { id?: unknown } | null)?.id);
  if (ids.includes(choice.model)) return { level: 'ok', text: clean(`model ${choice.model} is listed`) };
  const some = ids.filter((id) => typeof id === 'string').slice(0, 5);
  const there = some.length > 0 ? `; listed are ${some.join(', ')}${ids.length > 5 ? ' …' : ''}` : '';
  return { level: 'warning', text: clean(`model ${choice.model} is not listed${there}`) };
}

async function probeAnswer(
  choice: ModelChoice,
  timeoutMs: number,
  clean: (text: string) => string,
): Promise<Finding[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await ask(choice, true, signal);
    if (response.ok || ![400, 422, 500, 501].includes(response.status)) {
      return await findingsOf(choice, response, clean, true);
    }
    // some servers refuse a request for its tools alone
    await response.body?.cancel();
    return await findingsOf(choice, await ask(choice, false, signal), clean, false);
  } catch (error) {
    return [{ level: 'wrong', text: clean(unreachable(`${choice.baseUrl}/chat/completions`, error, timeoutMs)) }];
  }
}

function ask(choice: ModelChoice, withTool: boolean, signal: AbortSignal): Promise<Response> {
  const ping = { name: 'ping', description: 'Checks the connection.', parameters: { type: 'object', properties: {} } };
  const body = {
    model: choice.model,
    stream: true,
    messages: [{ role: 'user', content: 'Call the tool ping once. Without tools, answer with the word pong.' }],
    ...(withTool ? { tools: [{ type: 'function', function: ping }] } : {}),
  };
  return fetch(`${choice.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { ...headersOf(choice), 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
    signal,
  });
}

async function findingsOf(
  choice: ModelChoice,
  response: Response,
  clean: (text: string) => string,
  withTool: boolean,
): Promise<Finding[]> {
  const { status } = response;
  if (status === 401 || status === 403) return [keyRefused(choice, status)];
  const type = response.headers.get('content-type') ?? 'nothing';
  if (!response.ok || !type.includes('text/event-stream')) {
    const said = clean((await response.text()).slice(0, 2_000));
    if (status === 404)
      return [{ level: 'wrong', text: clean(`model ${choice.model} or this address is unknown: ${said}`) }];
    const what = response.ok ? `the server does not stream (it answers ${type})` : `the server answers ${status}`;
    return [{ level: 'wrong', text: clean(`${what}: ${said}`) }];
  }
  const answer = await readAnswer(response);
  if (answer.error !== undefined)
    return [{ level: 'wrong', text: clean(`the stream holds an error: ${answer.error}`) }];
  if (!answer.finished) return [{ level: 'wrong', text: `the stream ends without its end (${answer.events} events)` }];
  if (!answer.text && !answer.toolCall) return [{ level: 'wrong', text: 'the model answers with nothing' }];
  const key: Finding = { level: 'ok', text: choice.apiKey ? 'the key is accepted' : 'it is used without a key' };
  const streams: Finding = { level: 'ok', text: `it streams (${answer.events} events)` };
  const refused = withTool ? 'the model answered, but called no tool' : 'the server refuses requests with tools';
  return [
    key,
    streams,
    answer.toolCall ? { level: 'ok', text: 'it calls tools' } : { level: 'warning', text: refused },
  ];
}

async function readAnswer(response: Response): Promise<Answer> {
  const answer: Answer = { events: 0, text: false, toolCall: false, finished: false };
  const parser = createParser({ onEvent: ({ data }) => take(answer, data) });
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    parser.feed(decoder.decode(piece, { stream: true }));
    if (bytes > MOST_BYTES) break;
  }
  // a last event without the blank line behind it counts as well
  parser.feed('\n\n');
  return answer;
}

function take(answer: Answer, data: string): void {
  if (data.trim() === '[DONE]') {
    answer.finished = true;
    return;
  }
  answer.events += 1;
  let chunk: Chunk | null;
  try {
    chunk = JSON.parse(data) as Chunk | null;
  } catch {
    answer.error ??= 'an event that is no JSON';
    return;
  }
  if (chunk?.error) answer.error ??= JSON.stringify(chunk.error);
  const choice = chunk?.choices?.[0];
  if (!choice) return;
  if (choice.finish_reason) answer.finished = true;
  const { content, reasoning, reasoning_content: thinking, tool_calls: calls } = choice.delta ?? {};
  if (content || reasoning || thinking || choice.message?.content) answer.text = true;
  if (calls?.length || choice.message?.tool_calls?.length) answer.toolCall = true;
}
interface Piece {
  content?: string | null;
  reasoning?: string | null;
  reasoning_content?: string | null;
  tool_calls?: unknown[] | null;
}
interface Chunk {
  error?: unknown;
  choices?: { finish_reason?: string | null; delta?: Piece | null; message?: Piece | null }[] | null;
}

function headersOf(choice: ModelChoice): Record<string, string> {
  return { ...(choice.apiKey ? { authorization: `Bearer ${choice.apiKey}` } : {}), ...choice.headers };
}

function keyRefused(choice: ModelChoice, status: number): Finding {
  const text = choice.apiKey ? `the key is refused (status ${status})` : `the server wants a key (status ${status})`;
  return { level: 'wrong', text };
}

function unreachable(url: string, error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${url} does not answer within ${timeoutMs / 1000} s`;
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return `${url} cannot be reached (${cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : 'unknown')})`;
}
