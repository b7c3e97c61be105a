import { expect, test } from 'vitest';
import { createPhraseBook, translate } from '../../src/examples/own-model.ts';
import { findError, ProviderError } from '../../src/index.ts';

const phrases = { 'good morning': 'guten Morgen', thanks: 'danke' };

test('it answers, turn by turn', async () => {
  expect(await translate(phrases, ['good morning', 'thanks'])).toEqual(['guten Morgen', 'danke']);
});

test('what it throws reaches the caller', async () => {
  const failed = await translate(phrases, ['good night']).catch((error: unknown) => error);
  expect(findError(failed, ProviderError)).toMatchObject({
    kind: 'provider_refused',
    message: 'The phrase book has nothing for "good night".',
  });
});

test('it stops at once when it is told to', async () => {
  const asked = [{ role: 'user' as const, blocks: [{ type: 'text' as const, text: 'good morning' }] }];
  const stopping = new AbortController();
  const request = { model: '', system: '', messages: asked, tools: [] };
  const stream = createPhraseBook(phrases).stream(request, stopping.signal)[Symbol.asyncIterator]();
  expect(await stream.next()).toEqual({
    done: false,
    value: { type: 'chunk', chunk: { type: 'text', text: 'guten ' } },
  });
  stopping.abort(new Error('stop'));
  await expect(stream.next()).rejects.toThrow('stop');
});
