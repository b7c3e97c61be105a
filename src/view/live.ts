/** The running Turn of a loop: what it is doing right now. All of it is gone when the Turn ends. */
import type { EventBody } from '../domain/event.ts';
import type { ToolExecutionId, TurnId } from '../domain/identity.ts';
import type { InferenceRetrying, PermissionDecided } from '../domain/runtime-event.ts';

export interface ToolCard {
  toolExecutionId: ToolExecutionId;
  toolUseId: string;
  toolName: string;
  summary: string;
  state: 'waiting' | 'running' | 'done' | 'error' | 'stopped';
  /** When it started running (ms). */
  since: number;
  durationMs?: number;
  preview?: string;
  /** The person said no: why, or ''. What the call answers is meant for the model. */
  refusedWith?: string;
}

/** A call whose arguments are still being written. */
export interface Preparing {
  index: number;
  name: string;
  /** Characters of arguments so far. */
  size: number;
}

export interface TurnView {
  turnId: TurnId;
  turnIndex: number;
  since: number;
  /** Steps committed. */
  steps: number;
  cards: readonly ToolCard[];
  preparing: readonly Preparing[];
  /** Calls that the person refused, and why; their cards may follow later. */
  refusals?: ReadonlyMap<ToolExecutionId, string>;
  /** When the model began to think; undefined when it does not. */
  thinkingSince?: number;
  /** An interrupt was asked for. */
  stopping: boolean;
  retry?: Retry;
}

/** A failed request is made again. */
export interface Retry {
  attempt: number;
  maxAttempts: number;
  until: number;
  message: string;
}

export const retryOf = ({ attempt, maxAttempts, waitMs, err }: InferenceRetrying, now: number): Retry => ({
  attempt,
  maxAttempts,
  until: now + waitMs,
  message: err.message,
});

export function applyTurn(turn: TurnView | undefined, event: EventBody, now: number): TurnView | undefined {
  if (event.type === 'TurnStarted') return startTurn(event.turnId, event.turnIndex, now);
  if (!turn) return undefined;
  switch (event.type) {
    case 'TurnDone':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return undefined;
    case 'TokenDelta':
      return delta(turn, event.chunk, now);
    case 'InferenceRetrying':
      return { ...turn, retry: retryOf(event, now) };
    case 'StepDone':
      return { ...turn, steps: turn.steps + 1, cards: [], preparing: [], thinkingSince: undefined, retry: undefined };
    case 'PermissionRequested':
      return withCard(turn, card(event, event.request.toolName, event.request.summary, 'waiting', now));
    case 'PermissionDecided':
      return event.effect === 'deny' && event.source === 'user' ? refused(turn, event) : turn;
    case 'ToolCallStarted':
      return withCard(turn, card(event, event.toolName, event.summary, 'running', now));
    case 'ToolCallCompleted': {
      const known = turn.cards.find((candidate) => candidate.toolExecutionId === event.toolExecutionId);
      const base = known ?? card(event, event.toolName, event.summary, 'running', now);
      // What an interrupt broke off is no error of the tool.
      const state = !event.isError ? 'done' : turn.stopping ? 'stopped' : 'error';
      return withCard(turn, { ...base, state, durationMs: event.durationMs, preview: event.resultPreview });
    }
    default:
      return turn;
  }
}

export const startTurn = (turnId: TurnId, turnIndex: number, now: number): TurnView => ({
  turnId,
  turnIndex,
  since: now,
  steps: 0,
  cards: [],
  preparing: [],
  stopping: false,
});

function delta(turn: TurnView, chunk: { type: string } & Partial<ToolUseDelta>, now: number): TurnView {
  const thinkingSince = chunk.type === 'thinking' ? (turn.thinkingSince ?? now) : undefined;
  const next = turn.retry || turn.thinkingSince !== thinkingSince ? { ...turn, thinkingSince, retry: undefined } : turn;
  if (chunk.type !== 'tool_use') return next;
  const { index = 0, name = '', inputJson = '' } = chunk;
  const known = turn.preparing.find((one) => one.index === index);
  const grown = { index, name: known?.name || name, size: (known?.size ?? 0) + inputJson.length };
  const preparing = known ? turn.preparing.map((one) => (one === known ? grown : one)) : [...turn.preparing, grown];
  return { ...next, preparing };
}
interface ToolUseDelta {
  index: number;
  name: string;
  inputJson: string;
}

const card = (
  event: { toolExecutionId: ToolExecutionId; toolUseId: string },
  toolName: string,
  summary: string,
  state: ToolCard['state'],
  now: number,
): ToolCard => ({
  toolExecutionId: event.toolExecutionId,
  toolUseId: event.toolUseId,
  toolName,
  summary,
  state,
  since: now,
});

const refused = (turn: TurnView, { toolExecutionId: id, reason = '' }: PermissionDecided): TurnView =>
  marked({ ...turn, refusals: new Map(turn.refusals).set(id, reason) });

/** The card of a declined question comes only when the batch begins. */
function marked(turn: TurnView): TurnView {
  const { refusals } = turn;
  if (!refusals) return turn;
  const cards = turn.cards.map((one) => {
    const refusedWith = refusals.get(one.toolExecutionId);
    return refusedWith === undefined ? one : { ...one, refusedWith };
  });
  return { ...turn, cards };
}

function withCard(turn: TurnView, next: ToolCard): TurnView {
  const known = turn.cards.some((one) => one.toolExecutionId === next.toolExecutionId);
  const cards = known
    ? turn.cards.map((one) => (one.toolExecutionId === next.toolExecutionId ? next : one))
    : [...turn.cards, next];
  return marked({ ...turn, cards, preparing: [] });
}

/** When a counter of one of these moments shows another second. */
export const nextSecondOf = (marks: readonly number[], now: number): number =>
  Math.min(...marks.map((mark) => now + 1000 - ((((now - mark) % 1000) + 1000) % 1000)));
