/** One loop as the person sees it: its slices, each folded by its own file, together for one event. */
import { type Usage, usageFault, ZERO_USAGE } from '../domain/content.ts';
import { type EventBody, isTerminal } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import type { Folded, ViewContext } from './context.ts';
import { applyGates, type GateView } from './gate.ts';
import { applyTurn, nextSecondOf, type Retry, retryOf, type TurnView } from './live.ts';
import { applyQueue, EMPTY_QUEUE, type QueueView, type Receipt } from './queue.ts';
import { type Spent, spentOn, summed } from './spending.ts';
import type { Line } from './style.ts';
import { applyTranscript, EMPTY_TRANSCRIPT, type TranscriptView } from './transcript.ts';

export interface LoopView {
  loopId: LoopId;
  agentName: string;
  model: string;
  provider: string;
  turn: TurnView | undefined;
  queue: QueueView;
  gates: readonly GateView[];
  transcript: TranscriptView;
  /** When its last Turn ended (ms); 0 before the first. */
  endedAt: number;
  /** The sum over its Steps. */
  usage: Usage;
  /** By the model that was asked: its Steps and its summaries. */
  spent: readonly Spent[];
  /** Of its last Step; what was summarised since is another request. */
  lastUsage?: Usage;
  /** Whom the running Turn asks: a change holds for the next one. */
  asks?: { provider: string; model: string };
  /** No Turn runs, but the loop is not at rest: a history is being summarised. `asked`: the person asked for it. */
  settling?: { since: number; asked: boolean; retry?: Retry };
  /** What became final while another loop was on the screen. */
  backlog: readonly Line[];
}

export const newLoop = (loopId: LoopId, agentName: string, model: string, provider = ''): LoopView => ({
  loopId,
  agentName,
  model,
  provider,
  turn: undefined,
  queue: EMPTY_QUEUE,
  gates: [],
  transcript: EMPTY_TRANSCRIPT,
  endedAt: 0,
  usage: ZERO_USAGE,
  spent: [],
  backlog: [],
});

export interface LoopFacts {
  ctx: ViewContext;
  stopping: boolean;
  dropped: boolean;
}
export interface LoopFold extends Folded<LoopView> {
  receipt?: Receipt;
}

/** One event of this loop. The queue is folded first: the transcript writes what became of the input. */
export function applyLoop(loop: LoopView, event: EventBody, { ctx, stopping, dropped }: LoopFacts): LoopFold {
  const steps = loop.turn?.steps ?? 0;
  const reason = stopping ? 'session' : loop.turn?.stopping ? 'turn' : undefined;
  const { queue, receipt } = applyQueue(loop.queue, event, { steps, stopping: reason });
  const facts = { ctx, turn: loop.turn, queue, receipt, dropped, leaving: stopping };
  const { state: transcript, print } = applyTranscript(loop.transcript, event, facts);
  const turn = applyTurn(loop.turn, event, ctx.now);
  const gates = applyGates(loop.gates, event, ctx.now);
  const endedAt = loop.turn && !turn ? ctx.now : loop.endedAt;
  const named = event.type === 'ModelChanged' ? { model: event.model, provider: event.provider } : {};
  return {
    state: {
      ...loop,
      ...named,
      queue,
      transcript,
      turn,
      gates,
      endedAt,
      asks: event.type === 'TurnStarted' ? { provider: loop.provider, model: loop.model } : loop.asks,
      usage: spent(loop.usage, event),
      spent: event.type === 'StepDone' ? spentOn(loop.spent, loop.asks ?? loop, event.messages[0].usage) : loop.spent,
      lastUsage: event.type === 'StepDone' ? event.messages[0].usage : loop.lastUsage,
      settling: settlingAfter(loop, event, ctx.now),
    },
    print,
    ...(receipt ? { receipt } : {}),
  };
}

/** A LoopIdle or the next Turn comes right behind a Turn's end, unless something else has to be done first. */
function settlingAfter(loop: LoopView, event: EventBody, now: number): LoopView['settling'] {
  if (event.type === 'LoopIdle' || event.type === 'TurnStarted') return undefined;
  if (event.type === 'InferenceRetrying' && event.turnId === undefined && !loop.turn)
    return { since: loop.settling?.since ?? now, asked: true, retry: retryOf(event, now) };
  return isTerminal(event) ? { since: now, asked: loop.settling?.asked ?? false } : loop.settling;
}

const SOON_MS = 500;
/** Whether it takes so long that the person should see it. */
export const isSettling = (loop: LoopView | undefined, now: number): boolean =>
  loop?.settling !== undefined && !loop.turn && (loop.settling.asked || now - loop.settling.since >= SOON_MS);

/** When its picture changes by time alone. */
export const settlingWake = (loop: LoopView | undefined, now: number): number | undefined => {
  if (!loop?.settling || loop.turn) return undefined;
  const { since, retry } = loop.settling;
  if (!isSettling(loop, now)) return since + SOON_MS;
  return nextSecondOf([since, ...(retry ? [retry.until] : [])], now);
};

function spent(sum: Usage, event: EventBody): Usage {
  const usage = event.type === 'StepDone' ? event.messages[0].usage : undefined;
  return usage && !usageFault(usage) ? summed(sum, usage) : sum;
}

/** It takes inputs into its queue, and an interrupt stops something. */
export const isAtWork = (loop: LoopView | undefined, now: number): boolean => isBusy(loop) || isSettling(loop, now);

/** Something runs, or was just submitted and will. */
export const isBusy = (loop: LoopView | undefined): boolean =>
  loop !== undefined && (loop.turn !== undefined || loop.queue.rows.some((row) => row.state === 'sending'));
