import { expect, test } from 'vitest';
import { Lateness } from '../../../src/edge/terminal/lateness.ts';
import { FakeTimers } from './fake-timers.ts';

function typing(): { timers: FakeTimers; lateness: Lateness } {
  const timers = new FakeTimers();
  const lateness = new Lateness(timers);
  timers.advance(1000);
  expect(lateness.atRead()).toBe(0);
  return { timers, lateness };
}

test('a program that is in time is not late, however long nobody types', () => {
  const { timers, lateness } = typing();
  for (const pause of [5, 30, 40, 41, 100, 2000, 10_000]) {
    timers.advance(pause);
    expect(lateness.atRead()).toBe(0);
  }
  timers.advance(10_000);
  expect(timers.pending).toBe(0);
});

test('the read comes before the beat', () => {
  const { timers, lateness } = typing();
  timers.block(300);
  expect(lateness.atRead()).toBe(260);
});

test('the beat comes first, and with it other timers that take their time', () => {
  for (const others of [0, 15, 39, 60, 200]) {
    const { timers, lateness } = typing();
    timers.block(300);
    timers.advance(0);
    timers.block(others);
    expect(lateness.atRead()).toBeGreaterThanOrEqual(260);
    expect(lateness.atRead()).toBeGreaterThanOrEqual(260);
  }
});

test('what was late once is forgotten with the next beat, and by the next who types', () => {
  const { timers, lateness } = typing();
  timers.block(300);
  timers.advance(0);
  timers.advance(45);
  expect(lateness.atRead()).toBe(0);
  timers.block(3500);
  timers.advance(0);
  timers.advance(10_000);
  expect([lateness.atRead(), lateness.atRead()]).toEqual([0, 0]);
  timers.advance(20);
  expect(lateness.atRead()).toBe(0);
});
