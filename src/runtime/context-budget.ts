/** How much of a model's window a loop may use: the configured one, or what a refusal has taught. In tokens. */
import { besideHistory, limitsWithin, type Window } from '../loop/compaction.ts';
import { type ContextReport, contextReport, type RequestFrame, weightOfFrame } from '../loop/context-parts.ts';
import type { HistoryLimits } from '../loop/fit.ts';
import type { LoopState } from '../loop/state.ts';

/** What is believed to fit after a request was refused as too long. */
const AFTER_REFUSAL = 0.7;

/** What is known of a model beside its name. */
export interface ModelFacts {
  /** Tokens that it can read. */
  window?: number;
  /** Its thinking is sent back to it. */
  thinking?: boolean;
  /** Its server refuses tools: none are offered. */
  toolless?: boolean;
}

const NOTHING = { count: 0, tokens: 0 };

export class ContextBudget {
  readonly #factsOf: (provider: string, model: string) => ModelFacts;
  /** Per loop and model: the most that is believed to fit. */
  readonly #learned = new Map<string, number>();
  /** Per loop: what stood beside the history in its last request of this process. */
  readonly #asked = new Map<string, RequestFrame>();

  constructor(factsOf: (provider: string, model: string) => ModelFacts) {
    this.#factsOf = factsOf;
  }

  /** For the history alone: what a request costs beside it is taken off. */
  limits(loop: LoopState): HistoryLimits {
    return limitsWithin(loop, this.#window(loop));
  }

  /** A request with that much history was refused as too long. */
  refused(loop: LoopState, historyTokens: number): void {
    const window = this.#window(loop);
    const fits = (historyTokens + besideHistory(loop, window)) * AFTER_REFUSAL;
    this.#learned.set(keyOf(loop), Math.min(window.limit, fits));
  }

  /** A request was answered that had this beside its history. */
  answered({ id }: LoopState, frame: RequestFrame): void {
    this.#asked.set(id, frame);
  }

  /** What the loop's next request will hold. */
  report(loop: LoopState, frame: RequestFrame): ContextReport & { learned: boolean } {
    const { window: known = Number.POSITIVE_INFINITY, toolless } = this.#factsOf(loop.provider, loop.model);
    const next = toolless ? { ...frame, tools: NOTHING, mcpTools: NOTHING } : frame;
    const window = this.#window(loop, next);
    const asked = this.#asked.get(loop.id) ?? next;
    return { ...contextReport(loop, window, next, asked), learned: window.limit < known };
  }

  #window(loop: LoopState, frame = this.#asked.get(loop.id)): Window {
    const { window = Number.POSITIVE_INFINITY, thinking = false } = this.#factsOf(loop.provider, loop.model);
    const limit = Math.min(window, this.#learned.get(keyOf(loop)) ?? Number.POSITIVE_INFINITY);
    return { limit, thinking, beside: frame ? weightOfFrame(frame) : 0 };
  }
}

const keyOf = ({ id, provider, model }: LoopState): string => JSON.stringify([id, provider, model]);
