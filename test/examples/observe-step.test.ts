import { expect, test } from 'vitest';
import { observeSteps } from '../../src/examples/observe-step.ts';
import { createScriptedModel, createSession, defineTool, script } from '../../src/index.ts';

const look = defineTool({ name: 'look', description: 'Looks.', parameters: {}, run: () => 'seen' });

test('chunks as they come, and the commit of each step', async () => {
  const model = createScriptedModel([
    [script.thinking('Hm.'), script.toolCall('look', {})],
    [script.text('All there.', 6)],
  ]);
  const session = await createSession({ model, tools: [look] });
  const lines: string[] = [];
  await observeSteps(session, (line) => lines.push(line));
  expect(lines).toEqual([
    'turn 1, step 1: thinking "Hm."',
    'turn 1, step 1: calls look {}',
    'step 1 committed, 2 message(s)',
    'turn 1, step 2: text "All th"',
    'turn 1, step 2: text "ere."',
    'step 2 committed, 1 message(s)',
  ]);
});

test('a step that fails was seen and is never committed', async () => {
  const model = createScriptedModel([[script.text('I will'), script.fail(new Error('broken'))]]);
  const session = await createSession({ model });
  const lines: string[] = [];
  await observeSteps(session, (line) => lines.push(line));
  expect(lines).toEqual(['turn 1, step 1: text "I will"']);
});
