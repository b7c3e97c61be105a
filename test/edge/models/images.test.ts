import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InputBlock, Message } from '../../../src/domain/content.ts';
import { createOpenAiModel, type OpenAiOptions } from '../../../src/edge/models/openai.ts';
import { assemble, request } from './assembled.ts';
import { createHastyClock } from './clocks.ts';
import { type Answer, type FixtureServer, replies, says, startFixtureServer } from './fixture-server.ts';

const IMAGE: InputBlock = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const user = (...blocks: InputBlock[]): Message => ({ role: 'user', blocks });
const text = (words: string): InputBlock => ({ type: 'text', text: words });
const shown: Message = {
  role: 'tool',
  blocks: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'here' }, IMAGE as never] }],
};
const calls: Message = { role: 'assistant', blocks: [{ type: 'tool_use', id: 'c1', name: 'read_file', input: {} }] };
const answered: Message = { role: 'assistant', blocks: [{ type: 'text', text: 'fine' }] };

/** Waits take no time here. */
const FAR = { stallTimeoutMs: 1e12, firstByteTimeoutMs: 1e12 };

let server: FixtureServer;
beforeEach(async () => {
  server = await startFixtureServer();
});
afterEach(() => server.close());
const modelOf = (over: Partial<OpenAiOptions> = {}) =>
  createOpenAiModel({
    baseUrl: server.url,
    apiKey: 'x',
    clock: createHastyClock(),
    random: () => 0.5,
    ...FAR,
    ...over,
  });
const imagesSent = (): number[] => server.seen.map(({ body }) => body.split('image_url":').length - 1);
const ask = (model: ReturnType<typeof modelOf>, messages: Message[]) =>
  assemble(model.stream({ ...request(), messages }, new AbortController().signal));
const refusal = (status: number, message: string): Answer => replies(status, JSON.stringify({ error: { message } }));

describe('a server that takes no images', () => {
  test.each<[number, string]>([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [400, 'this model does not support image input'],
    [400, 'm1 is not a multimodal model'],
    [404, 'No endpoints found that support image input'],
    [422, 'Failed to deserialize the JSON body: messages[0]: unknown variant `image_url`, expected `text`'],
    [400, "'messages[0].content' : value must be a string"],
    [400, 'messages.0.content must be a string'],
    [400, 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string'],
    [500, 'image input is not supported - hint: you may need to provide the mmproj'],
    [413, 'Payload Too Large'],
  ])('%i %s: the newest image is refused in words; from then on it is told of', async (status, message) => {
    const model = modelOf();
    server.answer(refusal(status, message), says('hello'));
    const first = [user(text('look'), IMAGE)];
    expect(await ask(model, first)).toMatchObject({
      error: 'provider_refused',
      message: expect.stringMatching(/refused the images.*\/model/),
    });
    const { text: said } = await ask(model, [...first, user(text('and now?'))]);
    expect(said).toBe('hello');
    expect(imagesSent()).toEqual([1, 0]);
    expect(server.seen[1]?.body).toContain('an image that this model cannot be shown');
  });

  test('refuses one of an earlier turn, as after a restart: asked again without, once and for all', async () => {
    const model = modelOf();
    server.answer(refusal(400, 'no image input here'), says('hello'));
    const earlier = [user(text('look'), IMAGE), answered, user(text('and?'))];
    expect((await ask(model, earlier)).text).toBe('hello');
    expect((await ask(model, earlier)).text).toBe('hello');
    expect(imagesSent()).toEqual([1, 0, 0]);
  });

  test('refuses one that a tool read: the turn goes on without it', async () => {
    server.answer(refusal(400, 'no image input here'), says('hello'));
    expect((await ask(modelOf(), [user(text('read it')), calls, shown])).text).toBe('hello');
    expect(imagesSent()).toEqual([1, 0]);
  });

  test('keeps the newest image and gives up those before it first', async () => {
    server.answer(refusal(413, 'Payload Too Large'), says('hello'));
    await ask(modelOf(), [user(text('one'), IMAGE), answered, user(text('two'), IMAGE)]);
    expect(imagesSent()).toEqual([2, 1]);
  });

  test('where the configuration says so none is sent at all', async () => {
    server.answer(says('hello'));
    await ask(modelOf({ quirks: { images: false } }), [user(text('look'), IMAGE), calls, shown]);
    expect(imagesSent()).toEqual([0]);
  });

  test('what is refused once the images are gone is not laid on them', async () => {
    server.answer(refusal(413, 'Payload Too Large'), refusal(413, 'Payload Too Large'));
    const long = [user(text('look'), IMAGE), answered, user(text('and all of this'))];
    expect(await ask(modelOf(), long)).toMatchObject({ error: 'provider_context_length' });
    expect(imagesSent()).toEqual([1, 0]);
  });

  test.each([
    [404, 'model m1-vision not found', /does not know the model/],
    [400, 'the deployment is not provisioned', /refused the request/],
  ])('%i %s: the images are not why', async (status, message, said) => {
    server.answer(refusal(status, message), says('hello'));
    const model = modelOf();
    const first = [user(text('look'), IMAGE)];
    expect(await ask(model, first)).toMatchObject({ message: expect.stringMatching(said) });
    await ask(model, [...first, user(text('and now?'))]);
    expect(imagesSent()).toEqual([1, 1]);
  });

  test('a refusal of something else says nothing of images', async () => {
    server.answer(refusal(400, 'temperature is out of range'));
    expect(await ask(modelOf(), [user(text('look'), IMAGE)])).toMatchObject({
      message: expect.stringMatching(/refused the request.*out of range/),
    });
    server.answer(refusal(400, 'no image input here'));
    const other = await ask(modelOf(), [user(text('just text'))]);
    expect(other).toMatchObject({ message: expect.stringMatching(/refused the request/) });
  });
});
