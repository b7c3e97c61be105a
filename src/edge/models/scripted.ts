/** A model that says exactly what a test tells it to. It keeps no time: where a test must look, it holds. */
import { type Usage, ZERO_USAGE } from '../../domain/content.ts';
import type { FinishReason, Model, ModelEvent, ModelRequest } from '../../runtime/ports.ts';
import { abortable, throwIfAborted } from './pause.ts';

/** One thing that a stream does; made by `script`. */
export type ScriptStep =
  | { do: 'say'; kind: 'text' | 'thinking' | 'refusal'; text: string; size: number }
  | { do: 'call'; name: string; input: string; id?: string; size: number }
  | { do: 'emit'; event: ModelEvent }
  | { do: 'hold'; name: string }
  | { do: 'throw'; error: unknown };
/** The steps of one request's stream. */
export type ScriptReply = readonly ScriptStep[] | ((request: ModelRequest) => readonly ScriptStep[]);

/** `size`: characters a chunk; default: all in one. */
export const text = (value: string, size = Number.POSITIVE_INFINITY): ScriptStep => ({
  do: 'say',
  kind: 'text',
  text: value,
  size,
});
export const thinking = (value: string, size = Number.POSITIVE_INFINITY): ScriptStep => ({
  do: 'say',
  kind: 'thinking',
  text: value,
  size,
});
export const refusal = (value: string): ScriptStep => ({
  do: 'say',
  kind: 'refusal',
  text: value,
  size: Number.POSITIVE_INFINITY,
});
/** A string as `input` is sent as it is, whole JSON or not. Without `id`: call_1, call_2 … over all replies. */
export const toolCall = (name: string, input: unknown, options: { id?: string; size?: number } = {}): ScriptStep => ({
  do: 'call',
  name,
  input: typeof input === 'string' ? input : JSON.stringify(input),
  id: options.id,
  size: options.size ?? Number.POSITIVE_INFINITY,
});
export const usage = (counts: Partial<Usage>): ScriptStep => ({
  do: 'emit',
  event: { type: 'usage', usage: { ...ZERO_USAGE, ...counts } },
});
/** Ends the reply; what stands behind it is not played. Without one: tool_calls after calls, else stop. */
export const finish = (reason: FinishReason): ScriptStep => ({ do: 'emit', event: { type: 'end', finish: reason } });
export const emit = (event: ModelEvent): ScriptStep => ({ do: 'emit', event });
/** Waits here until release(name), which may have come before. */
export const hold = (name: string): ScriptStep => ({ do: 'hold', name });
export const fail = (error: unknown): ScriptStep => ({ do: 'throw', error });

/** A model that plays replies and keeps what it was asked. */
export interface ScriptedModel extends Model {
  /** As they were when asked. */
  readonly requests: readonly ModelRequest[];
  /** How many streams an abort ended. */
  readonly aborted: number;
  /** Queues replies, one for each request to come. */
  reply(...replies: ScriptReply[]): void;
  release(name: string): void;
  /** Resolves when a reply stands at hold(name), now or earlier. */
  reached(name: string): Promise<void>;
  /** Resolves when `count` requests have come. */
  requested(count: number): Promise<void>;
}

/** A gate that opens once and lets everyone through, earlier and later. */
function createLatch() {
  let open = false;
  const waiting = new Set<() => void>();
  return {
    open() {
      open = true;
      for (const go of [...waiting]) go();
      waiting.clear();
    },
    wait(go: () => void): () => void {
      if (open) go();
      else waiting.add(go);
      return () => waiting.delete(go);
    },
  };
}

function latchesByName() {
  const latches = new Map<string, ReturnType<typeof createLatch>>();
  return (name: string) => {
    const latch = latches.get(name) ?? createLatch();
    latches.set(name, latch);
    return latch;
  };
}

function* pieces(value: string, size: number): Generator<string> {
  const characters = Array.from(value);
  if (characters.length <= size) return yield value;
  for (let at = 0; at < characters.length; at += size) yield characters.slice(at, at + size).join('');
}

/** `fallback` answers when no reply is left; without one that is an error of the test. */
export function createScriptedModel(replies: ScriptReply[] = [], fallback?: ScriptReply): ScriptedModel {
  const queue = [...replies];
  const requests: ModelRequest[] = [];
  const reachedAt = latchesByName();
  const releasedAt = latchesByName();
  const arrived = latchesByName();
  let calls = 0;
  let aborted = 0;

  async function* play(script: readonly ScriptStep[], signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let callIndex = 0;
    for (const step of script) {
      throwIfAborted(signal);
      switch (step.do) {
        case 'say':
          for (const piece of pieces(step.text, step.size)) {
            yield { type: 'chunk', chunk: { type: step.kind, text: piece } };
            throwIfAborted(signal);
          }
          break;
        case 'call': {
          calls += 1;
          const call = {
            type: 'tool_use' as const,
            index: callIndex++,
            id: step.id ?? `call_${calls}`,
            name: step.name,
          };
          for (const inputJson of pieces(step.input, step.size)) {
            yield { type: 'chunk', chunk: { ...call, inputJson } };
            throwIfAborted(signal);
          }
          break;
        }
        case 'emit':
          yield step.event;
          if (step.event.type === 'end') return;
          break;
        case 'hold':
          reachedAt(step.name).open();
          await abortable(signal, (done) => releasedAt(step.name).wait(done));
          break;
        case 'throw':
          throw step.error;
      }
    }
    throwIfAborted(signal);
    yield { type: 'end', finish: callIndex > 0 ? 'tool_calls' : 'stop' };
  }

  return {
    requests,
    get aborted() {
      return aborted;
    },
    async *stream(request, signal) {
      throwIfAborted(signal);
      requests.push(structuredClone(request));
      arrived(String(requests.length)).open();
      const reply = queue.shift() ?? fallback;
      if (!reply) throw new Error(`the script has no reply for request ${requests.length}`);
      try {
        yield* play(typeof reply === 'function' ? reply(request) : reply, signal);
      } catch (error) {
        if (signal.aborted) aborted += 1;
        throw error;
      }
    },
    reply: (...more) => void queue.push(...more),
    release: (name) => releasedAt(name).open(),
    reached: (name) => new Promise((resolve) => reachedAt(name).wait(resolve)),
    requested: (count) => new Promise((resolve) => arrived(String(count)).wait(resolve)),
  };
}
