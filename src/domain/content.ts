/** What is said: blocks, messages, chunks and their token usage. */

/** Words. */
export interface TextBlock {
  type: 'text';
  text: string;
}
/** What a model thought aloud; no part of its answer. */
export interface ThinkingBlock {
  type: 'thinking';
  text: string;
}
/** Words by which a model refuses. */
export interface RefusalBlock {
  type: 'refusal';
  text: string;
}
/** A picture, whole. */
export interface ImageBlock {
  type: 'image';
  mediaType: string;
  /** base64 */
  data: string;
}
/** A call that the model asks for. */
export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  /** Always there, also when {}. */
  input: Record<string, unknown>;
  /** What the endpoint wants back with this call, as it came, such as a signature of the thought behind it. Never shown. */
  extra?: Record<string, unknown>;
}
/** What came of the call with that id. */
export interface ToolResultBlock {
  type: 'tool_result';
  toolUseId: string;
  content: (TextBlock | ImageBlock)[];
  isError?: boolean;
}
/** Any piece of a message; told apart by `type`. */
export type Block = TextBlock | ThinkingBlock | RefusalBlock | ImageBlock | ToolUseBlock | ToolResultBlock;
/** What a person or a machine may submit. */
export type InputBlock = TextBlock | ImageBlock;

/** Token counts, each a non-negative safe integer. `inputTokens` excludes the cached ones; reasoning is part of output. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
}

/** What a person or a program said. */
export interface UserMessage {
  role: 'user';
  blocks: InputBlock[];
}
/** One answer of a model: of one Step. */
export interface AssistantMessage {
  role: 'assistant';
  blocks: (TextBlock | ThinkingBlock | RefusalBlock | ToolUseBlock)[];
  usage?: Usage;
  /** The output limit cut it. */
  truncated?: boolean;
}
/** The result of one call. */
export interface ToolMessage {
  role: 'tool';
  blocks: [ToolResultBlock];
}
/** A part of the history; told apart by `role`. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** One piece of a streaming assistant message, as a TokenDelta shows it. */
export type Chunk =
  | { type: 'text' | 'thinking' | 'refusal'; text: string }
  | { type: 'tool_use'; index: number; id: string; name: string; inputJson: string };

export const ZERO_USAGE: Usage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
});

const USAGE_FIELDS = Object.keys(ZERO_USAGE) as (keyof Usage)[];

/** What is wrong with a usage, or undefined where nothing is. */
export function usageFault(usage: Usage): string | undefined {
  for (const field of USAGE_FIELDS) {
    const n = usage[field];
    if (!Number.isSafeInteger(n) || n < 0) return `${field} is ${String(n)}, not a non-negative safe integer`;
  }
  if (usage.reasoningTokens > usage.outputTokens) return 'more reasoning than output tokens';
  return undefined;
}

/** The sum, or a RangeError where a field leaves the safe integers (contract: Step, usage is summed with a check). */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = { ...ZERO_USAGE };
  for (const field of USAGE_FIELDS) {
    sum[field] = a[field] + b[field];
    if (!Number.isSafeInteger(sum[field])) throw new RangeError(`the sum of ${field} is no safe integer`);
  }
  return sum;
}

export const toolUsesOf = (message: AssistantMessage): ToolUseBlock[] =>
  message.blocks.filter((block) => block.type === 'tool_use');

/** The text blocks of a message, joined. */
export const textOf = (message: { blocks: readonly Block[] } | undefined): string =>
  (message?.blocks ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');

export const userMessage = (blocks: InputBlock[]): UserMessage => ({ role: 'user', blocks });

export const toolMessage = (toolUseId: string, text: string, isError = false): ToolMessage => ({
  role: 'tool',
  blocks: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }], ...(isError ? { isError } : {}) }],
});
