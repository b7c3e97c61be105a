import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, HIDDEN, redactText } from '../../../src/edge/process/redactor.ts';

const SECRETS = ['aabaabaab', 'aabaabaabXX', 'sk-0123456789', 'schlüssel-🔑'];

const streamed = (bytes: Buffer, cuts: readonly number[]): string => {
  const redactor = createRedactor(SECRETS);
  const out: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    out.push(redactor.push(bytes.subarray(from, Math.max(from, cut))));
    from = Math.max(from, cut);
  }
  return Buffer.concat([...out, redactor.push(bytes.subarray(from)), redactor.flush()]).toString();
};

test('however a stream is cut, it hides what the whole text hides', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'aab',
    'X',
    'aabaabaab',
    'sk-0123456789',
    'sk-01',
    '23456789',
    'schlüssel-🔑',
    'ü',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(80), { maxLength: 12 }), (pieces, cuts) => {
      const text = pieces.join('');
      const bytes = Buffer.from(text);
      const result = streamed(
        bytes,
        cuts.map((cut) => Math.min(cut, bytes.length)),
      );
      for (const secret of SECRETS) expect(result).not.toContain(secret);
      if (redactText(text, SECRETS) === text) expect(result).toBe(text);
    }),
    { seed: 31, numRuns: 3000 },
  );
});
test('at every single cut', () => {
  const bytes = Buffer.from('x sk-0123456789 y');
  for (let cut = 0; cut <= bytes.length; cut++) expect(streamed(bytes, [cut])).toBe(`x ${HIDDEN} y`);
});
test('what only begins like a secret comes at the end', () => {
  expect(streamed(Buffer.from('ends with sk-01'), [])).toBe('ends with sk-01');
});
test('what is too short to be a secret is none', () => {
  expect(redactText('abc abc', ['abc', ''])).toBe('abc abc');
  expect(createRedactor(['', 'abc']).push(Buffer.from('abc')).toString()).toBe('abc');
});
