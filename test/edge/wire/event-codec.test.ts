import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RestoredError } from '../../../src/domain/failure.ts';
import { decodeEvent, encodeEvent } from '../../../src/edge/wire/event-codec.ts';
import { allTypes, anyEvent, eventOf, holds } from './samples.ts';

const stamp = { v: 1, session_id: 's', event_id: 'e', created_at: '2026-01-02T03:04:05.678Z' };
const ofTurn = { ...stamp, loop_id: 'l', turn_id: 't' };
const ofStep = { ...ofTurn, step_id: 'st' };
const cause = { command_id: 'c', agency: 'user' };
const overTheWire = (value: unknown): unknown => JSON.parse(Buffer.from(JSON.stringify(value)).toString('utf8'));

describe('every event', () => {
  it.each(allTypes)('%s comes back from the wire as it went', (type) => {
    holds(
      fc.property(eventOf(type), (event) => {
        expect(decodeEvent(overTheWire(encodeEvent(event)))).toEqual(event);
      }),
      60,
    );
  });

  it('is printed without what is zero, empty or false, and in snake case but for tool inputs', () => {
    const kept = new Set(['index', 'text', 'content', 'input']);
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, each] of Object.entries(value)) {
        if (!Array.isArray(value)) expect(key).toMatch(/^[a-z][a-z_]*$/);
        if (!Array.isArray(value) && !kept.has(key)) {
          expect([0, '', false, null, undefined]).not.toContain(each);
          if (Array.isArray(each)) expect(each).not.toHaveLength(0);
        }
        if (key !== 'input' && key !== 'extra') look(each);
      }
    };
    holds(fc.property(anyEvent(allTypes), (event) => look(encodeEvent(event))));
  });
});

