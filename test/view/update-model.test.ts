import { expect, test } from 'vitest';
import { only } from '../../src/view/chat.ts';
import type { Errand } from '../../src/view/errand.ts';
import type { PickerItem } from '../../src/view/picker.ts';
import { beginWith } from '../../src/view/update-model.ts';
import { fillPicker } from '../../src/view/update-picker.ts';
import { ChatDriver, LOOP, STEP } from '../support/chat-driver.ts';

const errands = (chat: ChatDriver): Errand[] =>
  chat.intents.flatMap((intent) => (intent.type === 'Errand' ? [intent.errand] : []));
const row = (id: string, more: Partial<PickerItem> = {}): PickerItem => ({ id, title: id, facts: [], ...more });

/** `/model` with the server's list. */
function listed(chat: ChatDriver, items: readonly PickerItem[], note?: string): ChatDriver {
  chat.keys('/model<Enter>');
  chat.chat = fillPicker(chat.chat, 'models', items, { of: 'fake', note });
  return chat;
}

test('/model asks for the list of the provider in use, and stands on the model in use', () => {
  const chat = ChatDriver.started();
  chat.keys('/model<Enter>');
  expect(errands(chat)).toEqual([{ type: 'ListModels', provider: 'fake', model: 'fake-model' }]);
  expect(chat.picture).toMatch(/Models of fake\n[^\n]*\n {2}looking … \(\/model NAME/);
  chat.chat = fillPicker(chat.chat, 'models', [row('a'), row('fake-model', { present: true }), row('z')], {
    of: 'fake',
  });
  expect(chat.picture).toContain('❯ ✔ fake-model');
  chat.keys('<Enter>');
  expect([chat.chat.overlay, chat.takeCommands()]).toEqual([undefined, []]);
});

test('while a turn runs a model is found by typing, taken by Enter, and Esc only closes', () => {
  const chat = listed(ChatDriver.busy(), [row('gpt-large'), row('small')]);
  chat.keys('SMA<Enter>');
  expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', model: 'small', provider: 'fake', ...LOOP }]);
  expect([chat.chat.overlay, chat.draft]).toEqual([undefined, '']);
  listed(chat, [row('gpt-large')]).keys('x<Esc>');
  expect([chat.chat.overlay, chat.takeCommands()]).toEqual([undefined, []]);
});

test('a whole name that is written is the one that Enter takes, whatever else has it as a part or is in use', () => {
  const items = [row('chat-gpt-4'), row('gpt-4-mini', { present: true }), row('gpt-4')];
  const chat = listed(ChatDriver.started(), items);
  chat.keys('gpt-4');
  expect(chat.picture).toMatch(/❯ {3}gpt-4\n[^\n]*gpt-4-mini[^\n]*\n[^\n]*chat-gpt-4/);
  chat.keys('<Enter>');
  expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', model: 'gpt-4' }]);
  chat.keys('/model<Enter>gpt-4');
  chat.chat = fillPicker(chat.chat, 'models', items, { of: 'fake' });
  chat.keys('<Enter>');
  expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', model: 'gpt-4' }]);
});

test('a name that no list has is taken as it is, once the list is there', () => {
  const chat = ChatDriver.started();
  chat.keys('/model<Enter>gpt<Enter>');
  expect(chat.takeCommands()).toEqual([]);
  chat.chat = fillPicker(chat.chat, 'models', [], { of: 'fake', note: 'the list is down' });
  expect(chat.picture).toMatch(/not listed: Enter takes gpt as it is[\s\S]*the list is down/);
  chat.keys('-9 <Enter>');
  expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', model: 'gpt-9', provider: 'fake' }]);
});

test('a list that comes late, for another provider or after it was closed, changes nothing', () => {
  const chat = listed(ChatDriver.started(), [row('a')]);
  expect(fillPicker(chat.chat, 'models', [row('b')], { of: 'other' })).toBe(chat.chat);
  chat.keys('<Esc>');
  expect(fillPicker(chat.chat, 'models', [row('b')], { of: 'fake' })).toBe(chat.chat);
});

test('a question that the picker hid is answered by no key before it can be seen, also where one was taken', () => {
  const chat = listed(ChatDriver.busy(), [row('a')]);
  const asked = { toolExecutionId: 'r1', toolUseId: 'u1', question: 'Which?', choices: ['this', 'that'] };
  chat.event({ ...STEP, type: 'UserInputRequested', ...asked });
  chat.wait(5000);
  chat.keys('<Enter>1');
  expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', model: 'a' }]);
  expect(chat.draft).toBe('1');
});

test('/provider offers them; one without a key says what to set and is not taken', () => {
  const chat = ChatDriver.started();
  chat.keys('/provider<Enter>');
  expect(errands(chat)).toEqual([{ type: 'ListProviders', provider: 'fake' }]);
  const rows = [row('groq', { refusal: 'set GROQ_API_KEY' }), row('main', { model: 'm' }), row('ollama')];
  chat.chat = fillPicker(chat.chat, 'providers', rows);
  chat.keys('<Enter>');
  expect([chat.takeCommands(), chat.chat.overlay?.kind]).toEqual([[], 'picker']);
  expect(chat.picture).toContain('set GROQ_API_KEY');
  chat.keys('<Down>');
  expect(chat.picture).not.toContain('set GROQ_API_KEY');
  chat.keys('<Enter>');
  expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', model: 'm', provider: 'main' }]);
});

test('a provider without a model of its own, and the one in use, show their models', () => {
  for (const present of [true, false]) {
    const chat = ChatDriver.started();
    chat.keys('/provider<Enter>');
    chat.chat = fillPicker(chat.chat, 'providers', [row('ollama', { present, ...(present && { model: 'm' }) })]);
    chat.keys('<Enter>');
    expect(errands(chat).at(-1)).toEqual({ type: 'ListModels', provider: 'ollama' });
    expect(chat.chat.overlay).toMatchObject({ purpose: 'models', of: 'ollama' });
    expect(chat.takeCommands()).toEqual([]);
  }
});

test('by name: /model NAME [PROVIDER], /provider NAME [MODEL]', () => {
  const chat = ChatDriver.started();
  chat.keys('/model gpt-9<Enter>/model m groq<Enter>/provider groq m<Enter>');
  expect(chat.takeCommands()).toMatchObject([
    { type: 'SetModel', model: 'gpt-9', ...LOOP },
    { type: 'SetModel', model: 'm', provider: 'groq' },
    { type: 'SetModel', model: 'm', provider: 'groq' },
  ]);
  chat.keys('/provider groq<Enter>');
  expect(errands(chat)).toEqual([{ type: 'ChooseProvider', provider: 'groq' }]);
  expect(beginWith(chat.chat, 'groq', 'm', 'c').intents).toMatchObject([
    { type: 'Command', command: { type: 'SetModel', model: 'm', provider: 'groq', commandId: 'c' } },
  ]);
  expect(beginWith(chat.chat, 'groq', undefined, 'c').chat.overlay).toMatchObject({ purpose: 'models', of: 'groq' });
});

test('the demo has no other model: both lead to the providers', () => {
  const chat = new ChatDriver();
  chat.event({ type: 'SessionStarted', model: 'demo', provider: 'demo', cwd: '/work', appVersion: '0' });
  chat.event({ type: 'LoopStarted', ...LOOP, agentName: 'main', model: 'demo' });
  chat.keys('/model gpt-9<Enter>');
  expect([chat.takeCommands(), chat.picture]).toEqual([[], expect.stringContaining('/model gpt-9 PROVIDER')]);
  chat.keys('/model<Enter>');
  expect(chat.chat.overlay).toMatchObject({ purpose: 'providers' });
  expect(chat.picture).toContain('the demo has no other model');
  chat.chat = only(fillPicker(chat.chat, 'providers', [row('demo', { present: true, model: 'demo' })])).chat;
  chat.keys('<Enter>');
  expect([chat.chat.overlay, chat.takeCommands()]).toEqual([undefined, []]);
});

test('a model that is refused is said where it stays', () => {
  const chat = ChatDriver.started();
  chat.keys('/model m nobody<Enter>');
  const [command] = chat.takeCommands();
  if (command) chat.answer(command, { ok: false, message: 'there is no provider "nobody"' });
  expect(chat.printed.join('\n')).toContain('the model stays: there is no provider "nobody"');
});

test('a change of provider is named with the model', () => {
  const chat = ChatDriver.started();
  chat.event({ type: 'ModelChanged', ...LOOP, model: 'b', provider: 'fake' });
  chat.event({ type: 'ModelChanged', ...LOOP, model: 'b', provider: 'groq' });
  expect(chat.printed.slice(-2)).toEqual([
    '  the model is now b, from the next turn on',
    '  the model is now b of groq, from the next turn on',
  ]);
});
