/** What a model is told before everything else: the default or the person's own words, and AGENTS.md of the workspace. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';

export interface SystemPromptOptions {
  /** The workspace. */
  cwd: string;
  /** In place of the default one (--system). */
  text?: string;
}

const MAX_AGENTS_BYTES = 64 * 1024;

const DEFAULT = `You are a careful assistant in a terminal chat. Answer briefly, in Markdown that reads well as plain text.
You have tools. Use them when they help, look before you change, and say what you did. File paths are relative to the workspace.
A person may add messages while you work: they stand after the tool results, and the newest wish counts.
When a call is refused or fails, do not repeat it unchanged.`;

/** Read anew at each Turn's start; a file that cannot be read is left out. */
export function createSystemPrompt({ cwd, text = DEFAULT }: SystemPromptOptions): () => Promise<string> {
  return async () => {
    const agents = await readAgents(cwd);
    const parts = [text, `The workspace is ${cwd}.`];
    if (agents) parts.push(`The workspace's AGENTS.md says:\n\n${agents}`);
    return parts.join('\n\n');
  };
}

async function readAgents(cwd: string): Promise<string | undefined> {
  try {
    const file = await open(join(cwd, 'AGENTS.md'), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_AGENTS_BYTES), 0, MAX_AGENTS_BYTES, 0);
      return buffer.subarray(0, bytesRead).toString('utf8').trim() || undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
