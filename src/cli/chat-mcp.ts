/** How many of the MCP servers are ready, told in one line each time that it changes. */
import type { ServerStatus } from '../edge/mcp/mcp-server.ts';
import { oneLine } from '../edge/settings/one-line.ts';
import { noticed, only } from '../view/chat.ts';
import { sanitizeLine } from '../view/sanitize.ts';
import type { Change } from './chat-errands.ts';
import type { Live } from './chat-stage.ts';

export function watchMcp({ mcp }: Live, change: Change): void {
  if (mcp.status().length === 0) return;
  mcp.onChange(() => {
    const status = mcp.status();
    const tone = status.some(({ state }) => state === 'failed') ? 'warning' : 'plain';
    change((chat, now) => only(noticed(chat, mcpWords(status), now, tone)));
  });
}

/** What came of the servers, those that failed by name. */
export function mcpWords(status: readonly ServerStatus[]): string {
  const ready = status.filter(({ state }) => state === 'ready');
  const tools = ready.reduce((sum, server) => sum + server.tools, 0);
  const failed = status.filter(({ state }) => state === 'failed');
  const why = failed.map(({ name, reason = 'no reason given' }) => `${name} failed: ${reason}`);
  return sanitizeLine(
    oneLine([`MCP: ${ready.length} of ${status.length} servers ready, ${tools} tools`, ...why].join('; ')),
  );
}
