import { expect, test } from 'vitest';
import { printSteps } from '../../src/examples/print-steps.ts';
import { createScriptedModel, createSession, defineTool, script } from '../../src/index.ts';

const look = defineTool({ name: 'look', description: 'Looks.', parameters: {}, run: () => 'seen' });

test('a line for each step, and the sum of their usage', async () => {
  const model = createScriptedModel([
    [script.toolCall('look', {}), script.toolCall('look', {}), script.usage({ inputTokens: 10, outputTokens: 2 })],
    [script.text('Done.'), script.usage({ inputTokens: 20, outputTokens: 3 })],
  ]);
  const session = await createSession({ model, tools: [look] });
  const lines: string[] = [];
  await printSteps(session, (line) => lines.push(line));
  expect(lines).toEqual(['step: assistant, tool, tool', 'step: assistant', 'turn 1 done: 30 tokens in, 5 out']);
});

test('steps before a failure stay, and the failure is thrown', async () => {
  const error = new Error('broken');
  const model = createScriptedModel([[script.toolCall('look', {})], [script.text('I will'), script.fail(error)]]);
  const session = await createSession({ model, tools: [look] });
  const lines: string[] = [];
  await expect(printSteps(session, (line) => lines.push(line))).rejects.toMatchObject({ cause: error });
  expect(lines).toEqual(['step: assistant, tool']);
});
