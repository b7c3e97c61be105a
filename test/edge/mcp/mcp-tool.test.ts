import { expect, test } from 'vitest';
import { createMcpTool, type McpToolParts } from '../../../src/edge/mcp/mcp-tool.ts';

const offered = {
  name: 'write',
  description: 'Writes with sesame',
  schema: { type: 'object', properties: {} },
  readOnly: false,
};
const tool = (more: Partial<McpToolParts> = {}) =>
  createMcpTool({
    server: 'files',
    offered,
    call: async (name, input) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(input)} sesame` }] }),
    hide: (text) => text.replaceAll('sesame', '***'),
    ...more,
  });
const context = (signal = new AbortController().signal) => ({ cwd: '/', signal, toolExecutionId: 't' });

test('it is named after its server, and gated like a program that runs', async () => {
  const { name, changes, access } = tool();
  expect({ name, changes }).toEqual({ name: 'mcp__files__write', changes: true });
  expect(await access({ path: 'a', deep: { b: [1] } }, { cwd: '/' })).toEqual({
    kind: 'run',
    detail:
      'write of the MCP server files\n{\n  "path": "a",\n  "deep": {\n    "b": [\n      1\n    ]\n  }\n}\n(the server is not confined to the workspace)',
    grants: [
      { scope: 'session', covers: 'every call of write of the MCP server files' },
      { scope: 'always', covers: 'every call of write of the MCP server files' },
    ],
  });
});

test('one that says that it only reads may run beside others, and is asked for all the same', async () => {
  const reading = tool({ offered: { ...offered, readOnly: true } });
  expect(reading.changes).toBe(false);
  expect((await reading.access({}, { cwd: '/' })).kind).toBe('run');
});

test('a name cannot draw on the screen, and the same words of two servers are two grants', async () => {
  const strange = tool({ offered: { ...offered, name: 'a\nof the MCP server files' } });
  const { detail, grants } = await strange.access({}, { cwd: '/' });
  expect(detail.split('\n')[0]).toBe('"a\\nof the MCP server files" of the MCP server files');
  expect(grants[0]?.covers).not.toContain('\n');
  expect(strange.summary({})).toBe('files: "a\\nof the MCP server files"');
});

test('arguments need only be an object', () => {
  const { check } = tool().parameters;
  expect(check({ any: 'thing' })).toEqual({ ok: true, value: { any: 'thing' } });
  expect(check(null)).toEqual({ ok: true, value: {} });
  for (const input of ['x', 7, ['a']])
    expect(check(input)).toEqual({ ok: false, message: 'the arguments must be one object' });
});

test('a summary is one line of bounded length', () => {
  expect(tool().summary({})).toBe('files: write');
  expect(tool().summary({ a: 'b\nc' })).toBe('files: write {"a":"b\\nc"}');
  expect(tool().summary({ a: 'x'.repeat(5_000) }).length).toBeLessThan(400);
});

test('secrets are hidden in all that is shown', async () => {
  const { description, summary, access, run } = tool();
  expect(description).toBe('Writes with ***');
  expect(summary({ a: 'sesame' })).not.toContain('sesame');
  expect((await access({ a: 'sesame' }, { cwd: '/' })).detail).not.toContain('sesame');
  expect(await run({}, context())).toEqual({ content: [{ type: 'text', text: 'write {} ***' }] });
});

test('a call that goes wrong is an error result, one that was told to stop rejects', async () => {
  const broken = tool({ call: () => Promise.reject(new Error('no sesame')) });
  expect(await broken.run({}, context())).toEqual({ content: [{ type: 'text', text: 'no ***' }], isError: true });
  await expect(broken.run({}, context(AbortSignal.abort()))).rejects.toThrow();
});
