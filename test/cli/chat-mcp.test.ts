import { expect, test } from 'vitest';
import { mcpWords } from '../../src/cli/chat-mcp.ts';

test('one line: how many are ready, with how many tools, and which failed for what', () => {
  const ready = { name: 'files', state: 'ready', tools: 11 } as const;
  const slow = { name: 'slow', state: 'connecting', tools: 0 } as const;
  const failed = { name: 'bad\u001b[31m', state: 'failed', tools: 0, reason: 'it did not answer\nin 30 s' } as const;
  expect(mcpWords([ready, slow])).toBe('MCP: 1 of 2 servers ready, 11 tools');
  const words = mcpWords([ready, failed]);
  expect(words).toMatch(/^MCP: 1 of 2 servers ready, 11 tools; bad.* failed: it did not answer/);
  expect(words).not.toMatch(/[\u001b\n]/);
});
