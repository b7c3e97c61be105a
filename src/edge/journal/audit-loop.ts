/**
 * The rules of one loop, checked over its records: its queue, its turns, its steps and its gates (contract: Rules of the
 * runtime). Shares nothing with the runtime on purpose: it is the second opinion.
 */
import type { MoveQueuedInput, SetQueuedInput, UserInput } from '../../domain/command.ts';
import { addUsage, toolUsesOf, type Usage, ZERO_USAGE } from '../../domain/content.ts';
import type {
  LoopIdle,
  PermissionDecided,
  PermissionRequested,
  UserInputRequested,
} from '../../domain/runtime-event.ts';
import type {
  InputCancelled,
  Resolution,
  StepDone,
  Terminal,
  TurnFoldedInto,
  TurnStarted,
} from '../../domain/turn-event.ts';
import { GateAudit } from './audit-gates.ts';
import { fail, nameOf } from './audit-rule.ts';
import { same } from './same.ts';

export interface Entry {
  seq: number;
  command: UserInput;
  noFold: boolean;
}

interface TurnAudit {
  id: string;
  index: number;
  usage: Usage;
  /** The last of its events that matters for what may follow. */
  last: 'start' | 'tool step' | 'fold' | 'gate' | 'final step';
  /** Inputs that must fold before anything else of the turn. */
  due: string[];
  answer: StepDone['messages'][0] | undefined;
}

type Gated = PermissionRequested | UserInputRequested | PermissionDecided;

export class LoopAudit {
  queue: Entry[] = [];
  turn: TurnAudit | undefined;
  turns = 0;
  steps = 0;
  /** A turn ran since the last LoopIdle. */
  worked = false;
  readonly stepIds = new Set<string>();
  readonly gates = new GateAudit();
  readonly #turnIds = new Set<string>();
  #ended: Terminal | undefined;
  /** Inputs that the last terminal must give back, in order. */
  #owed: string[] = [];
  /** LoopIdle came after a TurnDone with inputs in the queue: right only where the session ended then. */
  #idleOver: string | undefined;

  /** `copied`: perhaps in a fork, where an input stands right before what resolved it, however long it was queued. */
  accept(seq: number, command: UserInput, copied: boolean): void {
    const waits = this.queue.length > 0;
    if (!this.turn && this.worked && !waits && !copied)
      fail(`${nameOf(command)} was accepted while LoopIdle is missing`);
    this.queue.push({ seq, command, noFold: command.noFold === true });
  }

  find(commandId: string): Entry | undefined {
    return this.queue.find(({ command }) => command.commandId === commandId);
  }

  move({ targetCommandId: target, beforeCommandId: before }: MoveQueuedInput): void {
    const entry = this.find(target) ?? fail(`a move of input ${target}, which is not queued`);
    const rest = this.queue.filter((other) => other !== entry);
    const at = before === undefined ? rest.length : rest.findIndex(({ command }) => command.commandId === before);
    if (at === -1) fail(`a move before input ${before}, which is not queued`);
    this.queue = [...rest.slice(0, at), entry, ...rest.slice(at)];
  }

  mark({ targetCommandId, noFold }: SetQueuedInput): void {
    const entry = this.find(targetCommandId) ?? fail(`a change of input ${targetCommandId}, which is not queued`);
    entry.noFold = noFold;
  }

