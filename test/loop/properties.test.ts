/** What holds of every history, whatever was sent and whatever the Turns did. Seeded; a failure prints a short one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody } from '../../src/domain/event.ts';
import { isTerminal } from '../../src/domain/event.ts';
import { evolve } from '../../src/loop/evolve.ts';
import { newSession, type SessionState } from '../../src/loop/state.ts';
import { happenings, isJournaled, Story } from './story.ts';

const RUNS = { numRuns: 300, seed: 20261130 };
/** An input of the queue was asked to start when its Turn is interrupted. */
const isSent = (state: SessionState, loopId: string): boolean => {
  const loop = state.loops.get(loopId);
  return loop?.inbox.some(({ commandId }) => commandId === loop.turn?.sendNow) ?? false;
};
const eventsOf = (story: Story): EventBody[] =>
  story.changes.flatMap((change) => ('event' in change ? [change.event] : []));
const ofLoop = (events: EventBody[], loopId: string) =>
  events.filter((event) => 'loopId' in event && event.loopId === loopId);
const RESOLUTIONS = new Set(['TurnStarted', 'TurnFoldedInto', 'InputCancelled', 'TurnRejected']);

/** With `losses`, the append of some transitions fails. */
function play(
  steps: ReturnType<typeof happenings> extends fc.Arbitrary<infer T> ? T : never,
  losses: readonly boolean[] = [],
): Story {
  const story = new Story();
  for (const [i, step] of steps.entries()) story.play(step, losses[i]);
  return story;
}
const stories = (check: (story: Story) => void) => {
  fc.assert(
    fc.property(
      happenings(),
      fc.array(
        fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
        { maxLength: 60 },
      ),
      (steps, losses) => check(play(steps, losses)),
    ),
    RUNS,
  );
};

test('every input resolves at most once, and is queued until it does', () => {
  stories((story) => {
    const resolved = eventsOf(story).flatMap((event) =>
      RESOLUTIONS.has(event.type) && 'cause' in event ? [event.cause?.commandId] : [],
    );
    expect(new Set(resolved).size).toBe(resolved.length);
    const queued = [...story.state.loops.values()].flatMap(({ inbox }) => inbox.map(({ commandId }) => commandId));
    const answered = story.steps.filter(({ reply }) => reply.type === 'stopped' || reply.type === 'invalid').length;
    for (const { commandId } of story.submitted) {
      const known = [...resolved, ...queued].filter((id) => id === commandId).length;
      if (answered === 0) expect([commandId, known]).toEqual([commandId, 1]);
      else expect(known).toBeLessThanOrEqual(1);
    }
  });
});

test('one terminal a turn, one turn at a time, nothing of a turn after its terminal, indexes without gaps', () => {
  stories((story) => {
    for (const loopId of story.state.loops.keys()) {
      let open: string | undefined;
      let index = 0;
      for (const event of ofLoop(eventsOf(story), loopId)) {
        if (event.type === 'TurnStarted') {
          expect(open).toBeUndefined();
          index += 1;
          expect(event.turnIndex).toBe(index);
          open = event.turnId;
        } else if (event.type === 'InputCancelled') continue;
        else if ('turnId' in event && event.turnId) expect(event.turnId).toBe(open);
        if (isTerminal(event)) open = undefined;
      }
    }
  });
});

test('what was held never folds; folds follow a tool Step at once; what folded stood before the first held entry', () => {
  stories((story) => {
    for (const { before, changes } of story.steps) {
      const events = changes.flatMap((change) => ('event' in change ? [change.event] : []));
      const folds = events.filter((event) => event.type === 'TurnFoldedInto');
      if (folds.length === 0) continue;
      expect(events[0]?.type).toBe('StepDone');
      const loop = before.loops.get(folds[0]?.loopId ?? '');
      const leading = loop?.inbox.slice(0, folds.length) ?? [];
      expect(folds.map(({ cause }) => cause.commandId)).toEqual(leading.map(({ commandId }) => commandId));
      expect(leading.every(({ noFold }) => !noFold)).toBe(true);
    }
  });
});

test('after a failure nothing is queued; after an interrupt no machine is, and nothing starts by itself', () => {
  stories((story) => {
    for (const { before, changes, after } of story.steps) {
      for (const change of changes) {
        if (!('event' in change)) continue;
        const { event } = change;
        if (event.type === 'TurnFailed') expect(after.loops.get(event.loopId)?.inbox).toEqual([]);
        if (event.type === 'TurnInterrupted') {
          const loop = after.loops.get(event.loopId);
          expect(loop?.inbox.every(({ agency }) => agency === 'user')).toBe(true);
          if (before.closing !== 'shutdown' && isSent(before, event.loopId)) continue;
          expect(loop?.turn).toBeUndefined();
          expect(loop?.held).toBe((loop?.inbox.length ?? 0) > 0);
        }
      }
    }
  });
});

