/** How Turns start and end, and what becomes of the queue then (contract: Turn, Interrupt, Failure, Shutdown). */
import type { AssistantMessage } from '../domain/content.ts';
import { failureOf } from '../domain/failure.ts';
import type { CommandId, LoopId, TurnId } from '../domain/identity.ts';
import type { CancelReason } from '../domain/turn-event.ts';
import { compactionPlan, wantsCompaction } from './compaction.ts';
import type { HistoryLimits } from './fit.ts';
import * as inbox from './inbox.ts';
import { type InboxEntry, isPaused, type LoopState } from './state.ts';
import type { Transition } from './transition.ts';

export interface FlowRules {
  /** What the kept inputs of people do after an interrupt. */
  afterInterrupt: 'pause' | 'start';
  newId: () => string;
  /** What the history of a loop may weigh; Infinity where nothing is known of a limit. */
  limitsOf: (loop: LoopState) => HistoryLimits;
}

export const causeOf = ({ commandId, agency }: { commandId: CommandId; agency: InboxEntry['agency'] }) => ({
  commandId,
  agency,
});

/** Starts a Turn with an entry of the inbox, which leaves it by this very event. */
export function start(next: Transition, loopId: LoopId, entry: InboxEntry, rules: FlowRules): void {
  if (!next.state.active) next.emit({ type: 'SessionActive' });
  const turnId = rules.newId();
  const turnIndex = next.loop(loopId).turnIndex + 1;
  next.emit({ type: 'TurnStarted', loopId, turnId, turnIndex, cause: causeOf(entry), message: entry.message });
  next.effect({ type: 'runTurn', loopId, turnId });
}

/** After a Turn or a compaction: the history is compacted, the next input starts, or the loop comes to rest. */
export function goOn(next: Transition, loopId: LoopId, rules: FlowRules): void {
  const loop = next.loop(loopId);
  const [front] = loop.inbox;
  const closing = next.state.closing === 'shutdown';
  const starts = front !== undefined && !isPaused(loop) && !closing;
  const compacts = !closing && wantsCompaction(loop, rules.limitsOf(loop));
  // a loop that will start nothing by itself is idle, whether its history is summarised then or not
  if (!starts) rest(next, loopId);
  if (compacts) beginCompaction(next, loopId);
  else {
    dropCompaction(next, loopId);
    if (starts) start(next, loopId, front, rules);
  }
}

/** A Compact that waited for the Turn's end and cannot be carried out now is answered and forgotten. */
function dropCompaction(next: Transition, loopId: LoopId): void {
  if (next.loop(loopId).compaction.is !== 'due') return;
  next.compaction(loopId, { is: 'none' });
  next.effect({ type: 'refuseCompaction', loopId, reason: 'there was nothing to compact when the turn was over' });
}

/** The queue goes on from its front, paused or not; while a compaction runs, after it. */
export function release(next: Transition, loopId: LoopId, rules: FlowRules): void {
  const loop = next.loop(loopId);
  const [front] = loop.inbox;
  if (loop.compaction.is === 'running') next.compaction(loopId, { ...loop.compaction, release: true });
  else if (wantsCompaction(loop, rules.limitsOf(loop))) beginCompaction(next, loopId, true);
  else if (front) start(next, loopId, front, rules);
  else rest(next, loopId);
}

/** The request of the summary runs between Turns; inputs that come meanwhile are queued. */
export function beginCompaction(next: Transition, loopId: LoopId, releaseAfter = false): void {
  const { cause } = next.loop(loopId).compaction;
  next.compaction(loopId, { is: 'running', ...(cause && { cause }), ...(releaseAfter && { release: true }) });
  next.effect({ type: 'compact', loopId });
}

