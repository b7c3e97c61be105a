/** Requests to a model that cannot be shown some of the images of a conversation (contract: Provider). Pure. */
import type { ImageBlock, InputBlock, Message, TextBlock, UserMessage } from '../../domain/content.ts';

const NOT_SHOWN = '[an image that this model cannot be shown]';

const worded = (block: TextBlock | ImageBlock): TextBlock =>
  block.type === 'image' ? { type: 'text', text: NOT_SHOWN } : block;

const hasImage = (blocks: readonly InputBlock[]): boolean => blocks.some(({ type }) => type === 'image');

const newestOf = (messages: readonly Message[]): UserMessage | undefined =>
  messages.findLast((message) => message.role === 'user');

/** Whether there are images, and which could be left out without anybody missing them now. */
export function imagesIn(messages: readonly Message[]): { any: boolean; earlier: boolean } {
  const newest = newestOf(messages);
  const earlier = messages.some((message) => {
    if (message.role === 'assistant' || message === newest) return false;
    return hasImage(message.role === 'user' ? message.blocks : message.blocks[0].content);
  });
  return { any: earlier || hasImage(newest?.blocks ?? []), earlier };
}

/** Each image in a word; `kept`: but for those of the newest input. */
export function withoutImages(messages: readonly Message[], kept: 'none' | 'newest'): Message[] {
  const newest = kept === 'newest' ? newestOf(messages) : undefined;
  return messages.map((message): Message => {
    if (message.role === 'assistant' || message === newest) return message;
    if (message.role === 'user')
      return hasImage(message.blocks) ? { ...message, blocks: message.blocks.map(worded) } : message;
    const [result] = message.blocks;
    if (!hasImage(result.content)) return message;
    return { ...message, blocks: [{ ...result, content: result.content.map(worded) }] };
  });
}
