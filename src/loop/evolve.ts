/**
 * What is true after a record. Live running and restore share this one fold; it decides nothing. An impossible history
 * is refused with a named reason.
 */
import type { Command } from '../domain/command.ts';
import { addUsage, toolUsesOf, userMessage, ZERO_USAGE } from '../domain/content.ts';
import type { EventBody } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import type { PermissionDecided } from '../domain/runtime-event.ts';
import type { StepDone, TurnStarted } from '../domain/turn-event.ts';
import * as inbox from './inbox.ts';
import { repeatAfter } from './limits.ts';
import type { LoopState, OpenGate, SessionState, TurnState } from './state.ts';

/** What can be evolved: an event, or a command that changes state by itself (journaled, or live only). */
export type Change = { event: EventBody } | { command: Command };

/** A history that cannot have been: the journal is damaged, or the runtime has a bug. */
export class ImpossibleHistoryError extends Error {
  override readonly name = 'ImpossibleHistoryError';
}

const impossible = (why: string): never => {
  throw new ImpossibleHistoryError(why);
};

export function evolve(state: SessionState, change: Change): SessionState {
  return 'event' in change ? evolveEvent(state, change.event) : evolveCommand(state, change.command);
}

const loopOf = (state: SessionState, loopId: LoopId, what: string): LoopState =>
  state.loops.get(loopId) ?? impossible(`${what} of a loop that was never started`);

const withLoop = (state: SessionState, loop: LoopState): SessionState => ({
  ...state,
  loops: new Map(state.loops).set(loop.id, loop),
});

const turnOf = (loop: LoopState, turnId: string, what: string): TurnState => {
  if (!loop.turn) return impossible(`${what} outside a turn`);
  if (loop.turn.id !== turnId) return impossible(`${what} of another turn than the running one`);
  return loop.turn;
};

function evolveCommand(state: SessionState, command: Command): SessionState {
  switch (command.type) {
    case 'UserInput': {
      const loop = loopOf(state, command.loopId ?? state.activeLoopId, 'an input');
      if (inbox.find(loop.inbox, command.commandId)) impossible('an input was accepted twice');
      const { commandId, agency, blocks, noFold = false } = command;
      return withLoop(state, {
        ...loop,
        inbox: [...loop.inbox, { commandId, agency, message: userMessage(blocks), noFold }],
      });
    }
    case 'MoveQueuedInput':
      return withInbox(state, command.targetCommandId, (entries) =>
        inbox.moved(entries, command.targetCommandId, command.beforeCommandId),
      );
    case 'SetQueuedInput':
      return withInbox(state, command.targetCommandId, (entries) =>
        inbox.held(entries, command.targetCommandId, command.noFold),
      );
    case 'Interrupt': {
      const loop = loopOf(state, command.loopId ?? '', 'an interrupt');
      return loop.turn ? withLoop(state, { ...loop, turn: { ...loop.turn, stopping: true } }) : state;
    }
    case 'Shutdown':
      return { ...state, closing: 'shutdown' };
    default:
      return impossible(`${command.type} changes nothing by itself`);
  }
}

function withInbox(
  state: SessionState,
  target: string,
  change: (entries: LoopState['inbox']) => LoopState['inbox'] | undefined,
): SessionState {
  for (const loop of state.loops.values()) {
    if (!inbox.find(loop.inbox, target)) continue;
    return withLoop(state, {
      ...loop,
      inbox: change(loop.inbox) ?? impossible('a queued input moved to where nothing is'),
    });
  }
  return impossible('a change of an input that is not queued');
}

/** The loop without an input that was resolved. A queue without entries is not paused. */
const resolved = (loop: LoopState, commandId: string): LoopState => {
  const rest = inbox.without(loop.inbox, commandId);
  if (rest.length === loop.inbox.length) impossible('an input was resolved that was not queued');
  return { ...loop, inbox: rest, held: loop.held && rest.length > 0 };
};

