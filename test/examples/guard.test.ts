import { expect, test } from 'vitest';
import { removeUnderGuard } from '../../src/examples/guard.ts';
import { createScriptedModel, script } from '../../src/index.ts';

test('a denied call is an error result, and the turn goes on', async () => {
  const model = createScriptedModel([
    [script.toolCall('remove', { path: 'a.tmp' }), script.toolCall('remove', { path: 'keep/b' })],
    [script.text('I removed one of them.')],
  ]);
  const lines: string[] = [];
  await removeUnderGuard(model, 'Remove both.', (line) => lines.push(line));
  expect(lines.sort()).toEqual(['remove {"path":"a.tmp"}: completed', 'remove {"path":"keep/b"}: denied']);
  expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
    { blocks: [{ content: [{ text: 'removed a.tmp' }] }] },
    { blocks: [{ isError: true, content: [{ text: expect.stringContaining('keep/b is kept') }] }] },
  ]);
});
