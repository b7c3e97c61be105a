/**
 * A transition under way: what is emitted is evolved at once, so that a decision sees the state that its own earlier
 * events have made.
 */
import type { Command } from '../domain/command.ts';
import { journaledCommands } from '../domain/command.ts';
import type { EventBody } from '../domain/event.ts';
import type { LoopId, ToolExecutionId, TurnId } from '../domain/identity.ts';
import { type Change, evolve } from './evolve.ts';
import type { CompactionState, LoopState, SessionState } from './state.ts';

/** What the shell is to do once the changes of a transition are on disk. */
export type Effect =
  | { type: 'runTurn'; loopId: LoopId; turnId: TurnId }
  /** Aborts the Turn; it still says how it ended. */
  | { type: 'stopTurn'; loopId: LoopId; turnId: TurnId }
  /** Aborts the Turn, whose terminal is already there. */
  | { type: 'abandonTurn'; loopId: LoopId; turnId: TurnId }
  | { type: 'settleGate'; toolExecutionId: ToolExecutionId; decision: GateDecision }
  /** Asks once more, behind all that waits in the mailbox, whether the session can stop. */
  | { type: 'closeWhenQuiet' }
  | { type: 'compact'; loopId: LoopId }
  | { type: 'stopCompaction'; loopId: LoopId }
  /** A Compact that waited will not be carried out. */
  | { type: 'refuseCompaction'; loopId: LoopId; reason: string }
  | { type: 'finish' };

export type GateDecision = { effect: 'approve'; answer?: string } | { effect: 'deny'; reason?: string };

/** What one input changes, and what the shell is then to do. */
export class Transition {
  state: SessionState;
  /** In order. Enduring events and journaled commands are appended; the rest is live only. */
  readonly changes: Change[] = [];
  readonly effects: Effect[] = [];

  constructor(state: SessionState) {
    this.state = state;
  }

  emit(event: EventBody): void {
    this.#add({ event });
  }

  /** A command that changes state by itself. */
  accept(command: Command): void {
    this.#add({ command });
  }

  /** Begins the end of the session; live only. */
  close(how: 'shutdown' | 'drain'): void {
    this.state = { ...this.state, closing: this.state.closing ?? how };
  }

  /** Live only. */
  compaction(loopId: LoopId, compaction: CompactionState): void {
    const loops = new Map(this.state.loops).set(loopId, { ...this.loop(loopId), compaction });
    this.state = { ...this.state, loops };
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  loop(loopId: LoopId): LoopState {
    const loop = this.state.loops.get(loopId);
    if (!loop) throw new RangeError(`no loop ${loopId}`);
    return loop;
  }

  #add(change: Change): void {
    this.state = evolve(this.state, change);
    this.changes.push(change);
  }
}

/** Whether a change has a record in the journal, given the enduring events. */
export const isJournaledCommand = (change: Change): boolean =>
  'command' in change && journaledCommands[change.command.type];
