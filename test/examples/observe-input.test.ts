import { expect, test } from 'vitest';
import { observeInput } from '../../src/examples/observe-input.ts';
import {
  createScriptedModel,
  createSession,
  defineTool,
  findError,
  ProviderError,
  type ScriptReply,
  script,
  textOf,
} from '../../src/index.ts';

const say = (text: string) => [{ type: 'text' as const, text }];
const look = defineTool({ name: 'look', description: 'Looks.', parameters: {}, run: () => 'seen' });

async function running(...replies: ScriptReply[]) {
  const model = createScriptedModel(replies);
  return { model, session: await createSession({ model, tools: [look] }) };
}

test('an input that starts a turn', async () => {
  const { session } = await running([script.text('Hello.')]);
  expect(textOf((await observeInput(session, say('hi'))).message)).toBe('Hello.');
});

test('an input that joins the running turn ends with it', async () => {
  const { session, model } = await running([script.hold('go'), script.toolCall('look', {})], [script.text('Both.')]);
  const first = observeInput(session, say('one'));
  await model.reached('go');
  const second = observeInput(session, say('two'));
  model.release('go');
  expect(await second).toEqual(await first);
});

test('an input that waits for a turn of its own does not end with the one before', async () => {
  const { session, model } = await running([script.hold('go'), script.text('One.')], [script.text('Two.')]);
  const first = observeInput(session, say('one'));
  await model.reached('go');
  const second = observeInput(session, say('two'));
  model.release('go');
  expect([textOf((await first).message), textOf((await second).message)]).toEqual(['One.', 'Two.']);
});

test('a failed turn: the very error of the model is the cause', async () => {
  const error = new ProviderError('provider_auth', 'The key was refused.');
  const { session } = await running([script.fail(error)]);
  const failed = await observeInput(session, say('hi')).catch((cause: unknown) => cause);
  expect(failed).toMatchObject({ message: 'the turn failed', cause: error });
  expect(findError(failed, ProviderError)).toBe(error);
});

test('an interrupted turn', async () => {
  const { session, model } = await running([script.hold('for ever')]);
  const watched = observeInput(session, say('hi'));
  await model.reached('for ever');
  expect(await session.interrupt()).toBe(true);
  await expect(watched).rejects.toThrow('the turn was interrupted');
});

test('an input that is refused, or returned', async () => {
  const model = createScriptedModel([[script.hold('for ever')]]);
  const session = await createSession({ model, inboxLimit: 1 });
  const first = observeInput(session, say('one'));
  await model.reached('for ever');
  const second = observeInput(session, say('two'));
  await expect(observeInput(session, say('three'))).rejects.toThrow('TurnRejected, queue_full');
  const returned = expect(second).rejects.toThrow('InputCancelled, turn_interrupted');
  await Promise.all([expect(first).rejects.toThrow('interrupted'), returned, session.shutdown()]);
});

test('the signal ends the watching and not the turn', async () => {
  const { session, model } = await running([script.hold('go'), script.text('Anyway.')]);
  const away = new AbortController();
  const watched = observeInput(session, say('hi'), away.signal);
  await model.reached('go');
  away.abort(new Error('gone'));
  await expect(watched).rejects.toThrow('gone');
  model.release('go');
  await session.drain();
  const types = [];
  for await (const { event } of session.readEvents()) types.push(event.type);
  expect(types).toContain('TurnDone');
});

test('a signal that is aborted before submits nothing', async () => {
  const { session, model } = await running();
  await expect(observeInput(session, say('hi'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(model.requests).toEqual([]);
});
