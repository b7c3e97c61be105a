/**
 * A session as a document for people: plain text for the terminal, Markdown for a file. What models, tools and people
 * said is made safe here: control sequences are shown, not obeyed.
 */
import type { Block, ImageBlock, Message } from '../domain/content.ts';
import type { Event } from '../domain/event.ts';
import type { JournalRecord } from '../runtime/ports.ts';
import { pictureWords } from '../view/attachment.ts';
import { CANCELLED } from '../view/queue.ts';
import { sanitizeLine, sanitizeTabbed, sanitizeText } from '../view/sanitize.ts';

/** Writes what one record adds to the document; '' where it adds nothing. */
export type Document = (record: JournalRecord) => string;

/** How the pieces of a conversation are written down. */
interface Style {
  said(who: 'You' | 'Assistant', text: string): string;
  call(name: string, input: unknown): string;
  result(text: string, isError: boolean): string;
  note(text: string): string;
}

export const textDocument: Document = documentIn({
  said: (who, text) => (who === 'You' ? `\n> ${text.replaceAll('\n', '\n> ')}\n` : `\n${text}\n`),
  call: (name, input) => `\n[${name}] ${sanitizeLine(JSON.stringify(input))}\n`,
  result: (text, isError) => `${isError ? '! ' : ''}${text}\n`.replaceAll(/^/gm, '  ').trimEnd().concat('\n'),
  note: (text) => `\n-- ${text} --\n`,
});

export const markdownDocument: Document = documentIn({
  said: (who, text) => (who === 'You' ? `\n## You\n\n${quoted(text)}\n` : `\n## Assistant\n\n${text}\n`),
  call: (name, input) => `\nTool \`${name}\`:\n\n${fenced(sanitizeText(JSON.stringify(input, null, 2)), 'json')}\n`,
  result: (text, isError) => `\n${isError ? 'Error' : 'Result'}:\n\n${fenced(text, '')}\n`,
  note: (text) => `\n*${text}*\n`,
});

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');

/** A fence longer than any run of its own sign within. */
function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The head of an exported document. */
export function markdownHead(started: Event, title: string): string {
  const lines = [
    `# ${sanitizeLine(title)}`,
    '',
    `* session: ${sanitizeLine(started.sessionId)}`,
    `* started: ${sanitizeLine(started.createdAt)}`,
  ];
  if (started.type === 'SessionStarted') {
    lines.push(`* folder: ${sanitizeLine(started.cwd)}`, `* model: ${sanitizeLine(started.model)}`);
    if (started.forkedFrom) lines.push(`* forked from: ${sanitizeLine(started.forkedFrom)}`);
  }
  return `${lines.join('\n')}\n`;
}

const pictured = (block: ImageBlock): string => `(${sanitizeLine(pictureWords(block))})`;

const plain = (blocks: readonly Block[]): string =>
  blocks
    .map((block) =>
      block.type === 'text' || block.type === 'refusal'
        ? sanitizeTabbed(block.text)
        : block.type === 'image'
          ? pictured(block)
          : '',
    )
    .filter((text) => text !== '')
    .join('\n');

function documentIn(style: Style): Document {
  const message = (said: Message): string => {
    if (said.role === 'user') return style.said('You', plain(said.blocks) || '(nothing)');
    if (said.role === 'tool')
      return said.blocks.map((block) => style.result(plain(block.content), block.isError === true)).join('');
    const text = plain(said.blocks);
    const calls = said.blocks.map((block) =>
      block.type === 'tool_use' ? style.call(sanitizeLine(block.name), block.input) : '',
    );
    const cut = said.truncated ? style.note('cut off by the output limit') : '';
    return `${text ? style.said('Assistant', text) : ''}${calls.join('')}${cut}`;
  };
  return (record) => {
    if ('command' in record) return '';
    const { event } = record;
    switch (event.type) {
      case 'TurnStarted':
      case 'TurnFoldedInto':
        return message(event.message);
      case 'StepDone':
        return event.messages.map(message).join('');
      case 'TurnFailed':
        return style.note(`failed: ${event.failure.kind}: ${sanitizeLine(event.failure.message)}`);
      case 'TurnInterrupted':
        return style.note('interrupted');
      case 'InputCancelled':
        return `${message(event.message)}${style.note(CANCELLED[event.reason])}`;
      case 'HistoryCompacted':
        return `${style.note('the history above was summarised for the model')}${style.said('Assistant', sanitizeTabbed(event.summary))}`;
      default:
        return '';
    }
  };
}
