import { expect, test } from 'vitest';
import { MAX_TOOLS, offeredTools } from '../../../src/edge/mcp/offered-tool.ts';

const one = (more: Record<string, unknown> = {}) => offeredTools([{ name: 'x', ...more }])[0];

test('the schema goes through as it is, without its dialect', () => {
  const inputSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/b' }] } },
    required: ['a'],
    $defs: { b: { type: 'number' } },
  };
  const { $schema: _, ...rest } = inputSchema;
  expect(one({ inputSchema })?.schema).toEqual(rest);
  expect(one({ inputSchema: { type: 'object' } })?.schema).toEqual({ type: 'object', properties: {} });
});

test('a schema that is none, too large, or nested without end leaves the arguments open', () => {
  const open = { type: 'object', properties: {}, additionalProperties: true };
  const deep = JSON.parse(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`);
  for (const inputSchema of [
    undefined,
    null,
    'x',
    [],
    { type: 'string' },
    { type: 'object', properties: { a: { description: 'x'.repeat(50_000) } } },
  ]) {
    expect(one({ inputSchema })?.schema).toEqual(open);
  }
  let nested: object = {};
  for (let i = 0; i < 100_000; i++) nested = { a: nested };
  expect(one({ inputSchema: { type: 'object', properties: nested } })?.schema).toEqual(open);
  expect(one({ inputSchema: { type: 'object', properties: deep } })?.schema).toBeDefined();
});

test('the description is what the server says, bounded and well formed', () => {
  expect(one({ description: 'does it', title: 'T' })?.description).toBe('does it');
  expect(one({ description: ' ', title: 'T' })?.description).toBe('T');
  expect(one({ description: 7 })?.description).toBe('x');
  expect(one({ description: 'y'.repeat(1_000_000) })?.description.length).toBeLessThan(4_100);
  expect(one({ description: 'a\ud800b' })?.description).toBe('a\ufffdb');
  expect(one({ description: `${'y'.repeat(3_999)}😀` })?.description.isWellFormed?.() ?? true).toBe(true);
});

test('only a clear word makes it read-only', () => {
  expect(one({ annotations: { readOnlyHint: true } })?.readOnly).toBe(true);
  for (const annotations of [undefined, null, 'x', {}, { readOnlyHint: 'true' }])
    expect(one({ annotations })?.readOnly).toBe(false);
});

test('what is no tool, a second one of a name, and too many are left out', () => {
  expect(offeredTools([null, 7, 'x', [], {}, { name: 3 }, { name: '' }, { name: 'x'.repeat(257) }])).toEqual([]);
  expect(
    offeredTools([
      { name: 'a', description: '1' },
      { name: 'a', description: '2' },
    ]),
  ).toMatchObject([{ description: '1' }]);
  expect(offeredTools(Array.from({ length: 500 }, (_, i) => ({ name: `t${i}` })))).toHaveLength(MAX_TOOLS);
});
