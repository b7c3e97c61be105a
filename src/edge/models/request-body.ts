/** From the committed history to the body of a chat completions request. Pure. */
import type { AssistantMessage, Block, ImageBlock, Message, ToolMessage, UserMessage } from '../../domain/content.ts';
import type { ModelRequest } from '../../runtime/ports.ts';
import { callIdsBy } from './call-ids.ts';
import type { ProviderQuirks } from './providers.ts';

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
type WireContent = string | WirePart[];
interface WireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** And what the quirks name. */
  extra_content?: unknown;
}
interface WireAssistant {
  role: 'assistant';
  content?: string | null;
  reasoning_content?: string;
  reasoning?: string;
  tool_calls?: WireCall[];
}
type WireMessage =
  | { role: 'system' | 'developer'; content: string }
  | { role: 'user'; content: WireContent }
  | WireAssistant
  | { role: 'tool'; tool_call_id: string; content: string };
export interface WireBody {
  model: string;
  messages: WireMessage[];
  stream: true;
  stream_options?: { include_usage: true };
  tools?: { type: 'function'; function: { name: string; description: string; parameters: Record<string, unknown> } }[];
  parallel_tool_calls?: boolean;
  max_tokens?: number;
  max_completion_tokens?: number;
}

/** What an input without blocks says for itself (contract: Admission, /retry). */
const ANSWER_ABOVE = 'Please answer what stands above.';
const NOTHING_SAID = '(empty message)';
const GO_ON = 'Please go on.';
const BRIDGE = 'I have the results.';
/** What Google has servers say that never saw the thought behind a call. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };
const EMPTY = { null: { content: null }, empty: { content: '' }, absent: {} };

const imagePart = (image: ImageBlock): WirePart => ({
  type: 'image_url',
  image_url: { url: `data:${image.mediaType};base64,${image.data}` },
});
const joined = (blocks: readonly Block[], type: 'text' | 'thinking' | 'refusal', by: string): string =>
  blocks.flatMap((block) => (block.type === type && block.text !== '' ? [block.text] : [])).join(by);

function userContent(message: UserMessage, above: boolean): WireContent {
  const said = message.blocks.filter((block) => block.type === 'image' || block.text.trim() !== '');
  if (said.length === 0) return above ? ANSWER_ABOVE : NOTHING_SAID;
  if (said.every((block) => block.type === 'text')) return joined(said, 'text', '\n\n');
  return said.map((block) => (block.type === 'image' ? imagePart(block) : { type: 'text', text: block.text }));
}

/** Servers refuse names that are no words of theirs, also those that a model made up. */
const wireName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed_tool';

/** Undefined where nothing of it may be sent: thinking alone, white space alone. */
function assistantMessage(
  message: AssistantMessage,
  quirks: ProviderQuirks,
  idOf: (id: string) => string,
): WireAssistant | undefined {
  const text = [joined(message.blocks, 'text', ''), joined(message.blocks, 'refusal', '')]
    .filter((part) => part.trim() !== '')
    .join('\n');
  const calls = message.blocks.flatMap((block): WireCall[] => {
    if (block.type !== 'tool_use') return [];
    const json = JSON.stringify(wellFormed(block.input));
    const extra = quirks.callFields?.filter((field) => block.extra && Object.hasOwn(block.extra, field)) ?? [];
    return [
      {
        ...Object.fromEntries(extra.map((field) => [field, block.extra?.[field]])),
        id: idOf(block.id),
        type: 'function',
        function: { name: wireName(block.name), arguments: json },
      },
    ];
  });
  if (text === '' && calls.length === 0) return undefined;
  const [first] = calls;
  if (first && quirks.skipThoughtSignature) first.extra_content ??= UNSIGNED;
  return {
    role: 'assistant',
    ...(text === '' ? EMPTY[quirks.emptyContent ?? 'null'] : { content: text }),
    ...thinkingOf(message, quirks, calls.length > 0),
    ...(first && { tool_calls: calls }),
  };
}

/** A server that wants its thinking back wants the field with every message that calls tools, also an empty one. */
function thinkingOf(message: AssistantMessage, { thinking }: ProviderQuirks, calls: boolean): Partial<WireAssistant> {
  if (thinking === undefined || thinking === 'omit') return {};
  const thought = joined(message.blocks, 'thinking', '');
  return calls || thought !== '' ? { [thinking]: thought } : {};
}

