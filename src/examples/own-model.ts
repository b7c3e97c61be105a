/** A model of one's own: anything that can say chunks and then its end. This one answers from a list. */
import type { Model, ModelRequest } from '../index.ts';
import { createSession, ProviderError, textOf } from '../index.ts';
import { observeInput } from './observe-input.ts';

export function createPhraseBook(phrases: Readonly<Record<string, string>>): Model {
  return {
    async *stream({ messages }: ModelRequest, signal: AbortSignal) {
      const asked = textOf(messages.findLast(({ role }) => role === 'user')).trim();
      const answer = phrases[asked];
      // the kind and the message reach the TurnFailed; any other error would be shown as unknown
      if (answer === undefined)
        throw new ProviderError('provider_refused', `The phrase book has nothing for "${asked}".`);
      for (const word of answer.split(/(?<= )/)) {
        signal.throwIfAborted();
        yield { type: 'chunk', chunk: { type: 'text', text: word } };
      }
      yield { type: 'end', finish: 'stop' };
    },
  };
}

/** One answer for each question; a session keeps them in one conversation. */
export async function translate(phrases: Readonly<Record<string, string>>, questions: string[]): Promise<string[]> {
  const session = await createSession({ model: createPhraseBook(phrases), modelName: 'phrase-book' });
  try {
    const answers: string[] = [];
    for (const text of questions) answers.push(textOf((await observeInput(session, [{ type: 'text', text }])).message));
    return answers;
  } finally {
    await session.shutdown();
  }
}
