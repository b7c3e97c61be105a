/** When a history is summarised, and which part of it stays (contract: HistoryCompacted). */
import type { StepId } from '../domain/identity.ts';
import { shortenedWeight } from './fit.ts';
import { entriesOf, type History } from './history.ts';
import type { LoopState } from './state.ts';

/** What stays of a history as it is: the newest Steps, up to this share of it. */
const KEPT_SHARE = 0.25;

/** What the next request holds, in tokens: measured by the last usage, estimated since. */
export function contextTokens({ history, measured }: LoopState): number {
  return measured.tokens + (history?.total ?? 0) - measured.total;
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

/** What a history may weigh, in tokens: beyond `budget` old tool output is shortened, beyond `compactAt` it is summarised. */
export interface HistoryLimits {
  budget: number;
  compactAt: number;
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