function evolveEvent(state: SessionState, event: EventBody): SessionState {
  switch (event.type) {
    case 'SessionStarted':
      if (state.phase !== 'new') impossible('a session was started twice');
      return { ...state, phase: 'running', model: event.model, provider: event.provider, cwd: event.cwd };
    case 'SessionActive':
    case 'SessionIdle':
      return { ...state, active: event.type === 'SessionActive' };
    case 'SessionStopped':
      return { ...state, phase: 'stopped', closing: undefined, grants: [] };
    case 'RestoreStarted':
      return { ...state, phase: 'running', closing: undefined, grants: [] };
    case 'RestoreDone':
      return {
        ...state,
        loops: new Map([...state.loops].map(([id, loop]) => [id, { ...loop, held: loop.inbox.length > 0 }])),
      };
    case 'SessionRenamed':
      return { ...state, name: event.name };
    case 'LoopStarted':
      if (state.loops.has(event.loopId)) impossible('a loop was started twice');
      return {
        ...withLoop(state, newLoop(state, event.loopId, event.agentName, event.model)),
        activeLoopId: state.activeLoopId || event.loopId,
      };
    case 'ActiveLoopChanged':
      loopOf(state, event.activeLoopId, event.type);
      return { ...state, activeLoopId: event.activeLoopId };
    case 'PermissionDecided':
      return decided(state, event);
    case 'RestoreErrored':
      return state;
    default:
      return withLoop(state, evolveLoop(loopOf(state, event.loopId, event.type), event));
  }
}

const newLoop = (state: SessionState, id: LoopId, agentName: string, model: string): LoopState => ({
  id,
  agentName,
  model,
  provider: state.provider,
  history: undefined,
  inbox: [],
  held: false,
  turn: undefined,
  turnIndex: 0,
  worked: false,
  owed: undefined,
  usage: ZERO_USAGE,
});

type LoopEvent = Exclude<EventBody, { type: 'PermissionDecided' | 'ActiveLoopChanged' | 'LoopStarted' }> & {
  loopId: LoopId;
};

function evolveLoop(loop: LoopState, event: LoopEvent): LoopState {
  switch (event.type) {
    case 'TurnStarted':
      return started(loop, event);
    case 'TurnFoldedInto': {
      const turn = turnOf(loop, event.turnId, event.type);
      if (turn.lastCommit !== 'tool') impossible('TurnFoldedInto does not follow a committed tool step');
      const entry = inbox.find(loop.inbox, event.cause.commandId);
      if (entry?.noFold) impossible('an input was folded that was held');
      return { ...resolved(loop, event.cause.commandId), history: { message: event.message, before: loop.history } };
    }
    case 'InputCancelled':
      return resolved(loop, event.cause.commandId);
    case 'StepDone':
      return committed(loop, event);
    case 'TurnDone':
      if (turnOf(loop, event.turnId, event.type).lastCommit !== 'final') impossible('TurnDone before its final step');
      return { ...loop, turn: undefined, owed: undefined };
    case 'TurnFailed':
    case 'TurnInterrupted': {
      const turn = turnOf(loop, event.turnId, event.type);
      const reason = event.type === 'TurnFailed' ? 'turn_failed' : 'turn_interrupted';
      const held = event.type === 'TurnInterrupted' && loop.inbox.length > 0;
      return { ...loop, turn: undefined, held, owed: { reason, turnId: turn.id, turnIndex: turn.index } };
    }
    case 'LoopIdle':
      return { ...loop, worked: false, owed: undefined };
    case 'ModelChanged':
      return { ...loop, model: event.model, provider: event.provider };
    case 'HistoryCompacted':
      return { ...loop, history: compacted(loop, event.summary, event.keptFromStepId) };
    case 'PermissionRequested':
    case 'UserInputRequested':
      return gated(loop, event);
    default:
      // TurnRejected changes nothing; the rest is live only
      return loop;
  }
}

