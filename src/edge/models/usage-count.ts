/** What servers say of tokens, under their many names. */
import type { Usage } from '../../domain/content.ts';
import { asRecord, type JsonRecord } from './json.ts';

const count = (value: unknown): number => {
  const n = typeof value === 'string' ? Number(value) : value;
  return typeof n === 'number' && Number.isFinite(n) && n > 0 ? Math.min(Math.round(n), Number.MAX_SAFE_INTEGER) : 0;
};
const firstOf = (...values: unknown[]): number => values.map(count).find((n) => n > 0) ?? 0;

/**
 * Usage may be absent, null, early, repeated, or sent in halves: counts only grow while a reply streams, so a later one stands
 * unless it says nothing or zero.
 */
export function mergeUsage(before: JsonRecord | undefined, value: unknown): JsonRecord | undefined {
  const next = asRecord(value);
  if (!next) return before;
  const merged: JsonRecord = { ...before };
  for (const [name, part] of Object.entries(next)) {
    const nested = asRecord(part);
    if (nested) merged[name] = mergeUsage(asRecord(merged[name]), nested);
    else if (count(part) > 0) merged[name] = part;
  }
  return merged;
}

/** In the contract's terms: input without the cached, reasoning as a part of output. */
export function usageOf(raw: JsonRecord): Usage {
  const prompt = asRecord(raw.prompt_tokens_details) ?? asRecord(raw.input_tokens_details) ?? {};
  const completion = asRecord(raw.completion_tokens_details) ?? asRecord(raw.output_tokens_details) ?? {};
  const total = firstOf(raw.prompt_tokens, raw.input_tokens);
  const read = firstOf(
    prompt.cached_tokens,
    raw.prompt_cache_hit_tokens,
    raw.cache_read_input_tokens,
    raw.cached_tokens,
  );
  const created = firstOf(prompt.cache_creation_tokens, prompt.cache_write_tokens, raw.cache_creation_input_tokens);
  const output = firstOf(raw.completion_tokens, raw.output_tokens);
  const reasoning = firstOf(completion.reasoning_tokens, raw.reasoning_tokens);
  return {
    inputTokens: Math.max(0, total - read - created),
    // more reasoning than output: a server that does not count it in
    outputTokens: reasoning > output ? Math.min(output + reasoning, Number.MAX_SAFE_INTEGER) : output,
    reasoningTokens: reasoning,
    cacheReadTokens: read,
    cacheCreationTokens: created,
  };
}
