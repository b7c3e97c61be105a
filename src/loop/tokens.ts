/** How much a message weighs before anybody has measured it: an estimate, in tokens. */
import type { Message } from '../domain/content.ts';

const CHARS_PER_TOKEN = 4;
/** What a message costs beside its text. */
const PER_MESSAGE = 4;
const PER_IMAGE = 1000;

export const tokensOfText = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

/** Thinking is left out: most servers are not sent it back. */
export const tokensOfMessage = (message: Message): number =>
  message.blocks.reduce((sum, block) => sum + tokensOfBlock(block), PER_MESSAGE);

export function tokensOfBlock(block: Message['blocks'][number]): number {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return tokensOfText(block.text);
    case 'thinking':
      return 0;
    case 'image':
      return PER_IMAGE;
    case 'tool_use':
      return tokensOfText(block.name) + tokensOfText(JSON.stringify(block.input));
    case 'tool_result':
      return block.content.reduce((sum, inner) => sum + tokensOfBlock(inner), 0);
  }
}
