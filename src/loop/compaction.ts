/** When a history is summarised, and which part of it stays (contract: HistoryCompacted). */
import type { StepId } from '../domain/identity.ts';
import { type FittedPart, fittedParts, type HistoryLimits, shortenedWeight, weightOf } from './fit.ts';
import { entriesOf, type History } from './history.ts';
import type { LoopState } from './state.ts';

/** What stays of a history as it is: the newest Steps, up to this share of it. */
const KEPT_SHARE = 0.25;

/** Beyond this share of a window old tool output is shortened in requests; beyond the next a history is summarised. */
const SHORTEN_SHARE = 0.6;
const COMPACT_SHARE = 0.8;

/** What is known of the model that a loop asks. */
export interface Window {
  /** Tokens that it can read; Infinity where that is not known. */
  limit: number;
  /** Its thinking is sent back to it. */
  thinking: boolean;
  /** Estimated: what a request costs beside its history, until a usage says it. */
  beside: number;
}

/** For the history alone: what a request costs beside it is taken off. */
export function limitsWithin(loop: LoopState, window: Window): HistoryLimits {
  return within(window, besideHistory(loop, window));
}

const within = ({ limit }: Window, beside: number): HistoryLimits => ({
  budget: limit * SHORTEN_SHARE - beside,
  compactAt: limit * COMPACT_SHARE - beside,
});

/** What the last request that was measured and its answer held, as far as it is sent again. */
export const measuredTokens = ({ measured }: LoopState, { thinking }: Window): number =>
  measured.tokens - (thinking ? 0 : measured.thought);

/**
 * The last request that was measured, as it was sent, and its answer. One that was measured below what its history
 * weighed was sent shortened, by the rule that holds for the next one.
 */
export function measuredParts(loop: LoopState, window: Window): FittedPart[] {
  const { upTo, total } = loop.measured;
  let answer = loop.history;
  while (answer && answer.total > upTo) answer = answer.before;
  if (!answer || upTo === 0) return [];
  if (measuredTokens(loop, window) >= total) return entriesOf(answer);
  return [...fittedParts(answer.before, within(window, window.beside)), answer];
}

/** What a request costs beside its history: system prompt and tools. */
export function besideHistory(loop: LoopState, window: Window): number {
  const { tokens, total, upTo } = loop.measured;
  const measured = measuredTokens(loop, window);
  const cut = measured < total;
  if (tokens === 0 || (cut && upTo === 0)) return window.beside;
  return Math.max(0, measured - (cut ? weightOf(measuredParts(loop, window)) : total));
}

export interface CompactionPlan {
  /** Oldest first. */
  summarised: History[];
  keptFromStepId?: StepId;
}

/** What would be summarised, or undefined where that would save nothing. A cut never falls into a Step. */
export function compactionPlan(history: History | undefined): CompactionPlan | undefined {
  const entries = entriesOf(history);
  const allowance = (history?.total ?? 0) * KEPT_SHARE;
  let from = entries.length;
  let kept = 0;
  for (let at = entries.length - 1; at > 0; at -= 1) {
    kept += entries[at]?.tokens ?? 0;
    if (kept > allowance) break;
    const { stepId } = entries[at] as History;
    if (stepId !== undefined && stepId !== entries[at - 1]?.stepId) from = at;
  }
  const summarised = entries.slice(0, from);
  // a summary alone, or what nobody has answered, has nothing to give
  if (!summarised.some(({ stepId }) => stepId !== undefined)) return undefined;
  const keptFromStepId = entries[from]?.stepId;
  return { summarised, ...(keptFromStepId !== undefined && { keptFromStepId }) };
}

/** Whether the loop summarises before it goes on: asked for, or too long even with its old tool output shortened. */
export function wantsCompaction(loop: LoopState, { budget, compactAt }: HistoryLimits): boolean {
  const { is, failedAfter } = loop.compaction;
  if (is === 'running' || loop.turn) return false;
  const due = is === 'due' || (failedAfter !== loop.turnIndex && isTooLong(loop.history, budget, compactAt));
  return due && compactionPlan(loop.history) !== undefined;
}

const isTooLong = (history: History | undefined, budget: number, compactAt: number): boolean =>
  (history?.total ?? 0) > compactAt && shortenedWeight(history, budget) > compactAt;
