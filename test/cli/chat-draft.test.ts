import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DraftKeeper } from '../../src/cli/chat-draft.ts';
import type { DraftFile } from '../../src/edge/journal/draft-file.ts';

describe('the draft is kept', () => {
  let text = '';
  let saved: string[] = [];
  let fails = false;
  const file = {
    save: async (draft: string) => {
      if (fails) throw new Error('full');
      saved.push(draft);
    },
  } as Partial<DraftFile> as DraftFile;
  beforeEach(() => {
    vi.useFakeTimers();
    [text, saved, fails] = ['', [], false];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const type = (keeper: DraftKeeper, keys: string, everyMs: number): void => {
    for (const key of keys) {
      text += key;
      keeper.edited();
      vi.advanceTimersByTime(everyMs);
    }
  };

  test('once when somebody stops typing, within a second of the last key', () => {
    const keeper = new DraftKeeper(file, () => text);
    type(keeper, 'hello', 50);
    expect(saved).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(saved).toEqual(['hello']);
    vi.advanceTimersByTime(10_000);
    expect(saved).toEqual(['hello']);
  });

  test('at most about once a second while somebody types on, and never later than that', () => {
    const keeper = new DraftKeeper(file, () => text);
    type(keeper, 'x'.repeat(100), 100);
    expect(saved.length).toBeGreaterThanOrEqual(9);
    expect(saved.length).toBeLessThanOrEqual(12);
    vi.advanceTimersByTime(1000);
    expect(saved.at(-1)).toBe(text);
  });

  test('not again where it is the same; again where it could not be', async () => {
    const keeper = new DraftKeeper(file, () => text);
    type(keeper, 'ab', 400);
    expect(saved).toEqual(['a', 'ab']);
    await keeper.save();
    expect(saved).toEqual(['a', 'ab']);
    fails = true;
    type(keeper, 'c', 0);
    await keeper.save();
    fails = false;
    await keeper.save();
    expect(saved).toEqual(['a', 'ab', 'abc']);
  });
});
