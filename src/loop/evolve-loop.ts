/** What is true of one loop after an event: its history, its inbox, its Turn. Decides nothing. */
import { addUsage, toolUsesOf, type Usage, userMessage, ZERO_USAGE } from '../domain/content.ts';
import type { EventBody } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import type { StepDone, TurnStarted } from '../domain/turn-event.ts';
import { entriesOf, extended } from './history.ts';
import { impossible } from './impossible.ts';
import * as inbox from './inbox.ts';
import { repeatAfter } from './limits.ts';
import type { LoopState, OpenGate, TurnState } from './state.ts';

/** The Turn that runs, which must be that one. */
export const turnOf = (loop: LoopState, turnId: string, what: string): TurnState => {
  if (!loop.turn) return impossible(`${what} outside a turn`);
  if (loop.turn.id !== turnId) return impossible(`${what} of another turn than the running one`);
  return loop.turn;
};

/** The loop without an input that was resolved. A queue without entries is not paused. */
const resolved = (loop: LoopState, commandId: string): LoopState => {
  const rest = inbox.without(loop.inbox, commandId);
  if (rest.length === loop.inbox.length) impossible('an input was resolved that was not queued');
  return { ...loop, inbox: rest, held: loop.held && rest.length > 0 };
};

/** What one loop evolves by itself. */
export type LoopEvent = Exclude<EventBody, { type: 'PermissionDecided' | 'ActiveLoopChanged' | 'LoopStarted' }> & {
  loopId: LoopId;
};

export function evolveLoop(loop: LoopState, event: LoopEvent): LoopState {
  switch (event.type) {
    case 'TurnStarted':
      return started(loop, event);
    case 'TurnFoldedInto': {
      const turn = turnOf(loop, event.turnId, event.type);
      if (turn.lastCommit !== 'tool') impossible('TurnFoldedInto does not follow a committed tool step');
      const entry = inbox.find(loop.inbox, event.cause.commandId);
      if (entry?.noFold) impossible('an input was folded that was held');
      return {
        ...resolved(loop, event.cause.commandId),
        history: extended(loop.history, event.message, { turnIndex: turn.index, folded: true }),
      };
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
      if (loop.turn) impossible('HistoryCompacted while a turn is open');
      return compacted(loop, event.summary, event.keptFromStepId);
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
    model: loop.model,
    provider: loop.provider,
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
    history: extended(loop.history, event.message, { turnIndex: event.turnIndex }),
  };
}

function committed(loop: LoopState, event: StepDone): LoopState {
  const turn = turnOf(loop, event.turnId, event.type);
  if (turn.lastCommit === 'final') impossible('StepDone after the final step of its turn');
  const [answer] = event.messages;
  const calls = toolUsesOf(answer).length;
  const usage = answer.usage ?? ZERO_USAGE;
  const at = { turnIndex: turn.index, stepId: event.stepId };
  const [, ...results] = event.messages;
  const answered = extended(loop.history, answer, at);
  const { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens } = usage;
  const tokens = inputTokens + cacheReadTokens + cacheCreationTokens + outputTokens;
  return {
    ...loop,
    history: results.reduce((before, message) => extended(before, message, at), answered),
    measured:
      tokens > 0
        ? { tokens, thought: usage.reasoningTokens, total: answered.total, upTo: answered.total }
        : loop.measured,
    usage: summed(loop.usage, usage),
    turn: {
      ...turn,
      gate: undefined,
      usage: summed(turn.usage, usage),
      toolSteps: turn.toolSteps + (calls > 0 ? 1 : 0),
      toolCalls: turn.toolCalls + calls,
      repeat: repeatAfter(turn.repeat, event.messages),
      lastCommit: calls > 0 ? 'tool' : 'final',
    },
  };
}

function summed(a: Usage, b: Usage): Usage {
  try {
    return addUsage(a, b);
  } catch {
    return impossible('the usage of a loop leaves the safe integers');
  }
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

/** The summary takes the place of all that stands before the kept part. What a request costs beside the history stays. */
function compacted(loop: LoopState, summary: string, keptFromStepId: string | undefined): LoopState {
  const entries = entriesOf(loop.history);
  const from =
    keptFromStepId === undefined ? entries.length : entries.findIndex(({ stepId }) => stepId === keptFromStepId);
  if (from < 0) impossible('a compaction keeps a step that is not in the history');
  const first = extended(undefined, userMessage([{ type: 'text', text: summary }]), { turnIndex: 0 });
  const history = entries.slice(from).reduce((before, entry) => extended(before, entry.message, entry), first);
  return { ...loop, history, measured: { ...loop.measured, upTo: 0 } };
}
