/** One loop as the person sees it: its slices, each folded by its own file, together for one event. */
import { type Usage, usageFault, ZERO_USAGE } from '../domain/content.ts';
import type { EventBody } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import type { Folded, ViewContext } from './context.ts';
import { applyGates, type GateView } from './gate.ts';
import { applyTurn, type TurnView } from './live.ts';
import { applyQueue, EMPTY_QUEUE, type QueueView, type Receipt } from './queue.ts';
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
  const facts = { ctx, turn: loop.turn, queue, receipt, dropped };
  const { state: transcript, print } = applyTranscript(loop.transcript, event, facts);
  const turn = applyTurn(loop.turn, event, ctx.now);
  const gates = applyGates(loop.gates, event, ctx.now);
  const endedAt = loop.turn && !turn ? ctx.now : loop.endedAt;
  const named = event.type === 'ModelChanged' ? { model: event.model, provider: event.provider } : {};
  return {
    state: { ...loop, ...named, queue, transcript, turn, gates, endedAt, usage: spent(loop.usage, event) },
    print,
    ...(receipt ? { receipt } : {}),
  };
}

function spent(sum: Usage, event: EventBody): Usage {
  const usage = event.type === 'StepDone' ? event.messages[0].usage : undefined;
  if (!usage || usageFault(usage)) return sum;
  const add = (field: keyof Usage) => sum[field] + usage[field];
  return {
    inputTokens: add('inputTokens'),
    outputTokens: add('outputTokens'),
    reasoningTokens: add('reasoningTokens'),
    cacheReadTokens: add('cacheReadTokens'),
    cacheCreationTokens: add('cacheCreationTokens'),
  };
}

/** Something runs, or was just submitted and will. */
export const isBusy = (loop: LoopView | undefined): boolean =>
  loop !== undefined && (loop.turn !== undefined || loop.queue.rows.some((row) => row.state === 'sending'));
