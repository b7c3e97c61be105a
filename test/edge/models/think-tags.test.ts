import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flushThinking, splitThinking, THINK_START } from '../../../src/edge/models/think-tags.ts';

function split(pieces: readonly string[]): [thinking: string, text: string] {
  let state = THINK_START;
  const out: [string, string] = ['', ''];
  for (const piece of pieces) {
    const part = splitThinking(state, piece);
    state = part.state;
    out[0] += part.thinking;
    out[1] += part.text;
  }
  const rest = flushThinking(state);
  return [out[0] + rest.thinking, out[1] + rest.text];
}

/** [what a server says, thinking, text] */
const TABLE: [string, string, string][] = [
  ['plain', '', 'plain'],
  ['', '', ''],
  ['<', '', '<'],
  ['<think', '', '<think'],
  ['a <think>b</think>', '', 'a <think>b</think>'],
  ['<think>a</think>b', 'a', 'b'],
  ['\n <think>\n a </think>\n\n b', 'a ', 'b'],
  ['<thinking>a</thinking>b', 'a', 'b'],
  ['<thinking>a</think>b', 'a</think>b', ''],
  ['<think>a</think><think>b</think>c', 'ab', 'c'],
  ['<think></think>b', '', 'b'],
  ['<think>a < b </thin k></think>c', 'a < b </thin k>', 'c'],
  ['<think>never closed', 'never closed', ''],
  ['<think>never closed</thi', 'never closed</thi', ''],
  ['<think>a</think>', 'a', ''],
  ['</think>b', '', '</think>b'],
  ['<THINK>a</THINK>', '', '<THINK>a</THINK>'],
  ['<b>bold</b>', '', '<b>bold</b>'],
];

test.each(TABLE)('%j', (said, thinking, text) => {
  expect(split([said])).toEqual([thinking, text]);
  expect(split([...said])).toEqual([thinking, text]);
});

test('no text is lost, and the cuts change nothing', () => {
  const word = fc.constantFrom('<think>', '</think>', '<thinking>', '<', '>', 'think', ' ', '\n', 'a', '🦊');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const whole = split([words.join('')]);
      expect(split(words)).toEqual(whole);
      const kept = whole.join('').replace(/<\/?think(?:ing)?>|\s/g, '');
      expect(kept).toBe(words.join('').replace(/<\/?think(?:ing)?>|\s/g, ''));
    }),
    { seed: 20261130, numRuns: 500 },
  );
});
