import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/domain/event.ts';
import { encodeAck, encodeDelivery, encodeError } from '../../../src/edge/wire/delivery-codec.ts';
import { encodeEvent } from '../../../src/edge/wire/event-codec.ts';
import { allTypes, anyEvent, anyText, eventOf, holds } from './samples.ts';

describe('a delivery line', () => {
  it('is the same by hand and by the table', () => {
    const agent = fc.option(anyText, { nil: undefined });
    holds(
      fc.property(fc.array(fc.tuple(eventOf('TokenDelta'), agent), { minLength: 1 }), (events) => {
        for (const [event, agentName] of events) {
          const named = { ...event, agentName } as Event;
          expect(JSON.parse(encodeDelivery({ event: named, journalSeq: 0 }))).toEqual({
            journal_seq: 0,
            event: encodeEvent(named),
          });
        }
      }),
    );
  });

  it('begins with its sequence number, and says what was dropped', () => {
    const [event] = fc.sample(anyEvent(allTypes), 1);
    expect(encodeDelivery({ event: event!, journalSeq: 12 })).toMatch(/^\{"journal_seq":12,"event":\{/);
    expect(encodeDelivery({ event: event!, journalSeq: 0, dropped: 3 })).toMatch(
      /^\{"journal_seq":0,"dropped":3,"event":\{/,
    );
  });
});

describe('answers', () => {
  it.each([
    [{ commandId: 'c', cancelled: false }, '{"ack":{"command_id":"c","cancelled":false}}'],
    [{ commandId: 'c', moved: true }, '{"ack":{"command_id":"c","moved":true}}'],
    [{ commandId: 'c', changed: false, reason: '' }, '{"ack":{"command_id":"c","changed":false}}'],
    [
      { commandId: 'c', compacted: false, reason: 'short' },
      '{"ack":{"command_id":"c","compacted":false,"reason":"short"}}',
    ],
    [{ commandId: 'c', sent: false, reason: 'late' }, '{"ack":{"command_id":"c","sent":false,"reason":"late"}}'],
    [{ commandId: 'c' }, '{"ack":{"command_id":"c"}}'],
  ])('%j', (ack, line) => {
    expect(encodeAck(ack)).toBe(line);
  });

  it('an error names its line and its command where there are any', () => {
    expect(encodeError({ kind: 'invalid_command', message: 'm', line: 3 })).toBe(
      '{"error":{"kind":"invalid_command","message":"m","line":3}}',
    );
    expect(encodeError({ kind: 'session_faulted', message: 'm', commandId: 'c' })).toBe(
      '{"error":{"kind":"session_faulted","message":"m","command_id":"c"}}',
    );
  });
});
