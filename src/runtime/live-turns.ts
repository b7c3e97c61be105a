/** The Turns that run now: one at most a loop, each with its signal, its gates, and its time to stop. */

import type { EventBody } from '../domain/event.ts';
import type { LoopId, TurnId } from '../domain/identity.ts';
import type { Input, Reply } from '../loop/decide.ts';
import type { LoopState, SessionState } from '../loop/state.ts';
import type { Effect, GateDecision } from '../loop/transition.ts';
import { summarise } from './compaction-runner.ts';
import { Notices } from './notices.ts';
import { runTurn } from './turn-runner.ts';
import { StoppedError, type TurnParts, type TurnScope } from './turn-scope.ts';

/** After this long a Turn that was told to stop is interrupted, whether it has settled or not. */
const STOP_MS = 3000;

interface Around extends TurnParts {
  /** Of a history that was taken over, by loop. */
  usedToolUseIds: ReadonlyMap<LoopId, ReadonlySet<string>>;
  state(): SessionState;
  post(input: Input): Promise<Reply | { type: 'faulted' }>;
  publish(event: EventBody): void;
}

interface LiveTurn {
  controller: AbortController;
  /** Nothing of a Turn that is over is shown. */
  over: boolean;
  cancelDeadline: () => void;
  done: Promise<void>;
}

export class LiveTurns {
  readonly #around: Around;
  readonly #notices: Notices;
  readonly #turns = new Map<TurnId, LiveTurn>();
  /** Who waits at a gate; or the decision, where the answer was quicker than the wait. */
  readonly #gates = new Map<string, ((decision: GateDecision) => void) | GateDecision>();
  /** Summaries under way, by loop. */
  readonly #compactions = new Map<LoopId, AbortController>();
  /** Who waits for the answer of a Compact, by loop. */
  readonly #awaiting = new Map<LoopId, ((why: string | undefined) => void)[]>();
  /** Per loop: the tool call ids of its history, so that no two are alike. */
  readonly #toolUseIds = new Map<LoopId, Set<string>>();

  constructor(around: Around) {
    this.#around = around;
    this.#notices = new Notices(around.takeNotices);
    for (const [loopId, ids] of around.usedToolUseIds) this.#toolUseIds.set(loopId, new Set(ids));
  }

  perform(effect: Exclude<Effect, { type: 'closeWhenQuiet' | 'finish' }>): void {
    switch (effect.type) {
      case 'runTurn':
        this.#run(effect.loopId, effect.turnId);
        return;
      case 'stopTurn':
        this.#stop(effect.loopId, effect.turnId);
        return;
      case 'abandonTurn':
        this.#abandon(effect.turnId);
        return;
      case 'compact':
        void this.#compact(effect.loopId);
        return;
      case 'stopCompaction':
        this.#compactions.get(effect.loopId)?.abort(new StoppedError());
        return;
      case 'refuseCompaction':
        this.#answerCompaction(effect.loopId, effect.reason);
        return;
      case 'settleGate':
        this.#settle(effect.toolExecutionId, effect.decision);
    }
  }

