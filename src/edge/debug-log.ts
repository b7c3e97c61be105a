/** A log of what happens (--debug): one JSON object a line, without keys and without content. */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { coordinatesOf, type Delivery } from '../domain/event.ts';
import type { Clock, Log } from '../runtime/ports.ts';

export interface DebugLog {
  log: Log;
  /** That an event was delivered: its type and coordinates, and of a failure its kind. */
  delivery(delivery: Delivery): void;
  close(): void;
}

/** Appends to the file, private to the user. Throws where it cannot be opened; later failures are passed over. */
export function openDebugLog(path: string, clock: Clock): DebugLog {
  const file = openSync(path, 'a', 0o600);
  const write = (fields: Record<string, unknown>): void => {
    try {
      appendFileSync(file, `${JSON.stringify({ at: new Date(clock.now()).toISOString(), ...fields })}\n`);
    } catch {
      // a log that cannot be kept is no reason to stop
    }
  };
  return {
    log: (message, fields = {}) => write({ message, ...fields }),
    delivery: ({ event, journalSeq }) => {
      const { loopId, turnId, stepId, cause } = coordinatesOf(event);
      const kind = 'failure' in event ? event.failure.kind : undefined;
      write({
        event: event.type,
        journalSeq: journalSeq || undefined,
        loopId,
        turnId,
        stepId,
        command: cause?.commandId,
        kind,
      });
    },
    close: () => closeSync(file),
  };
}
