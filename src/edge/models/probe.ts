/** Tries an endpoint in earnest: its list of models, and one tiny answer by the very adapter that the chat uses. */
import { ProviderError } from '../../domain/failure.ts';
import type { ToolSpec } from '../../domain/tool.ts';
import type { Clock, ModelEvent } from '../../runtime/ports.ts';
import { isListed, listModels } from './discovery.ts';
import { createOpenAiModel } from './openai.ts';
import type { ProviderSettings } from './registry.ts';

/** `wrong`: the endpoint cannot be used as it is set. */
export interface Finding {
  level: 'ok' | 'warning' | 'wrong';
  /** One line without a key. */
  text: string;
}
export interface ProbeOptions {
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  /** Read for proxy variables alone. */
  env: Readonly<Record<string, string | undefined>>;
  listTimeoutMs?: number;
  /** With all retries; a local server may have to load its model first. */
  answerTimeoutMs?: number;
}

const LIST_MS = 5_000;
const ANSWER_MS = 60_000;
const SHOWN = 5;
const PING: ToolSpec = {
  name: 'ping',
  description: 'Answers that all is well.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

const ok = (text: string): Finding => ({ level: 'ok', text });
const warning = (text: string): Finding => ({ level: 'warning', text });
const wrong = (text: string): Finding => ({ level: 'wrong', text });

export async function probeEndpoint(
  settings: ProviderSettings,
  model: string,
  options: ProbeOptions,
): Promise<Finding[]> {
  const listed = await probeList(settings, model, options);
  if (listed.some(({ level }) => level === 'wrong')) return listed;
  return [...listed, ...(await probeAnswer(settings, model, options))];
}

/** What a server offers to somebody who has not chosen yet. */
export async function probeOffer(settings: ProviderSettings, options: ProbeOptions): Promise<Finding[]> {
  try {
    const models = await listed(settings, options);
    return models.length === 0 ? [warning('it offers no models')] : [ok(`it offers ${some(models)}`)];
  } catch (error) {
    return [wrong(messageOf(error, settings, options.listTimeoutMs ?? LIST_MS))];
  }
}

function listed(
  { baseUrl, apiKey, keyName, headers }: ProviderSettings,
  { env, listTimeoutMs = LIST_MS }: ProbeOptions,
): Promise<string[]> {
  return listModels(baseUrl, apiKey, { keyName, headers, env, signal: AbortSignal.timeout(listTimeoutMs) });
}

const some = (models: readonly string[]): string =>
  models.slice(0, SHOWN).join(', ') + (models.length > SHOWN ? ` and ${models.length - SHOWN} more` : '');

/** Only a server that is not there ends it here: a key may be good for answers and not for the list. */
async function probeList(settings: ProviderSettings, model: string, options: ProbeOptions): Promise<Finding[]> {
  const reached = ok(`reachable: ${settings.baseUrl}`);
  try {
    const models = await listed(settings, options);
    if (isListed(models, model)) return [reached, ok(`model ${model} is listed`)];
    const there = models.length > 0 ? `; listed are ${some(models)}` : '';
    return [reached, warning(`model ${model} is not listed${there}`)];
  } catch (error) {
    const message = messageOf(error, settings, options.listTimeoutMs ?? LIST_MS);
    if (!(error instanceof ProviderError)) throw error;
    if (isTimeout(error)) return [warning(`no list of models: ${message}`)];
    return error.cause === undefined ? [reached, warning(`no list of models: ${message}`)] : [wrong(message)];
  }
}

async function probeAnswer(settings: ProviderSettings, model: string, options: ProbeOptions): Promise<Finding[]> {
  const signal = AbortSignal.timeout(options.answerTimeoutMs ?? ANSWER_MS);
  const ask = (tools: ToolSpec[]) => answerOf(settings, model, tools, options, signal);
  const first = await ask([PING]).catch((error: unknown) => error);
  if (isAnswer(first)) return findingsOf(first, settings, true);
  const message = messageOf(first, settings, options.answerTimeoutMs ?? ANSWER_MS);
  // some servers and models refuse a request for its tools alone
  const second = mayBeTools(first) ? await ask([]).catch(() => undefined) : undefined;
  if (second?.said)
    return [warning(`it answers without tools only: ${message}`), ...findingsOf(second, settings, false)];
  return [wrong(message), ...(await otherAddress(first, settings, options))];
}

interface Answer {
  pieces: number;
  said: boolean;
  called: boolean;
}
const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null && 'pieces' in value;

async function answerOf(
  settings: ProviderSettings,
  model: string,
  tools: ToolSpec[],
  { clock, random, env }: ProbeOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const text = tools.length > 0 ? 'Call the tool ping once.' : 'Say: pong';
  const request = {
    model,
    system: '',
    messages: [{ role: 'user' as const, blocks: [{ type: 'text' as const, text }] }],
  };
  const answer: Answer = { pieces: 0, said: false, called: false };
  const stream = createOpenAiModel({ ...settings, clock, random, env }).stream({ ...request, tools }, signal);
  for await (const event of stream) take(answer, event);
  return answer;
}

function take(answer: Answer, event: ModelEvent): void {
  if (event.type !== 'chunk') return;
  const { chunk } = event;
  answer.pieces += 1;
  if (chunk.type === 'tool_use') answer.called = true;
  else if (chunk.text.trim() !== '') answer.said = true;
}

function findingsOf(answer: Answer, settings: ProviderSettings, withTool: boolean): Finding[] {
  if (!answer.said && !answer.called) return [wrong('the model answers with nothing')];
  const findings = [
    ok(settings.apiKey === undefined ? 'it is used without a key' : 'the key is accepted'),
    ok(`it streams (${answer.pieces} ${answer.pieces === 1 ? 'piece' : 'pieces'})`),
  ];
  if (answer.called) findings.push(ok('it calls tools'));
  else if (withTool) findings.push(warning('the model answered, but called no tool'));
  return findings;
}

const mayBeTools = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.cause === undefined &&
  !['provider_auth', 'provider_rate_limit', 'provider_stalled'].includes(error.kind);

/** Most servers have their routes below /v1: looks there where they are not at the address that was given. */
async function otherAddress(error: unknown, settings: ProviderSettings, options: ProbeOptions): Promise<Finding[]> {
  const misplaced = error instanceof ProviderError && ['provider_not_found', 'provider_protocol'].includes(error.kind);
  if (!misplaced || /\/v\d\w*\/*$/.test(settings.baseUrl)) return [];
  const baseUrl = `${settings.baseUrl.replace(/\/+$/, '')}/v1`;
  const models = await listed({ ...settings, baseUrl }, options).catch(() => []);
  return models.length > 0 ? [warning(`${baseUrl} offers models: set the base URL to that`)] : [];
}

const isTimeout = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) if (at.name === 'TimeoutError') return true;
  return false;
};

/** Throws what is no failure of a server. */
function messageOf(error: unknown, { baseUrl }: ProviderSettings, limitMs: number): string {
  if (isTimeout(error)) return `${baseUrl} does not answer within ${limitMs / 1000} s`;
  if (error instanceof ProviderError) return error.message;
  throw error;
}
