/** The lines of a journal: {"seq":1,"event":{…}} or {"seq":2,"command":{…}} (contract: Files). */
import type { JournaledCommand, MoveQueuedInput, SetQueuedInput, UserInput } from '../../domain/command.ts';
import { isEnduring } from '../../domain/event.ts';
import { validateEvent } from '../../domain/validation.ts';
import type { JournalRecord } from '../../runtime/ports.ts';
import { inputBlock } from './content-codec.ts';
import { decodeEvent, encodeEvent } from './event-codec.ts';
import {
  asObject,
  boolean,
  type Field,
  list,
  oneOf,
  optional,
  present,
  shape,
  string,
  tagged,
  WireError,
} from './field.ts';

const header = { commandId: present(string), agency: oneOf('user', 'machine') };
const target = { ...header, targetCommandId: present(string) };
const command: Field<JournaledCommand> = tagged<JournaledCommand, 'type'>('type', {
  UserInput: shape<UserInput>({
    type: oneOf('UserInput'),
    ...header,
    loopId: optional(string),
    noFold: optional(boolean),
    blocks: list(inputBlock),
  }),
  MoveQueuedInput: shape<MoveQueuedInput>({
    type: oneOf('MoveQueuedInput'),
    ...target,
    beforeCommandId: optional(string),
  }),
  SetQueuedInput: shape<SetQueuedInput>({ type: oneOf('SetQueuedInput'), ...target, noFold: boolean }),
});

/** One line without its end. Throws where the record may not be journaled: an ephemeral event is refused by name (S). */
export function encodeRecord(record: JournalRecord): string {
  if ('command' in record) return JSON.stringify({ seq: record.seq, command: command.encode(record.command) });
  const { event } = record;
  if (!isEnduring(event)) throw new WireError(`${event.type} is ephemeral and is never journaled`);
  validateEvent(event);
  return JSON.stringify({ seq: record.seq, event: encodeEvent(event) });
}

/** The record of a line that was parsed. Throws a WireError or an InvalidEventError that says what is wrong. */
export function decodeRecord(wire: unknown): JournalRecord {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) throw new WireError('the line is no object');
  const { seq, event, command: wireCommand } = asObject(wire);
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1) {
    throw new WireError(seq === undefined ? 'is missing' : 'is no sequence number', 'seq');
  }
  if ((event === undefined) === (wireCommand === undefined)) {
    throw new WireError(`the record holds ${event === undefined ? 'neither' : 'both'} event and command`);
  }
  if (event !== undefined) {
    const decoded = decodeEvent(event);
    if (!isEnduring(decoded)) throw new WireError(`${decoded.type} is ephemeral and is never journaled`);
    return { seq, event: decoded };
  }
  try {
    return { seq, command: command.decode(wireCommand) };
  } catch (error) {
    throw error instanceof WireError ? error.within('command') : error;
  }
}