function toolMessage({ blocks: [result] }: ToolMessage, imagesFollow: boolean, id: string): WireMessage {
  const images = result.content.filter((block) => block.type === 'image').length;
  const note =
    images === 0
      ? ''
      : `(${images === 1 ? 'an image' : `${images} images`}${imagesFollow ? ', shown below' : ' that cannot be shown'})`;
  const text = [joined(result.content, 'text', '\n'), note].filter((part) => part !== '').join('\n') || '(no output)';
  const content = result.isError && !/^\W*error\b/i.test(text) ? `Error: ${text}` : text;
  return { role: 'tool', tool_call_id: id, content };
}

/** Images may not stand in tool messages: they follow the whole batch as a message of the user. */
function imagesOf(batch: readonly ToolMessage[]): WireMessage | undefined {
  const images = batch.flatMap(({ blocks: [result] }) => result.content.filter((block) => block.type === 'image'));
  if (images.length === 0) return undefined;
  return {
    role: 'user',
    content: [{ type: 'text', text: 'Images from the tool results above:' }, ...images.map(imagePart)],
  };
}

function wireMessages(messages: readonly Message[], quirks: ProviderQuirks): WireMessage[] {
  const out: WireMessage[] = [];
  let batch: ToolMessage[] = [];
  const imagesFollow = quirks.toolImages !== 'note';
  const idOf = callIdsBy(quirks.callIds);
  const endBatch = () => {
    const images = imagesFollow ? imagesOf(batch) : undefined;
    if (images) out.push(images);
    batch = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      batch.push(message);
      out.push(toolMessage(message, imagesFollow, idOf(message.blocks[0].toolUseId)));
      continue;
    }
    endBatch();
    const wire: WireMessage | undefined =
      message.role === 'user'
        ? { role: 'user', content: userContent(message, out.length > 0) }
        : assistantMessage(message, quirks, idOf);
    if (wire) out.push(wire);
  }
  endBatch();
  const last = out.at(-1);
  if (!last) out.push({ role: 'user', content: NOTHING_SAID });
  else if (last.role === 'assistant') out.push({ role: 'user', content: GO_ON });
  return out;
}

const parts = (content: WireContent): WirePart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** For servers that want user and assistant to take turns. */
function arranged(messages: readonly WireMessage[], quirks: ProviderQuirks): WireMessage[] {
  const out: WireMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (quirks.joinUsers && message.role === 'user' && last?.role === 'user') {
      const both = typeof last.content === 'string' && typeof message.content === 'string';
      const content = both
        ? `${last.content}\n\n${message.content}`
        : [...parts(last.content), ...parts(message.content)];
      out[out.length - 1] = { role: 'user', content };
      continue;
    }
    if (quirks.bridgeToolToUser && message.role === 'user' && last?.role === 'tool')
      out.push({ role: 'assistant', content: BRIDGE });
    out.push(message);
  }
  return out;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A copy without lone surrogates in any string, so that the body is UTF-8 wherever it is read. */
function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.replace(LONE_SURROGATE, '\uFFFD') as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [wellFormed(name), wellFormed(part)])) as T;
}

function addSystem(messages: WireMessage[], text: string, { system: role = 'system' }: ProviderQuirks): void {
  const [first] = messages;
  if (role !== 'user') messages.unshift({ role, content: text });
  else if (first?.role !== 'user') messages.unshift({ role, content: text });
  else if (typeof first.content === 'string') messages[0] = { role, content: `${text}\n\n${first.content}` };
  else messages[0] = { role, content: [{ type: 'text', text }, ...first.content] };
}

export function requestBody(request: ModelRequest, quirks: ProviderQuirks = {}): WireBody {
  const messages = arranged(wireMessages(request.messages, quirks), quirks);
  if (request.system.trim() !== '') addSystem(messages, request.system, quirks);
  const offered = quirks.tools === false ? [] : request.tools;
  const tools = offered.map((tool) => ({
    type: 'function' as const,
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  }));
  return wellFormed({
    model: request.model,
    messages,
    stream: true as const,
    ...(quirks.includeUsage === false ? {} : { stream_options: { include_usage: true as const } }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && quirks.parallelToolCalls !== undefined
      ? { parallel_tool_calls: quirks.parallelToolCalls }
      : {}),
    ...(quirks.maxTokens ? { [quirks.maxTokens.field]: quirks.maxTokens.value } : {}),
  });
}
