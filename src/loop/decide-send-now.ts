/**
 * A queued input is sent now: it is moved to the front, the running Turn is interrupted, and the queue goes on with it.
 * One decision, so that it can neither fold into the Turn that it ends nor end a Turn that it did not mean.
 */
import type { SendQueuedInput } from '../domain/command.ts';
import type { LoopId, TurnId } from '../domain/identity.ts';
import type { Reply, Rules } from './decide.ts';
import * as inbox from './inbox.ts';
import type { Transition } from './transition.ts';
import { release } from './turn-flow.ts';

export function sendNow(
  next: Transition,
  command: SendQueuedInput,
  during: ReadonlyMap<LoopId, TurnId> | undefined,
  rules: Rules,
): Reply {
  const { commandId, agency, targetCommandId } = command;
  const loop = [...next.state.loops.values()].find((one) => inbox.find(one.inbox, targetCommandId));
  // started, folded, retracted: whatever became of it, nothing is interrupted for it
  if (!loop) return refused('too late: it is not queued any more');
  if (next.state.closing) return refused('the session is ending');
  const { id: loopId, turn } = loop;
  if (turn && inbox.find(loop.inbox, targetCommandId)?.agency === 'machine')
    return refused('an interrupt returns the inputs of machines');
  const [front] = loop.inbox;
  if (front && front.commandId !== targetCommandId) {
    const beforeCommandId = front.commandId;
    next.accept({ type: 'MoveQueuedInput', commandId, agency, targetCommandId, beforeCommandId });
  }
  // while a history is summarised the input comes right after
  if (!turn) release(next, loopId, rules);
  else if (during && during.get(loopId) !== turn.id) return refused('that turn was over already: it goes next');
  else {
    if (!turn.stopping) next.effect({ type: 'stopTurn', loopId, turnId: turn.id });
    next.accept(command);
  }
  return { type: 'ack', ack: { sent: true } };
}

const refused = (reason: string): Reply => ({ type: 'ack', ack: { sent: false, reason } });
