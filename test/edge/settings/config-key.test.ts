import { expect, test } from 'vitest';
import { getAt, parseKey, setAt, unsetAt } from '../../../src/edge/settings/config-key.ts';

test.each<[string, string[] | undefined, boolean?]>([
  ['maxSteps', ['maxSteps'], false],
  ['apiKey', ['apiKey'], true],
  ['providers', ['providers'], true],
  ['providers.local', ['providers', 'local'], true],
  ['providers.local.baseUrl', ['providers', 'local', 'baseUrl'], false],
  ['providers.local.apiKey', ['providers', 'local', 'apiKey'], true],
  ['providers.my.corp.model', ['providers', 'my.corp', 'model'], false],
  ['providers.local.headers.X-Key', ['providers', 'local', 'headers', 'X-Key'], true],
  ['providers.local.apiKeyCommand', ['providers', 'local', 'apiKeyCommand'], true],
  ['providers.local.window', ['providers', 'local', 'window'], false],
  ['providers.local.price', ['providers', 'local', 'price'], false],
  ['providers.local.price.input', ['providers', 'local', 'price', 'input'], false],
  ['providers.local.quirks.joinUsers', ['providers', 'local', 'quirks', 'joinUsers'], false],
  ['providers.local.quirks.maxTokens', ['providers', 'local', 'quirks', 'maxTokens'], false],
  ['providers.local.quirks.joinUser', undefined],
  ['providers.local.window.x', undefined],
  ['rules./home/me/a.b', ['rules', '/home/me/a.b'], false],
  ['keys.send', ['keys', 'send'], false],
  ['providers.local.baseUrl.x', undefined],
  ['providers.local.baseURL', undefined],
  ['providers.', undefined],
  ['providers..baseUrl', undefined],
  ['maxSteps.x', undefined],
  ['maxsteps', undefined],
  ['', undefined],
  ['.', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
  ['toString.x', undefined],
])('%s', (text, path, secret) => {
  const key = parseKey(text);
  expect(key?.path).toEqual(path);
  expect(key?.secret).toBe(secret);
});

test('get, set and unset leave what they are given as it was', () => {
  const values = { a: { b: 1 }, c: 2 };
  expect(setAt(values, ['a', 'd', 'e'], 3)).toEqual({ a: { b: 1, d: { e: 3 } }, c: 2 });
  expect(setAt(values, ['c', 'x'], 3)).toEqual({ a: { b: 1 }, c: { x: 3 } });
  expect(unsetAt(values, ['a', 'b'])).toEqual({ c: 2 });
  expect(unsetAt(values, ['a', 'x'])).toEqual(values);
  expect(unsetAt(values, ['x', 'y'])).toEqual(values);
  expect(unsetAt(values, ['c', 'y'])).toEqual(values);
  expect([getAt(values, ['a', 'b']), getAt(values, ['c', 'b']), getAt(values, ['toString'])]).toEqual([
    1,
    undefined,
    undefined,
  ]);
  expect(values).toEqual({ a: { b: 1 }, c: 2 });
});

test('a name that every object has is a name like others', () => {
  const next = setAt({}, ['providers', '__proto__', 'model'], 'm');
  expect(({} as Record<string, unknown>).model).toBeUndefined();
  expect(JSON.stringify(next)).toBe('{"providers":{"__proto__":{"model":"m"}}}');
});
