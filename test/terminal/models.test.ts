/** The choice of a model, byte by byte. */
import { afterEach, describe, expect, test } from 'vitest';
import { Conversation } from './conversation.ts';
import { unavailable } from './terminal.ts';

describe.skipIf(unavailable() || process.platform === 'win32')('the choice of a model', () => {
  let talk: Conversation;
  afterEach(() => talk?.close());
  const command = async (line: string): Promise<void> => {
    await talk.chat.type(line);
    talk.chat.write('\r');
  };

  test('in a running turn: Esc only closes the list, Enter takes a model for the next turn, the draft is kept out of it', async () => {
    talk = await Conversation.open();
    const { chat, server } = talk;
    server.models = ['alpha', 'scripted', 'beta'];
    await chat.send('one');
    const first = await server.next();
    first.text('half an ');
    await chat.shows('half an');
    await command('/model');
    await chat.shows(/Models of openai +3[\s\S]*❯ ✔ scripted/);
    chat.write('\x1b');
    await chat.shows('Esc interrupts');
    await command('/model');
    await chat.shows('❯ ✔ scripted');
    chat.write('be');
    await chat.shows('1 of 3');
    chat.write('\r');
    await chat.shows('the model is now beta');
    first.text('answer');
    expect(first.model).toBe('scripted');
    await talk.answered(first);
    await chat.send('two');
    expect((await server.next()).model).toBe('beta');
  });

  test('a provider without a key is named with what to set, and nothing changes', async () => {
    talk = await Conversation.open();
    const { chat, server } = talk;
    await command('/model m groq');
    await chat.shows(/the model stays: [\s\S]*GROQ_API_KEY/);
    await command('/provider');
    await chat.shows(/Providers[\s\S]*❯ ✔ openai/);
    chat.write('groq\r');
    await chat.shows('groq has no key: set GROQ_API_KEY');
    chat.write('\x1b');
    await chat.gone('Providers');
    await chat.send('hi');
    expect((await server.next()).model).toBe('scripted');
  });
});
