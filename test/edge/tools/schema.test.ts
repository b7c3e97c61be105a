import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parameters } from '../../../src/edge/tools/schema.ts';

const schema = parameters({
  path: z.string(),
  limit: z.int().min(1).optional(),
  ratio: z.number().optional(),
  background: z.boolean().optional(),
  choices: z.array(z.string()).optional(),
});

describe('parameters', () => {
  test.each([
    [{ path: 'a' }, { path: 'a' }],
    [{ path: 'a', limit: null, choices: null }, { path: 'a' }],
    [
      { path: 'a', limit: '5' },
      { path: 'a', limit: 5 },
    ],
    [
      { path: 'a', ratio: ' -1.5 ' },
      { path: 'a', ratio: -1.5 },
    ],
    [
      { path: 'a', background: 'true' },
      { path: 'a', background: true },
    ],
    [
      { path: 'a', choices: '["x"]' },
      { path: 'a', choices: ['x'] },
    ],
    [{ path: '5' }, { path: '5' }],
  ])('%j is taken as it is meant', (input, value) => {
    expect(schema.check(input)).toEqual({ ok: true, value });
  });
  test.each([
    [{}, 'path is missing (string)'],
    [undefined, 'path is missing (string)'],
    [{ path: 42 }, 'path: expected string, received number'],
    [{ path: null }, 'path: expected string, received null'],
    [{ path: 'a', limit: 0 }, /^limit: /],
    [{ path: 'a', limit: 1.5 }, /^limit: expected int/],
    [{ path: 'a', limit: '5x' }, /^limit: expected number, received string/],
    [{ path: 'a', choices: '[x' }, /^choices: expected array/],
    [{ path: 'a', choices: [1] }, /^choices\.0: /],
    [{ path: 'a', cwd: '/' }, 'there is no argument "cwd" (there are: path, limit, ratio, background, choices)'],
    [[], /^the arguments must be one object/],
    ['x', /^the arguments must be one object/],
    [{ limit: 0, cwd: 1 }, /path is missing.*; .*limit.*; .*cwd|limit.*path|path.*limit/],
  ])('%j is refused in one line', (input, message) => {
    const result = schema.check(input);
    expect(result.ok).toBe(false);
    if (!result.ok) {
      expect(result.message).not.toContain('\n');
      if (typeof message === 'string') expect(result.message).toBe(message);
      else expect(result.message).toMatch(message);
    }
  });
  test('an argument called like a part of every object is none', () => {
    expect(schema.check(JSON.parse('{"path":"a","__proto__":{"x":1}}')).ok).toBe(false);
    expect(schema.check({ path: 'a', constructor: 1 }).ok).toBe(false);
  });
  test('the JSON Schema is of an object, and says what is needed', () => {
    expect(schema.jsonSchema).toMatchObject({ type: 'object', required: ['path'], additionalProperties: false });
    expect(Object.keys(schema.jsonSchema.properties as object)).toEqual([
      'path',
      'limit',
      'ratio',
      'background',
      'choices',
    ]);
    expect(schema.jsonSchema).not.toHaveProperty('$schema');
  });
});