/** LoopIdle, once after the loop's Turns; SessionIdle where it was the last loop at work. */
export function rest(next: Transition, loopId: LoopId): void {
  if (next.loop(loopId).worked) next.emit({ type: 'LoopIdle', loopId });
  const busy = [...next.state.loops.values()].some((loop) => loop.turn);
  if (next.state.active && !busy) next.emit({ type: 'SessionIdle' });
  if (next.state.closing) next.effect({ type: 'closeWhenQuiet' });
}

/** Returns entries of the inbox, each as InputCancelled; with the coordinates of the Turn that caused it, where one did. */
export function giveBack(
  next: Transition,
  loopId: LoopId,
  entries: readonly InboxEntry[],
  reason: CancelReason,
  turn?: { turnId: TurnId; turnIndex: number },
): void {
  for (const entry of entries) {
    next.emit({ type: 'InputCancelled', loopId, ...turn, cause: causeOf(entry), reason, message: entry.message });
  }
}

/** Closes an open gate that nobody will answer any more. */
export function abandonGate(next: Transition, loopId: LoopId): void {
  const turn = next.loop(loopId).turn;
  if (!turn?.gate) return;
  const { stepId, toolExecutionId, toolUseId } = turn.gate;
  const at = { loopId, turnId: turn.id, stepId, toolExecutionId, toolUseId };
  next.emit({ type: 'PermissionDecided', ...at, effect: 'deny', source: 'abandoned' });
}

/** TurnDone with the last committed answer; the next input starts with no LoopIdle between (S). */
export function finishTurn(next: Transition, loopId: LoopId, message: AssistantMessage, rules: FlowRules): void {
  const { id: turnId, index: turnIndex, usage } = openTurn(next.loop(loopId));
  next.emit({ type: 'TurnDone', loopId, turnId, turnIndex, message, usage });
  goOn(next, loopId, rules);
}

/** TurnFailed returns the whole queue, and nothing starts by itself (S). */
export function failTurn(next: Transition, loopId: LoopId, err: Error): void {
  const { id: turnId, index: turnIndex } = openTurn(next.loop(loopId));
  abandonGate(next, loopId);
  next.emit({ type: 'TurnFailed', loopId, turnId, turnIndex, err, failure: failureOf(err) });
  giveBack(next, loopId, next.loop(loopId).inbox, 'turn_failed', { turnId, turnIndex });
  rest(next, loopId);
  settleDue(next, loopId);
}

/** A Compact that waited for this Turn is carried out however it ended, or refused where there is nothing to do. */
function settleDue(next: Transition, loopId: LoopId): void {
  const { compaction, history } = next.loop(loopId);
  if (compaction.is !== 'due') return;
  if (next.state.closing !== 'shutdown' && compactionPlan(history)) beginCompaction(next, loopId);
  else dropCompaction(next, loopId);
}

/** TurnInterrupted returns the inputs of machines; those of people stay, and their queue is paused (S), or one was to be sent now. */
export function interruptTurn(next: Transition, loopId: LoopId, rules: FlowRules): void {
  const { id: turnId, index: turnIndex, sendNow } = openTurn(next.loop(loopId));
  abandonGate(next, loopId);
  next.emit({ type: 'TurnInterrupted', loopId, turnId, turnIndex });
  const all = next.state.closing === 'shutdown';
  const returned = next.loop(loopId).inbox.filter((entry) => all || entry.agency === 'machine');
  giveBack(next, loopId, returned, 'turn_interrupted', { turnId, turnIndex });
  const { inbox: left } = next.loop(loopId);
  // who asked for one to be sent now has said that the queue goes on
  const named = sendNow === undefined ? undefined : inbox.find(left, sendNow);
  const first = named ?? (rules.afterInterrupt === 'start' ? left[0] : undefined);
  if (first && !all) start(next, loopId, first, rules);
  else {
    rest(next, loopId);
    settleDue(next, loopId);
  }
}

function openTurn(loop: LoopState) {
  if (!loop.turn) throw new RangeError('no turn is open');
  return loop.turn;
}
