/**
 * From the objects of a chat.completion.chunk stream to what the runtime is told. A pure state machine: no shape that a
 * server sends makes it throw. Which shapes: field reports R01-R11, R15-R17.
 */
import type { Chunk } from '../../domain/content.ts';
import type { FinishReason, ModelEvent } from '../../runtime/ports.ts';
import { asArray, asList, asRecord, asText, type JsonRecord } from './json.ts';
import { flushThinking, splitThinking, THINK_START, type ThinkState } from './think-tags.ts';
import { type CallState, extras, flushCalls, noCalls, takeFragments } from './tool-fragments.ts';
import { mergeUsage, usageOf } from './usage-count.ts';

export interface ReaderState {
  readonly think: ThinkState;
  readonly calls: CallState;
  readonly usage: JsonRecord | undefined;
  /** The reason the server gave, '' until it did. */
  readonly finish: string;
  /** A whole message beside the deltas; used for what no delta brought. */
  readonly message: JsonRecord | undefined;
  /** Which kinds came in deltas. */
  readonly spoke: boolean;
  readonly thought: boolean;
  readonly refused: boolean;
}
/** An error object that came in the place of a chunk. */
export interface StreamFault {
  /** The server's words, not made safe. */
  message: string;
  /** As a word, where it is one. */
  code: string;
  /** Where a number was given: read as an HTTP status. */
  status?: number;
}
export interface Read {
  state: ReaderState;
  events: ModelEvent[];
  fault?: StreamFault;
}

/** `callFields`: what is kept of a call beside what every call has. */
export const readerStart = (callFields?: readonly string[]): ReaderState => ({
  think: THINK_START,
  calls: noCalls(callFields),
  usage: undefined,
  finish: '',
  message: undefined,
  spoke: false,
  thought: false,
  refused: false,
});

const FINISH: ReadonlyMap<string, FinishReason> = new Map([
  ...['stop', 'stop_sequence', 'end_turn', 'eos', 'completed'].map((word) => [word, 'stop'] as const),
  ...['tool_calls', 'tool_use', 'function_call'].map((word) => [word, 'tool_calls'] as const),
  ...['length', 'max_tokens', 'max_output_tokens'].map((word) => [word, 'length'] as const),
  ...['content_filter', 'safety', 'refusal'].map((word) => [word, 'refusal'] as const),
]);

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;
const statusIn = (...values: unknown[]): number | undefined =>
  values.map((value) => (typeof value === 'string' && value !== '' ? Number(value) : value)).find(isStatus);

/** The error in an object, in any of the forms in use; undefined where there is none. */
export function faultIn(value: JsonRecord): StreamFault | undefined {
  if (isPlain(value)) return undefined;
  const [error] = asList(value.errors).length > 0 ? asList(value.errors) : asEntry(value.error ?? bareError(value));
  const outer = statusIn(value.code, value.status, value.status_code, value.statusCode);
  if (typeof error === 'string')
    return error === '' ? undefined : { message: error, code: asText(value.code), status: outer };
  const record = asRecord(error);
  if (!record) return error === true ? { message: wordsIn(value), code: '', status: outer } : undefined;
  const message = wordsIn(record) || asText(record.error) || asText(record.type);
  const code = [record.code, record.type, record.status].map(asText).find((word) => /[a-z]/i.test(word)) ?? '';
  const status = statusIn(record.code, record.status, record.status_code, record.statusCode) ?? outer;
  return message === '' && code === '' && !status ? undefined : { message, code, status };
}

/** As nearly every chunk is: nothing in it could tell of an error. */
function isPlain(value: JsonRecord): boolean {
  const { error, errors, object, type, code, status, status_code, statusCode, detail } = value;
  if ((error ?? errors ?? undefined) !== undefined || object === 'error' || type === 'error') return false;
  return 'choices' in value || (code ?? status ?? status_code ?? statusCode ?? detail ?? undefined) === undefined;
}

const asEntry = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** An object that is an error as a whole: it says so, or says something where an answer would have choices. */
function bareError(value: JsonRecord): JsonRecord | undefined {
  if (value.object === 'error' || value.type === 'error') return value;
  if ('choices' in value) return undefined;
  const status = statusIn(value.code, value.status, value.status_code, value.statusCode) ?? 0;
  const coded = status >= 400 || /[a-z]/i.test(asText(value.code));
  return wordsIn({ detail: value.detail }) !== '' || (coded && wordsIn(value) !== '') ? value : undefined;
}

/** What an error object says, under the names in use. A gateway's own words say less than those that it passes on. */
export function wordsIn({ message, msg, detail, error_description, metadata }: JsonRecord): string {
  const passedOn = asText(asRecord(metadata)?.raw);
  if (passedOn !== '') return passedOn;
  const [first] = asArray(detail ?? asRecord(message)?.detail).map(asRecord);
  return asText(message) || asText(msg) || asText(detail) || asText(error_description) || asText(first?.msg);
}

