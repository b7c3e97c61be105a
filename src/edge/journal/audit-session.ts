/**
 * The rules of a session, checked record by record: numbers, ids, life, restore, and which input is resolved how often.
 * The rules of its loops stand in audit-loop.
 */
import type { JournaledCommand, UserInput } from '../../domain/command.ts';
import { coordinatesOf, type Event, type EventType, isReply } from '../../domain/event.ts';
import type { JournalRecord } from '../../runtime/ports.ts';
import { EnvelopeAudit } from './audit-envelope.ts';
import { LifeAudit } from './audit-life.ts';
import { LoopAudit } from './audit-loop.ts';
import { fail, nameOf } from './audit-rule.ts';

export interface AuditSummary {
  sessionId: string;
  records: number;
  loops: number;
  turns: number;
  steps: number;
  /** Accepted inputs. */
  inputs: number;
  /** Inputs that were refused before they were accepted. */
  rejected: number;
  stopped: boolean;
  /** What stands open at the end: no fault. */
  open: string[];
}
export interface AuditFault {
  /** The first record that breaks a rule. */
  seq: number;
  why: string;
}
export type AuditResult = { ok: AuditSummary } | { fault: AuditFault };

export class SessionAudit {
  #seq = 0;
  readonly #envelope = new EnvelopeAudit();
  #forked = false;
  readonly #life = new LifeAudit();
  #activeLoopId = '';
  readonly #loops = new Map<string, LoopAudit>();
  readonly #accepted = new Set<string>();
  readonly #otherIds = new Set<string>();
  #rejected = 0;
  /** An input that came to an idle loop: the next record starts it. */
  /** Loops that have committed a Step. */
  readonly #stepped = new Set<string>();
  #starting: { loopId: string; commandId: string } | undefined;

  take(record: JournalRecord): AuditFault | undefined {
    const expected = this.#seq + 1;
    try {
      if (record.seq > expected) fail(`record ${expected} is missing, ${record.seq} stands in its place`);
      if (record.seq < expected) fail(`record ${record.seq} stands there again`);
      this.#seq = expected;
      if ('command' in record) this.#command(record.command);
      else this.#event(record.event);
      return undefined;
    } catch (error) {
      return { seq: expected, why: (error as Error).message };
    }
  }

  finish(): AuditResult {
    if (this.#life.phase === 'new') return { fault: { seq: 1, why: 'the journal holds no record' } };
    const loops = [...this.#loops.values()];
    const sum = (count: (loop: LoopAudit) => number): number => loops.reduce((total, loop) => total + count(loop), 0);
    return {
      ok: {
        sessionId: this.#envelope.sessionId,
        records: this.#seq,
        loops: loops.length,
        turns: sum((loop) => loop.turns),
        steps: sum((loop) => loop.steps),
        inputs: this.#accepted.size,
        rejected: this.#rejected,
        stopped: this.#life.phase === 'stopped',
        open: this.#open(loops),
      },
    };
  }

  #open(loops: LoopAudit[]): string[] {
    const open = loops.flatMap(({ turn, queue, gates }) => [
      ...(turn ? [`turn ${turn.index} has no terminal`] : []),
      ...(turn && gates.open ? [`a gate of turn ${turn.index} is open`] : []),
      ...queue.map(({ command, seq }) => `${nameOf(command)} of record ${seq} is queued`),
    ]);
    return this.#life.restoring ? ['a restore was begun and not finished', ...open] : open;
  }

  #command(command: JournaledCommand): void {
    this.#awaitStart(command.type);
    this.#life.command(command);
    if (this.#isUsed(command.commandId)) fail(`the command id ${command.commandId} was used before`);
    if (command.type === 'UserInput') {
      this.#input(command);
      return;
    }
    this.#otherIds.add(command.commandId);
    const { targetCommandId: target } = command;
    const loop =
      this.#loopList().find((each) => each.find(target)) ??
      fail(`${command.type} of input ${target}, which is not queued`);
    if (command.type === 'MoveQueuedInput') loop.move(command);
    else loop.mark(command);
  }

  #input(command: UserInput): void {
    const loopId = command.loopId ?? this.#activeLoopId;
    const loop = this.#loop(loopId, nameOf(command));
    // with inputs queued and no turn a history is being summarised before they start
    const waiting = this.#loopList().some(({ queue }) => queue.length > 0);
    if (this.#life.active && !this.#busy() && !waiting && !this.#forked)
      fail(`${nameOf(command)} was accepted while SessionIdle is missing`);
    loop.accept(this.#seq, command, this.#forked);
    this.#accepted.add(command.commandId);
    const [front] = loop.queue;
    // once there is a history, an idle loop may be summarising it: then the input waits
    const idle = !loop.turn && !this.#stepped.has(loopId);
    const starts = idle && (loop.queue.length === 1 || command.agency === 'user');
    if (starts && front) this.#starting = { loopId, commandId: front.command.commandId };
  }

  #isUsed(id: string): boolean {
    return this.#accepted.has(id) || this.#otherIds.has(id);
  }

  #loopList(): LoopAudit[] {
    return [...this.#loops.values()];
  }

  #busy(): boolean {
    return this.#loopList().some((loop) => loop.turn);
  }

