/** defineTool: what a model is told of the parameters, what is let through, and what stands by default. */
import { expect, test } from 'vitest';
import { defineTool, type ToolContext } from '../../src/index.ts';

const all = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  parameters: {
    city: { type: 'string', description: 'A city' },
    days: { type: 'integer', optional: true },
    warmth: { type: 'number', optional: true },
    exact: { type: 'boolean', optional: true },
    unit: { type: 'string', choices: ['C', 'F'], optional: true },
  },
  run: ({ city, days }) => `${city.toUpperCase()} for ${(days ?? 1).toFixed()} day(s)`,
});
const context: ToolContext = { cwd: '/', signal: new AbortController().signal, toolExecutionId: 'x' };

test('the schema that the model is told', () => {
  expect(all.parameters.jsonSchema).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string', description: 'A city' },
      days: { type: 'integer' },
      warmth: { type: 'number' },
      exact: { type: 'boolean' },
      unit: { type: 'string', enum: ['C', 'F'] },
    },
    required: ['city'],
    additionalProperties: false,
  });
});

test.each<[unknown, unknown]>([
  [{ city: 'Oslo' }, { city: 'Oslo' }],
  [
    { city: '', days: 2, warmth: 1.5, exact: false, unit: 'F' },
    { city: '', days: 2, warmth: 1.5, exact: false, unit: 'F' },
  ],
  [{ city: 'Oslo', days: null }, { city: 'Oslo' }],
])('arguments that fit: %j', (input, value) => {
  expect(all.parameters.check(input)).toEqual({ ok: true, value });
});

test.each<[unknown, string]>([
  [{}, 'city is missing (string)'],
  [{ city: null }, 'city must be a string'],
  [{ city: 5 }, 'city must be a string'],
  [{ city: 'Oslo', days: 1.5 }, 'days must be a whole number'],
  [{ city: 'Oslo', days: '2' }, 'days must be a whole number'],
  [{ city: 'Oslo', warmth: 'warm' }, 'warmth must be a number'],
  [{ city: 'Oslo', exact: 1 }, 'exact must be a boolean'],
  [{ city: 'Oslo', unit: 'K' }, 'unit must be one of C, F'],
  [{ city: 'Oslo', town: 'x' }, 'there is no argument "town" (there are: city, days, warmth, exact, unit)'],
  [JSON.parse('{"city":"Oslo","__proto__":{}}'), 'there is no argument "__proto__"'],
  [[], 'the arguments must be one object with: city, days, warmth, exact, unit'],
  [null, 'the arguments must be one object'],
  ['Oslo', 'the arguments must be one object'],
])('arguments that do not fit: %j', (input, message) => {
  expect(all.parameters.check(input)).toEqual({ ok: false, message: expect.stringContaining(message) });
});

test('a text is a result, a result stays one', async () => {
  expect(await all.run({ city: 'Oslo', days: 2 }, context)).toEqual({
    content: [{ type: 'text', text: 'OSLO for 2 day(s)' }],
  });
  const result = { content: [], isError: true, preview: 'p' };
  const plain = defineTool({ name: 'plain', description: '', parameters: {}, run: async () => result });
  expect(await plain.run({}, context)).toBe(result);
});

test('unless said otherwise it is free; one that changes things is gated, with a grant for just these arguments', async () => {
  expect(all.changes).toBe(false);
  expect(await all.access({ city: 'Oslo' }, context)).toEqual({ kind: 'free', detail: '', grants: [] });
  expect(all.summary({ city: 'Oslo' })).toBe('weather {"city":"Oslo"}');
  expect(all.timeoutMs).toBeUndefined();
  const parts = { name: 'remove', description: '', parameters: { path: { type: 'string' } }, run: () => 'ok' } as const;
  const remove = defineTool({ ...parts, changes: true, timeoutMs: 5 });
  expect(remove.changes).toBe(true);
  expect(remove.timeoutMs?.({ path: 'a' })).toBe(5);
  const detail = 'remove {"path":"a"}';
  expect(await remove.access({ path: 'a' }, context)).toEqual({
    kind: 'change',
    detail,
    grants: [{ scope: 'session', covers: detail }],
  });
  const own = defineTool({
    ...parts,
    summary: ({ path }) => `removes ${path}`,
    access: async ({ path }, { cwd }) => ({ kind: 'run', detail: cwd + path, grants: [] }),
  });
  expect(own.summary({ path: 'a' })).toBe('removes a');
  expect(await own.access({ path: 'a' }, context)).toEqual({ kind: 'run', detail: '/a', grants: [] });
});
