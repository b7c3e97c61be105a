import { describe, expect, test } from 'vitest';
import {
  connectionFault,
  contentFault,
  type Destination,
  type RequestFault,
  statusFault,
  streamFault,
} from '../../../src/edge/models/server-fault.ts';

const KEY = 'hunter2-example-0001';
const to: Destination = {
  url: new URL('http://127.0.0.1:8080/v1'),
  model: 'm1',
  hasKey: true,
  keyName: 'OPENAI_API_KEY',
  secrets: [KEY],
};
const said = ({ error, retry }: RequestFault) => [error.kind, retry, error.message] as const;
const error = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });

describe('a status', () => {
  test.each([
    [
      401,
      error(`Incorrect API key provided: ${KEY}`, { code: 'invalid_api_key' }),
      'provider_auth',
      false,
      /refused the API key \(401\).*\*\*\*.*OPENAI_API_KEY/,
    ],
    [403, error('not yours'), 'provider_auth', false, /not yours/],
    [
      404,
      error('model x does not exist', { code: 'model_not_found' }),
      'provider_not_found',
      false,
      /model m1.*--model/,
    ],
    [404, error("model 'm1' not found, try pulling it first"), 'provider_not_found', false, /model m1/],
    [400, error('The model `m1` does not exist'), 'provider_not_found', false, /model m1/],
    [400, error('m1 is not a valid model ID'), 'provider_not_found', false, /model m1/],
    [404, '<html><body>404</body></html>', 'provider_not_found', false, /nothing at \/v1\/chat\/completions.*base URL/],
    [404, '{"detail":"Not Found"}', 'provider_not_found', false, /Not Found.*base URL/],
    [429, error('slow down'), 'provider_rate_limit', true, /slow down/],
    [429, error('Limit reached: too many tokens per minute'), 'provider_rate_limit', true, /per minute/],
    [429, error('no money', { code: 'insufficient_quota' }), 'provider_rate_limit', false, /quota.*billing/],
    [400, error('too many tokens', { code: 'context_length_exceeded' }), 'provider_context_length', false, /\/compact/],
    [400, error("This model's maximum context length is 4096 tokens"), 'provider_context_length', false, /\/compact/],
    [
      400,
      error('the request exceeds the available context size, try increasing it'),
      'provider_context_length',
      false,
      /\/compact/,
    ],
    [400, error('prompt is too long: 210000 tokens > 200000 maximum'), 'provider_context_length', false, /\/compact/],
    [400, error('Please reduce the length of the messages'), 'provider_context_length', false, /\/compact/],
    [500, error('context size exceeded'), 'provider_context_length', false, /\/compact/],
    [413, 'Request Entity Too Large', 'provider_context_length', false, /\/compact/],
    [
      400,
      error('registry.ollama.ai/library/gemma does not support tools'),
      'provider_refused',
      false,
      /no tools.*--model/,
    ],
    [404, error('No endpoints found that support tool use.'), 'provider_refused', false, /no tools.*--model/],
    [400, error('bad field'), 'provider_refused', false, /refused the request \(400\): bad field/],
    [402, error('Insufficient credits.'), 'provider_refused', false, /Insufficient credits\./],
    [422, '{"detail":[{"loc":["body"],"msg":"extra"}]}', 'provider_refused', false, /\(422\): extra\./],
    [422, '{"object":"error","message":{"detail":[{"msg":"not here"}]}}', 'provider_refused', false, /: not here\./],
    [422, '{"detail":[7]}', 'provider_refused', false, /It did not say why/],
    [400, '{"errors":[{"message":"bad field"}]}', 'provider_refused', false, /: bad field\./],
    [400, '{"code":1210,"msg":"bad field"}', 'provider_refused', false, /: bad field\./],
    [
      400,
      error('Provider returned error', { code: 400, metadata: { raw: error('maximum context length is 9') } }),
      'provider_context_length',
      false,
      /context length is 9/,
    ],
    [
      502,
      error('Provider returned error', { metadata: { raw: '<html>' } }),
      'provider_unavailable',
      true,
      /\(502\)\. Try/,
    ],
    [400, '[{"error":{"message":"bad field"}}]', 'provider_refused', false, /bad field/],
    [400, error('{"error":{"message":"bad field inside"}}'), 'provider_refused', false, /: bad field inside\./],
    [408, '', 'provider_unavailable', true, /\(408\)/],
    [409, '', 'provider_unavailable', true, /\(409\)/],
    [500, `{"headers":{"authorization":"Bearer ${KEY}"}}`, 'provider_unavailable', true, /\(500\)\. Try/],
    [502, '<html>Bad Gateway</html>', 'provider_unavailable', true, /\(502\)\. Try/],
    [503, 'no healthy upstream', 'provider_unavailable', true, /no healthy upstream/],
    [529, error('Overloaded'), 'provider_unavailable', true, /Overloaded/],
  ])('%i %s', (status, body, kind, retry, words) => {
    const [gotKind, gotRetry, message] = said(statusFault(status, body, {}, to));
    expect([gotKind, gotRetry]).toEqual([kind, retry]);
    expect(message).toMatch(words);
    expect(message).not.toMatch(/[<{\n]|hunter2/);
    expect(message.length).toBeLessThan(600);
  });

  test('a redirect is not followed, and says where to', () => {
    const [kind, retry, message] = said(statusFault(301, '', { location: `https://u:${KEY}@other.example/v1` }, to));
    expect([kind, retry]).toEqual(['provider_not_found', false]);
    expect(message).toContain('https://***@other.example/v1');
  });

  test('without a key it asks for one', () => {
    expect(statusFault(401, '', {}, { ...to, hasKey: false }).error.message).toMatch(
      /wants an API key.*Set one in OPENAI_API_KEY/,
    );
  });
});

test.each([
  [{ message: 'busy', code: '', status: 502 }, 'provider_unavailable', true],
  [{ message: 'busy', code: '', status: 429 }, 'provider_rate_limit', true],
  [{ message: 'busy', code: 'server_error' }, 'provider_unavailable', false],
  [{ message: 'x', code: 'insufficient_quota', status: 429 }, 'provider_rate_limit', false],
  [{ message: 'x', code: 'context_length_exceeded' }, 'provider_context_length', false],
  [{ message: '', code: '' }, 'provider_unavailable', false],
])('an error object in a 200: %o', (fault, kind, retry) => {
  expect(said(streamFault(fault, to)).slice(0, 2)).toEqual([kind, retry]);
});

test.each([
  ['text/html', '<html>', 'provider_protocol', /web page/],
  ['application/json', '{"choices":[{"message":{"content":"hi"}}]}', 'provider_protocol', /whole answer/],
  ['application/json', '{"models":[]}', 'provider_protocol', /something else/],
  ['application/json', '{"error":{"message":"no credit","code":429}}', 'provider_rate_limit', /no credit/],
  ['application/json', '{"message":"not here"}', 'provider_unavailable', /not here/],
])('a 200 of %s: %s', (type, body, kind, words) => {
  const [got, , message] = said(contentFault(type, body, to));
  expect(got).toBe(kind);
  expect(message).toMatch(words);
});

describe('a connection', () => {
  const fail = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(`${code} ${KEY}`), { code }) });
  test.each([
    ['ECONNREFUSED', true, /^127\.0\.0\.1:8080 refused.*Is the server running/],
    ['ENOTFOUND', true, /not found \(ENOTFOUND\)/],
    ['ECONNRESET', true, /broke \(ECONNRESET\)/],
    ['ETIMEDOUT', true, /broke \(ETIMEDOUT\)/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false, /certificate.*NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', false, /certificate/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false, /certificate/],
    ['EPROTO', false, /http or https/],
    ['HPE_INVALID_CONSTANT', false, /does not answer in HTTP/],
  ])('%s', (code, retry, words) => {
    const [kind, gotRetry, message] = said(connectionFault(fail(code), [], to));
    expect([kind, gotRetry]).toEqual(['provider_unavailable', retry]);
    expect(message).toMatch(words);
    expect(message).not.toContain(KEY);
  });

  test('names the port of an address without one, and one of many causes', () => {
    const many = new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]);
    const message = connectionFault(many, [], { ...to, url: new URL('https://api.example/v1') }).error.message;
    expect(message).toMatch(/^api\.example:443 refused the connection \(ECONNREFUSED\)/);
  });

  test('hints at proxy variables, and names the proxy where one was used', () => {
    expect(connectionFault(fail('ECONNREFUSED'), ['HTTPS_PROXY'], to).error.message).toContain(
      'HTTPS_PROXY is set but not used',
    );
    const by = { ...to, proxy: new URL('http://u:secret@proxy.example:3128') };
    const message = connectionFault(fail('ECONNREFUSED'), ['HTTP_PROXY'], by).error.message;
    expect(message).toMatch(/the proxy at proxy\.example:3128 refused.*HTTP_PROXY.*NO_PROXY/i);
    expect(message).not.toContain('secret');
  });
});
