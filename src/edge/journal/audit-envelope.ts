/** What every event of a journal carries, and what no two may share. */
import { type Event, isEnduring } from '../../domain/event.ts';
import { validateEvent } from '../../domain/validation.ts';
import { fail } from './audit-rule.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export class EnvelopeAudit {
  sessionId = '';
  readonly #ids = new Set<string>();

  check(event: Event): void {
    if (!isEnduring(event)) fail(`${event.type} is ephemeral and is never journaled`);
    validateEvent(event);
    this.sessionId ||= event.sessionId;
    if (event.sessionId !== this.sessionId) fail(`${event.type} is of another session`);
    if (!TIME.test(event.createdAt)) fail(`${event.type} has the time ${JSON.stringify(event.createdAt)}`);
    if (this.#ids.has(event.eventId)) fail(`${event.type} repeats the event id ${event.eventId}`);
    this.#ids.add(event.eventId);
  }
}
