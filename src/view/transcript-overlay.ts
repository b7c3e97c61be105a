/**
 * The transcript on a screen of its own (contract: Ctrl+T): all of the session, unfolded. Its entries come out of the
 * journal while it is open, and go with it.
 */
import type { Delivery } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import { type Chat, loopOf, only, openGate, type Step } from './chat.ts';
import { span, type ViewContext } from './context.ts';
import { sanitizeLine } from './sanitize.ts';
import { facts } from './screen-turn.ts';
import type { Line } from './style.ts';
import { type Entry, entriesOf } from './transcript-overlay-entry.ts';
import { type DrawContext, entryLines } from './transcript-overlay-lines.ts';
import { type Place, type PlacedLine, pageFrom } from './transcript-overlay-place.ts';
import { markMatches, patternOf } from './transcript-overlay-search.ts';
import { displayWidth } from './width.ts';

export interface TranscriptOverlay {
  kind: 'transcript';
  loopId: LoopId | undefined;
  entries: readonly Entry[];
  /** Where Turns begin, as indices of entries. */
  turns: readonly number[];
  /** The journal is still being read. */
  reading: boolean;
  /** The last journaled event that is in the entries. */
  seq: number;
  /** The first line of the page; undefined at the end, and stays there as more comes. */
  top: Place | undefined;
  /** Answers as they were written. */
  raw: boolean;
  search: Search | undefined;
  /** How many code blocks of this page were copied one after another. */
  copied: number;
}

export interface Search {
  query: string;
  /** Keys go into the query. */
  typing: boolean;
  /** Where it began. */
  from: Place | undefined;
  /** The match that was gone to. */
  at: Place | undefined;
}

export function openTranscript(chat: Chat): Step {
  const overlay: TranscriptOverlay = {
    kind: 'transcript',
    loopId: loopOf(chat)?.loopId,
    entries: [],
    turns: [],
    reading: true,
    seq: 0,
    top: undefined,
    raw: false,
    search: undefined,
    copied: 0,
  };
  return only({ ...chat, overlay }, { type: 'Errand', errand: { type: 'ReadTranscript' } });
}

/** More of the journal. `reading`: there is still more of it. */
export function readInto(chat: Chat, deliveries: readonly Delivery[], reading: boolean): Chat {
  if (chat.overlay?.kind !== 'transcript') return chat;
  return { ...chat, overlay: { ...withDeliveries(chat.overlay, deliveries), reading } };
}

/** An event that was committed while the transcript is open. */
export function committedInto(chat: Chat, delivery: Delivery): Chat {
  const { overlay } = chat;
  if (overlay?.kind !== 'transcript' || overlay.reading || delivery.journalSeq <= overlay.seq) return chat;
  return { ...chat, overlay: withDeliveries(overlay, [delivery]) };
}

function withDeliveries(overlay: TranscriptOverlay, deliveries: readonly Delivery[]): TranscriptOverlay {
  const fresh = deliveries.flatMap(({ event }) => entriesOf(event, overlay.loopId));
  const seq = Math.max(overlay.seq, deliveries.at(-1)?.journalSeq ?? 0);
  if (fresh.length === 0) return { ...overlay, seq };
  const { length } = overlay.entries;
  const turns = fresh.flatMap(({ kind }, i) => (kind === 'input' ? [length + i] : []));
  return { ...overlay, seq, entries: [...overlay.entries, ...fresh], turns: [...overlay.turns, ...turns] };
}

export const drawContext = (overlay: TranscriptOverlay, ctx: ViewContext): DrawContext => ({ ctx, raw: overlay.raw });

/** Lines of the page: the screen without its last row and the foot. */
export const pageHeight = (chat: Chat): number => Math.max(1, chat.size.rows - 2);

export const pageOf = (chat: Chat, overlay: TranscriptOverlay, ctx: ViewContext): PlacedLine[] =>
  pageFrom(overlay.entries, overlay.top, pageHeight(chat), drawContext(overlay, ctx));

export interface TranscriptDrawing {
  lines: Line[];
  cursor: { x: number; y: number } | undefined;
}

export function transcriptDrawing(chat: Chat, overlay: TranscriptOverlay, ctx: ViewContext): TranscriptDrawing {
  const page = pageOf(chat, overlay, ctx);
  const pattern = patternOf(overlay.search?.query ?? '');
  const lines = page.map(({ text }) => (pattern ? markMatches(text, pattern) : text));
  while (lines.length < pageHeight(chat)) lines.push([]);
  const foot = footLine(chat, overlay, page, ctx);
  const { search } = overlay;
  const cursor = search?.typing ? { x: displayWidth(queryText(search, ctx)), y: lines.length } : undefined;
  return { lines: chat.size.rows > 2 ? [...lines, foot] : [foot], cursor };
}

const queryText = ({ query }: Search, ctx: ViewContext): string => `/${sanitizeLine(query, ctx)}`;

function footLine(chat: Chat, overlay: TranscriptOverlay, page: readonly PlacedLine[], ctx: ViewContext): Line {
  const { search } = overlay;
  const { notice } = chat;
  if (search?.typing) {
    const missing = search.query !== '' && !search.at ? 'nothing found' : 'Enter keeps it';
    return facts(span(queryText(search, ctx)), [missing, 'Esc drops it'], ctx);
  }
  if (notice && notice.until > ctx.now) return [span(sanitizeLine(notice.text, ctx), { color: 'warning' })];
  if (openGate(chat.view))
    return facts(span('a question waits for you', { color: 'warning' }), ['Esc goes to it'], ctx);
  return facts(
    span(whereabouts(overlay, page, ctx), { color: 'heading' }),
    [
      'Esc closes',
      '/ search',
      ...(search ? ['n N matches'] : []),
      '[ ] turns',
      'c copies',
      'C code',
      RAW[`${overlay.raw}`],
    ],
    ctx,
  );
}

const RAW = { true: 'r drawn', false: 'r as written' } as const;

function whereabouts(overlay: TranscriptOverlay, page: readonly PlacedLine[], ctx: ViewContext): string {
  const turns = overlay.turns.length;
  if (overlay.reading) return `reading ${ctx.signs.ellipsis} ${turns} turns`;
  if (turns === 0) return 'nothing was said yet';
  return `turn ${Math.max(1, turnAt(overlay, page.at(-1)?.entry ?? 0))} of ${turns}`;
}

/** The number of the Turn that an entry belongs to; 0 before the first. */
export function turnAt({ turns }: TranscriptOverlay, entry: number): number {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle] ?? 0) <= entry) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first line of an entry that says something. */
export const firstLine = (overlay: TranscriptOverlay, entry: number, ctx: ViewContext): Place => {
  const one = overlay.entries[entry];
  const blank = one !== undefined && !one.goesOn && entryLines(one, drawContext(overlay, ctx)).length > 1;
  return { entry, line: blank ? 1 : 0 };
};
