/** How a session lives: running, restored, stopped; at work or at rest; and what its end may return. */
import type { JournaledCommand, UserInput } from '../../domain/command.ts';
import type { EventType } from '../../domain/event.ts';
import type { SessionMark } from '../../domain/runtime-event.ts';
import type { InputCancelled } from '../../domain/turn-event.ts';
import type { LoopAudit } from './audit-loop.ts';
import { fail, nameOf } from './audit-rule.ts';

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

export class LifeAudit {
  phase: 'new' | 'running' | 'restoring' | 'stopped' = 'new';
  /** SessionActive was the last of the two. */
  active = false;
  /** Inputs were returned as only the end of a session returns them: nothing may start any more. */
  #ending = false;

  get restoring(): boolean {
    return this.phase === 'restoring';
  }

  event(type: EventType): void {
    const begins = type === 'SessionStarted';
    if (begins !== (this.phase === 'new'))
      fail(begins ? 'SessionStarted stands there again' : `the journal begins with ${type}`);
    if (this.phase === 'stopped' && type !== 'RestoreStarted') fail(`${type} after SessionStopped`);
    if (this.restoring && !SETTLING.has(type)) fail(`${type} between RestoreStarted and RestoreDone`);
    if (type === 'TurnStarted' && !this.active) fail('TurnStarted while SessionActive is missing');
    if (type === 'TurnStarted' && this.#ending) fail("TurnStarted after the queue was returned for the session's end");
    if (begins) this.phase = 'running';
  }

  command(command: JournaledCommand): void {
    if (this.phase !== 'running') fail(`${command.type} while the session is ${this.phase}`);
    // what still waits in another loop may be moved to the very end
    if (this.#ending && command.type === 'UserInput')
      fail(`${command.type} after the queue was returned for the session's end`);
  }

  /** After an interrupt and in a restore the inputs of people are kept; only the end of a session returns them so. */
  returned(command: UserInput, { reason, turnId }: InputCancelled): void {
    if (this.restoring && reason === 'client_retracted') fail('InputCancelled{client_retracted} in a restore');
    if (reason !== 'turn_interrupted') return;
    const kept = command.agency === 'user';
    if (this.restoring && kept) fail(`${nameOf(command)} of a person was returned by a restore`);
    if (!this.restoring && (kept || !turnId)) this.#ending = true;
  }

  mark(type: SessionMark['type'], loops: readonly LoopAudit[]): void {
    const queued = loops.flatMap(({ queue }) => queue);
    switch (type) {
      case 'SessionActive':
      case 'SessionIdle':
        if (this.active === (type === 'SessionActive')) fail(`${type} stands there again`);
        if (this.active && loops.some(({ turn }) => turn)) fail('SessionIdle while a turn is open');
        this.active = !this.active;
        return;
      case 'RestoreStarted':
        this.phase = 'restoring';
        this.#ending = false;
        for (const loop of loops) loop.restore();
        return;
      case 'RestoreDone':
        if (!this.restoring) fail('RestoreDone without RestoreStarted');
        this.#rest(type, loops);
        for (const { command } of queued) {
          if (command.agency === 'machine') fail(`RestoreDone before ${nameOf(command)} of a machine was returned`);
        }
        this.phase = 'running';
        return;
      case 'SessionStopped':
        this.#rest(type, loops);
        for (const { command, seq } of queued) {
          fail(`SessionStopped while ${nameOf(command)} of record ${seq} is unresolved`);
        }
        this.phase = 'stopped';
    }
  }

  /** Nothing may be left half done. */
  #rest(type: string, loops: readonly LoopAudit[]): void {
    for (const loop of loops) loop.rest(type);
    if (this.active) fail(`${type} while SessionIdle is missing`);
  }
}
