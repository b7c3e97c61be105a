/**
 * What is true after a record. Live running and restore share this one fold; it decides nothing. An impossible history
 * is refused with a named reason.
 */
import type { Command } from '../domain/command.ts';
import { userMessage, ZERO_USAGE } from '../domain/content.ts';
import type { EventBody } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import type { PermissionDecided } from '../domain/runtime-event.ts';
import { evolveLoop, turnOf } from './evolve-loop.ts';
import { impossible } from './impossible.ts';
import * as inbox from './inbox.ts';
import type { LoopState, SessionState } from './state.ts';

/** What can be evolved: an event, or a command that changes state by itself (journaled, or live only). */
export type Change = { event: EventBody } | { command: Command };

export function evolve(state: SessionState, change: Change): SessionState {
  return 'event' in change ? evolveEvent(state, change.event) : evolveCommand(state, change.command);
}

const loopOf = (state: SessionState, loopId: LoopId, what: string): LoopState =>
  state.loops.get(loopId) ?? impossible(`${what} of a loop that was never started`);

const withLoop = (state: SessionState, loop: LoopState): SessionState => ({
  ...state,
  loops: new Map(state.loops).set(loop.id, loop),
});

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
    case 'SendQueuedInput': {
      const { targetCommandId: sendNow } = command;
      const loop = [...state.loops.values()].find((one) => inbox.find(one.inbox, sendNow));
      if (!loop?.turn) return impossible('a queued input was sent past a turn that does not run');
      return withLoop(state, { ...loop, turn: { ...loop.turn, stopping: true, sendNow } });
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
  measured: { tokens: 0, thought: 0, total: 0, upTo: 0 },
  compaction: { is: 'none' },
});

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
