/** What a stream's events come to: the message, usage and end that a reader of them has. */
import { HarnessError } from '../../../src/domain/failure.ts';
import type { ModelEvent, ModelRequest } from '../../../src/runtime/ports.ts';

export interface Assembled {
  text: string;
  thinking: string;
  refusal: string;
  calls: { id: string; name: string; json: string; extra?: Record<string, unknown> }[];
  /** input, output, reasoning, cache read, cache creation */
  usage?: [number, number, number, number, number];
  finish?: string;
  retries: number[];
  /** The kind of the error that was thrown. */
  error?: string;
  message?: string;
}

export const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm1',
  system: '',
  messages: [{ role: 'user', blocks: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  ...over,
});

export function take(into: Assembled, event: ModelEvent): void {
  if (into.finish !== undefined) throw new Error(`${event.type} behind the end`);
  if (event.type === 'end') into.finish = event.finish;
  else if (event.type === 'retrying') into.retries.push(event.waitMs);
  else if (event.type === 'usage') {
    const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheCreationTokens } = event.usage;
    into.usage = [inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheCreationTokens];
  } else if (event.type === 'extra') {
    into.calls[event.index] = { ...into.calls[event.index]!, extra: event.fields };
  } else if (event.chunk.type === 'tool_use') {
    const { index, id, name, inputJson } = event.chunk;
    if (index > into.calls.length) throw new Error(`call ${index} before ${into.calls.length}`);
    const call = into.calls[index] ?? { id: '', name, json: '' };
    if (call.name !== name || (call.id !== '' && call.id !== id))
      throw new Error(`call ${index} changed its name or id`);
    into.calls[index] = { id, name, json: call.json + inputJson };
  } else {
    if (event.chunk.text === '') throw new Error('an empty chunk');
    into[event.chunk.type] += event.chunk.text;
  }
}

export const nothing = (): Assembled => ({ text: '', thinking: '', refusal: '', calls: [], retries: [] });

export function takeError(into: Assembled, error: unknown): void {
  if (!(error instanceof HarnessError)) throw error;
  into.error = error.kind;
  into.message = error.message;
}

export async function assemble(stream: AsyncIterable<ModelEvent>): Promise<Assembled> {
  const into = nothing();
  try {
    for await (const event of stream) take(into, event);
  } catch (error) {
    takeError(into, error);
  }
  return into;
}
