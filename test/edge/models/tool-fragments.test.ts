/** Which call a fragment belongs to is told by the table of stream shapes; here is what holds for any fragments at all. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Chunk } from '../../../src/domain/content.ts';
import { type CallState, flushCalls, noCalls, takeFragments } from '../../../src/edge/models/tool-fragments.ts';
import { nothing, take } from './assembled.ts';

const index = fc.oneof(fc.nat({ max: 2 }), fc.constantFrom(null, '0', '1', '', 0.5, 'x'));
const text = fc.constantFrom('', '{', '"a":', '1', '}', '{}', ' ', '{"a":1}', null, { a: 1 }, 7);
const fragment = fc.record(
  {
    index,
    id: fc.constantFrom('a', 'b', '', 7, null),
    name: fc.constantFrom('flat', ''),
    arguments: text,
    function: fc.record({ name: fc.constantFrom('f', 'g', '', null), arguments: text }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const delta = fc.record(
  {
    tool_calls: fc.oneof(
      fc.array(fc.oneof(fragment, fc.jsonValue({ maxDepth: 1 })), { maxLength: 3 }),
      fragment,
      fc.jsonValue(),
    ),
    function_call: fc.oneof(fc.record({ name: fc.constantFrom('f', ''), arguments: text }), fc.constant(null)),
  },
  { requiredKeys: [] },
);

test('calls are shown in order, keep their name and id, and lose no argument that came for them', () => {
  fc.assert(
    fc.property(fc.array(delta, { maxLength: 6 }), (deltas) => {
      const chunks: Chunk[] = [];
      let state: CallState = noCalls();
      for (const one of deltas) state = takeFragments(state, one as Record<string, unknown>, chunks);
      state = flushCalls(state, chunks);
      const into = nothing();
      // throws where a call changes, or comes out of order
      for (const chunk of chunks) take(into, { type: 'chunk', chunk });
      expect(into.calls).toHaveLength(state.shown);
      const shown = state.calls.filter(({ place }) => place >= 0);
      for (const call of shown)
        expect(into.calls[call.place]).toEqual({ id: call.id, name: call.name, json: call.json });
    }),
    { seed: 20261130, numRuns: 1000 },
  );
});
