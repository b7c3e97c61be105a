/**
 * What of a history goes into a request that would be too long (contract: Provider; old tool output goes first). The
 * journal keeps all of it; the model sees where something was left out. Pure: the same history and budget always give
 * the same request, also after a resume.
 */
import { type Message, type ToolMessage, userMessage } from '../domain/content.ts';
import { entriesOf, type History } from './history.ts';
import { tokensOfMessage } from './tokens.ts';

/** Characters that stay of a shortened result, half at each end. */
const KEPT_CHARS = 400;
const LAST_KEPT_CHARS = 2000;

interface Part {
  message: Message;
  turnIndex: number;
  stepId?: string;
  tokens: number;
}

/** The messages, oldest first, within `budget` tokens where that is possible at all. */
export function fitInto(history: History | undefined, budget: number): Message[] {
  const { parts, current } = shortenedParts(history, budget);
  const kept = sum(parts) > budget ? withoutBeginning(parts, current, budget) : parts;
  return kept.map(({ message }) => message);
}

/** What the history weighs, in tokens, when only tool output is shortened to fit it into `budget`. */
export const shortenedWeight = (history: History | undefined, budget: number): number =>
  sum(shortenedParts(history, budget).parts);

function shortenedParts(history: History | undefined, budget: number): { parts: Part[]; current: number } {
  let parts: Part[] = entriesOf(history);
  const current = parts.at(-1)?.turnIndex ?? 0;
  const lastStep = parts.findLast(({ stepId }) => stepId !== undefined)?.stepId;
  const measures: ((part: Part) => Part)[] = [
    (part) => (part.turnIndex < current ? shortened(part, KEPT_CHARS) : part),
    (part) => (part.stepId !== lastStep ? shortened(part, KEPT_CHARS) : part),
    (part) => shortened(part, LAST_KEPT_CHARS),
  ];
  for (const measure of measures) {
    if (sum(parts) <= budget) break;
    parts = parts.map(measure);
  }
  return { parts, current };
}

const sum = (parts: readonly Part[]): number => parts.reduce((total, { tokens }) => total + tokens, 0);

/** A tool result with its middle left out, visibly; anything else as it is. */
function shortened(part: Part, chars: number): Part {
  const { message } = part;
  if (message.role !== 'tool') return part;
  const [block] = message.blocks;
  const content = block.content.map((inner) =>
    inner.type === 'text'
      ? { ...inner, text: middleless(inner.text, chars) }
      : ({ type: 'text', text: '[an image was left out]' } as const),
  );
  const cut: ToolMessage = { role: 'tool', blocks: [{ ...block, content }] };
  return { ...part, message: cut, tokens: tokensOfMessage(cut) };
}

function middleless(text: string, chars: number): string {
  const mark = (left: number): string =>
    `\n[${left} characters of this result were left out to save room; call the tool again to see them]\n`;
  if (text.length <= chars + mark(text.length).length) return text;
  const half = chars / 2;
  return `${text.slice(0, half).toWellFormed()}${mark(text.length - chars)}${text.slice(-half).toWellFormed()}`;
}

/** The last resort: whole Turns from the beginning are left out, never a part of a Step. */
function withoutBeginning(parts: readonly Part[], current: number, budget: number): Part[] {
  const message = userMessage([
    { type: 'text', text: '[The beginning of this conversation was left out: it does not fit into the context.]' },
  ]);
  const note: Part = { message, turnIndex: 0, tokens: tokensOfMessage(message) };
  let rest = [...parts];
  while (sum(rest) + note.tokens > budget) {
    const oldest = rest[0]?.turnIndex ?? current;
    if (oldest >= current) break;
    rest = rest.filter(({ turnIndex }) => turnIndex > oldest);
  }
  return rest.length < parts.length ? [note, ...rest] : rest;
}
