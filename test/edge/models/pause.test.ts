import { expect, test } from 'vitest';
import { abortable, abortError, pause } from '../../../src/edge/models/pause.ts';
import { createManualClock } from './clocks.ts';

test('ends by its clock, and leaves nothing behind', async () => {
  const clock = createManualClock();
  const controller = new AbortController();
  const paused = pause(clock, 50, controller.signal);
  clock.advance(50);
  await paused;
  controller.abort();
  expect(clock.waits).toEqual([]);
});

test('ends at once by an abort, with its reason, and takes its timer back', async () => {
  const clock = createManualClock();
  const controller = new AbortController();
  const paused = pause(clock, 50, controller.signal);
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(paused).rejects.toBe(reason);
  expect(clock.waits).toEqual([]);
});

test('never begins after an abort', async () => {
  let begun = false;
  const waiting = abortable(AbortSignal.abort('no error'), () => {
    begun = true;
    return undefined;
  });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(begun).toBe(false);
  expect(abortError(AbortSignal.abort())).toMatchObject({ name: 'AbortError' });
});
