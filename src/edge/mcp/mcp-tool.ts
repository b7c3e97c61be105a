/** A tool of a server as a tool of ours: named, gated like a command, its answer bounded and without secrets. */
import type { Tool, ToolResult } from '../../domain/tool.ts';
import { wellFormed } from '../tools/file-text.ts';
import { oneLine, refused } from '../tools/result.ts';
import { callResult } from './call-result.ts';
import { isObject, type OfferedTool } from './offered-tool.ts';
import { toolNameOf } from './tool-name.ts';

export interface McpToolParts {
  server: string;
  offered: OfferedTool;
  /** The server's answer; rejects with one line for the model. */
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
  /** Takes secrets out of a text. */
  hide(text: string): string;
}

const MAX_SUMMARY = 300;

/**
 * What it does nobody here can know, whatever the server says of it: it is asked for like a program that is run, and
 * the arguments are the server's to check.
 */
export function createMcpTool({ server, offered, call, hide }: McpToolParts): Tool<Record<string, unknown>> {
  const what = `${oneLine(offered.name)} of the MCP server ${oneLine(server)}`;
  const covers = `every call of ${what}`;
  return {
    name: toolNameOf(server, offered.name),
    server,
    description: hide(offered.description),
    parameters: {
      jsonSchema: offered.schema,
      check(input) {
        if (input === undefined || input === null) return { ok: true, value: {} };
        return isObject(input)
          ? { ok: true, value: input }
          : { ok: false, message: 'the arguments must be one object' };
      },
    },
    changes: !offered.readOnly,
    summary: (input) => hide(summaryOf(`${oneLine(server)}: ${oneLine(offered.name)}`, input)),
    async access(input) {
      return {
        kind: 'run',
        detail: hide(`${what}\n${JSON.stringify(input, null, 2)}\n(the server is not confined to the workspace)`),
        grants: [
          { scope: 'session', covers },
          { scope: 'always', covers },
        ],
      };
    },
    async run(input, { signal }) {
      try {
        return hidden(callResult(await call(offered.name, input, signal)), hide);
      } catch (error) {
        // told to stop: the runtime knows better why
        if (signal.aborted) throw error;
        return refused(hide(error instanceof Error ? error.message : String(error)));
      }
    },
  };
}

function summaryOf(what: string, input: Record<string, unknown>): string {
  const given = Object.keys(input).length === 0 ? '' : ` ${JSON.stringify(input)}`;
  return wellFormed(given.length > MAX_SUMMARY ? `${what}${given.slice(0, MAX_SUMMARY)}…` : what + given);
}

const hidden = (result: ToolResult, hide: (text: string) => string): ToolResult => ({
  ...result,
  content: result.content.map((block) => (block.type === 'text' ? { ...block, text: hide(block.text) } : block)),
});
