/** The wire's forms as a library user meets them: events that can be kept, deliveries, journal records, commands. */
import type { Command } from '../domain/command.ts';
import { type Delivery, type Event, isEnduring } from '../domain/event.ts';
import { validateEvent } from '../domain/validation.ts';
import * as events from '../edge/wire/event-codec.ts';
import { always, asObject, count, WireError, type WireObject } from '../edge/wire/field.ts';

const refuseEphemeral = (event: Event): void => {
  if (!isEnduring(event)) throw new WireError(`${event.type} is ephemeral and is never journaled`);
};

/**
 * The durable form of an enduring event. An ephemeral one is refused by name with a WireError (S); one that is not
 * valid with an InvalidEventError. Live events of both classes go out by encodeDelivery.
 */
export function encodeEvent(event: Event): WireObject {
  refuseEphemeral(event);
  validateEvent(event);
  return events.encodeEvent(event);
}

/**
 * The enduring event of a wire object; `err` of a TurnFailed is a RestoredError with the stable kind. Throws a
 * WireError or an InvalidEventError that says what is wrong. Fields that are not known are ignored.
 */
export function decodeEvent(wire: unknown): Event {
  const event = events.decodeEvent(wire);
  refuseEphemeral(event);
  return event;
}

/** A line of `stdio` or `exec --json` that holds a delivery; `journalSeq` is 0 for an ephemeral event. Throws as decodeEvent. */
export function decodeDelivery(line: string): Delivery {
  const { journal_seq, dropped, event } = asObject(JSON.parse(line));
  const delivery = { event: events.decodeEvent(event), journalSeq: always(count).decode(journal_seq) };
  return dropped === undefined ? delivery : { ...delivery, dropped: count.decode(dropped) };
}

const renamed = (value: object): WireObject =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inner,
    ]),
  );

/** A line for `stdio`, without its end. */
export function encodeCommand(command: Command): string {
  const wire = renamed(command);
  return JSON.stringify('blocks' in command ? { ...wire, blocks: command.blocks.map(renamed) } : wire);
}
