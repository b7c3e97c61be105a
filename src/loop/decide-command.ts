/** What commands do (contract: section 4, commands; section 5, Admission to Shutdown). */
import type { Command, UserInput } from '../domain/command.ts';
import type { Cause, LoopId } from '../domain/identity.ts';
import { compactionPlan, wantsCompaction } from './compaction.ts';
import type { Input, Reply, Rules } from './decide.ts';
import { answerGate } from './decide-gate.ts';
import { sendNow } from './decide-send-now.ts';
import * as inbox from './inbox.ts';
import { isPaused, type LoopState } from './state.ts';
import type { Transition } from './transition.ts';
import { beginCompaction, causeOf, release } from './turn-flow.ts';

const DONE: Reply = { type: 'done' };

export function decideCommand(
  next: Transition,
  { command, during }: Extract<Input, { type: 'command' }>,
  rules: Rules,
): Reply {
  if (next.state.phase !== 'running') return { type: 'stopped' };
  if ('loopId' in command && command.loopId !== undefined && !next.state.loops.has(command.loopId)) {
    return { type: 'invalid', message: `there is no loop ${command.loopId}` };
  }
  switch (command.type) {
    case 'UserInput':
      return admit(next, command, rules);
    case 'CancelQueuedInput':
      return retract(next, command.targetCommandId);
    case 'Interrupt':
      return interrupt(next, command, during);
    case 'ResumeQueue':
      for (const loop of meant(next, command.loopId)) {
        if (!loop.turn && isPaused(loop) && !next.state.closing) release(next, loop.id, rules);
      }
      return DONE;
    case 'MoveQueuedInput': {
      const { targetCommandId: target, beforeCommandId: before } = command;
      const possible = holder(next, target, (entries) => inbox.moved(entries, target, before));
      if (possible) next.accept(command);
      return { type: 'ack', ack: { moved: possible } };
    }
    case 'SetQueuedInput': {
      const { targetCommandId: target, noFold } = command;
      const possible = holder(next, target, (entries) => inbox.held(entries, target, noFold));
      if (possible) next.accept(command);
      return { type: 'ack', ack: { changed: possible } };
    }
    case 'SendQueuedInput':
      return sendNow(next, command, during, rules);
    case 'ApproveToolCall':
    case 'DenyToolCall':
    case 'ProvideUserInput':
      answerGate(next, command);
      return DONE;
    case 'Shutdown':
      return shutdown(next, command);
    default:
      return administer(next, command, rules);
  }
}

/** The loops that a command means: the named one, or all. */
const meant = (next: Transition, loopId: LoopId | undefined): LoopState[] =>
  loopId === undefined ? [...next.state.loops.values()] : [next.loop(loopId)];

const holder = (
  next: Transition,
  target: string,
  change: (entries: LoopState['inbox']) => LoopState['inbox'] | undefined,
) => [...next.state.loops.values()].some((loop) => inbox.find(loop.inbox, target) && change(loop.inbox));

/** Admission: idle starts a Turn, busy or paused queues, full or closing rejects. */
function admit(next: Transition, command: UserInput, rules: Rules): Reply {
  const loopId = command.loopId ?? next.state.activeLoopId;
  const loop = next.loop(loopId);
  const cause = causeOf(command);
  if (next.state.closing) {
    next.emit({ type: 'TurnRejected', loopId, cause, reason: 'shutting_down' });
    return DONE;
  }
  const working = loop.turn !== undefined || loop.compaction.is === 'running';
  const idle = !working && loop.inbox.length === 0 && !wantsCompaction(loop, rules.limitsOf(loop));
  if (!idle && loop.inbox.length >= rules.inboxLimit) {
    next.emit({ type: 'TurnRejected', loopId, cause, reason: 'queue_full' });
    return DONE;
  }
  // the journal names the loop, so that a restore need not know which one was active
  next.accept({ ...command, loopId });
  if (!idle) next.emit({ type: 'InputQueued', loopId, cause });
  // a machine's input changes nothing where the queue is paused
  if (!loop.turn && (idle || command.agency === 'user' || !isPaused(next.loop(loopId)))) release(next, loopId, rules);
  return DONE;
}