function started(loop: LoopState, event: TurnStarted): LoopState {
  if (loop.turn) impossible('TurnStarted while a turn is open');
  if (event.turnIndex !== loop.turnIndex + 1) impossible(`turn_index ${event.turnIndex} after ${loop.turnIndex}`);
  const turn: TurnState = {
    id: event.turnId,
    index: event.turnIndex,
    usage: ZERO_USAGE,
    toolSteps: 0,
    toolCalls: 0,
    repeat: { key: '', count: 0 },
    lastCommit: 'none',
    stopping: false,
  };
  return {
    ...resolved(loop, event.cause.commandId),
    held: false,
    turn,
    turnIndex: event.turnIndex,
    worked: true,
    owed: undefined,
    history: { message: event.message, before: loop.history },
  };
}

function committed(loop: LoopState, event: StepDone): LoopState {
  const turn = turnOf(loop, event.turnId, event.type);
  if (turn.lastCommit === 'final') impossible('StepDone after the final step of its turn');
  const [answer] = event.messages;
  const calls = toolUsesOf(answer).length;
  const usage = answer.usage ?? ZERO_USAGE;
  const history = event.messages.reduce<LoopState['history']>(
    (before, message) => ({ message, stepId: event.stepId, before }),
    loop.history,
  );
  return {
    ...loop,
    history,
    usage: addUsage(loop.usage, usage),
    turn: {
      ...turn,
      gate: undefined,
      usage: addUsage(turn.usage, usage),
      toolSteps: turn.toolSteps + (calls > 0 ? 1 : 0),
      toolCalls: turn.toolCalls + calls,
      repeat: repeatAfter(turn.repeat, event.messages),
      lastCommit: calls > 0 ? 'tool' : 'final',
    },
  };
}

function gated(
  loop: LoopState,
  event: Extract<EventBody, { type: 'PermissionRequested' | 'UserInputRequested' }>,
): LoopState {
  const turn = turnOf(loop, event.turnId, event.type);
  if (turn.gate) impossible('a gate was opened while another is open');
  const { stepId, toolExecutionId, toolUseId } = event;
  const gate: OpenGate =
    event.type === 'PermissionRequested'
      ? {
          kind: 'permission',
          stepId,
          toolExecutionId,
          toolUseId,
          toolName: event.request.toolName,
          scopes: event.request.scopes,
        }
      : { kind: 'question', stepId, toolExecutionId, toolUseId, toolName: '', scopes: [] };
  return { ...loop, turn: { ...turn, gate } };
}

/** A decision closes the gate it answers; a grant for longer than once holds until the process ends. */
function decided(state: SessionState, event: PermissionDecided): SessionState {
  const loop = loopOf(state, event.loopId, event.type);
  const turn = turnOf(loop, event.turnId, event.type);
  if (turn.gate?.toolExecutionId !== event.toolExecutionId) return state;
  const { toolName, scopes } = turn.gate;
  const lasting =
    event.effect === 'approve' && scopes.find((offer) => offer.scope === event.scope && offer.scope !== 'once');
  const grants = lasting ? [...state.grants, { toolName, covers: lasting.covers }] : state.grants;
  return { ...withLoop(state, { ...loop, turn: { ...turn, gate: undefined } }), grants };
}

/** The summary takes the place of all that stands before the kept part. */
function compacted(loop: LoopState, summary: string, keptFromStepId: string | undefined): LoopState['history'] {
  const kept = [];
  let found = keptFromStepId === undefined;
  if (!found) {
    for (let at = loop.history; at; at = at.before) {
      if (found && at.stepId !== keptFromStepId) break;
      if (at.stepId === keptFromStepId) found = true;
      kept.push(at);
    }
  }
  if (!found) impossible('a compaction keeps a step that is not in the history');
  let history: LoopState['history'] = { message: userMessage([{ type: 'text', text: summary }]), before: undefined };
  for (const { message, stepId } of kept.reverse()) history = { message, stepId, before: history };
  return history;
}