/** The text of `content`: a string, or parts as some servers send them. */
function contentOf(value: unknown): { text: string; thinking: string; refusal: string } {
  const out = { text: asText(value), thinking: '', refusal: '' };
  const parts = asRecord(value) ? [value] : asArray(value);
  for (const entry of parts) {
    const part = asRecord(entry);
    if (!part) out.text += asText(entry);
    else if (part.type === 'thinking' || part.type === 'reasoning')
      out.thinking += contentOf(part.thinking ?? part.text ?? part.content).text;
    else if (part.type === 'refusal') out.refusal += asText(part.refusal);
    else out.text += asText(part.text) || asText(part.content);
  }
  return out;
}

const THOUGHTS = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'];

/** Some servers send the same thought under two names: the first that says something counts. */
function reasoningOf(delta: JsonRecord): string {
  for (const name of THOUGHTS) {
    const text = contentOf(delta[name]).text;
    if (text !== '') return text;
  }
  return asArray(delta.reasoning_details)
    .map((detail) => asText(asRecord(detail)?.text) || asText(asRecord(detail)?.summary))
    .join('');
}

function say(out: ModelEvent[], type: 'text' | 'thinking' | 'refusal', text: string): void {
  if (text !== '') out.push({ type: 'chunk', chunk: { type, text } });
}

/** One delta, or a whole message in its place. */
function takeDelta(before: ReaderState, delta: JsonRecord, out: ModelEvent[]): ReaderState {
  let state = before;
  const content = contentOf(delta.content);
  const thinking = reasoningOf(delta) || content.thinking;
  if (thinking !== '') {
    say(out, 'thinking', thinking);
    if (!state.thought) state = { ...state, thought: true };
  }
  if (content.text !== '') {
    const split = splitThinking(state.think, content.text);
    say(out, 'thinking', split.thinking);
    say(out, 'text', split.text);
    if (split.state !== state.think || !state.spoke) state = { ...state, think: split.state, spoke: true };
  }
  const refusal = asText(delta.refusal) || content.refusal;
  if (refusal !== '') {
    say(out, 'refusal', refusal);
    state = { ...state, refused: true };
  }
  if (delta.tool_calls || delta.function_call) {
    const chunks: Chunk[] = [];
    const calls = takeFragments(state.calls, delta, chunks);
    if (chunks.length > 0 && state.think.mode === 'start') state = flushText(state, out);
    for (const chunk of chunks) out.push({ type: 'chunk', chunk });
    state = { ...state, calls };
  }
  return state;
}

function flushText(state: ReaderState, out: ModelEvent[]): ReaderState {
  const { state: think, thinking, text } = flushThinking(state.think);
  say(out, 'thinking', thinking);
  say(out, 'text', text);
  return { ...state, think };
}

/** One parsed object of the stream. What is no object, or has nothing to say, changes nothing. */
export function push(before: ReaderState, value: unknown): Read {
  const record = asRecord(value);
  if (!record) return { state: before, events: [] };
  const events: ModelEvent[] = [];
  let state = before;
  const choices = asList(record.choices).map(asRecord);
  // one answer was asked for; where a server sends more, the first is it
  const choice = choices.find((entry) => entry && Number(entry.index ?? 0) === 0);
  if (choice) {
    const delta = asRecord(choice.delta);
    if (delta) state = takeDelta(state, delta, events);
    const message = asRecord(choice.message);
    if (message) state = { ...state, message };
    const reason = asText(choice.finish_reason).toLowerCase();
    // a call that the limit cut must not run because of a later word
    if (reason !== '' && FINISH.get(state.finish) !== 'length') state = { ...state, finish: reason };
  }
  const used = record.usage ?? choice?.usage ?? asRecord(record.x_groq)?.usage;
  if (used) state = { ...state, usage: mergeUsage(state.usage, used) };
  const fault =
    faultIn(record) ??
    (choice && faultIn(choice)) ??
    (state.finish === 'error' ? { message: '', code: '' } : undefined);
  return fault ? { state, events, fault } : { state, events };
}

/** The server gave a finish reason: what may still come is the usage. */
export const isFinished = (state: ReaderState): boolean => state.finish !== '';

/** The rest, at the end of a stream that ended well: what was held back, the usage, and `end`. */
export function finish(before: ReaderState): ModelEvent[] {
  const events: ModelEvent[] = [];
  let state = before;
  if (state.message) state = takeDelta(state, missingFrom(state, state.message), events);
  state = flushText(state, events);
  const chunks: Chunk[] = [];
  const calls = flushCalls(state.calls, chunks);
  for (const chunk of chunks) events.push({ type: 'chunk', chunk });
  for (const extra of extras(state.calls)) events.push({ type: 'extra', ...extra });
  if (state.usage) events.push({ type: 'usage', usage: usageOf(state.usage) });
  const reason =
    state.finish === '' ? (calls.shown > 0 ? 'tool_calls' : 'stop') : (FINISH.get(state.finish) ?? 'other');
  events.push({ type: 'end', finish: reason });
  return events;
}

/** The parts of a whole message that no delta brought (R16). */
function missingFrom(state: ReaderState, message: JsonRecord): JsonRecord {
  const missing = { ...message };
  if (state.spoke) delete missing.content;
  if (state.thought) for (const name of [...THOUGHTS, 'reasoning_details']) delete missing[name];
  if (state.refused) delete missing.refusal;
  if (state.calls.calls.length > 0) for (const name of ['tool_calls', 'function_call']) delete missing[name];
  return missing;
}
