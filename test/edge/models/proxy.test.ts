import { expect, test } from 'vitest';
import { proxyFor, proxyVariables } from '../../../src/edge/models/proxy.ts';

const HTTP = { HTTP_PROXY: 'http://proxy:1' };
const BOTH = { HTTPS_PROXY: 'http://proxy:2', ...HTTP };

test.each([
  ['http://host/v1', {}, undefined],
  ['http://host/v1', HTTP, 'http://proxy:1/'],
  ['https://host/v1', HTTP, undefined],
  ['https://host/v1', BOTH, 'http://proxy:2/'],
  ['https://host/v1', { https_proxy: 'http://lower:3', ...BOTH }, 'http://lower:3/'],
  ['https://host/v1', { ALL_PROXY: 'proxy:4' }, 'http://proxy:4/'],
  ['https://host/v1', { HTTPS_PROXY: '  ' }, undefined],
  ['http://127.0.0.1:8080/v1', HTTP, undefined],
  ['http://localhost/v1', HTTP, undefined],
  ['http://[::1]:8080/v1', HTTP, undefined],
  ['http://host/v1', { ...HTTP, NO_PROXY: '*' }, undefined],
  ['http://host/v1', { ...HTTP, NO_PROXY: 'other, host' }, undefined],
  ['http://a.host.example/v1', { ...HTTP, no_proxy: '.host.example' }, undefined],
  ['http://a.host.example/v1', { ...HTTP, NO_PROXY: '*.host.example' }, undefined],
  ['http://a.host.example/v1', { ...HTTP, NO_PROXY: 'host.example' }, undefined],
  ['http://ahost.example/v1', { ...HTTP, NO_PROXY: 'host.example' }, 'http://proxy:1/'],
  ['http://host:81/v1', { ...HTTP, NO_PROXY: 'host:80' }, 'http://proxy:1/'],
  ['http://host/v1', { ...HTTP, NO_PROXY: 'host:80' }, undefined],
  ['http://10.0.0.7/v1', { ...HTTP, NO_PROXY: '10.0.0.7' }, undefined],
  ['http://[fe80::1]/v1', { ...HTTP, NO_PROXY: '[fe80::1]' }, undefined],
])('%s with %o', (url, env, want) => {
  expect(proxyFor(new URL(url), env)?.toString()).toBe(want);
});

test('what cannot be used is said', () => {
  expect(proxyFor(new URL('https://host'), { ALL_PROXY: 'socks5://proxy:1' })).toMatch(/socks5 are not supported/);
  expect(proxyFor(new URL('https://host'), { HTTPS_PROXY: 'http://[' })).toBe('it is no URL');
  expect(proxyVariables({ https_proxy: 'x', NO_PROXY: 'y', ALL_PROXY: 'z' })).toEqual(['HTTPS_PROXY', 'ALL_PROXY']);
});
