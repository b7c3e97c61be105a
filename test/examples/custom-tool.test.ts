import { expect, test } from 'vitest';
import { askAboutStock } from '../../src/examples/custom-tool.ts';
import { createScriptedModel, script, type ToolMessage, textOf } from '../../src/index.ts';

test('the model calls the tool and is told its result, or what is wrong', async () => {
  const model = createScriptedModel([
    [
      script.toolCall('stock', { fruit: 'apples' }),
      script.toolCall('stock', { fruit: 'plums' }),
      script.toolCall('stock', { colour: 'red' }),
    ],
    [script.text('There are 12 apples and no plums.')],
  ]);
  expect(await askAboutStock(model, 'What is there?')).toBe('There are 12 apples and no plums.');
  expect(model.requests[0]).toMatchObject({
    system: 'You answer questions about a fruit stall.',
    tools: [{ name: 'stock', parameters: { required: ['fruit'] } }],
  });
  const results = (model.requests[1]?.messages ?? []).filter(
    (message): message is ToolMessage => message.role === 'tool',
  );
  expect(results.map(({ blocks: [result] }) => [result.isError ?? false, textOf({ blocks: result.content })])).toEqual([
    [false, '12 apples'],
    [true, expect.stringContaining('There are no plums on the list. There are: apples, pears.')],
    [true, expect.stringContaining('there is no argument "colour" (there are: fruit)')],
  ]);
});