/** In the inbox: removed. Started, folded, unknown or retracted before: nothing happens (S). */
function retract(next: Transition, target: string): Reply {
  for (const loop of next.state.loops.values()) {
    const entry = inbox.find(loop.inbox, target);
    if (!entry) continue;
    const { message } = entry;
    next.emit({ type: 'InputCancelled', loopId: loop.id, cause: causeOf(entry), reason: 'client_retracted', message });
  }
  return DONE;
}

/**
 * Tells running Turns to stop. One that has begun since the interrupt arrived is not the one that was meant: the Turn
 * that was, had committed its last Step already, and the interrupt changes nothing.
 */
function interrupt(
  next: Transition,
  command: Extract<Command, { type: 'Interrupt' }>,
  during: ReadonlyMap<LoopId, string> | undefined,
): Reply {
  let cancelled = false;
  for (const { id: loopId, turn, compaction } of meant(next, command.loopId)) {
    if (compaction.is === 'running') next.effect({ type: 'stopCompaction', loopId });
    if (!turn || turn.stopping) continue;
    const seen = during?.get(loopId);
    if (seen !== undefined && seen !== turn.id) continue;
    next.accept({ ...command, loopId });
    next.effect({ type: 'stopTurn', loopId, turnId: turn.id });
    cancelled = true;
  }
  return { type: 'ack', ack: { cancelled } };
}

function shutdown(next: Transition, command: Extract<Command, { type: 'Shutdown' }>): Reply {
  interrupt(next, { type: 'Interrupt', commandId: command.commandId, agency: command.agency }, undefined);
  next.accept(command);
  next.effect({ type: 'closeWhenQuiet' });
  return DONE;
}

type Administrative = Extract<
  Command,
  { type: 'StartLoop' | 'SetActiveLoop' | 'SetModel' | 'Compact' | 'RenameSession' }
>;

function administer(next: Transition, command: Administrative, rules: Rules): Reply {
  const cause = causeOf(command);
  switch (command.type) {
    case 'StartLoop':
      return startLoop(next, command, rules);
    case 'SetActiveLoop': {
      const { loopId } = command;
      const previousLoopId = next.state.activeLoopId;
      if (loopId !== previousLoopId) {
        next.emit({ type: 'ActiveLoopChanged', loopId, previousLoopId, activeLoopId: loopId, cause });
      }
      return DONE;
    }
    case 'SetModel': {
      const loop = next.loop(command.loopId ?? next.state.activeLoopId);
      const { model, provider = loop.provider } = command;
      const refusal = rules.refusalOf?.(provider, model);
      if (refusal !== undefined) return { type: 'invalid', message: refusal };
      next.emit({ type: 'ModelChanged', loopId: loop.id, model, provider, cause });
      return DONE;
    }
    case 'RenameSession':
      next.emit({ type: 'SessionRenamed', name: command.name, cause });
      return DONE;
    case 'Compact':
      return compact(next, command.loopId ?? next.state.activeLoopId, cause);
  }
}

/** A new loop goes on with the model that the active one has. */
function startLoop(next: Transition, command: Extract<Command, { type: 'StartLoop' }>, rules: Rules): Reply {
  const cause = causeOf(command);
  const { model, provider } = next.loop(next.state.activeLoopId);
  const loopId = rules.newId();
  const agentName = command.agentName || `loop-${next.state.loops.size + 1}`;
  next.emit({ type: 'LoopStarted', loopId, agentName, model, cause });
  if (provider !== next.state.provider) next.emit({ type: 'ModelChanged', loopId, model, provider, cause });
  return DONE;
}

/** At once where the loop is idle, else when its Turn is over. HistoryCompacted is the answer, or an ack with why not. */
function compact(next: Transition, loopId: LoopId, cause: Cause): Reply {
  const loop = next.loop(loopId);
  const refuse = (reason: string): Reply => ({ type: 'ack', ack: { compacted: false, reason } });
  if (next.state.closing) return refuse('the session is ending');
  if (loop.compaction.is === 'running') return refuse('a compaction is running already');
  if (!loop.turn && !compactionPlan(loop.history)) return refuse('there is nothing to compact yet');
  if (loop.compaction.is === 'due') return refuse('a compaction waits for the turn already');
  next.compaction(loopId, { is: 'due', cause });
  if (!loop.turn) beginCompaction(next, loopId);
  return { type: 'compacting', loopId };
}
