import { describe, expect, test } from 'vitest';
import { checkServerEntry } from '../../../src/edge/mcp/server-entry.ts';

const around = {
  cwd: '/work/here',
  env: { HOME: '/home/me', SERVICE_TOKEN: 'token-of-a-service', EMPTY: '', MINE: 'named by the user' },
  secretVariables: ['MINE'],
};
const check = (entry: unknown) => checkServerEntry('files', entry, around);
const value = (entry: unknown) => {
  const checked = check(entry);
  if (!checked.ok) expect.fail(checked.message);
  return checked.value;
};

test('a program', () => {
  expect(value({ command: 'npx', args: ['-y', 'files'], env: { A: 'b' } })).toEqual({
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'files'],
    env: { A: 'b' },
    cwd: '/work/here',
    secrets: [],
  });
});

test('an address, with or without its form', () => {
  const url = 'https://example.com/mcp';
  expect(value({ url })).toEqual({ transport: 'either', url, headers: {}, secrets: [] });
  for (const type of ['http', 'streamable-http', 'streamableHttp'])
    expect(value({ url, type })).toMatchObject({ transport: 'http' });
  expect(value({ url, type: 'sse' })).toMatchObject({ transport: 'sse' });
});

test('what other programs write beside it is left alone, and one that is switched off is none', () => {
  expect(value({ type: 'stdio', command: 'x', timeout: 60, autoApprove: ['a'], cwd: null })).toMatchObject({
    command: 'x',
  });
  expect(value({ command: 'x', disabled: true })).toBeUndefined();
});

test('variables are filled in, and what is secret of them is known', () => {
  const entry = value({
    command: `\${HOME}/bin/x`,
    args: [`--key=\${MINE}`, `\${UNSET:-default}`, `\${EMPTY:-default}`, `\${EMPTY}`, '$HOME', `\${UNSET:-}`],
    env: { TOKEN: `\${SERVICE_TOKEN}`, API_KEY: 'written down', PLAIN: `\${HOME}` },
    cwd: 'sub',
  });
  expect(entry).toMatchObject({
    command: '/home/me/bin/x',
    args: ['--key=named by the user', 'default', 'default', '', '$HOME', ''],
    env: { TOKEN: 'token-of-a-service', API_KEY: 'written down', PLAIN: '/home/me' },
    cwd: '/work/here/sub',
  });
  expect(entry?.secrets).toEqual(expect.arrayContaining(['named by the user', 'token-of-a-service', 'written down']));
  expect(entry?.secrets).not.toContain('/home/me');
});

test('what stands in headers, or behind an address, is never shown', () => {
  expect(value({ url: 'http://x/?key=abcdefgh' })?.secrets).toEqual(['abcdefgh']);
  const entry = value({ url: 'http://x/', headers: { Authorization: `Bearer \${SERVICE_TOKEN}` } });
  expect(entry).toMatchObject({ headers: { Authorization: 'Bearer token-of-a-service' } });
  expect(entry?.secrets).toEqual(expect.arrayContaining(['Bearer token-of-a-service', 'token-of-a-service']));
});

describe('a wrong entry is one line that names the key', () => {
  const rows: [unknown, string][] = [
    [7, 'mcpServers.files must be an object with a command (a program to start) or a url'],
    [[], 'mcpServers.files must be an object with a command (a program to start) or a url'],
    [{}, 'mcpServers.files needs a command (a program to start) or a url'],
    [{ command: 'x', url: 'http://x' }, 'mcpServers.files has a command and a url: keep one of them'],
    [{ command: '' }, 'mcpServers.files.command must be a text: the program to start'],
    [{ command: ['npx', 'x'] }, 'mcpServers.files.command must be a text: the program to start'],
    [{ command: 'x', args: '-y' }, 'mcpServers.files.args must be a list of texts'],
    [{ command: 'x', args: [1] }, 'mcpServers.files.args must be a list of texts'],
    [{ command: 'x', env: { A: 1 } }, 'mcpServers.files.env must be an object of variables and their texts'],
    [{ command: 'x', env: { 'A=B': '1' } }, 'mcpServers.files.env must be an object of variables and their texts'],
    [{ command: 'a\0b' }, 'mcpServers.files.command must be a text: the program to start'],
    [{ command: 'x', type: 'http' }, 'mcpServers.files.type is "http", which needs a url'],
    [{ url: 'http://x', type: 'stdio' }, 'mcpServers.files.type is "stdio", which needs a command'],
    [
      { url: 'http://x', type: 'websocket' },
      'mcpServers.files.type must be "stdio" (with command), "http" or "sse" (with url)',
    ],
    [{ url: 'example.com/mcp' }, 'mcpServers.files.url must be a text: an http:// or https:// address'],
    [{ url: 'file:///etc' }, 'mcpServers.files.url must be a text: an http:// or https:// address'],
    [{ url: 'http://me:pw@x/' }, 'mcpServers.files.url holds a user name or a password: say who you are in headers'],
    [
      { url: 'http://x', headers: { 'a b': 'c' } },
      'mcpServers.files.headers must be an object of header names and their texts (ASCII, one line each)',
    ],
    [
      { url: 'http://x', headers: { a: 'b\r\nc: d' } },
      'mcpServers.files.headers must be an object of header names and their texts (ASCII, one line each)',
    ],
    [
      { command: 'x', env: { A: `\${GONE}` } },
      `mcpServers.files.env.A names the variable GONE, which is not set: set it, or write \${GONE:-}`,
    ],
  ];
  test.each(rows)('%j', (entry, message) => {
    expect(check(entry)).toEqual({ ok: false, message });
  });

  test('also where the name is a stranger thing', () => {
    expect(checkServerEntry('a\n\u001b[31mb', {}, around)).toEqual({
      ok: false,
      message: 'mcpServers.a \\u{1b}[31mb needs a command (a program to start) or a url',
    });
  });

  test('a header that a variable would split', () => {
    const env = { BAD: 'a\nb: c' };
    expect(checkServerEntry('x', { url: 'http://x', headers: { A: `\${BAD}` } }, { ...around, env })).toEqual({
      ok: false,
      message: 'mcpServers.x.headers.A holds what no header can carry',
    });
  });
});
