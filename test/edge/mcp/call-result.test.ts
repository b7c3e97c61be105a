import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callResult } from '../../../src/edge/mcp/call-result.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const texts = (answer: unknown) =>
  callResult(answer).content.map((block) => (block.type === 'text' ? block.text : `<${block.mediaType}>`));
const of = (...content: unknown[]) => texts({ content });

test('text, and whether it failed', () => {
  expect(callResult({ content: [{ type: 'text', text: 'a' }], isError: true })).toEqual({
    content: [{ type: 'text', text: 'a' }],
    isError: true,
  });
  expect(callResult({ content: [{ type: 'text', text: 'a' }], isError: false })).toEqual({
    content: [{ type: 'text', text: 'a' }],
  });
  expect(texts({})).toEqual(['(no output)']);
  expect(texts({ content: [] })).toEqual(['(no output)']);
});

test('an image is what its bytes are', () => {
  expect(of({ type: 'image', data: PNG, mimeType: 'image/jpeg' })).toEqual(['<image/png>']);
  expect(of({ type: 'image', data: 'AAAA', mimeType: 'image/png' })).toEqual([
    '[image, image/png, 3 bytes, not shown]',
  ]);
  expect(of({ type: 'image' })).toEqual(['[image, unknown type, 0 bytes, not shown]']);
  expect(of({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' })).toEqual([
    '[audio, audio/wav, 3 bytes, not shown]',
  ]);
});

test('resources: text, image, other bytes, and a link', () => {
  expect(of({ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } })).toEqual([
    '[resource file:///a]\ninside',
  ]);
  expect(of({ type: 'resource', resource: { uri: 'file:///a', blob: PNG } })).toEqual(['<image/png>']);
  expect(of({ type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA', mimeType: 'x/y' } })).toEqual([
    '[resource file:///a, x/y, 3 bytes, not shown]',
  ]);
  expect(of({ type: 'resource_link', uri: 'file:///a', name: 'A', description: 'the first' })).toEqual([
    '[resource file:///a, A, the first]',
  ]);
  expect(of({ type: 'resource' })).toEqual(['[a resource without content]']);
});

test('structured content is said as JSON, once', () => {
  expect(texts({ structuredContent: { a: 1 } })).toEqual(['{\n  "a": 1\n}']);
  expect(texts({ content: [{ type: 'text', text: '{"a": 1}' }], structuredContent: { a: 1 } })).toEqual(['{"a": 1}']);
  expect(texts({ content: [{ type: 'text', text: 'done' }], structuredContent: { a: 1 } })).toEqual([
    'done',
    '{\n  "a": 1\n}',
  ]);
});

test('what is not known is named', () => {
  expect(of({ type: 'hologram' }, 7)).toEqual([
    '[content of the type hologram, not shown]',
    '[content of an unknown form, not shown]',
  ]);
});

test('too much is cut where it can be seen', () => {
  const [text = ''] = of({ type: 'text', text: `head${'x'.repeat(1_000_000)}tail` });
  expect(text.length).toBeLessThan(31_000);
  expect(text).toMatch(/^head.*characters left out.*tail$/s);
  const many = of(...Array.from({ length: 100 }, () => ({ type: 'text', text: 'y'.repeat(1_000) })));
  expect(many.join('').length).toBeLessThan(32_000);
  expect(many.at(-1)).toBe('[… 70 more parts left out]');
  const images = of(...Array.from({ length: 20 }, () => ({ type: 'image', data: PNG })));
  expect(images.filter((text) => text === '<image/png>')).toHaveLength(8);
  expect(images.at(-1)).toBe('[… 12 more parts left out]');
});

test('any value gives blocks that can be sent', () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link'),
      text: fc.jsonValue(),
      data: fc.jsonValue(),
      resource: fc.jsonValue(),
    }),
  );
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.record({
      content: fc.oneof(fc.array(part), fc.jsonValue()),
      structuredContent: fc.jsonValue(),
      isError: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(answer, (value) => {
      const { content } = callResult(value);
      expect(content.length).toBeGreaterThan(0);
      for (const block of content) expect(typeof (block.type === 'text' ? block.text : block.data)).toBe('string');
    }),
    { seed: 8, numRuns: 300 },
  );
});