  abandonAll(): void {
    for (const turnId of this.#turns.keys()) this.#abandon(turnId);
    for (const controller of this.#compactions.values()) controller.abort(new StoppedError());
  }

  /** Nobody waits any longer for a summary that will not come. */
  end(): void {
    for (const loopId of [...this.#awaiting.keys()]) this.#answerCompaction(loopId, 'the session ended');
  }

  /** Resolves when no Turn runs any more, or those that do had their time to stop. */
  async settled(): Promise<void> {
    const { clock } = this.#around;
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = clock.after(STOP_MS, resolve);
    });
    await Promise.race([
      Promise.all([...this.#turns.values()].filter(({ over }) => !over).map(({ done }) => done)),
      late,
    ]);
    cancel();
  }

  async #compact(loopId: LoopId): Promise<void> {
    const { models, budget, state, post, publish, clock } = this.#around;
    const controller = new AbortController();
    this.#compactions.set(loopId, controller);
    // a model that does not hear its signal is left behind
    const deaf = new Promise<{ failed: string }>((resolve) => {
      const late = (): void => resolve({ failed: 'it was interrupted' });
      controller.signal.addEventListener('abort', () => clock.after(STOP_MS, late), { once: true });
    });
    const { signal } = controller;
    const summary = summarise({
      loop: state().loops.get(loopId) as LoopState,
      models,
      budget,
      signal,
      retrying: (attempt) => signal.aborted || publish({ type: 'InferenceRetrying', loopId, ...attempt }),
    });
    const result = await Promise.race([summary, deaf]);
    this.#compactions.delete(loopId);
    const reply = await post({ type: 'endCompaction', loopId, result });
    const saved = reply.type === 'done' ? undefined : 'the summary could not be saved';
    this.#answerCompaction(loopId, 'failed' in result ? result.failed : saved);
  }

  #answerCompaction(loopId: LoopId, why: string | undefined): void {
    const waiting = this.#awaiting.get(loopId) ?? [];
    this.#awaiting.delete(loopId);
    for (const settle of waiting) settle(why);
  }

  /** Settles when the loop's compaction that runs or is due is over: undefined, or why there was none. */
  compaction(loopId: LoopId): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#awaiting.set(loopId, [...(this.#awaiting.get(loopId) ?? []), resolve]);
    });
  }

  #run(loopId: LoopId, turnId: TurnId): void {
    const controller = new AbortController();
    const turn: LiveTurn = {
      controller,
      over: false,
      cancelDeadline: () => undefined,
      done: Promise.resolve(),
    };
    this.#turns.set(turnId, turn);
    turn.done = runTurn(this.#scope(loopId, turnId, turn)).finally(() => {
      turn.cancelDeadline();
      this.#turns.delete(turnId);
    });
  }

  #stop(loopId: LoopId, turnId: TurnId): void {
    const turn = this.#turns.get(turnId);
    if (!turn) return;
    turn.cancelDeadline = this.#around.clock.after(STOP_MS, () => {
      turn.over = true;
      void this.#around.post({ type: 'endTurn', loopId, turnId, outcome: { type: 'interrupted' } });
    });
    turn.controller.abort(new StoppedError());
  }

  #abandon(turnId: TurnId): void {
    const turn = this.#turns.get(turnId);
    if (!turn) return;
    turn.over = true;
    turn.controller.abort(new StoppedError());
  }

  #scope(loopId: LoopId, turnId: TurnId, turn: LiveTurn): TurnScope {
    const around = this.#around;
    const loop = (): LoopState => around.state().loops.get(loopId) as LoopState;
    return {
      ...around,
      tools: around.tools(),
      notices: this.#notices,
      loopId,
      turnId,
      turnIndex: loop().turn?.index ?? 0,
      signal: turn.controller.signal,
      loop,
      post: (input) => {
        // the end of a Turn is said once: whatever it does after that stays unseen
        if (input.type === 'endTurn') turn.over = true;
        return around.post(input);
      },
      publish: (event) => {
        if (!turn.over && loop().turn?.id === turnId) around.publish(event);
      },
      gate: (toolExecutionId) => this.#gate(toolExecutionId, turn.controller.signal),
      sessionGrants: () => around.state().grants,
      uniqueId: (wanted) => this.#uniqueId(loop(), wanted),
    };
  }

  #settle(toolExecutionId: string, decision: GateDecision): void {
    const waiting = this.#gates.get(toolExecutionId);
    if (typeof waiting === 'function') waiting(decision);
    else this.#gates.set(toolExecutionId, decision);
  }

  #gate(toolExecutionId: string, signal: AbortSignal): Promise<GateDecision> {
    const early = this.#gates.get(toolExecutionId);
    if (early && typeof early !== 'function') {
      this.#gates.delete(toolExecutionId);
      return Promise.resolve(early);
    }
    return new Promise<GateDecision>((resolve, reject) => {
      const stop = (): void => {
        this.#gates.delete(toolExecutionId);
        reject(new StoppedError());
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#gates.set(toolExecutionId, (decision) => {
        signal.removeEventListener('abort', stop);
        this.#gates.delete(toolExecutionId);
        resolve(decision);
      });
    });
  }

  #uniqueId(loop: LoopState, wanted: string): string {
    const ids = this.#toolUseIds.get(loop.id) ?? new Set<string>();
    this.#toolUseIds.set(loop.id, ids);
    const base = wanted || `call_${this.#around.newId().replaceAll('-', '')}`;
    let id = base;
    for (let n = 2; ids.has(id); n += 1) id = `${base}_${n}`;
    ids.add(id);
    return id;
  }
}
