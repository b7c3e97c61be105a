/** How much a message weighs before anybody has measured it: an estimate, in tokens. */
import type { Message } from '../domain/content.ts';

const CHARS_PER_TOKEN = 4;
/** What a message costs beside its text. */
const PER_MESSAGE = 4;
const PER_IMAGE = 1000;

export const tokensOfText = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

/** Thinking is left out: it is not sent back. */
export function tokensOfMessage(message: Message): number {
  let tokens = PER_MESSAGE;
  for (const block of message.blocks) {
    if (block.type === 'text' || block.type === 'refusal') tokens += tokensOfText(block.text);
    else if (block.type === 'tool_use') tokens += tokensOfText(block.name) + tokensOfText(JSON.stringify(block.input));
    else if (block.type === 'image') tokens += PER_IMAGE;
    else if (block.type === 'tool_result') {
      for (const inner of block.content) tokens += inner.type === 'text' ? tokensOfText(inner.text) : PER_IMAGE;
    }
  }
  return tokens;
}