describe('the wire form', () => {
  it('keeps a tool input as it is, and leaves out a usage of zeros', () => {
    const input = { fooBar: 0, empty: '', no: false, nothing: null, list: [], ['__proto__']: 1 };
    const wire = {
      type: 'StepDone',
      ...ofStep,
      messages: [
        {
          role: 'assistant',
          blocks: [
            { type: 'tool_use', id: 'u', name: 'n', input },
            { type: 'text', text: '' },
          ],
        },
        { role: 'tool', blocks: [{ type: 'tool_result', tool_use_id: 'u', content: [] }] },
      ],
    };
    const event = decodeEvent(wire);
    expect(encodeEvent(event)).toEqual(wire);
    if (event.type === 'StepDone')
      event.messages[0].usage = {
        inputTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
        cacheReadTokens: 0,
        cacheCreationTokens: 0,
      };
    expect(encodeEvent(event)).toEqual(wire);
  });

  it('reads an absent usage of TurnDone as zeros', () => {
    const wire = {
      type: 'TurnDone',
      ...ofTurn,
      turn_index: 1,
      message: { role: 'assistant', blocks: [{ type: 'text', text: 'x' }] },
    };
    expect(decodeEvent(wire)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
  });

  it('never serialises the live error of a TurnFailed, and restores its kind', () => {
    const err = Object.assign(new Error('sk-secret'), { request: 'sk-secret' });
    const event = decodeEvent({
      type: 'TurnFailed',
      ...ofTurn,
      turn_index: 1,
      err: { kind: 'tool_limit', message: 'too many' },
    });
    if (event.type !== 'TurnFailed') throw new Error('no TurnFailed');
    expect(event.err).toBeInstanceOf(RestoredError);
    expect(event.err).toMatchObject({ kind: 'tool_limit', message: 'too many' });
    const wire = encodeEvent({ ...event, err });
    expect(wire.err).toEqual({ kind: 'tool_limit', message: 'too many' });
    expect(JSON.stringify(wire)).not.toContain('secret');
  });

  it('reads a kind of failure that a later program added as unknown', () => {
    const event = decodeEvent({ type: 'TurnFailed', ...ofTurn, turn_index: 1, err: { kind: 'quantum', message: 'm' } });
    expect(event).toMatchObject({ failure: { kind: 'unknown', message: 'm' } });
  });

  it('ignores fields that it does not know', () => {
    expect(decodeEvent({ type: 'SessionIdle', ...stamp, mood: 'good' })).not.toHaveProperty('mood');
  });
});

describe('refused by name', () => {
  const message = { role: 'user', blocks: [{ type: 'text', text: 'x' }] };
  const started = { type: 'TurnStarted', ...ofTurn, turn_index: 1, cause, message };
  it.each<[string, unknown, RegExp]>([
    ['no object', [], /no object/],
    ['null', null, /no object/],
    ['no type', stamp, /no type/],
    ['an unknown type', { ...started, type: 'TurnCompleted' }, /unknown type "TurnCompleted"/],
    ['a name of every object', { ...started, type: 'constructor' }, /unknown type "constructor"/],
    ['a newer version of an unknown type', { ...started, type: 'Future', v: 2 }, /2 is newer/],
    ['a newer version', { ...started, v: 2 }, /2 is newer/],
    ['a version that is a string', { ...started, v: '1' }, /TurnStarted: v is no version/],
    ['no version', { ...started, v: undefined }, /v is missing/],
    ['no event id', { ...started, event_id: undefined }, /no eventId/],
    ['no turn', { ...started, turn_id: undefined }, /no turnId/],
    ['no cause', { ...started, cause: undefined }, /cause is missing/],
    ['no command in the cause', { ...started, cause: { agency: 'user' } }, /cause.command_id is missing/],
    [
      'an agency of its own',
      { ...started, cause: { ...cause, agency: 'god' } },
      /cause.agency is none of user, machine/,
    ],
    ['a turn index that is a string', { ...started, turn_index: '1' }, /turn_index is no non-negative whole number/],
    ['no turn index', { ...started, turn_index: undefined }, /turn_index 0/],
    [
      'a message of the assistant',
      { ...started, message: { role: 'assistant', blocks: [] } },
      /message.role is none of user/,
    ],
    [
      'a block without text',
      { ...started, message: { role: 'user', blocks: [{ type: 'text' }] } },
      /message.blocks\[0\].text is missing/,
    ],
    [
      'a block of an unknown type',
      { ...started, message: { role: 'user', blocks: [{ type: 'audio' }] } },
      /blocks\[0\].type "audio" is unknown/,
    ],
    ['blocks that are no list', { ...started, message: { role: 'user', blocks: {} } }, /message.blocks is no list/],
    [
      'a step without its id',
      { type: 'StepDone', ...ofTurn, messages: [{ role: 'assistant', blocks: [{ type: 'text', text: 'x' }] }] },
      /no stepId/,
    ],
    ['a step without messages', { type: 'StepDone', ...ofStep }, /does not begin with an assistant message/],
    [
      'a tool use without input',
      {
        type: 'StepDone',
        ...ofStep,
        messages: [{ role: 'assistant', blocks: [{ type: 'tool_use', id: 'u', name: 'n' }] }],
      },
      /input is missing/,
    ],
    [
      'more reasoning than output',
      {
        type: 'TurnDone',
        ...ofTurn,
        turn_index: 1,
        message: { role: 'assistant', blocks: [{ type: 'text', text: 'x' }] },
        usage: { reasoning_tokens: 2, output_tokens: 1 },
      },
      /more reasoning than output/,
    ],
    [
      'a negative usage',
      {
        type: 'TurnDone',
        ...ofTurn,
        turn_index: 1,
        message: { role: 'assistant', blocks: [{ type: 'text', text: 'x' }] },
        usage: { input_tokens: -1 },
      },
      /usage.input_tokens is no non-negative/,
    ],
  ])('%s', (_, wire, reason) => {
    expect(() => decodeEvent(wire)).toThrow(reason);
  });
});
