import { expect, test } from 'vitest';
import { startStallTimer } from '../../../src/edge/models/stall-timer.ts';
import { createManualClock } from './clocks.ts';

function begin(firstMs: number) {
  const clock = createManualClock();
  const stalls: number[] = [];
  return { clock, stalls, timer: startStallTimer(clock, firstMs, (ms) => stalls.push(ms)) };
}

test('calls once, at the limit', () => {
  const { clock, stalls } = begin(5000);
  clock.advance(4999);
  expect(stalls).toEqual([]);
  clock.advance(1);
  clock.advance(60_000);
  expect(stalls).toEqual([5000]);
});

test('counts from the last wait on, also with a shorter limit', () => {
  const { clock, stalls, timer } = begin(300_000);
  clock.advance(250_000);
  timer.wait(300);
  clock.advance(299);
  expect(stalls).toEqual([]);
  timer.wait(300);
  clock.advance(299);
  expect(stalls).toEqual([]);
  clock.advance(1);
  expect(stalls).toEqual([300]);
});

test('does not count while at rest', () => {
  const { clock, stalls, timer } = begin(5000);
  timer.rest();
  clock.advance(600_000);
  timer.wait(5000);
  clock.advance(4999);
  expect(stalls).toEqual([]);
  clock.advance(1);
  expect(stalls).toEqual([5000]);
});

test('does not count time in which the process was stopped, whenever that was', () => {
  for (const before of [0, 500, 4500]) {
    const { clock, stalls } = begin(5000);
    clock.advance(before);
    clock.jump(3_600_000);
    expect(stalls).toEqual([]);
    clock.advance(5000 - before - 1000);
    expect(stalls, String(before)).toEqual([]);
    // what was waited since the last look is lost with the stop
    clock.advance(2000);
    expect(stalls).toEqual([5000]);
  }
});

test('a clock that goes back does not hurt', () => {
  const { clock, stalls } = begin(5000);
  clock.jump(-3_600_000);
  clock.advance(3_700_000);
  expect(stalls).toEqual([5000]);
});

test('is over when stopped', () => {
  const { clock, stalls, timer } = begin(5000);
  timer.stop();
  clock.advance(60_000);
  expect(stalls).toEqual([]);
  expect(clock.waits).toEqual([]);
});