  /** What was said of an accepted input must be what was accepted. */
  #resolve(event: Exclude<Resolution, { type: 'TurnRejected' }>): Entry {
    const { commandId, agency } = event.cause;
    const entry = this.find(commandId) ?? fail(`${event.type} of input ${commandId}, which is not in the queue`);
    if (entry.command.agency !== agency) fail(`${event.type} says agency ${agency}, its input ${entry.command.agency}`);
    if (!same(event.message.blocks, entry.command.blocks)) fail(`${event.type} carries another message than its input`);
    this.queue = this.queue.filter((other) => other !== entry);
    return entry;
  }

  #front(event: TurnStarted | TurnFoldedInto): void {
    const [front] = this.queue;
    if (this.find(event.cause.commandId) && front && front.command.commandId !== event.cause.commandId) {
      fail(`${event.type} of input ${event.cause.commandId} before ${nameOf(front.command)}, which is in front of it`);
    }
  }

  start(event: TurnStarted): void {
    if (this.turn) fail(`TurnStarted while turn ${this.turn.index} has no terminal`);
    if (event.turnIndex !== this.turns + 1) fail(`turn_index ${event.turnIndex}, expected ${this.turns + 1}`);
    if (this.#turnIds.has(event.turnId)) fail('TurnStarted repeats the id of an earlier turn');
    if (this.#idleOver) fail(this.#idleOver);
    this.#settled('TurnStarted');
    if (this.#ended?.type === 'TurnFailed' && this.worked) fail('TurnStarted after TurnFailed without LoopIdle');
    this.#front(event);
    this.#resolve(event);
    this.#turnIds.add(event.turnId);
    this.turns += 1;
    this.worked = true;
    this.turn = {
      id: event.turnId,
      index: event.turnIndex,
      usage: ZERO_USAGE,
      last: 'start',
      due: [],
      answer: undefined,
    };
  }

  /** Everything that a terminal gives back must be back before the loop goes on or comes to rest. */
  #settled(what: string): void {
    const [first] = this.#owed;
    if (first) fail(`${what} before input ${first} was returned after ${this.#ended?.type}`);
  }

  #open(event: { type: string; turnId: string; turnIndex?: number }): TurnAudit {
    const turn = this.turn ?? fail(`${event.type} outside a turn`);
    if (turn.id !== event.turnId) fail(`${event.type} of another turn than the open one`);
    if (event.turnIndex !== undefined && event.turnIndex !== turn.index) {
      fail(`${event.type} has turn_index ${event.turnIndex}, its turn ${turn.index}`);
    }
    const [due] = turn.due;
    if (due && event.type !== 'TurnFoldedInto')
      fail(`${event.type} before input ${due} was folded after its tool step`);
    return turn;
  }

  fold(event: TurnFoldedInto): void {
    const turn = this.#open(event);
    if (turn.last !== 'tool step' && turn.last !== 'fold')
      fail(`TurnFoldedInto after a ${turn.last}, not after a tool step`);
    this.#front(event);
    if (this.#resolve(event).noFold) fail(`input ${event.cause.commandId} was folded although it is held (no_fold)`);
    turn.due.shift();
    turn.last = 'fold';
  }

  commit(event: StepDone): void {
    const turn = this.#open(event);
    if (turn.last === 'final step') fail('StepDone after the final step of its turn');
    if (this.gates.open) fail('StepDone while a gate is open');
    if (this.stepIds.has(event.stepId)) fail('StepDone repeats the id of an earlier step');
    this.stepIds.add(event.stepId);
    const [answer] = event.messages;
    turn.answer = answer;
    turn.usage = addUsage(turn.usage, answer.usage ?? ZERO_USAGE);
    this.steps += 1;
    if (toolUsesOf(answer).length === 0) {
      turn.last = 'final step';
      return;
    }
    turn.last = 'tool step';
    const boundary = this.queue.findIndex(({ noFold }) => noFold);
    const leading = boundary === -1 ? this.queue : this.queue.slice(0, boundary);
    turn.due = leading.map(({ command }) => command.commandId);
  }

  /** `synthetic`: made for a turn that was cut off, wherever it stood. */
  end(event: Terminal, synthetic: boolean): void {
    if (this.turn && synthetic) this.turn.due = [];
    const turn = this.#open(event);
    if (this.gates.open) fail(`${event.type} while a gate is open`);
    if (event.type !== 'TurnDone' && turn.last === 'final step' && !synthetic)
      fail(`${event.type} after the final step of its turn`);
    if (event.type === 'TurnDone') {
      if (turn.last !== 'final step') fail(`TurnDone after a ${turn.last}, not after the commit of a final answer`);
      if (!same(event.message, turn.answer)) fail('TurnDone carries another message than its last step');
      if (!same(event.usage, turn.usage)) fail('TurnDone carries another usage than the sum of its steps');
    }
    const owed = this.queue.filter(({ command }) => event.type === 'TurnFailed' || command.agency === 'machine');
    this.#owed = event.type === 'TurnDone' ? [] : owed.map(({ command }) => command.commandId);
    this.#ended = event;
    this.turn = undefined;
  }

  cancel(event: InputCancelled): Entry {
    const { reason, turnId, cause } = event;
    const ended = this.#ended;
    if (reason !== 'client_retracted') {
      if (this.turn) fail(`InputCancelled{${reason}} while a turn of its loop is open`);
      const at = this.#owed.indexOf(cause.commandId);
      if (at > 0) fail(`input ${cause.commandId} was returned before ${this.#owed[0]}, which is in front of it`);
      const by = reason === 'turn_failed' ? 'TurnFailed' : 'TurnInterrupted';
      if (at === 0 && (ended?.type !== by || turnId !== ended.turnId)) {
        fail(`InputCancelled{${reason}} does not name the ${ended?.type} that returned its input`);
      }
      if (turnId && (ended?.type !== by || ended.turnId !== turnId || ended.turnIndex !== event.turnIndex)) {
        fail(`InputCancelled{${reason}} names a turn that is not the last one that ended so`);
      }
    }
    const entry = this.#resolve(event);
    this.#owed = this.#owed.filter((id) => id !== cause.commandId);
    if (this.turn) this.turn.due = this.turn.due.filter((id) => id !== cause.commandId);
    return entry;
  }

  idle(event: LoopIdle, restoring: boolean): void {
    if (this.turn) fail(`${event.type} while turn ${this.turn.index} is open`);
    if (!this.worked) fail('LoopIdle without a turn since the last one');
    this.#settled('LoopIdle');
    this.worked = false;
    if (this.#ended?.type === 'TurnDone' && this.queue.length > 0 && !restoring) {
      this.#idleOver = `LoopIdle came after TurnDone although ${nameOf(this.queue[0]!.command)} was queued`;
    }
  }

  gate(event: Gated): void {
    const turn = this.#open(event);
    if (turn.last === 'final step') fail(`${event.type} after the final step of its turn`);
    if (this.stepIds.has(event.stepId)) fail(`${event.type} of a step that is committed already`);
    turn.last = 'gate';
    if (event.type === 'PermissionDecided') this.gates.decide(event);
    else this.gates.request(event);
  }

  /** A new process: what the old one had still to do at once is settled by the restore instead. */
  restore(): void {
    this.#idleOver = undefined;
  }

  /** At the end of a restore and of a session nothing may be left half done. */
  rest(what: string): void {
    if (this.turn) fail(`${what} while turn ${this.turn.index} has no terminal`);
    this.#settled(what);
    if (this.worked) fail(`${what} while LoopIdle is missing`);
  }
}
