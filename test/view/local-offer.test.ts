import { describe, expect, test } from 'vitest';
import { offerLocal } from '../../src/view/local-offer.ts';
import { ChatDriver } from '../support/chat-driver.ts';

const OLLAMA = { name: 'ollama', title: 'Ollama' };
function offered(models: string[]): ChatDriver {
  const chat = ChatDriver.started(undefined, { demo: true });
  const step = offerLocal(chat.chat, OLLAMA, models, chat.now);
  chat.chat = step.chat;
  chat.printed.push(...step.print.map((line) => line.map(({ text }) => text).join('')));
  return chat;
}

describe('a model server on this machine', () => {
  test('is one line with a key, and nothing more until it is chosen', () => {
    const chat = offered(['qwen3:8b']);
    const lines = chat.printed.filter((line) => line.includes('Ollama'));
    expect(lines).toEqual(['  Ollama answers on this machine: Alt+M or /use uses its model qwen3:8b']);
    expect(chat.takeCommands()).toEqual([]);
  });

  test.each([
    ['/use<Enter>', 'a'],
    ['/use b<Enter>', 'b'],
  ])('%s chooses %s', (keys, model) => {
    const chat = offered(['a', 'b']);
    chat.keys(keys);
    expect(chat.takeCommands()).toMatchObject([{ type: 'SetModel', provider: 'ollama', model }]);
  });

  test('what it does not have, or where there is none, changes nothing', () => {
    const chat = offered(['a']);
    chat.keys('/use c<Enter>');
    expect(chat.takeCommands()).toEqual([]);
    expect(chat.picture).toContain('ollama has no model c');
    const none = ChatDriver.started();
    none.keys('/use<Enter>');
    expect(none.takeCommands()).toEqual([]);
    expect(none.picture).toContain('no model server was found');
  });
});