test('who is sent now is the first behind the turn that it ended, and ends no other', () => {
  let sent = 0;
  const said = { do: 'input', agency: 'user', noFold: false, loop: 0 } as const;
  const check = (story: Story) => {
    for (const { input, reply, before, changes, after } of story.steps) {
      if (input.type === 'command' && input.command.type === 'SendQueuedInput') {
        const { targetCommandId: target } = input.command;
        if (reply.type !== 'ack' || !reply.ack.sent) {
          expect([...after.loops.values()].map(({ turn }) => turn?.stopping)).toEqual(
            [...before.loops.values()].map(({ turn }) => turn?.stopping),
          );
          continue;
        }
        const loop = [...before.loops.values()].find(({ inbox }) => inbox.some((entry) => entry.commandId === target));
        const then = after.loops.get(loop?.id ?? '');
        const begun = changes.some((change) => 'event' in change && change.event.type === 'TurnStarted');
        expect(begun || then?.turn?.sendNow === target || then?.compaction.release).toBeTruthy();
        if (!begun) expect(then?.inbox[0]?.commandId).toBe(target);
      }
      if (input.type !== 'endTurn' || before.closing === 'shutdown' || !isSent(before, input.loopId)) continue;
      if (!changes.some((change) => 'event' in change && change.event.type === 'TurnInterrupted')) continue;
      const named = before.loops.get(input.loopId)?.turn?.sendNow;
      const started = changes.flatMap((change) =>
        'event' in change && change.event.type === 'TurnStarted' ? [change.event.cause.commandId] : [],
      );
      expect(started).toEqual([named]);
      sent += 1;
    }
  };
  const lives = fc.tuple(happenings(), fc.nat({ max: 5 }), happenings());
  fc.assert(
    fc.property(lives, ([before, pick, meanwhile]) => {
      const ends = { do: 'end', loop: 0, failed: false } as const;
      check(play([said, said, said, ...before, said, { do: 'sendNow', pick }, ...meanwhile, ends]));
    }),
    RUNS,
  );
  expect(sent).toBeGreaterThan(10);
});

test('LoopIdle comes once after the turns of a loop, never while its queue would go on; the session is active while a loop is', () => {
  stories((story) => {
    const worked = new Map<string, boolean>();
    let state = newSession('session');
    for (const change of story.changes) {
      state = evolve(state, change);
      if (!('event' in change)) continue;
      const { event } = change;
      if (event.type === 'TurnStarted') worked.set(event.loopId, true);
      if (event.type === 'LoopIdle') {
        expect(worked.get(event.loopId)).toBe(true);
        worked.set(event.loopId, false);
        const loop = state.loops.get(event.loopId);
        expect(loop?.turn ?? (loop?.inbox.length && !loop.held)).toBeFalsy();
      }
    }
    for (const { after } of story.steps) {
      // while a history is summarised with inputs behind it, the loop has not come to rest
      const busy = [...after.loops.values()].some(
        ({ turn, worked, compaction }) => turn || (worked && compaction.is === 'running'),
      );
      expect(after.active).toBe(busy);
    }
  });
});

test('a queue waits for something: a turn, a summary, or the person', () => {
  stories((story) => {
    for (const { after } of story.steps) {
      if (after.phase !== 'running') continue;
      for (const { inbox, turn, compaction, held } of after.loops.values()) {
        expect(inbox.length === 0 || turn || compaction.is === 'running' || held).toBeTruthy();
      }
    }
  });
});

test('after a shutdown no turn starts', () => {
  stories((story) => {
    for (const { before, changes } of story.steps) {
      if (before.closing !== 'shutdown') continue;
      expect(changes.filter((change) => 'event' in change && change.event.type === 'TurnStarted')).toEqual([]);
    }
  });
});

test('replay equals live: the journaled records alone give the same state after every transition', () => {
  stories((story) => {
    let replayed = newSession('session');
    for (const { changes, after } of story.steps) {
      for (const change of changes) if (isJournaled(change)) replayed = evolve(replayed, change);
      expect(durable(replayed)).toEqual(durable(after));
    }
  });
});

test('a restore from any prefix closes what was open, loses no input of a person, and goes on', () => {
  fc.assert(
    fc.property(happenings(false), fc.nat(), (steps, cut) => {
      const records = play(steps).changes.filter(isJournaled);
      const kept = records.slice(0, 2 + (cut % (records.length - 1)));
      const crashed = kept.reduce(evolve, newSession('session'));
      const story = new Story({ newId: uniqueIds() }, crashed);
      const step = story.take({ type: 'restore' });
      for (const [id, loop] of crashed.loops) {
        const restored = story.state.loops.get(id);
        expect(restored?.turn).toBeUndefined();
        expect(restored?.turnIndex).toBe(loop.turnIndex);
        const people = loop.inbox.filter(({ agency }) => agency === 'user').map(({ commandId }) => commandId);
        const failed = loop.owed?.reason === 'turn_failed' && !loop.turn;
        expect(restored?.inbox.map(({ commandId }) => commandId)).toEqual(failed ? [] : people);
        expect(restored?.held).toBe((restored?.inbox.length ?? 0) > 0);
      }
      const synthetic = (step?.changes ?? []).filter(
        (change) => 'event' in change && change.event.type === 'TurnInterrupted',
      );
      expect(synthetic).toHaveLength([...crashed.loops.values()].filter(({ turn }) => turn).length);
      expect(story.state.active).toBe(false);
    }),
    RUNS,
  );
});

const uniqueIds = () => {
  let n = 0;
  return () => `restored-${++n}`;
};

/** Without what lives only in the process: a Turn that was told to stop, a compaction, the end that is under way. */
const durable = (state: SessionState): unknown => ({
  ...state,
  closing: undefined,
  loops: [...state.loops.values()].map((loop) => ({
    ...loop,
    compaction: undefined,
    turn: loop.turn && { ...loop.turn, stopping: false, sendNow: undefined },
  })),
});
