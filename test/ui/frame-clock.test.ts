import { expect, test } from 'vitest';
import { FrameClock } from '../../src/ui/frame-clock.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';

function clocked(): { clock: FakeClock; frames: FrameClock; drawn: number[] } {
  const clock = fakeClock(0);
  const drawn: number[] = [];
  return { clock, drawn, frames: new FrameClock(clock, () => drawn.push(clock.now())) };
}

test('a key is drawn at once, the next one a moment later', () => {
  const { clock, frames, drawn } = clocked();
  frames.soon();
  frames.soon();
  frames.soon();
  expect(drawn).toEqual([0]);
  clock.advance(8);
  expect(drawn).toEqual([0, 8]);
  clock.advance(1000);
  expect(drawn).toEqual([0, 8]);
});

test('what streams is gathered to twenty pictures a second', () => {
  const { clock, frames, drawn } = clocked();
  for (let ms = 0; ms < 1000; ms += 5) {
    frames.withStream();
    clock.advance(5);
  }
  expect(drawn.length).toBeGreaterThan(15);
  expect(drawn.length).toBeLessThanOrEqual(20);
});

test('a key does not wait for the stream, and brings along what streamed', () => {
  const { clock, frames, drawn } = clocked();
  frames.soon();
  clock.advance(20);
  frames.withStream();
  frames.soon();
  expect(drawn).toEqual([0, 20]);
  clock.advance(1000);
  expect(drawn).toEqual([0, 20]);
});

test('nothing is drawn at idle, and nothing after a stop', () => {
  const { clock, frames, drawn } = clocked();
  frames.wakeAt(undefined);
  frames.wakeAt(500);
  frames.stop();
  clock.advance(10_000);
  expect(drawn).toEqual([]);
  frames.wakeAt(11_000);
  clock.advance(1000);
  expect(drawn).toEqual([11_000]);
});
