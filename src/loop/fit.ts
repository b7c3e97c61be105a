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

/** What a history may weigh, in tokens: beyond `budget` old tool output is shortened, beyond `compactAt` it is summarised. */
export interface HistoryLimits {
  budget: number;
  compactAt: number;
}

/** A message as it is sent. */
export interface FittedPart extends Omit<History, 'before'> {
  /** No message of the history: it says that the beginning was left out. */
  note?: boolean;
}

/** The messages, oldest first, within the limits where that is possible at all. */
export const fitInto = (history: History | undefined, limits: HistoryLimits): Message[] =>
  fittedParts(history, limits).map(({ message }) => message);

/** The same, each with its weight. What is only due to be summarised keeps its beginning as long as that fits. */
export function fittedParts(history: History | undefined, { budget, compactAt }: HistoryLimits): FittedPart[] {
  const { parts, current } = shortenedParts(history, budget);
  const most = Math.max(budget, compactAt);
  return weightOf(parts) > most ? withoutBeginning(parts, current, most) : parts;
}

/** What the history weighs, in tokens, when only tool output is shortened to fit it into `budget`. */
export const shortenedWeight = (history: History | undefined, budget: number): number =>
  weightOf(shortenedParts(history, budget).parts);

function shortenedParts(history: History | undefined, budget: number): { parts: FittedPart[]; current: number } {
  let parts: FittedPart[] = entriesOf(history);
  const current = parts.at(-1)?.turnIndex ?? 0;
  const lastStep = parts.findLast(({ stepId }) => stepId !== undefined)?.stepId;
  const measures: ((part: FittedPart) => FittedPart)[] = [
    (part) => (part.turnIndex < current ? shortened(part, KEPT_CHARS) : part),
    (part) => (part.stepId !== lastStep ? shortened(part, KEPT_CHARS) : part),
    (part) => shortened(part, LAST_KEPT_CHARS),
  ];
  for (const measure of measures) {
    if (weightOf(parts) <= budget) break;
    parts = parts.map(measure);
  }
  return { parts, current };
}

export const weightOf = (parts: readonly FittedPart[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0);

/** A tool result with its middle left out, visibly; anything else as it is. */
function shortened(part: FittedPart, chars: number): FittedPart {
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
function withoutBeginning(parts: readonly FittedPart[], current: number, most: number): FittedPart[] {
  const message = userMessage([
    { type: 'text', text: '[The beginning of this conversation was left out: it does not fit into the context.]' },
  ]);
  const note: FittedPart = { message, turnIndex: 0, tokens: tokensOfMessage(message), total: 0, note: true };
  let rest = [...parts];
  while (weightOf(rest) + note.tokens > most) {
    const oldest = rest[0]?.turnIndex ?? current;
    if (oldest >= current) break;
    rest = rest.filter(({ turnIndex }) => turnIndex > oldest);
  }
  return rest.length < parts.length ? [note, ...rest] : rest;
}
