/** Start, restore, commit, end, close: what happens to Turns without a command. */
import { addUsage, toolUsesOf, ZERO_USAGE } from '../domain/content.ts';
import type { Input, Reply, Rules } from './decide.ts';
import { denyOpenGates } from './decide-gate.ts';
import * as inbox from './inbox.ts';
import type { Transition } from './transition.ts';
import {
  abandonGate,
  causeOf,
  failTurn,
  finishTurn,
  giveBack,
  goOn,
  interruptTurn,
  release,
  rest,
} from './turn-flow.ts';

type InputOf<T extends Input['type']> = Extract<Input, { type: T }>;

/** The first records of a session, or what a crash left open brought to an end. */
export function decideStart(next: Transition, input: InputOf<'start' | 'restore'>, rules: Rules): Reply {
  if (input.type === 'restore') {
    restore(next, rules);
    return { type: 'done' };
  }
  const { model, provider, cwd, appVersion, agentName } = input;
  next.emit({ type: 'SessionStarted', model, provider, cwd, appVersion });
  next.emit({ type: 'LoopStarted', loopId: rules.newId(), agentName, model });
  return { type: 'done' };
}

/**
 * One synthetic TurnInterrupted for an open Turn, inputs of machines returned, inputs of people back in the queue and
 * paused (contract: Durability). What a crash cut off in the middle of a Turn's returns is given back as it would have been.
 */
function restore(next: Transition, rules: Rules): void {
  next.emit({ type: 'RestoreStarted' });
  for (const loopId of next.state.loops.keys()) {
    abandonGate(next, loopId);
    const { turn } = next.loop(loopId);
    if (turn) next.emit({ type: 'TurnInterrupted', loopId, turnId: turn.id, turnIndex: turn.index });
    const { owed, inbox: entries } = next.loop(loopId);
    const failed = owed?.reason === 'turn_failed';
    const due = entries.filter((entry) => failed || entry.agency === 'machine');
    const by = owed && { turnId: owed.turnId, turnIndex: owed.turnIndex };
    giveBack(next, loopId, due, failed ? 'turn_failed' : 'turn_interrupted', by);
    rest(next, loopId);
  }
  next.emit({ type: 'RestoreDone' });
  // a crash behind the very first record: there is no loop yet
  if (next.state.loops.size === 0) {
    next.emit({ type: 'LoopStarted', loopId: rules.newId(), agentName: 'main', model: next.state.model });
  }
  for (const loop of next.state.loops.values()) {
    for (const entry of loop.inbox) next.emit({ type: 'InputQueued', loopId: loop.id, cause: causeOf(entry) });
  }
}

/**
 * The commit of a Step: StepDone, and with it either the folds that follow a tool Step or the Turn's end. A Turn that was
 * told to stop before commits nothing.
 */
export function commitStep(next: Transition, input: InputOf<'commitStep'>, rules: Rules): Reply {
  const { loopId, turnId, stepId, messages } = input;
  const { turn } = next.loop(loopId);
  if (turn?.id !== turnId || turn.stopping) return { type: 'discarded' };
  const [answer] = messages;
  try {
    // no less than the turn's own
    addUsage(next.loop(loopId).usage, answer.usage ?? ZERO_USAGE);
  } catch (error) {
    return { type: 'overflow', message: (error as Error).message };
  }
  next.emit({ type: 'StepDone', loopId, turnId, stepId, messages });
  if (toolUsesOf(answer).length === 0) {
    finishTurn(next, loopId, answer, rules);
    return { type: 'committed', folded: [] };
  }
  const folded = inbox.foldable(next.loop(loopId).inbox);
  for (const entry of folded) {
    next.emit({
      type: 'TurnFoldedInto',
      loopId,
      turnId,
      turnIndex: turn.index,
      cause: causeOf(entry),
      message: entry.message,
    });
  }
  return { type: 'committed', folded: folded.map((entry) => entry.message) };
}

/** A Turn says how it ended; one that was told to stop was interrupted, whatever it says. */
export function endTurn(next: Transition, input: InputOf<'endTurn'>, rules: Rules): Reply {
  const { turn } = next.loop(input.loopId);
  if (turn?.id !== input.turnId) return { type: 'discarded' };
  if (turn.stopping || input.outcome.type === 'interrupted') interruptTurn(next, input.loopId, rules);
  else failTurn(next, input.loopId, input.outcome.err);
  return { type: 'done' };
}

/** The summary becomes part of the history, and what waited goes on; a failed compaction changes nothing. */
export function endCompaction(next: Transition, { loopId, result }: InputOf<'endCompaction'>, rules: Rules): Reply {
  const { compaction, turnIndex } = next.loop(loopId);
  if (compaction.is !== 'running') return { type: 'discarded' };
  const failed = 'failed' in result;
  const { cause } = compaction;
  next.compaction(loopId, { is: 'none', ...(failed && { failedAfter: turnIndex }) });
  if (!failed) next.emit({ type: 'HistoryCompacted', loopId, ...result, ...(cause && { cause }) });
  if (compaction.release && next.state.closing !== 'shutdown') release(next, loopId, rules);
  else goOn(next, loopId, rules);
  return { type: 'done' };
}

/** Drain and close: the session stops when nothing runs and nothing will start. */
export function decideClose(next: Transition, input: InputOf<'drain' | 'close'>): Reply {
  if (next.state.phase !== 'running') return { type: 'stopped' };
  if (input.type === 'drain') {
    next.close('drain');
    denyOpenGates(next);
    next.effect({ type: 'closeWhenQuiet' });
    return { type: 'done' };
  }
  const loops = [...next.state.loops.values()];
  // a queue that waits for neither is paused: nothing of it will start
  const works = loops.some(({ turn, compaction }) => turn || compaction.is === 'running');
  if (works || !next.state.closing) return { type: 'done' };
  for (const loop of loops) giveBack(next, loop.id, loop.inbox, 'turn_interrupted');
  next.emit({ type: 'SessionStopped' });
  next.effect({ type: 'finish' });
  return { type: 'done' };
}
