/** Gates: which calls are asked about, and who answers. The request is journaled before anybody sees it. */
import type { ApproveToolCall, DenyToolCall, ProvideUserInput } from '../domain/command.ts';
import type { PermissionDecided } from '../domain/runtime-event.ts';
import type { Input, Reply } from './decide.ts';
import { judge, UNATTENDED } from './permission.ts';
import type { LoopState, OpenGate, TurnState } from './state.ts';
import type { GateDecision, Transition } from './transition.ts';
import { causeOf } from './turn-flow.ts';

export function decideGate(next: Transition, input: Extract<Input, { type: 'requestPermission' }>): Reply {
  const { call, access, request, granted, mode } = input;
  const attended = input.attended && next.state.closing !== 'drain';
  const { turn } = next.loop(call.loopId);
  if (turn?.id !== call.turnId || turn.stopping) return { type: 'discarded' };
  const judged = judge(access, { mode, granted, attended });
  switch (judged.verdict) {
    case 'free':
      return { type: 'free' };
    case 'ask':
      if (access.question) next.emit({ type: 'UserInputRequested', ...call, ...access.question });
      else next.emit({ type: 'PermissionRequested', ...call, request });
      return { type: 'asked' };
    default: {
      const { verdict: effect, reason } = judged;
      next.emit({ type: 'PermissionDecided', ...call, effect, source: 'policy', reason });
      return { type: 'settled', decision: effect === 'approve' ? { effect } : { effect, reason }, source: 'policy' };
    }
  }
}

/** An answer to an open gate. A stale one, or one to a Turn that was told to stop, does nothing. */
export function answerGate(next: Transition, command: ApproveToolCall | DenyToolCall | ProvideUserInput): void {
  const open = findGate(next, command.toolExecutionId);
  if (!open || open.turn.stopping) return;
  const { gate } = open;
  const isAnswer = command.type === 'ProvideUserInput';
  if (command.type !== 'DenyToolCall' && isAnswer !== (gate.kind === 'question')) return;
  const cause = causeOf(command);
  if (command.type === 'DenyToolCall') {
    const reason = command.reason || undefined;
    settle(
      next,
      open,
      { effect: 'deny', source: 'user', cause, ...(reason && { reason }) },
      { effect: 'deny', reason },
    );
  } else if (isAnswer) {
    settle(next, open, { effect: 'approve', source: 'user', cause }, { effect: 'approve', answer: command.answer });
  } else {
    const scope = gate.scopes.some((offer) => offer.scope === command.scope) ? command.scope : 'once';
    settle(next, open, { effect: 'approve', source: 'user', scope, cause }, { effect: 'approve' });
  }
}

/** When nobody is left who could answer, every open gate is denied by policy. */
export function denyOpenGates(next: Transition): void {
  for (const loop of next.state.loops.values()) {
    const { turn } = loop;
    if (!turn?.gate || turn.stopping) continue;
    const reason = UNATTENDED;
    settle(
      next,
      { loop, turn, gate: turn.gate },
      { effect: 'deny', source: 'policy', reason },
      { effect: 'deny', reason },
    );
  }
}

interface Open {
  loop: LoopState;
  turn: TurnState;
  gate: OpenGate;
}

function findGate(next: Transition, toolExecutionId: string): Open | undefined {
  for (const loop of next.state.loops.values()) {
    const { turn } = loop;
    if (turn?.gate?.toolExecutionId === toolExecutionId) return { loop, turn, gate: turn.gate };
  }
  return undefined;
}

function settle(
  next: Transition,
  { loop, turn, gate }: Open,
  decided: Pick<PermissionDecided, 'effect' | 'source' | 'scope' | 'reason' | 'cause'>,
  decision: GateDecision,
): void {
  const { stepId, toolExecutionId, toolUseId } = gate;
  next.emit({
    type: 'PermissionDecided',
    loopId: loop.id,
    turnId: turn.id,
    stepId,
    toolExecutionId,
    toolUseId,
    ...decided,
  });
  next.effect({ type: 'settleGate', toolExecutionId, decision });
}
