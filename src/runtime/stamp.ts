/** The envelope that every event gets, and the check that it is one. */
import { type Event, type EventBody, isEnduring } from '../domain/event.ts';
import type { SessionId } from '../domain/identity.ts';
import { validateEvent } from '../domain/validation.ts';
import type { Clock, IdSource } from './ports.ts';

/** The answer throws an InvalidEventError where the event could not be journaled. */
export function stampFor({ sessionId, newId, clock }: { sessionId: SessionId; newId: IdSource; clock: Clock }) {
  // deltas come by the thousand a second: a moment is put into words once
  let at = Number.NaN;
  let createdAt = '';
  return (event: EventBody): Event => {
    const now = clock.now();
    if (now !== at) {
      at = now;
      createdAt = new Date(now).toISOString();
    }
    // the body last: spread first, V8 makes a slow dictionary of what is added behind it
    const stamped: Event = { v: 1, sessionId, eventId: newId(), createdAt, ...event };
    // what is never journaled is made here alone, and comes by the thousand a second
    if (isEnduring(stamped)) validateEvent(stamped);
    return stamped;
  };
}
