/** The tools, listed once. */
import type { Tool, ToolResult } from '../../domain/tool.ts';
import { redactText } from '../process/redactor.ts';
import { createAskUserTool } from './ask-user.ts';
import { createEditFileTool } from './edit-file.ts';
import { createFetchUrlTool } from './fetch-url.ts';
import { createFileMemory } from './file-memory.ts';
import { createGlobTool } from './glob.ts';
import { createListFilesTool } from './list-files.ts';
import { createReadFileTool } from './read-file.ts';
import { createSearchTool } from './search.ts';
import { createShellTool, type ShellOptions } from './shell.ts';
import { createWriteFileTool } from './write-file.ts';

export interface ToolsOptions extends ShellOptions {
  /** Hosts ("name" or "name:port") that `fetch_url` may reach although they are private. */
  allowPrivateHosts?: readonly string[];
}

/** One set for one session: it remembers which files the session has seen. */
export function createTools(options: ToolsOptions): Tool[] {
  const memory = createFileMemory();
  const readable = options.outputsDir ? [options.outputsDir] : [];
  const tools: Tool[] = [
    createReadFileTool({ memory, readable }) as Tool,
    createListFilesTool() as Tool,
    createGlobTool() as Tool,
    createSearchTool() as Tool,
    createWriteFileTool(memory) as Tool,
    createEditFileTool(memory) as Tool,
    createShellTool(options) as Tool,
    createFetchUrlTool({ allowPrivateHosts: options.allowPrivateHosts }) as Tool,
    createAskUserTool() as Tool,
  ];
  return tools.map((tool) => withoutSecrets(tool, options.secrets ?? (() => [])));
}

/** What a tool shows never holds a secret, however it came by it (a key in the environment of another process, in a `.env`). */
function withoutSecrets(tool: Tool, secrets: () => readonly string[]): Tool {
  const hide = (text: string): string => redactText(text, secrets());
  const hidden = (result: ToolResult): ToolResult => ({
    ...result,
    content: result.content.map((block) => (block.type === 'text' ? { ...block, text: hide(block.text) } : block)),
    ...(result.preview === undefined ? {} : { preview: hide(result.preview) }),
  });
  const hiding = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Error ? new Error(hide(error.message)) : error;
    }
  };
  return {
    ...tool,
    summary: (input) => hide(tool.summary(input)),
    access: (input, context) =>
      hiding(async () => {
        const access = await tool.access(input, context);
        // a grant whose text is changed covers nothing any more: such a call is asked each time
        const grants = access.grants.map((offer) => ({ ...offer, covers: hide(offer.covers) }));
        return { ...access, detail: hide(access.detail), grants };
      }),
    run: (input, context) => hiding(async () => hidden(await tool.run(input, context))),
  };
}
