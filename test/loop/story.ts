/** Random histories of one session, made by `decide` alone: what the property tests fold, cut and audit. */
import fc from 'fast-check';
import type { Command } from '../../src/domain/command.ts';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import { isEnduring } from '../../src/domain/event.ts';
import { JournalError, ProviderError } from '../../src/domain/failure.ts';
import type { StepDone } from '../../src/domain/turn-event.ts';
import { compactionPlan } from '../../src/loop/compaction.ts';
import { decide, type Input, type Reply, type Rules } from '../../src/loop/decide.ts';
import { decideFailure } from '../../src/loop/decide-failure.ts';
import type { Change } from '../../src/loop/evolve.ts';
import { newSession, type SessionState } from '../../src/loop/state.ts';
import { isJournaledCommand } from '../../src/loop/transition.ts';

export const isJournaled = (change: Change): boolean =>
  'event' in change ? isEnduring(change.event) : isJournaledCommand(change);

/** One thing that may happen; what it means depends on the state it meets. `loop` and `pick` choose among what is there. */
export type Happening =
  | { do: 'input'; agency: 'user' | 'machine'; noFold: boolean; loop: number }
  | { do: 'retract' | 'hold' | 'fold' | 'sendNow'; pick: number }
  | { do: 'move'; pick: number; before: number }
  | { do: 'interrupt' | 'resume'; loop: number; all: boolean }
  | { do: 'commit'; loop: number; calls: number; bad: boolean }
  | { do: 'end'; loop: number; failed: boolean }
  | { do: 'gate'; loop: number }
  | { do: 'answer'; deny: boolean; scope: 'once' | 'session' }
  | { do: 'compact' | 'summarised'; loop: number; failed: boolean }
  | { do: 'startLoop' | 'activate' | 'drain' | 'shutdown' | 'close'; loop: number };

const small = fc.nat({ max: 5 });
const agency = fc.constantFrom('user' as const, 'machine' as const);
const input = fc.record({ do: fc.constant('input' as const), agency, noFold: fc.boolean(), loop: small });
const ending = fc.record({ do: fc.constantFrom('drain' as const, 'shutdown' as const, 'close' as const), loop: small });

/** `endings`: whether the session may be drained or shut down on the way. */
export const happenings = (endings = true): fc.Arbitrary<Happening[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: input },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('commit' as const),
          loop: small,
          calls: fc.nat({ max: 2 }),
          bad: fc.boolean(),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), loop: small, failed: fc.boolean() }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constantFrom('retract' as const, 'hold' as const, 'fold' as const, 'sendNow' as const),
          pick: small,
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), pick: small, before: small }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constantFrom('interrupt' as const, 'resume' as const),
          loop: small,
          all: fc.boolean(),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('gate' as const), loop: small }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('answer' as const),
          deny: fc.boolean(),
          scope: fc.constantFrom('once' as const, 'session' as const),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constantFrom('startLoop' as const, 'activate' as const), loop: small }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constantFrom('compact' as const, 'summarised' as const),
          loop: small,
          failed: fc.boolean(),
        }),
      },
      ...(endings ? [{ weight: 1, arbitrary: ending }] : []),
    ),
    { minLength: 1, maxLength: 60 },
  );

export interface Step {
  input: Input;
  reply: Reply;
  before: SessionState;
  changes: readonly Change[];
  after: SessionState;
}

export class Story {
  state: SessionState;
  readonly steps: Step[] = [];
  readonly rules: Rules;
  readonly submitted: { commandId: string; noFold: boolean; agency: string }[] = [];
  #ids = 0;

  constructor(rules: Partial<Rules> = {}, state?: SessionState) {
    this.rules = {
      inboxLimit: 4,
      afterInterrupt: 'pause',
      newId: () => `id-${++this.#ids}`,
      limitsOf: () => ({ budget: 40, compactAt: 60 }),
      ...rules,
    };
    this.state = state ?? newSession('session');
    if (!state) this.take({ type: 'start', model: 'm', provider: 'p', cwd: '/', appVersion: '0', agentName: 'main' });
  }

  /** `lost`: the append of this transition fails, and the contract's answer to that is taken instead. */
  take(input: Input, lost = false): Step | undefined {
    let decision = decide(this.state, input, this.rules);
    if (lost && decision.transition.changes.some(isJournaled)) {
      decision = decideFailure(this.state, input, new JournalError('full')) ?? decision;
    }
    const step = {
      input,
      reply: decision.reply,
      before: this.state,
      changes: decision.transition.changes,
      after: decision.transition.state,
    };
    this.state = step.after;
    this.steps.push(step);
    if (decision.transition.effects.some(({ type }) => type === 'closeWhenQuiet')) this.take({ type: 'close' });
    return step;
  }

  get changes(): Change[] {
    return this.steps.flatMap(({ changes }) => changes);
  }

  play(happening: Happening, lost = false): void {
    const input = this.#inputOf(happening);
    if (input) this.take(input, lost);
  }

