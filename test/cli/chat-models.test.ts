import { expect, test } from 'vitest';
import { offerModels } from '../../src/cli/chat-models.ts';
import { ProviderError } from '../../src/domain/failure.ts';
import type { Picker } from '../../src/view/picker.ts';
import { ChatDriver } from '../support/chat-driver.ts';

type Known = Parameters<typeof offerModels>[1];

/** What the chat shows after `keys`, where the settings know that much. */
async function offered(keys: string, known: Partial<Known>) {
  const driver = ChatDriver.started();
  driver.keys(keys);
  const [intent] = driver.intents.filter((one) => one.type === 'Errand');
  const settings: Known = {
    modelsOf: async () => [],
    providers: () => [],
    choose: () => ({ ok: false, refusal: 'no' }),
    refusalOf: (provider) => `there is no provider ${provider}`,
    ...known,
  };
  await offerModels(
    intent?.errand as Parameters<typeof offerModels>[0],
    settings,
    (step) => {
      const { chat, intents, print } = step(driver.chat, driver.now);
      driver.chat = chat;
      driver.intents.push(...intents);
      driver.printed.push(...print.map((line) => line.map(({ text }) => text).join('')));
    },
    () => 'id-1',
  );
  return { driver, picker: driver.chat.overlay as Picker | undefined };
}

test('the models of a list: those that chat first, the one in use, window and price as far as they are known', async () => {
  const { picker } = await offered('/model<Enter>', {
    modelsOf: async () => [
      { id: 'embed-1' },
      { id: 'fake-model', window: 1000 },
      { id: 'gpt', window: 128_000, price: { input: 0.15000000000000002, output: 0.6 } },
    ],
    choose: ({ model }) =>
      model === 'fake-model'
        ? ({ ok: true, choice: { window: 8192, price: { input: 2 } } } as ReturnType<Known['choose']>)
        : { ok: false, refusal: 'no' },
  });
  expect(picker?.items?.map(({ id, facts }) => [id, ...facts])).toEqual([
    ['fake-model', 'in use', '8.2k tokens', '2 in, ? out per 1M'],
    ['gpt', '128k tokens', '0.15 in, 0.6 out per 1M'],
    ['embed-1'],
  ]);
});

test.each([
  ['an empty list', async () => [], /^fake lists no models\. Type the name/],
  [
    'one that fails',
    () => Promise.reject(new ProviderError('provider_auth', 'x refused the API key (401).')),
    /^x refused the API key \(401\)\. Type the name/,
  ],
])('%s says what to do', async (_name, modelsOf, note) => {
  const { picker } = await offered('/model<Enter>', { modelsOf });
  expect([picker?.items, picker?.note]).toEqual([[], expect.stringMatching(note)]);
});

test('the providers: those that can be used first; of a missing key the variable is named', async () => {
  const { picker } = await offered('/provider<Enter>', {
    providers: () => [
      { name: 'groq', refusal: 'no key is set for https://…', keyless: 'GROQ_API_KEY' },
      { name: 'odd', refusal: 'baseUrl is wrong' },
      { name: 'fake', model: 'm', baseUrl: 'https://user:secret@models.test/v1' },
      { name: 'demo', model: 'demo' },
    ],
  });
  expect(picker?.items?.map(({ id, facts, refusal }) => [id, facts.join(', '), refusal])).toEqual([
    ['fake', 'in use, m, models.test', undefined],
    ['demo', 'built in, no network', undefined],
    ['groq', 'set GROQ_API_KEY', 'groq has no key: set GROQ_API_KEY, then start again with -c'],
    ['odd', 'baseUrl is wrong', 'baseUrl is wrong'],
  ]);
});

test('/provider NAME: its own model at once, else its list; what cannot be used is said', async () => {
  const providers = () => [{ name: 'a', model: 'm' }, { name: 'b' }, { name: 'c', refusal: 'set C_KEY' }];
  const a = await offered('/provider a<Enter>', { providers });
  expect(a.driver.takeCommands()).toMatchObject([{ type: 'SetModel', provider: 'a', model: 'm', commandId: 'id-1' }]);
  const b = await offered('/provider b<Enter>', { providers });
  expect(b.picker).toMatchObject({ purpose: 'models', of: 'b' });
  const c = await offered('/provider c<Enter>', { providers });
  expect(c.driver.printed.at(-1)).toContain('set C_KEY');
  const nobody = await offered('/provider nobody<Enter>', { providers });
  expect(nobody.driver.printed.at(-1)).toContain('there is no provider nobody');
});
