import { expect, test } from 'vitest';
import { retractInput } from '../../src/examples/retract-input.ts';
import { createScriptedModel, createSession, script } from '../../src/index.ts';

const say = (text: string) => [{ type: 'text' as const, text }];

test('in the queue: retracted, without a turn; started or unknown: nothing happens', async () => {
  const model = createScriptedModel([[script.hold('go'), script.text('Done.')]]);
  const session = await createSession({ model });
  const running = await session.submit(say('one'));
  const queued = await session.submit(say('two'));
  await model.reached('go');
  const retracted = await retractInput(session, queued);
  expect(retracted).toMatchObject({
    type: 'InputCancelled',
    reason: 'client_retracted',
    message: { blocks: say('two') },
  });
  expect(retracted).not.toHaveProperty('turnId');
  expect(await retractInput(session, running)).toMatchObject({ type: 'TurnStarted', turnIndex: 1 });
  expect(await retractInput(session, 'never seen')).toBeUndefined();
  model.release('go');
  await session.drain();
  expect(model.requests).toHaveLength(1);
});
