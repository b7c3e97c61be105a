/**
 * What the next request of a loop will hold, by part, in tokens: measured by the last usage, estimated since. A server
 * measures a request as a whole; what it says is shared out among the parts by their size. Pure.
 */
import { userMessage } from '../domain/content.ts';
import type { ToolSpec } from '../domain/tool.ts';
import { limitsWithin, measuredParts, measuredTokens, type Window } from './compaction.ts';
import { type FittedPart, fittedParts, type HistoryLimits, weightOf } from './fit.ts';
import { extended } from './history.ts';
import type { LoopState } from './state.ts';
import { tokensOfBlock, tokensOfMessage, tokensOfText } from './tokens.ts';

/** In the order of a request: what stands beside the history, then the history. */
export const CONTEXT_KINDS = [
  'system',
  'tools',
  'mcpTools',
  'summary',
  'note',
  'user',
  'folded',
  'answers',
  'thinking',
  'toolCalls',
  'toolResults',
] as const;

/**
 * `tools` are the session's own, `mcpTools` those of servers. `note` says that the beginning was left out. `folded` are
 * inputs that joined a running Turn, `thinking` is that of answers where the model's server is sent it back.
 */
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** What one part of the next request takes. */
export interface ContextPart {
  kind: ContextKind;
  /** Tools, messages or calls. */
  count: number;
  tokens: number;
  /** Of its tokens, those that no usage has covered. */
  estimated: number;
}

/** In tokens. */
export interface ContextReport {
  /** Those that are not empty; their tokens are the total. */
  parts: readonly ContextPart[];
  total: number;
  /** Of the total, what no usage has covered. */
  estimated: number;
  /** Estimated: what the history holds and the request does not. */
  leftOut: number;
  /** What the model can read, where that is known. */
  window?: number;
  /** At which total old tool output is shortened, and at which the history is summarised. */
  shortenAt?: number;
  compactAt?: number;
  /** What waits in the queue and is not in the total: estimated. */
  queued: { inputs: number; tokens: number };
}

/** What stands in a request beside its history: estimated. */
export type RequestFrame = Readonly<Record<'system' | 'tools' | 'mcpTools', { count: number; tokens: number }>>;

export const weightOfFrame = (frame: RequestFrame): number => sumOf(Object.values(frame));

export function frameOf(system: string, tools: readonly (ToolSpec & { server?: string })[]): RequestFrame {
  const weighed = (specs: readonly ToolSpec[]) => ({
    count: specs.length,
    tokens: specs.reduce((sum, spec) => sum + tokensOfText(JSON.stringify(spec)), 0),
  });
  const bare = (from: (server: string | undefined) => boolean): ToolSpec[] =>
    tools.filter(({ server }) => from(server)).map(({ server: _, ...spec }) => spec);
  return {
    system: { count: system === '' ? 0 : 1, tokens: tokensOfText(system) },
    tools: weighed(bare((server) => server === undefined)),
    mcpTools: weighed(bare((server) => server !== undefined)),
  };
}

/** `asked`: what stood beside the history in the last measured request. */
export function contextReport(
  loop: LoopState,
  window: Window,
  frame: RequestFrame,
  asked: RequestFrame,
): ContextReport {
  const limits = limitsWithin(loop, window);
  const sent = nextParts(loop, limits);
  const before = measuredParts(loop, window);
  // what is cut shorter than it was is not what was measured
  const measured = new Map(before.map(({ total, tokens }) => [total, tokens]));
  const ofHistory = sent.flatMap((part) =>
    piecesOf(part, window).map((piece) => ({ ...piece, covered: measured.get(part.total) === part.tokens })),
  );
  const beside = piecesBeside(frame).map((piece) => ({ ...piece, covered: before.length > 0 }));
  const parts = partsOf([...beside, ...ofHistory], realSize(loop, window, asked));
  const total = sumOf(parts);
  const weight = weightOf(sent);
  const at = (limit: number): number => Math.max(0, Math.round(total - weight + limit));
  return {
    parts,
    total,
    estimated: parts.reduce((sum, { estimated }) => sum + estimated, 0),
    leftOut: Math.max(0, (loop.history?.total ?? 0) - weight),
    ...(window.limit !== Number.POSITIVE_INFINITY && {
      window: Math.round(window.limit),
      shortenAt: at(limits.budget),
      compactAt: at(limits.compactAt),
    }),
    queued: {
      inputs: loop.inbox.length,
      tokens: loop.inbox.reduce((sum, { message }) => sum + tokensOfMessage(message), 0),
    },
  };
}

interface Piece {
  kind: ContextKind;
  tokens: number;
  count: number;
}

const sumOf = (pieces: readonly { tokens: number }[]): number => pieces.reduce((sum, { tokens }) => sum + tokens, 0);

/** Where no Turn runs, the next request is that of the next one: what is old then is what counts. */
function nextParts({ history, turn, turnIndex }: LoopState, limits: HistoryLimits): FittedPart[] {
  if (turn) return fittedParts(history, limits);
  const next = extended(history, userMessage([]), { turnIndex: turnIndex + 1 });
  return fittedParts(next, limits).slice(0, -1);
}

/** How much one estimated token of the last measured request really was. */
function realSize(loop: LoopState, window: Window, asked: RequestFrame): number {
  const held = measuredParts(loop, window).flatMap((part) => piecesOf(part, window));
  return measuredTokens(loop, window) / Math.max(1, weightOfFrame(asked) + sumOf(held));
}

function piecesBeside(frame: RequestFrame): Piece[] {
  return (['system', 'tools', 'mcpTools'] as const).map((kind) => ({ kind, ...frame[kind] }));
}

function piecesOf({ message, note, turnIndex, folded, tokens }: FittedPart, { thinking }: Window): Piece[] {
  if (message.role === 'tool') return [{ kind: 'toolResults', tokens, count: 1 }];
  if (message.role === 'user') {
    const kind = note ? 'note' : turnIndex === 0 ? 'summary' : folded ? 'folded' : 'user';
    return [{ kind, tokens, count: 1 }];
  }
  const calls = message.blocks.filter(({ type }) => type === 'tool_use');
  const ofCalls = calls.reduce((sum, block) => sum + tokensOfBlock(block), 0);
  const said = message.blocks.some(({ type }) => type === 'text' || type === 'refusal');
  const thoughts = message.blocks.flatMap((block) => (block.type === 'thinking' && thinking ? [block.text] : []));
  // what a message costs by itself belongs to what it says, or else to its calls
  const ofWords = said || calls.length === 0 ? tokens - ofCalls : 0;
  return [
    { kind: 'answers', tokens: ofWords, count: ofWords > 0 ? 1 : 0 },
    { kind: 'thinking', tokens: tokensOfText(thoughts.join('')), count: thoughts.length > 0 ? 1 : 0 },
    { kind: 'toolCalls', tokens: tokens - ofWords, count: calls.length },
  ];
}

/** By kind, in whole tokens: what was measured is spread so that nothing of it is lost by rounding. */
function partsOf(pieces: readonly (Piece & { covered: boolean })[], size: number): ContextPart[] {
  let exact = 0;
  return CONTEXT_KINDS.map((kind): ContextPart => {
    const own = pieces.filter((piece) => piece.kind === kind);
    const before = Math.round(exact);
    exact += size * sumOf(own.filter(({ covered }) => covered));
    const estimated = sumOf(own.filter(({ covered }) => !covered));
    const count = own.reduce((sum, piece) => sum + piece.count, 0);
    return { kind, count, tokens: Math.round(exact) - before + estimated, estimated };
  }).filter(({ tokens, count }) => tokens > 0 || count > 0);
}
