import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTraits } from '../../../src/domain/event.ts';
import { decodeRecord, encodeRecord } from '../../../src/edge/wire/record-codec.ts';
import type { JournalRecord } from '../../../src/runtime/ports.ts';
import { allTypes, anyCommand, anyEvent, eventOf, holds } from './samples.ts';

const enduring = allTypes.filter((type) => eventTraits[type].class === 'enduring');
const ephemeral = allTypes.filter((type) => eventTraits[type].class === 'ephemeral');

describe('a journal line', () => {
  it('gives back the record, and never holds a line end', () => {
    const record = fc.oneof(
      anyEvent(enduring).map((event) => ({ event })),
      anyCommand.map((command) => ({ command })),
    );
    holds(
      fc.property(record, fc.integer({ min: 1 }), (body, seq) => {
        const whole = { seq, ...body } as JournalRecord;
        const line = encodeRecord(whole);
        expect(line).not.toMatch(/[\n\r]/);
        expect(decodeRecord(JSON.parse(Buffer.from(line).toString()))).toEqual(whole);
      }),
    );
  });

  it.each(ephemeral)('is refused for the ephemeral %s, by name', (type) => {
    const [event] = fc.sample(eventOf(type), 1);
    expect(() => encodeRecord({ seq: 1, event: event! })).toThrow(new RegExp(`${type} is ephemeral`));
    expect(() => decodeRecord({ seq: 1, event: { type, v: 1 } })).toThrow();
  });

  it('is refused for an event that is not valid', () => {
    const [event] = fc.sample(eventOf('StepDone'), 1);
    expect(() => encodeRecord({ seq: 1, event: { ...event!, stepId: '' } as never })).toThrow(/StepDone has no stepId/);
  });

  const command = { type: 'UserInput', command_id: 'c', agency: 'user', blocks: [{ type: 'text', text: 'x' }] };
  it.each<[string, unknown, RegExp]>([
    ['a list', [1], /no object/],
    ['null', null, /no object/],
    ['no seq', { command }, /seq is missing/],
    ['seq 0', { seq: 0, command }, /seq is no sequence number/],
    ['a seq that is text', { seq: '1', command }, /seq is no sequence number/],
    ['neither', { seq: 1 }, /neither/],
    ['both', { seq: 1, command, event: {} }, /both/],
    [
      'a command that is not journaled',
      { seq: 1, command: { ...command, type: 'Shutdown' } },
      /command.type "Shutdown" is unknown/,
    ],
    ['a command without id', { seq: 1, command: { ...command, command_id: '' } }, /command.command_id is missing/],
    [
      'a command whose mark is no boolean',
      { seq: 1, command: { ...command, no_fold: 1 } },
      /command.no_fold is no boolean/,
    ],
  ])('is refused: %s', (_, wire, reason) => {
    expect(() => decodeRecord(wire)).toThrow(reason);
  });
});
