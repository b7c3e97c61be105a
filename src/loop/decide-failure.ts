/**
 * What happens where a transition could not be appended (contract: Subscriptions, a failed append). Nothing of it was
 * delivered; this says what is tried instead. Where that cannot be appended either, the session is faulted.
 */
import { JournalError, TurnPanicError } from '../domain/failure.ts';
import type { LoopId } from '../domain/identity.ts';
import type { Decision, Input, Reply } from './decide.ts';
import * as inbox from './inbox.ts';
import { isPaused, type SessionState } from './state.ts';
import { Transition } from './transition.ts';
import { causeOf, failTurn, giveBack, rest } from './turn-flow.ts';

/** The answer to a failed append, or undefined where there is none that would be true. */
export function decideFailure(state: SessionState, input: Input, cause: unknown): Decision | undefined {
  const next = new Transition(state);
  const reply = decideInto(next, input, cause);
  return reply && { transition: next, reply };
}

function decideInto(next: Transition, input: Input, cause: unknown): Reply | undefined {
  switch (input.type) {
    case 'commitStep':
    case 'endTurn':
      return fail(next, input.loopId, cause);
    case 'requestPermission':
      return fail(next, input.call.loopId, cause);
    case 'command':
      return decideCommand(next, input, cause);
    case 'endCompaction':
      return failCompaction(next, input.loopId);
    case 'drain':
      return failGated(next, cause);
    default:
      return undefined;
  }
}

/** The Turn ends with TurnFailed{journal} and the usual returns; what runs of it is told to go. */
function fail(next: Transition, loopId: LoopId, cause: unknown): Reply | undefined {
  const { turn } = next.loop(loopId);
  if (!turn) return undefined;
  failTurn(next, loopId, errorOf(cause));
  next.effect({ type: 'abandonTurn', loopId, turnId: turn.id });
  return { type: 'discarded' };
}

/** Anything that the journal did not throw is a fault of the runtime's own. */
const errorOf = (cause: unknown): Error =>
  cause instanceof JournalError
    ? new JournalError('The session could not be saved. Free some space, then send again.', { cause })
    : new TurnPanicError(cause);

/** The history stays as it is; what would have started after it is returned. */
function failCompaction(next: Transition, loopId: LoopId): Reply {
  const loop = next.loop(loopId);
  const waits = !isPaused(loop) || loop.compaction.release;
  next.compaction(loopId, { is: 'none', failedAfter: loop.turnIndex });
  if (waits) giveBack(next, loopId, loop.inbox, 'turn_failed');
  rest(next, loopId);
  return { type: 'discarded' };
}

function failGated(next: Transition, cause: unknown): Reply {
  for (const loop of next.state.loops.values()) if (loop.turn?.gate) fail(next, loop.id, cause);
  next.close('drain');
  next.effect({ type: 'closeWhenQuiet' });
  return { type: 'done' };
}

function decideCommand(
  next: Transition,
  { command }: Extract<Input, { type: 'command' }>,
  cause: unknown,
): Reply | undefined {
  switch (command.type) {
    case 'UserInput': {
      const loopId = command.loopId ?? next.state.activeLoopId;
      next.emit({ type: 'TurnRejected', loopId, cause: causeOf(command), reason: 'internal' });
      return { type: 'done' };
    }
    // an input that could not be started is returned, without a turn
    case 'ResumeQueue':
      for (const loop of next.state.loops.values()) {
        const meant = command.loopId === undefined || command.loopId === loop.id;
        if (meant && !loop.turn && isPaused(loop)) giveBack(next, loop.id, loop.inbox.slice(0, 1), 'turn_failed');
      }
      return { type: 'done' };
    case 'ApproveToolCall':
    case 'DenyToolCall':
    case 'ProvideUserInput': {
      const gated = [...next.state.loops.values()].find(
        (loop) => loop.turn?.gate?.toolExecutionId === command.toolExecutionId,
      );
      return gated && fail(next, gated.id, cause);
    }
    // the entry stays queued: nothing was said, so nothing is untrue
    case 'CancelQueuedInput':
      return { type: 'done' };
    case 'MoveQueuedInput':
      return { type: 'ack', ack: { moved: false } };
    case 'SetQueuedInput':
      return { type: 'ack', ack: { changed: false } };
    // where nothing runs it was to be started
    case 'SendQueuedInput': {
      const { targetCommandId: target } = command;
      const loop = [...next.state.loops.values()].find((one) => inbox.find(one.inbox, target));
      const entry = loop && inbox.find(loop.inbox, target);
      if (entry && !loop.turn && loop.compaction.is !== 'running') giveBack(next, loop.id, [entry], 'turn_failed');
      return { type: 'ack', ack: { sent: false, reason: 'it could not be saved' } };
    }
    case 'SetModel':
    case 'StartLoop':
    case 'SetActiveLoop':
    case 'RenameSession':
      return { type: 'invalid', message: 'it could not be saved, and nothing was changed' };
    default:
      return undefined;
  }
}