  #inputOf(happening: Happening): Input | undefined {
    const loops = [...this.state.loops.values()];
    const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
    const command = (command: Omit<Command, 'commandId' | 'agency'> & Record<string, unknown>): Input => ({
      type: 'command',
      command: { commandId: `c${++this.#ids}`, agency: 'user', ...command } as Command,
    });
    const queued = loops.flatMap(({ inbox }) => inbox.map(({ commandId }) => commandId));
    const loop = 'loop' in happening ? at(loops, happening.loop) : undefined;
    switch (happening.do) {
      case 'input': {
        const { agency, noFold } = happening;
        const made = command({ type: 'UserInput', agency, noFold, blocks: [], loopId: loop?.id });
        this.submitted.push((made as { command: { commandId: string; noFold: boolean; agency: string } }).command);
        return made;
      }
      case 'retract':
        return command({ type: 'CancelQueuedInput', targetCommandId: at(queued, happening.pick) ?? 'nobody' });
      case 'hold':
      case 'fold':
        return command({
          type: 'SetQueuedInput',
          targetCommandId: at(queued, happening.pick) ?? 'nobody',
          noFold: happening.do === 'hold',
        });
      case 'sendNow':
        return command({ type: 'SendQueuedInput', targetCommandId: at(queued, happening.pick) ?? 'nobody' });
      case 'move':
        return command({
          type: 'MoveQueuedInput',
          targetCommandId: at(queued, happening.pick) ?? 'nobody',
          beforeCommandId: at([...queued, undefined], happening.before),
        });
      case 'interrupt':
      case 'resume':
        return command({
          type: happening.do === 'resume' ? 'ResumeQueue' : 'Interrupt',
          ...(!happening.all && { loopId: loop?.id }),
        });
      case 'commit':
        return loop?.turn && !loop.turn.gate ? this.#commit(loop.id, loop.turn.id, happening) : undefined;
      case 'end': {
        if (!loop?.turn) return undefined;
        const outcome = happening.failed
          ? ({ type: 'failed', err: new ProviderError('provider_unavailable', 'gone') } as const)
          : ({ type: 'interrupted' } as const);
        return { type: 'endTurn', loopId: loop.id, turnId: loop.turn.id, outcome };
      }
      case 'gate':
        return loop?.turn && !loop.turn.gate ? this.#gate(loop.id, loop.turn.id) : undefined;
      case 'answer': {
        const toolExecutionId = loops.find(({ turn }) => turn?.gate)?.turn?.gate?.toolExecutionId ?? 'nobody';
        return happening.deny
          ? command({ type: 'DenyToolCall', toolExecutionId })
          : command({ type: 'ApproveToolCall', toolExecutionId, scope: happening.scope });
      }
      case 'compact':
        return command({ type: 'Compact', loopId: loop?.id });
      case 'summarised': {
        if (loop?.compaction.is !== 'running') return undefined;
        const { keptFromStepId } = compactionPlan(loop.history) ?? {};
        const summary = {
          summary: 'short',
          usage: ZERO_USAGE,
          ...(keptFromStepId !== undefined && { keptFromStepId }),
        };
        return { type: 'endCompaction', loopId: loop.id, result: happening.failed ? { failed: 'no' } : summary };
      }
      case 'startLoop':
        return loops.length < 3 ? command({ type: 'StartLoop', agentName: 'more' }) : undefined;
      case 'activate':
        return command({ type: 'SetActiveLoop', loopId: loop?.id });
      case 'shutdown':
        return command({ type: 'Shutdown' });
      default:
        return { type: happening.do };
    }
  }

  #commit(loopId: string, turnId: string, { calls, bad }: { calls: number; bad: boolean }): Input {
    const uses = Array.from({ length: calls }, () => ({
      type: 'tool_use' as const,
      id: `u${++this.#ids}`,
      name: 'look',
      input: {},
    }));
    const messages: StepDone['messages'] = [
      {
        role: 'assistant',
        blocks: [{ type: 'text', text: 'said' }, ...uses],
        usage: { ...ZERO_USAGE, inputTokens: 2, outputTokens: 1 },
      },
      ...uses.map(({ id }) => ({
        role: 'tool' as const,
        blocks: [{ type: 'tool_result' as const, toolUseId: id, content: [], isError: bad }] as [never],
      })),
    ];
    return { type: 'commitStep', loopId, turnId, stepId: `s${++this.#ids}`, messages };
  }

  #gate(loopId: string, turnId: string): Input {
    const call = {
      loopId,
      turnId,
      stepId: `s${++this.#ids}`,
      toolExecutionId: `x${this.#ids}`,
      toolUseId: `u${this.#ids}`,
    };
    const request = {
      toolName: 'change',
      summary: 'change',
      detail: '',
      scopes: [{ scope: 'session' as const, covers: 'all' }],
    };
    return {
      type: 'requestPermission',
      call,
      access: { kind: 'change', detail: '', grants: [] },
      request,
      granted: false,
      mode: 'ask',
      attended: true,
    };
  }
}
