/** Blocks, messages, chunks and usage on the wire (contract: Wire format). */
import type {
  AssistantMessage,
  Block,
  Chunk,
  ImageBlock,
  InputBlock,
  Message,
  TextBlock,
  ToolMessage,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
  UserMessage,
} from '../../domain/content.ts';
import {
  always,
  boolean,
  count,
  type Field,
  list,
  oneOf,
  optional,
  present,
  shape,
  string,
  tagged,
  untouched,
} from './field.ts';

const counts = shape<Usage>({
  inputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  cacheReadTokens: count,
  cacheCreationTokens: count,
});
/** Left out where all of it is zero. */
export const usage: Field<Usage> = {
  encode(value) {
    const wire = counts.encode(value) as object;
    return Object.keys(wire).length === 0 ? undefined : wire;
  },
  decode: (wire) => counts.decode(wire === undefined ? {} : wire),
  form: counts.form,
};

const said = <T extends 'text' | 'thinking' | 'refusal'>(type: T) => shape({ type: oneOf(type), text: always(string) });
const text: Field<TextBlock> = said('text');
export const image = shape<ImageBlock>({ type: oneOf('image'), mediaType: string, data: string });
export const toolUse = shape<ToolUseBlock>({
  type: oneOf('tool_use'),
  id: present(string),
  name: string,
  input: untouched,
  extra: optional(untouched),
});
const pictured = { text, image };

export const inputBlock: Field<InputBlock> = tagged<InputBlock, 'type'>('type', pictured);
export const toolResult = shape<ToolResultBlock>({
  type: oneOf('tool_result'),
  toolUseId: present(string),
  content: always(list(inputBlock)),
  isError: optional(boolean),
});

type AssistantBlock = Exclude<Block, ImageBlock | ToolResultBlock>;
export const assistantBlock = tagged<AssistantBlock, 'type'>('type', {
  text,
  thinking: said('thinking'),
  refusal: said('refusal'),
  tool_use: toolUse,
});

export const userMessage = shape<UserMessage>({ role: oneOf('user'), blocks: list(inputBlock) });
export const assistantMessage = shape<AssistantMessage>({
  role: oneOf('assistant'),
  blocks: list(assistantBlock),
  usage: optional(usage),
  truncated: optional(boolean),
});
export const toolMessage = shape<ToolMessage>({
  role: oneOf('tool'),
  // that it is exactly one is checked with the whole Step
  blocks: list(toolResult) as Field<ToolMessage['blocks']>,
});
export const message: Field<Message> = tagged<Message, 'role'>('role', {
  user: userMessage,
  assistant: assistantMessage,
  tool: toolMessage,
});

export const chunk: Field<Chunk> = tagged<Chunk, 'type'>('type', {
  text: said('text'),
  thinking: said('thinking'),
  refusal: said('refusal'),
  tool_use: shape({ type: oneOf('tool_use'), index: always(count), id: string, name: string, inputJson: string }),
});
