/** Journals as a running session writes them: a walk over the loop's decisions, driven by a tape of numbers. */
import type { Command, UserInput } from '../../../src/domain/command.ts';
import type { AssistantMessage } from '../../../src/domain/content.ts';
import { toolMessage, ZERO_USAGE } from '../../../src/domain/content.ts';
import { type Event, type EventBody, isEnduring } from '../../../src/domain/event.ts';
import { decide, type Input, type Rules } from '../../../src/loop/decide.ts';
import { evolve } from '../../../src/loop/evolve.ts';
import { type LoopState, newSession, type SessionState } from '../../../src/loop/state.ts';
import { isJournaledCommand } from '../../../src/loop/transition.ts';
import type { JournalRecord } from '../../../src/runtime/ports.ts';
import { user } from './records.ts';

export class Run {
  records: JournalRecord[] = [];
  #state: SessionState = newSession('session');
  #ids = 0;
  readonly #newId = () => `id-${++this.#ids}`;
  readonly #rules: Rules;
  readonly #tape: () => number;

  constructor(tape: readonly number[], afterInterrupt: 'pause' | 'start' = 'pause') {
    let at = 0;
    this.#tape = () => tape[at++] ?? 0;
    this.#rules = {
      inboxLimit: 4,
      afterInterrupt,
      newId: this.#newId,
      limitsOf: () => ({ budget: Number.POSITIVE_INFINITY, compactAt: Number.POSITIVE_INFINITY }),
    };
    this.#put({ type: 'start', model: 'm', provider: 'p', cwd: '/w', appVersion: '0', agentName: 'main' });
    while (at < tape.length) this.#move();
  }

  get stopped(): boolean {
    return this.#state.phase === 'stopped';
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#tape() % Math.max(1, from.length)];
  }

  #put(input: Input): void {
    const { transition } = decide(this.#state, input, this.#rules);
    this.#state = transition.state;
    for (const change of transition.changes) {
      const seq = this.records.length + 1;
      if ('event' in change) {
        if (isEnduring(change.event)) this.records.push({ seq, event: this.#stamp(change.event, seq) });
      } else if (isJournaledCommand(change)) this.records.push({ seq, command: change.command as UserInput });
    }
    for (const effect of transition.effects) if (effect.type === 'closeWhenQuiet') this.#put({ type: 'close' });
  }

  #stamp(event: EventBody, seq: number): Event {
    return {
      ...event,
      v: 1,
      sessionId: 'session',
      eventId: this.#newId(),
      createdAt: new Date(1.7e12 + seq).toISOString(),
    };
  }

  #command(
    body: Omit<Command, 'commandId' | 'agency'> & { type: Command['type'] },
    agency: 'user' | 'machine' = 'user',
  ): void {
    this.#put({ type: 'command', command: { ...body, commandId: this.#newId(), agency } as Command });
  }

  /** One thing that can happen. */
  #move(): unknown {
    if (this.stopped) return this.#crash();
    const loops = [...this.#state.loops.values()];
    const loop = this.#pick(loops)!;
    const waiting = loops.flatMap(({ inbox }) => inbox.map(({ commandId }) => commandId));
    switch (this.#tape() % 16) {
      case 0:
      case 1:
      case 2: {
        const noFold = this.#tape() % 3 === 0;
        const agency = this.#tape() % 3 === 0 ? 'machine' : 'user';
        return this.#command(
          { type: 'UserInput', blocks: user(this.#newId()).blocks, noFold, loopId: loop.id } as never,
          agency,
        );
      }
      case 3:
        return this.#command({
          type: 'MoveQueuedInput',
          targetCommandId: this.#pick(waiting) ?? 'none',
          beforeCommandId: this.#pick([undefined, ...waiting]),
        } as never);
      case 4:
        return this.#command({
          type: 'SetQueuedInput',
          targetCommandId: this.#pick(waiting) ?? 'none',
          noFold: this.#tape() % 2 === 0,
        } as never);
      case 5:
        return this.#command({ type: 'CancelQueuedInput', targetCommandId: this.#pick(waiting) ?? 'none' } as never);
      case 6:
        return this.#command({ type: 'Interrupt', loopId: loop.id } as never);
      case 7:
        return this.#command({ type: 'ResumeQueue' });
      case 8:
        return this.#tape() % 4 === 0 ? this.#administer(loop) : undefined;
      case 9:
        return this.#tape() % 6 === 0 ? this.#put({ type: 'drain' }) : undefined;
      case 10:
        return this.#tape() % 6 === 0 ? this.#command({ type: 'Shutdown' }) : undefined;
      case 11:
        return this.#tape() % 3 === 0 ? this.#crash() : undefined;
      default:
        return this.#turn(loop);
    }
  }

  #administer(loop: LoopState): unknown {
    switch (this.#tape() % 4) {
      case 0:
        return this.#state.loops.size < 3 ? this.#command({ type: 'StartLoop' }) : undefined;
      case 1:
        return this.#command({ type: 'SetActiveLoop', loopId: loop.id } as never);
      case 2:
        return this.#command({ type: 'SetModel', model: 'other' } as never);
      default:
        return this.#command({ type: 'RenameSession', name: 'name' } as never);
    }
  }

  /** What a running turn does next. */
  #turn(loop: LoopState): unknown {
    const { turn } = loop;
    if (!turn) return undefined;
    const at = { loopId: loop.id, turnId: turn.id };
    if (turn.stopping) return this.#put({ type: 'endTurn', ...at, outcome: { type: 'interrupted' } });
    if (turn.gate) {
      const { toolExecutionId } = turn.gate;
      if (this.#tape() % 2 === 0) return this.#command({ type: 'DenyToolCall', toolExecutionId } as never);
      return this.#command({ type: 'ApproveToolCall', toolExecutionId, scope: 'session' } as never);
    }
    const stepId = this.#newId();
    const usage = { ...ZERO_USAGE, inputTokens: 1 + (this.#tape() % 50), outputTokens: 2 };
    const answer: AssistantMessage = { role: 'assistant', blocks: [{ type: 'text', text: stepId }], usage };
    switch (this.#tape() % 5) {
      case 0:
        return this.#put({ type: 'endTurn', ...at, outcome: { type: 'failed', err: new Error('x') } });
      case 1: {
        const call = { ...at, stepId, toolExecutionId: this.#newId(), toolUseId: 'call' };
        const grants = [{ scope: 'session' as const, covers: 'all' }];
        const request = { toolName: 't', summary: 's', detail: 'd', scopes: grants };
        const access = { kind: 'change' as const, detail: 'd', grants };
        const mode = this.#pick(['ask', 'ask', 'auto', 'deny'] as const)!;
        return this.#put({ type: 'requestPermission', call, access, request, granted: false, mode, attended: true });
      }
      case 2:
        return this.#put({ type: 'commitStep', ...at, stepId, messages: [answer] });
      default: {
        const id = this.#newId();
        const asked: AssistantMessage = {
          ...answer,
          blocks: [...answer.blocks, { type: 'tool_use', id, name: 't', input: {} }],
        };
        return this.#put({ type: 'commitStep', ...at, stepId, messages: [asked, toolMessage(id, 'r')] });
      }
    }
  }

  /** kill -9: perhaps the last records were never written; then a restore from what is there. */
  #crash(): void {
    const lost = this.stopped ? 0 : this.#tape() % 3;
    this.records.length = Math.max(2, this.records.length - lost);
    this.#state = this.records.reduce((state, record) => evolve(state, record), newSession('session'));
    if (this.#state.phase !== 'stopped' || this.#tape() % 2 === 0) this.#put({ type: 'restore' });
  }
}
