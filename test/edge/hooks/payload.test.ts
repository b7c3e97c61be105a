/** What a hook reads: names of the wire, coordinates and data side by side. */
import { expect, test } from 'vitest';
import type { Snapshot } from '../../../src/domain/hook.ts';
import { payload } from '../../../src/edge/hooks/payload.ts';

const at = { sessionId: 's', loopId: 'l', turnId: 't' } as const;
const call = { toolName: 'shell', toolUseId: 'u', input: { command: 'ls', oldText: { deepKey: 1 } } };

test.each<[Snapshot, object]>([
  [
    {
      ...at,
      operation: 'Turn',
      data: { turnIndex: 1, message: { role: 'user', blocks: [{ type: 'text', text: 'hi' }] } },
    },
    { ...wire(), operation: 'Turn', turn_index: 1, message: { role: 'user', blocks: [{ type: 'text', text: 'hi' }] } },
  ],
  [
    { ...at, stepId: 'p', operation: 'Step', data: { index: 0 } },
    { ...wire(), operation: 'Step', step_id: 'p', index: 0 },
  ],
  [
    { ...at, stepId: 'p', operation: 'Inference', data: { model: 'm', messageCount: 3 } },
    { ...wire(), operation: 'Inference', step_id: 'p', model: 'm', message_count: 3 },
  ],
  [
    { ...at, stepId: 'p', toolExecutionId: 'x', operation: 'ToolCall', data: call },
    {
      ...wire(),
      operation: 'ToolCall',
      step_id: 'p',
      tool_execution_id: 'x',
      tool_name: 'shell',
      tool_use_id: 'u',
      input: call.input,
    },
  ],
  [
    { ...at, operation: 'GateWait', data: { toolName: 'shell', toolUseId: 'u' } },
    { ...wire(), operation: 'GateWait', tool_name: 'shell', tool_use_id: 'u' },
  ],
  [
    { sessionId: 's', operation: 'JournalAppend', data: { records: 2, types: ['TurnStarted', 'command'] } },
    { session_id: 's', cwd: '/w', operation: 'JournalAppend', records: 2, types: ['TurnStarted', 'command'] },
  ],
])('%j', (snapshot, expected) => {
  expect(JSON.parse(payload(snapshot, '/w'))).toEqual(expected);
  expect(JSON.parse(payload(snapshot, '/w', 'denied'))).toEqual({ ...expected, outcome: 'denied' });
});

function wire() {
  return { session_id: 's', loop_id: 'l', turn_id: 't', cwd: '/w' };
}
