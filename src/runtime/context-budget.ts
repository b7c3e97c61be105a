/** How much of a model's window a loop may use: the configured one, or what a refusal has taught. In tokens. */
import { contextTokens, type HistoryLimits } from '../loop/compaction.ts';
import type { LoopState } from '../loop/state.ts';

/** Beyond this share old tool output is shortened in requests; beyond the next a history is summarised. */
const SHORTEN_SHARE = 0.6;
const COMPACT_SHARE = 0.8;
/** What is believed to fit after a request was refused as too long. */
const AFTER_REFUSAL = 0.7;

export class ContextBudget {
  /** The window of a model in tokens, where it is known. */
  readonly #windowOf: (provider: string, model: string) => number | undefined;
  /** Per loop and model: the most that is believed to fit. */
  readonly #learned = new Map<string, number>();

  constructor(windowOf: (provider: string, model: string) => number | undefined) {
    this.#windowOf = windowOf;
  }

  limit(loop: LoopState): number {
    const { provider, model } = loop;
    return Math.min(
      this.#windowOf(provider, model) ?? Number.POSITIVE_INFINITY,
      this.#learned.get(keyOf(loop)) ?? Number.POSITIVE_INFINITY,
    );
  }

  /** For the history alone: what a request costs beside it is taken off. */
  limits(loop: LoopState): HistoryLimits {
    const limit = this.limit(loop);
    return { budget: limit * SHORTEN_SHARE - beside(loop), compactAt: limit * COMPACT_SHARE - beside(loop) };
  }

  /** A request with that much history was refused as too long. */
  refused(loop: LoopState, historyTokens: number): void {
    this.#learned.set(keyOf(loop), Math.min(this.limit(loop), (historyTokens + beside(loop)) * AFTER_REFUSAL));
  }
}

const keyOf = ({ id, provider, model }: LoopState): string => JSON.stringify([id, provider, model]);

/** What a request costs beside its history: system prompt and tools. */
const beside = (loop: LoopState): number => Math.max(0, contextTokens(loop) - (loop.history?.total ?? 0));
