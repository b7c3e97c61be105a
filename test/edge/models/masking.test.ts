import { describe, expect, test } from 'vitest';
import { masked, oneLine } from '../../../src/edge/models/masking.ts';

describe('masked', () => {
  test.each([
    ['Incorrect API key provided: hunter2-example-0001.', ['hunter2-example-0001'], 'Incorrect API key provided: ***.'],
    ['at http://u:p4ss@127.0.0.1:1/v1', [], 'at http://***@127.0.0.1:1/v1'],
    ['authorization: Bearer abc.def', [], 'authorization: Bearer ***'],
    ['{"authorization":"Bearer abcdefgh"}', [], '{"authorization":"Bearer ***"}'],
    ['key sk-TEST-0123456789abcdef is bad', [], 'key *** is bad'],
    ['api_key=abcdefgh&x=1', [], 'api_key=***&x=1'],
    ['password: "open sesame"', ['open sesame'], 'password: "***"'],
    ['a+b/c= or a%2Bb%2Fc%3D', ['a+b/c='], '*** or ***'],
    // a short key is no reason to eat words
    ['ollama answers, llama does not', ['llama'], 'ollama answers, *** does not'],
    ['is x a key', ['x'], 'is x a key'],
    ['nothing to hide: 401 tokens', ['hunter2'], 'nothing to hide: 401 tokens'],
  ])('%s', (text, secrets, want) => {
    expect(masked(text, secrets)).toBe(want);
  });

  test('the longer of two keys first', () => {
    expect(masked('abcdefgh-more', ['abcdefgh', 'abcdefgh-more'])).toBe('***');
  });
});

test('oneLine is one line, without control characters, cut visibly', () => {
  expect(oneLine(' a\r\n\tb\x1b[31m \u202e c ', [])).toBe('a b [31m c');
  expect(oneLine('x'.repeat(5000), [])).toBe(`${'x'.repeat(300)}…`);
  const key = 'hunter2-example-0001';
  expect(oneLine(`${'x'.repeat(290)} ${key}`, [key])).not.toContain('hunter');
});
