import { expect, test } from 'vitest';
import type { Delivery, Event } from '../../src/domain/event.ts';
import { SubscriptionLossError } from '../../src/domain/failure.ts';
import { Hub } from '../../src/runtime/hub.ts';

const stamp = { v: 1, sessionId: 's', eventId: 'e', createdAt: 'now' } as const;
let seq = 0;
const delta = (text: string, stepId = 'step', loopId = 'loop', type: 'text' | 'thinking' = 'text'): Delivery => ({
  journalSeq: 0,
  event: { type: 'TokenDelta', loopId, turnId: 't', stepId, turnIndex: 1, chunk: { type, text }, ...stamp },
});
const idle = (loopId = 'loop'): Delivery => ({ journalSeq: ++seq, event: { type: 'LoopIdle', loopId, ...stamp } });
const queued = (): Delivery => ({
  journalSeq: 0,
  event: { type: 'InputQueued', loopId: 'loop', cause: { commandId: 'c', agency: 'user' }, ...stamp },
});
const stopped = (): Delivery => ({ journalSeq: ++seq, event: { type: 'SessionStopped', ...stamp } });

async function drain(hub: Hub, subscription: AsyncIterable<Delivery>): Promise<Delivery[]> {
  hub.end();
  const all: Delivery[] = [];
  for await (const delivery of subscription) all.push(delivery);
  return all;
}
const textOf = (event: Event): string =>
  event.type === 'TokenDelta' && event.chunk.type !== 'tool_use' ? event.chunk.text : event.type;
const ALL = { enduring: 'all', ephemeral: 'all' } as const;

test('in order, each subscriber for itself, from the call on and no replay', async () => {
  const hub = new Hub();
  hub.publish(delta('before'));
  const one = hub.subscribe(ALL);
  hub.publish(delta('a'));
  const two = hub.subscribe(ALL);
  hub.publish(idle());
  expect((await drain(hub, one)).map(({ event }) => textOf(event))).toEqual(['a', 'LoopIdle']);
  expect((await drain(hub, two)).map(({ event }) => textOf(event))).toEqual(['LoopIdle']);
});

test('a filter names loops by class; a class left out gives none of it; session events always pass', async () => {
  const hub = new Hub();
  const enduring = hub.subscribe({ enduring: 'all' });
  const one = hub.subscribe({ enduring: new Set(['one']), ephemeral: new Set(['two']) });
  const none = hub.subscribe({});
  for (const delivery of [delta('x', 's', 'one'), delta('y', 's', 'two'), idle('one'), idle('two'), stopped()])
    hub.publish(delivery);
  const names = async (subscription: AsyncIterable<Delivery>) =>
    (await drain(hub, subscription)).map(
      ({ event }) => `${textOf(event)}${'loopId' in event ? ` ${event.loopId}` : ''}`,
    );
  expect(await names(enduring)).toEqual(['LoopIdle one', 'LoopIdle two', 'SessionStopped']);
  expect(await names(one)).toEqual(['y two', 'LoopIdle one', 'SessionStopped']);
  expect(await names(none)).toEqual(['SessionStopped']);
});

test('a full buffer merges neighbouring deltas of one Step and kind, so that no text is lost', async () => {
  const hub = new Hub();
  const slow = hub.subscribe(ALL, { deliveries: 5 });
  for (const letter of 'abcdefghij') hub.publish(delta(letter));
  hub.publish(delta('T', 'step', 'loop', 'thinking'));
  hub.publish(delta('k'));
  hub.publish(delta('l', 'other step'));
  for (const letter of 'mnopq') hub.publish(delta(letter, 'other step'));
  hub.publish(idle());
  const got = await drain(hub, slow);
  expect(got.every(({ dropped }) => dropped === undefined)).toBe(true);
  expect(got.map(({ event }) => textOf(event)).join('')).toBe('abcdefghijTklmnopqLoopIdle');
  expect(got.length).toBeLessThanOrEqual(5);
});

test('what cannot be merged is dropped for it alone, and the next delivery says how many', async () => {
  const hub = new Hub();
  const slow = hub.subscribe(ALL, { deliveries: 2 });
  const quick = hub.subscribe(ALL);
  for (let i = 0; i < 5; i += 1) hub.publish(queued());
  hub.publish(idle());
  const got = await drain(hub, slow);
  expect(got.map(({ event, dropped }) => [event.type, dropped])).toEqual([
    ['InputQueued', undefined],
    ['LoopIdle', 4],
  ]);
  expect(await drain(hub, quick)).toHaveLength(6);
});

test('an enduring event that does not fit ends that subscription alone, after what it held', async () => {
  const hub = new Hub();
  const slow = hub.subscribe(ALL, { deliveries: 2 });
  const quick = hub.subscribe(ALL);
  for (let i = 0; i < 4; i += 1) hub.publish(idle());
  expect(await drain(hub, slow)).toHaveLength(2);
  expect(slow.err).toBeInstanceOf(SubscriptionLossError);
  expect(await drain(hub, quick)).toHaveLength(4);
  expect(quick.err).toBeUndefined();
});

test('close ends it at once and without an error', async () => {
  const hub = new Hub();
  const one = hub.subscribe(ALL);
  hub.publish(idle());
  hub.publish(idle());
  let read = 0;
  for await (const _ of one) {
    read += 1;
    one.close();
  }
  expect(read).toBe(1);
  hub.publish(idle());
  const got: Delivery[] = [];
  for await (const delivery of one) got.push(delivery);
  expect(got).toEqual([]);
  expect(one.err).toBeUndefined();
});
