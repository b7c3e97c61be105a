/**
 * Proves a journal from its records alone (contract: Durability, audit). The rules of a loop stand in audit-loop; here
 * are those of the session: numbers, ids, life, restore, and who may still be waiting at the end.
 */
import type { JournaledCommand, UserInput } from '../../domain/command.ts';
import { coordinatesOf, type Event, type EventType, isEnduring, isReply } from '../../domain/event.ts';
import { validateEvent } from '../../domain/validation.ts';
import type { JournalRecord } from '../../runtime/ports.ts';
import { AuditFaultError, fail, LoopAudit, nameOf } from './audit-loop.ts';

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

/** Pure. Stops at the first fault. */
export function audit(records: Iterable<JournalRecord>): AuditResult {
  const session = new SessionAudit();
  for (const record of records) {
    const fault = session.take(record);
    if (fault) return { fault };
  }
  return session.finish();
}

/** What may stand between RestoreStarted and RestoreDone: what settles the past. */
const SETTLING = new Set<EventType>([
  'RestoreStarted',
  'RestoreDone',
  'TurnInterrupted',
  'InputCancelled',
  'PermissionDecided',
  'LoopIdle',
  'SessionIdle',
  'ModelChanged',
]);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The same, record by record, for journals that are not held in memory. */
export class SessionAudit {
  #seq = 0;
  #sessionId = '';
  #phase: 'new' | 'running' | 'restoring' | 'stopped' = 'new';
  #activeLoopId = '';
  #active = false;
  readonly #loops = new Map<string, LoopAudit>();
  readonly #eventIds = new Set<string>();
  readonly #accepted = new Set<string>();
  readonly #otherIds = new Set<string>();
  #rejected = 0;
  /** An input that came to an idle loop: the next record starts it. */
  #starting: { loopId: string; commandId: string } | undefined;
  /** Inputs were returned as only the end of a session returns them: nothing may start any more. */
  #ending = false;

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
      const seq = expected;
      if (error instanceof AuditFaultError) return { seq, why: error.message };
      return { seq, why: (error as Error).message };
    }
  }

  finish(): AuditResult {
    if (this.#phase === 'new') return { fault: { seq: 1, why: 'the journal holds no record' } };
    const loops = [...this.#loops.values()];
    const sum = (count: (loop: LoopAudit) => number): number => loops.reduce((total, loop) => total + count(loop), 0);
    return {
      ok: {
        sessionId: this.#sessionId,
        records: this.#seq,
        loops: loops.length,
        turns: sum((loop) => loop.turns),
        steps: sum((loop) => loop.steps),
        inputs: this.#accepted.size,
        rejected: this.#rejected,
        stopped: this.#phase === 'stopped',
        open: this.#open(loops),
      },
    };
  }

  #open(loops: LoopAudit[]): string[] {
    const open = loops.flatMap(({ turn, queue }) => [
      ...(turn ? [`turn ${turn.index} has no terminal`] : []),
      ...(turn?.gate ? [`a gate of turn ${turn.index} is open`] : []),
      ...queue.map(({ command, seq }) => `${nameOf(command)} of record ${seq} is queued`),
    ]);
    return this.#phase === 'restoring' ? ['a restore was begun and not finished', ...open] : open;
  }

  #command(command: JournaledCommand): void {
    this.#awaitStart(command.type);
    if (this.#phase !== 'running')
      fail(
        `${command.type} ${this.#phase === 'stopped' ? 'after SessionStopped' : `while the session is ${this.#phase}`}`,
      );
    if (this.#isUsed(command.commandId)) fail(`the command id ${command.commandId} was used before`);
    if (command.type === 'UserInput') return this.#input(command);
    this.#otherIds.add(command.commandId);
    const { targetCommandId: target } = command;
    const loop =
      this.#loopList().find((each) => each.find(target)) ??
      fail(`${command.type} of input ${target}, which is not queued`);
    if (command.type === 'MoveQueuedInput') loop.move(command);
    else loop.mark(command);
  }

  #input(command: UserInput): void {
    if (this.#ending) fail(`${nameOf(command)} was accepted after the queue was returned for the session's end`);
    const loopId = command.loopId ?? this.#activeLoopId;
    const loop = this.#loop(loopId, nameOf(command));
    if (this.#active && !this.#busy()) fail(`${nameOf(command)} was accepted while SessionIdle is missing`);
    loop.accept(this.#seq, command);
    this.#accepted.add(command.commandId);
    const [front] = loop.queue;
    const starts = !loop.turn && (loop.queue.length === 1 || command.agency === 'user');
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
    this.#envelope(event);
    const { loopId, cause } = coordinatesOf(event);
    this.#awaitStart(event.type, loopId);
    if (this.#phase === 'stopped' && event.type !== 'RestoreStarted') fail(`${event.type} after SessionStopped`);
    if (this.#phase === 'restoring' && !SETTLING.has(event.type))
      fail(`${event.type} between RestoreStarted and RestoreDone`);
    if (isReply(event)) this.#correlated(event.type, event.cause.commandId);
    else if (cause) this.#otherIds.add(cause.commandId);
    this.#apply(event);
  }

  #envelope(event: Event): void {
    if (!isEnduring(event)) fail(`${event.type} is ephemeral and is never journaled`);
    validateEvent(event);
    const first = this.#phase === 'new';
    if (first !== (event.type === 'SessionStarted'))
      fail(first ? `the journal begins with ${event.type}` : 'SessionStarted stands there again');
    if (first) this.#sessionId = event.sessionId;
    if (event.sessionId !== this.#sessionId) fail(`${event.type} is of another session`);
    if (!TIME.test(event.createdAt)) fail(`${event.type} has the time ${JSON.stringify(event.createdAt)}`);
    if (this.#eventIds.has(event.eventId)) fail(`${event.type} repeats the event id ${event.eventId}`);
    this.#eventIds.add(event.eventId);
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
        this.#phase = 'running';
        return;
      case 'RestoreStarted':
      case 'RestoreDone':
      case 'SessionStopped':
      case 'SessionActive':
      case 'SessionIdle':
        return this.#mark(event.type);
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

  #mark(type: 'RestoreStarted' | 'RestoreDone' | 'SessionStopped' | 'SessionActive' | 'SessionIdle'): void {
    const active = type === 'SessionActive';
    switch (type) {
      case 'SessionActive':
      case 'SessionIdle':
        if (this.#active === active) fail(`${type} stands there again`);
        if (!active && this.#busy()) fail('SessionIdle while a turn is open');
        this.#active = active;
        return;
      case 'RestoreStarted':
        this.#phase = 'restoring';
        this.#ending = false;
        for (const loop of this.#loopList()) loop.restore();
        return;
      case 'RestoreDone':
        if (this.#phase !== 'restoring') fail('RestoreDone without RestoreStarted');
        this.#rest(type);
        for (const { command } of this.#loopList().flatMap(({ queue }) => queue)) {
          if (command.agency === 'machine') fail(`RestoreDone before ${nameOf(command)} of a machine was returned`);
        }
        this.#phase = 'running';
        return;
      case 'SessionStopped':
        this.#rest(type);
        for (const { command, seq } of this.#loopList().flatMap(({ queue }) => queue)) {
          fail(`SessionStopped while ${nameOf(command)} of record ${seq} is unresolved`);
        }
        this.#phase = 'stopped';
    }
  }

  #rest(type: string): void {
    for (const loop of this.#loopList()) loop.rest(type);
    if (this.#active) fail(`${type} while SessionIdle is missing`);
  }

  #ofLoop(loop: LoopAudit, event: Extract<Event, { loopId: string }>): void {
    const restoring = this.#phase === 'restoring';
    switch (event.type) {
      case 'TurnStarted':
        if (!this.#active) fail('TurnStarted while SessionActive is missing');
        if (this.#ending) fail("TurnStarted after the queue was returned for the session's end");
        return loop.start(event);
      case 'TurnFoldedInto':
        return loop.fold(event);
      case 'StepDone':
        return loop.commit(event);
      case 'TurnDone':
      case 'TurnFailed':
      case 'TurnInterrupted':
        return loop.end(event, restoring);
      case 'InputCancelled':
        return this.#cancelled(loop, event, restoring);
      case 'LoopIdle':
        return loop.idle(event);
      case 'PermissionRequested':
      case 'UserInputRequested':
        return loop.request(event);
      case 'PermissionDecided':
        if (restoring && event.source !== 'abandoned') fail(`PermissionDecided by ${event.source} in a restore`);
        return loop.decide(event);
      case 'HistoryCompacted':
        if (loop.turn) fail('HistoryCompacted while a turn is open');
        if (event.keptFromStepId && !loop.stepIds.has(event.keptFromStepId))
          fail('HistoryCompacted keeps a step that was never committed');
        return;
      default:
        return;
    }
  }

  /** After an interrupt and in a restore the inputs of people are kept; only the end of a session returns them so. */
  #cancelled(loop: LoopAudit, event: Extract<Event, { type: 'InputCancelled' }>, restoring: boolean): void {
    const { command } = loop.cancel(event);
    if (restoring && event.reason === 'client_retracted') fail('InputCancelled{client_retracted} in a restore');
    if (event.reason !== 'turn_interrupted') return;
    const kept = command.agency === 'user';
    if (restoring && kept) fail(`${nameOf(command)} of a person was returned by a restore`);
    if (!restoring && (kept || !event.turnId)) this.#ending = true;
  }
}
