import { expect, test } from 'vitest';
import { consumeResolutions } from '../../src/examples/consume-resolutions.ts';
import { createScriptedModel, createSession, defineTool, script } from '../../src/index.ts';

const look = defineTool({ name: 'look', description: 'Looks.', parameters: {}, run: () => 'seen' });

test('every input has exactly one resolution', async () => {
  const model = createScriptedModel([
    [script.hold('first'), script.toolCall('look', {})],
    [script.hold('second'), script.text('Done.')],
  ]);
  const session = await createSession({ model, tools: [look], inboxLimit: 4 });
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  const inputs = new Map<string, string>();
  const submit = async (name: string, noFold = false) => {
    const id = await session.submit([{ type: 'text', text: name }], {
      noFold,
      ...(name === 'script' && { agency: 'machine' }),
    });
    inputs.set(id, name);
    return id;
  };
  await submit('start');
  await model.reached('first');
  await submit('fold');
  await submit('hold', true);
  await submit('script');
  const regretted = await submit('regret');
  await submit('too many');
  session.cancelQueuedInput(regretted);
  const lines: string[] = [];
  const consumed = consumeResolutions(subscription, inputs, (line) => lines.push(line));
  model.release('first');
  await model.reached('second');
  const idle = session.subscribeEvents({ enduring: 'all' });
  await session.interrupt();
  for await (const { event } of idle) if (event.type === 'LoopIdle') break;
  await session.shutdown();
  await consumed;
  expect(lines).toEqual([
    'start: began turn 1',
    'fold: queued',
    'hold: queued',
    'script: queued',
    'regret: queued',
    'too many: refused (queue_full)',
    'regret: returned (client_retracted)',
    'fold: joined turn 1',
    'script: returned (turn_interrupted of turn 1)',
    'hold: returned (turn_interrupted)',
  ]);
});
