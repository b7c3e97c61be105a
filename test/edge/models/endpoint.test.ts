import { expect, test } from 'vitest';
import { authorization, baseOf, parseEndpoint } from '../../../src/edge/models/endpoint.ts';

test.each<[string, string, string | undefined, Record<string, string>]>([
  ['http://h/v1', 'http://h/v1', undefined, {}],
  [' HTTP://H:80/v1// ', 'http://h/v1', undefined, {}],
  ['http://h', 'http://h', undefined, {}],
  ['http://h/v1/chat/completions/', 'http://h/v1', undefined, {}],
  ['http://h/v1?a=1&b=2#top', 'http://h/v1', undefined, { a: '1', b: '2' }],
  ['http://u@h/v1', 'http://h/v1', 'u:', {}],
  ['http://u:p%40ss@h/v1', 'http://h/v1', 'u:p@ss', {}],
  ['http://u:50%off@h/v1', 'http://h/v1', 'u:50%off', {}],
  ['http://[::1]:8080/v1', 'http://[::1]:8080/v1', undefined, {}],
])('%s', (text, base, userinfo, query) => {
  const endpoint = parseEndpoint(text);
  expect([baseOf(endpoint), endpoint.userinfo, endpoint.query]).toEqual([base, userinfo, query]);
});

test.each(['', 'h/v1', '//h/v1', 'ftp://h', 'http://', 'file:///etc/passwd', 'http:// h', 'localhost:11434/v1'])(
  '%j is no address, and is told in one line',
  (text) => {
    expect(() => parseEndpoint(text)).toThrow(/^The base URL .* is no http:\/\/ or https:\/\/ address\. .*--base-url/);
  },
);

test('what is no address is told without its password', () => {
  expect(() => parseEndpoint('htp://u:p4ssword@h/v1')).toThrow(/htp:\/\/\*\*\*@h/);
});

test('a key goes before userinfo, and nothing goes without either', () => {
  const endpoint = parseEndpoint('http://u:p@h/v1');
  expect(authorization(endpoint, 'k')).toEqual({ authorization: 'Bearer k' });
  expect(authorization(endpoint, undefined)).toEqual({ authorization: `Basic ${btoa('u:p')}` });
  expect(authorization(parseEndpoint('http://h/v1'), undefined)).toEqual({});
});
