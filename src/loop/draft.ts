/** The draft: chunks of a running Step become one assistant message. Pure; the same for every way of cutting the chunks. */
import type { AssistantMessage, Chunk, ToolUseBlock, Usage } from '../domain/content.ts';

interface OpenCall {
  type: 'tool_use';
  index: number;
  id: string;
  name: string;
  json: string;
  extra?: ToolUseBlock['extra'];
}
type DraftBlock = { type: 'text' | 'thinking' | 'refusal'; text: string } | OpenCall;

/** Owned by the one Step that streams it. */
export type Draft = DraftBlock[];

/** Grows the draft in place: a stream of n chunks must not cost n². */
export function extend(blocks: Draft, chunk: Chunk): void {
  if (chunk.type === 'tool_use') {
    const open = callAt(blocks, chunk.index);
    if (open) {
      open.json += chunk.inputJson;
      open.id ||= chunk.id;
      open.name ||= chunk.name;
    } else {
      const { index, id, name, inputJson: json } = chunk;
      blocks.push({ type: 'tool_use', index, id, name, json });
    }
    return;
  }
  const last = blocks.at(-1);
  if (last?.type === chunk.type) last.text += chunk.text;
  else blocks.push({ type: chunk.type, text: chunk.text });
}

/** What goes back with a call whose chunks came before. */
export function attach(blocks: Draft, index: number, fields: Record<string, unknown>): void {
  const call = callAt(blocks, index);
  if (call) call.extra = { ...call.extra, ...fields };
}

const callAt = (blocks: Draft, index: number): OpenCall | undefined =>
  blocks.find((block): block is OpenCall => block.type === 'tool_use' && block.index === index);

/** A call whose arguments came whole, or the raw text and why it cannot be run. */
export interface DraftCall {
  use: ToolUseBlock;
  fault?: { raw: string; why: 'cut' | 'no_object' };
}

export interface FinishedDraft {
  message: AssistantMessage;
  calls: DraftCall[];
  /** Text, thinking, a refusal or a call that is worth committing; white space alone is not. */
  usable: boolean;
}

/** The message of a stream that ended. Arguments that cannot be parsed are kept as {} (contract: Tools). */
export function finish(blocks: Draft, usage: Usage | undefined, cut: boolean): FinishedDraft {
  const calls: DraftCall[] = [];
  const done: AssistantMessage['blocks'] = [];
  for (const block of blocks) {
    if (block.type !== 'tool_use') {
      if (block.text !== '') done.push({ ...block });
      continue;
    }
    const call = callOf(block);
    calls.push(call);
    done.push(call.use);
  }
  const usable = done.some((block) => block.type === 'tool_use' || block.text.trim() !== '');
  return {
    message: { role: 'assistant', blocks: done, ...(usage && { usage }), ...(cut && { truncated: true }) },
    calls,
    usable,
  };
}

function callOf({ id, name, json, extra }: OpenCall): DraftCall {
  const use = (input: Record<string, unknown>): ToolUseBlock => ({
    type: 'tool_use',
    id,
    name,
    input,
    ...(extra && { extra }),
  });
  if (json.trim() === '') return { use: use({}) };
  try {
    const input = unwrapped(JSON.parse(json));
    if (input === null) return { use: use({}) };
    if (typeof input === 'object' && !Array.isArray(input)) return { use: use(input as Record<string, unknown>) };
    return { use: use({}), fault: { raw: json, why: 'no_object' } };
  } catch {
    return { use: use({}), fault: { raw: json, why: 'cut' } };
  }
}

/** Some servers put the text of the arguments into a text once more. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return value.trim() === '' ? null : JSON.parse(value);
  } catch {
    return value;
  }
}
