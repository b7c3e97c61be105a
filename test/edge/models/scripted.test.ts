import { expect, test } from 'vitest';
import { ProviderError } from '../../../src/domain/failure.ts';
import {
  createScriptedModel,
  fail,
  finish,
  hold,
  refusal,
  text,
  thinking,
  toolCall,
  usage,
} from '../../../src/edge/models/scripted.ts';
import { assemble, request } from './assembled.ts';
import { describeModel } from './conformance.ts';

describeModel('scripted', async () => {
  const of = (script: Parameters<typeof createScriptedModel>[1]) => {
    model = createScriptedModel([], script);
    return Promise.resolve({ model, request: request() });
  };
  let model = createScriptedModel();
  return {
    saying: () => of([text('Hello world', 3)]),
    calling: () => of([toolCall('list_files', { path: '.' }, { size: 4 })]),
    hanging: () => of([text('Hel'), hold('never')]),
    failing: () => of([text('Hel'), fail(new ProviderError('provider_unavailable', 'down'))]),
    asked: () => model.requests.length,
  };
});

test('plays its replies in order and keeps the requests as they were', async () => {
  const model = createScriptedModel([
    [thinking('hm'), text('one'), refusal('no'), usage({ inputTokens: 3 }), finish('length'), text('never said')],
    (asked) => [text(`asked ${asked.model}`)],
  ]);
  const messages = [...request().messages];
  const signal = new AbortController().signal;
  expect(await assemble(model.stream(request({ messages }), signal))).toMatchObject({
    thinking: 'hm',
    text: 'one',
    refusal: 'no',
    usage: [3, 0, 0, 0, 0],
    finish: 'length',
  });
  messages.push({ role: 'user', blocks: [] });
  expect(model.requests[0]!.messages).toHaveLength(1);
  expect(await assemble(model.stream(request({ model: 'other' }), signal))).toMatchObject({
    text: 'asked other',
    finish: 'stop',
  });
  await expect(assemble(model.stream(request(), signal))).rejects.toThrow('no reply for request 3');
});

test('calls get ids of their own, and indexes from 0 in each reply', async () => {
  const model = createScriptedModel([], [toolCall('a', {}), toolCall('b', '{"cut', { id: 'mine' })]);
  const signal = new AbortController().signal;
  const first = await assemble(model.stream(request(), signal));
  const second = await assemble(model.stream(request(), signal));
  expect(first.calls).toEqual([
    { id: 'call_1', name: 'a', json: '{}' },
    { id: 'mine', name: 'b', json: '{"cut' },
  ]);
  expect(second.calls[0]!.id).toBe('call_3');
});

test('holds until it is released, then or before, and counts aborts', async () => {
  const model = createScriptedModel([], [text('a'), hold('here'), text('b')]);
  const ended = assemble(model.stream(request(), new AbortController().signal));
  await model.requested(1);
  await model.reached('here');
  model.release('here');
  expect((await ended).text).toBe('ab');
  expect((await assemble(model.stream(request(), new AbortController().signal))).text).toBe('ab');

  model.reply([hold('never')]);
  const controller = new AbortController();
  const stopped = assemble(model.stream(request(), controller.signal));
  await model.reached('never');
  controller.abort();
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  expect(model.aborted).toBe(1);
});
