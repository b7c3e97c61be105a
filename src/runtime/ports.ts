/** What the runtime needs from outside. Each port has one conformance suite, passed by fakes and real parts alike. */
import type { JournaledCommand } from '../domain/command.ts';
import type { Chunk, Message, Usage } from '../domain/content.ts';
import type { Event } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { ToolSpec } from '../domain/tool.ts';

/** Time, injected: nothing in domain, loop or runtime reads a clock by itself. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; the answer cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** Makes ids: UUIDv7, ascending. */
export type IdSource = () => string;

/** What a model is asked. `messages` is the committed history in the domain's form; the adapter makes it the wire's. */
export interface ModelRequest {
  model: string;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
}

/**
 * What a model's stream yields. A model assembles nothing: `chunk` pieces go to the screen and to the draft as they
 * come. `extra` goes back with the call of that index and is not shown. `usage` may come several times: the last one
 * stands. `end` comes exactly once and last.
 */
export type ModelEvent =
  | { type: 'chunk'; chunk: Chunk }
  | { type: 'extra'; index: number; fields: Record<string, unknown> }
  | { type: 'usage'; usage: Usage }
  | { type: 'retrying'; attempt: number; maxAttempts: number; waitMs: number; err: Failure }
  | { type: 'end'; finish: FinishReason };
/** `length`: the output limit cut it, no call of it is run. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'other';

/**
 * `stream` ends by its `end` event, or throws: a ProviderError for what the server did, anything else is a bug. When
 * the signal is aborted it throws at once and closes its connection. It never yields after a throw.
 */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Which model a Turn uses; asked once at each Turn's start. Throws a ProviderError where there is none of that name. */
export interface ModelRegistry {
  resolve(provider: string, model: string): Promise<Model>;
}

/** One line of the journal. `seq` counts every record of the session from 1 without gaps. */
export type JournalRecord = { seq: number; event: Event } | { seq: number; command: JournaledCommand };

/**
 * `append` resolves when all records are on disk (written and flushed as one group), or rejects with a JournalError
 * after the file was cut back to its last whole record: then none of them is there. One append at a time. A journal
 * that cannot even be cut back rejects everything from then on.
 */
export interface Journal {
  append(records: readonly JournalRecord[]): Promise<void>;
  /** From the record after `after` on, in order. */
  read(options?: { after?: number }): AsyncIterable<JournalRecord>;
  close(): Promise<void>;
}

/** Where an `always` grant is kept; it is written before it takes effect. */
export interface RuleBook {
  rules(): readonly Rule[];
  add(rule: Rule): Promise<void>;
}
/** Calls of this tool that `covers` matches need no question. */
export interface Rule {
  toolName: string;
  covers: string;
}

/** What happens, without keys and without content. */
export type Log = (message: string, fields?: Record<string, unknown>) => void;