  #loop(id: string, what: string): LoopAudit {
    return this.#loops.get(id) ?? fail(`${what} of a loop that was never started`);
  }

  /** Idle: the input starts a turn, or is returned; a crash may come between. */
  #awaitStart(type: string, loopId?: string): void {
    if (!this.#starting || type === 'SessionActive') return;
    const { commandId, loopId: expected } = this.#starting;
    const starts = (type === 'TurnStarted' || type === 'InputCancelled') && loopId === expected;
    if (!starts && type !== 'RestoreStarted')
      fail(`${type} before input ${commandId} was started, although its loop was idle`);
    this.#starting = undefined;
  }

  #event(event: Event): void {
    this.#envelope.check(event);
    this.#life.event(event.type);
    const { loopId, cause } = coordinatesOf(event);
    this.#awaitStart(event.type, loopId);
    if (event.type === 'StepDone') this.#stepped.add(event.loopId);
    if (isReply(event)) this.#correlated(event.type, event.cause.commandId);
    else if (cause) this.#otherIds.add(cause.commandId);
    this.#apply(event);
  }

  /** Exactly once: an accepted input is resolved by three of the replies, a refused one by TurnRejected alone (S). */
  #correlated(type: EventType, id: string): void {
    if (type === 'TurnRejected') {
      if (this.#isUsed(id)) fail(`TurnRejected of input ${id}, whose id was used before`);
      this.#otherIds.add(id);
      this.#rejected += 1;
      return;
    }
    if (!this.#accepted.has(id)) fail(`${type} of input ${id}, which was never accepted`);
    if (!this.#loopList().some((loop) => loop.find(id))) fail(`${type} of input ${id}, which was resolved before`);
  }

  #apply(event: Event): void {
    switch (event.type) {
      case 'SessionStarted':
        this.#forked = event.forkedFrom !== undefined;
        return;
      case 'RestoreStarted':
      case 'RestoreDone':
      case 'SessionStopped':
      case 'SessionActive':
      case 'SessionIdle':
        this.#life.mark(event.type, this.#loopList());
        return;
      case 'LoopStarted':
        if (this.#loops.has(event.loopId)) fail('LoopStarted of a loop that was started before');
        this.#loops.set(event.loopId, new LoopAudit());
        this.#activeLoopId ||= event.loopId;
        return;
      case 'ActiveLoopChanged':
        if (event.previousLoopId !== this.#activeLoopId)
          fail('ActiveLoopChanged from a loop that was not the active one');
        this.#loop(event.activeLoopId, event.type);
        this.#activeLoopId = event.activeLoopId;
        return;
      case 'SessionRenamed':
      case 'RestoreErrored':
        return;
      default:
        this.#ofLoop(this.#loop(event.loopId, event.type), event);
    }
  }

  #ofLoop(loop: LoopAudit, event: Extract<Event, { loopId: string }>): void {
    const { restoring } = this.#life;
    switch (event.type) {
      case 'TurnStarted':
        loop.start(event);
        return;
      case 'TurnFoldedInto':
        loop.fold(event);
        return;
      case 'StepDone':
        loop.commit(event);
        return;
      case 'TurnDone':
      case 'TurnFailed':
      case 'TurnInterrupted':
        loop.end(event, restoring || this.#forked);
        return;
      case 'InputCancelled':
        this.#life.returned(loop.cancel(event).command, event);
        return;
      case 'LoopIdle':
        loop.idle(event, restoring);
        return;
      case 'PermissionDecided':
        if (restoring && event.source !== 'abandoned') fail(`PermissionDecided by ${event.source} in a restore`);
        loop.gate(event);
        return;
      case 'PermissionRequested':
      case 'UserInputRequested':
        loop.gate(event);
        return;
      case 'HistoryCompacted':
        if (loop.turn) fail('HistoryCompacted while a turn is open');
        if (event.keptFromStepId && !loop.stepIds.has(event.keptFromStepId))
          fail('HistoryCompacted keeps a step that was never committed');
        return;
      default:
        return;
    }
  }
}
