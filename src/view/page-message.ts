/** Messages on an exported page: who said what, a call with its result and what was decided about it. */
import type { AssistantMessage, Block, ImageBlock, Message, ToolResultBlock, ToolUseBlock } from '../domain/content.ts';
import type { PermissionDecided } from '../domain/runtime-event.ts';
import { pictureWords } from './attachment.ts';
import { markdownHtml } from './page-markdown.ts';
import { folded, pageLine, pageText, preformatted } from './page-text.ts';

export type Decision = Pick<PermissionDecided, 'effect' | 'source' | 'scope' | 'reason'>;

/** `words` without content are left out. `html` is safe already. */
export function said(
  who: 'You' | 'Assistant',
  html: string,
  { time, id, words }: { time: string; id?: string; words: readonly string[] },
): string {
  const name = id === undefined ? who : `<a href="#${id}">${who}</a>`;
  const more = words.filter(Boolean).map((word) => `<span class="said">${pageLine(word)}</span>`);
  const clock = `<time datetime="${pageLine(time)}">${pageLine(/T(\d\d:\d\d:\d\d)/.exec(time)?.[1] ?? time)}</time>`;
  const kind = who === 'You' ? 'you' : 'assistant';
  return `<article class="${kind}"${id === undefined ? '' : ` id="${id}"`}>
<header><h2>${name}</h2>${more.join('')}${clock}</header>
${html}</article>
`;
}

/** `step`: all messages of the Step, so that a call finds its result; tool messages add nothing of their own. */
export function messageHtml(
  message: Message,
  decisions: ReadonlyMap<string, Decision> = new Map(),
  step: readonly Message[] = [],
): string {
  if (message.role === 'tool') return '';
  if (message.role === 'user') return message.blocks.map(userBlock).join('') || '<p class="note">(nothing)</p>\n';
  const results = new Map(
    step.flatMap((one) => (one.role === 'tool' ? one.blocks.map((block) => [block.toolUseId, block] as const) : [])),
  );
  const blocks = message.blocks.map((block) => assistantBlock(block, results, decisions));
  return blocks.join('') + (message.truncated ? '<p class="note failed">cut off by the output limit</p>\n' : '');
}

const userBlock = (block: Block): string =>
  block.type === 'text' ? preformatted(block.text) : block.type === 'image' ? picture(block) : '';

function assistantBlock(
  block: AssistantMessage['blocks'][number],
  results: ReadonlyMap<string, ToolResultBlock>,
  decisions: ReadonlyMap<string, Decision>,
): string {
  switch (block.type) {
    case 'text':
      return markdownHtml(block.text);
    case 'thinking':
      return block.text.trim() === '' ? '' : folded('thinking', markdownHtml(block.text), 'thinking');
    case 'refusal':
      return `<p class="note failed">refused: ${pageText(block.text)}</p>\n`;
    case 'tool_use':
      return call(block, results.get(block.id), decisions.get(block.id));
  }
}

function call(
  { name, input }: ToolUseBlock,
  result: ToolResultBlock | undefined,
  decision: Decision | undefined,
): string {
  const failed = result?.isError === true;
  const asked = JSON.stringify(input, null, 2);
  const parts = [`<pre>${pageText(asked)}</pre>\n`];
  if (decision) parts.push(`<p class="note">${pageLine(decisionWords(decision))}</p>\n`);
  for (const block of result?.content ?? [])
    parts.push(block.type === 'image' ? picture(block) : `<pre>${pageText(block.text)}</pre>\n`);
  const gist = Object.values(input).find((value) => typeof value === 'string') ?? '';
  const begins = [...gist.slice(0, 400)].slice(0, 120).join('');
  const words = `<b>${pageLine(name)}</b> ${pageLine(begins)}${begins.length < gist.length ? ' …' : ''}`;
  return `<details class="call${failed ? ' bad' : ''}"><summary>${failed ? '✖' : '✔'} ${words}</summary>\n${parts.join('')}</details>\n`;
}

function decisionWords({ effect, source, scope, reason }: Decision): string {
  const who = { user: 'by you', policy: 'by a rule or mode', abandoned: 'abandoned' }[source];
  const what = effect === 'approve' ? 'allowed' : 'refused';
  return [`${what} ${who}`, scope && { once: 'once', session: 'for the session', always: 'always' }[scope], reason]
    .filter(Boolean)
    .join(', ');
}

const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/;

function picture(block: ImageBlock): string {
  const { mediaType, data } = block;
  const words = pageLine(pictureWords(block));
  if (!SHOWN.test(mediaType) || /[^A-Za-z0-9+/=]/.test(data)) return `<p class="note">(${words})</p>\n`;
  return `<p><img src="data:${mediaType};base64,${data}" alt="${words}"></p>\n`;
}
