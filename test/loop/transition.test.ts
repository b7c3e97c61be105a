import { expect, test } from 'vitest';
import { isJournaledCommand, Transition } from '../../src/loop/transition.ts';
import { ByHand } from './by-hand.ts';

test('what is emitted is true at once, and the state it began with is untouched', () => {
  const { state } = new ByHand();
  const next = new Transition(state);
  next.emit({ type: 'SessionRenamed', name: 'new' });
  expect(next.state.name).toBe('new');
  expect(state.name).toBeUndefined();
  next.compaction('main', { is: 'due' });
  expect(next.loop('main').compaction).toEqual({ is: 'due' });
  expect(state.loops.get('main')?.compaction).toEqual({ is: 'none' });
});

test('changes and effects keep their order; what is live only is no change', () => {
  const next = new Transition(new ByHand().state);
  next.emit({ type: 'SessionActive' });
  next.accept({ type: 'UserInput', commandId: 'a', agency: 'user', blocks: [] });
  next.close('drain');
  next.effect({ type: 'finish' });
  next.effect({ type: 'closeWhenQuiet' });
  expect(next.changes.map((change) => ('event' in change ? change.event.type : change.command.type))).toEqual([
    'SessionActive',
    'UserInput',
  ]);
  expect(next.effects).toEqual([{ type: 'finish' }, { type: 'closeWhenQuiet' }]);
  expect(next.state.closing).toBe('drain');
});

test('an end that has begun keeps its kind', () => {
  const next = new Transition(new ByHand().state);
  next.close('shutdown');
  next.close('drain');
  expect(next.state.closing).toBe('shutdown');
});

test('a loop that is not there is a mistake of the caller', () => {
  expect(() => new Transition(new ByHand().state).loop('gone')).toThrow(new RangeError('no loop gone'));
});

test.each([
  [{ command: { type: 'UserInput', commandId: 'a', agency: 'user', blocks: [] } }, true],
  [{ command: { type: 'Interrupt', commandId: 'a', agency: 'user' } }, false],
  [{ event: { type: 'SessionActive' } }, false],
] as const)('%j has a record of its own as a command: %s', (change, journaled) => {
  expect(isJournaledCommand(change as never)).toBe(journaled);
});
