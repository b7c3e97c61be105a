/**
 * What is printed once and then belongs to the terminal. Finished lines of the running Step go out as they come; its
 * StepDone prints only the rest, and a terminal without one says that what stands above was discarded.
 */
import { type AssistantMessage, textOf } from '../domain/content.ts';
import type { EventBody } from '../domain/event.ts';
import type { StepId } from '../domain/identity.ts';
import type { StepDone } from '../domain/turn-event.ts';
import { brokenThought } from './broken-thought.ts';
import { type Folded, hanging, muted, span, type ViewContext } from './context.ts';
import { receiptLines, userLines } from './input-lines.ts';
import type { TurnView } from './live.ts';
import {
  createMarkdownStream,
  endMarkdown,
  type MarkdownPush,
  pushMarkdown,
  renderMarkdown,
  resizeMarkdown,
} from './markdown.ts';
import type { QueueView, Receipt } from './queue.ts';
import { sanitizeText } from './sanitize.ts';
import { asAssistant } from './spoken.ts';
import { statusLines } from './status.ts';
import { type Line, lineText } from './style.ts';
import { cardLines, type PrintedCard, printedCards, stoppedCard } from './tool-card.ts';

/** The Step that streams now. */
export interface StepStream {
  stepId: StepId;
  text: string;
  refusal: string;
  thinking: string;
  /** The text so far: what is finished of it was printed, its tail is drawn live. */
  markdown: MarkdownPush;
  /** Finished lines that were printed, in order. */
  printed: readonly Line[];
  /** Pieces of it were dropped on the way here: nothing more is printed before its StepDone. */
  lossy: boolean;
}

type Kind = 'user' | 'text' | 'card' | 'status' | 'note' | 'command';

export interface TranscriptView {
  stream?: StepStream;
  /** What was printed last; decides where an empty line goes. */
  last?: Kind;
  /** The calls of the last tool Step, for unfolding. */
  cards: readonly PrintedCard[];
  /** The last text of the model that was committed, as it was written. */
  answer?: string;
  /** Inputs that came back one after another just now. */
  back?: number;
}

/** Something always stands above: the banner, or the shell. */
export const EMPTY_TRANSCRIPT: TranscriptView = { cards: [], last: 'note' };

export interface TranscriptFacts {
  ctx: ViewContext;
  /** The Turn before this event. */
  turn: TurnView | undefined;
  /** The queue with this event folded. */
  queue: QueueView;
  receipt: Receipt | undefined;
  /** This subscriber lost events before this one. */
  dropped: boolean;
  /** The session is being shut down. */
  leaving: boolean;
}

export function applyTranscript(
  before: TranscriptView,
  event: EventBody,
  facts: TranscriptFacts,
): Folded<TranscriptView> {
  const transcript = facts.dropped && before.stream ? { ...before, stream: { ...before.stream, lossy: true } } : before;
  if (facts.receipt?.outcome === 'returned') return cameBack(transcript, facts.receipt, facts);
  if (!transcript.back) return applyEvent(transcript, event, facts);
  const rest = restOfBack(transcript, facts.ctx);
  const next = applyEvent(rest.state, event, facts);
  return { state: next.state, print: [...rest.print, ...next.print] };
}

/** A failure may return a whole queue: so many receipts are written out, the rest is counted. */
const RECEIPTS = 5;

function cameBack(before: TranscriptView, receipt: Receipt, { ctx, queue }: TranscriptFacts): Folded<TranscriptView> {
  const back = (before.back ?? 0) + 1;
  const said = put({ ...before, back }, 'note', back > RECEIPTS ? [] : receiptLines(receipt, ctx));
  if (queue.rows.length > 0) return said;
  const rest = restOfBack(said.state, ctx);
  return { state: rest.state, print: [...said.print, ...rest.print] };
}

function restOfBack(transcript: TranscriptView, ctx: ViewContext): Folded<TranscriptView> {
  const more = (transcript.back ?? 0) - RECEIPTS;
  const words = `${ctx.signs.returned} ${ctx.signs.ellipsis} +${more} returned`;
  return put({ ...transcript, back: 0 }, 'note', more > 0 ? [[muted(words)]] : []);
}

function applyEvent(transcript: TranscriptView, event: EventBody, facts: TranscriptFacts): Folded<TranscriptView> {
  switch (event.type) {
    case 'TurnStarted':
    case 'TurnFoldedInto':
      return put(transcript, 'user', userLines(event.message.blocks, facts.receipt, facts.ctx));
    case 'InputCancelled':
    case 'TurnRejected':
      return facts.receipt ? put(transcript, 'note', receiptLines(facts.receipt, facts.ctx)) : keep(transcript);
    case 'TokenDelta':
      return event.chunk.type === 'tool_use'
        ? keep(transcript)
        : applyText(transcript, event.stepId, event.chunk.type, event.chunk.text, facts);
    case 'StepDone':
      return applyStepDone(transcript, event, facts);
    case 'TurnDone':
    case 'TurnFailed':
    case 'TurnInterrupted': {
      const discarded = discard(transcript, facts);
      const status = put(discarded.state, 'status', statusLines(event, facts.turn, facts, facts.ctx));
      return { state: status.state, print: [...discarded.print, ...status.print] };
    }
    case 'ToolCallStarted':
    case 'PermissionRequested':
    case 'UserInputRequested':
      return facts.ctx.spoken ? saidSoFar(transcript, facts.ctx) : keep(transcript);
    default:
      return keep(transcript);
  }
}

const keep = (state: TranscriptView): Folded<TranscriptView> => ({ state, print: [] });

/** Lines with an empty one before them where something else stood above. */
export function put(transcript: TranscriptView, kind: Kind, lines: Line[]): Folded<TranscriptView> {
  if (lines.length === 0) return keep(transcript);
  const { last } = transcript;
  const gap = last !== undefined && (last !== kind || kind === 'user') && !(kind === 'note' && last === 'status');
  return { state: { ...transcript, last: kind }, print: gap ? [[], ...lines] : lines };
}

const drawing = ({ ascii, highlight, spoken }: ViewContext) => ({ ascii, highlight, spoken });

function openStep(stepId: StepId, ctx: ViewContext): StepStream {
  const markdown = pushMarkdown(createMarkdownStream(ctx.width, drawing(ctx)), '');
  return { stepId, text: '', refusal: '', thinking: '', markdown, printed: [], lossy: false };
}

function applyText(
  transcript: TranscriptView,
  stepId: StepId,
  kind: 'text' | 'thinking' | 'refusal',
  text: string,
  { ctx, dropped }: TranscriptFacts,
): Folded<TranscriptView> {
  const known = transcript.stream?.stepId === stepId ? transcript.stream : openStep(stepId, ctx);
  const lossy = known.lossy || dropped;
  if (kind !== 'text') return keep({ ...transcript, stream: { ...known, [kind]: known[kind] + text, lossy } });
  const markdown = pushMarkdown(resizeMarkdown(known.markdown.state, ctx.width), text);
  const fresh = lossy ? [] : markdown.finished;
  const printed = fresh.length > 0 ? known.printed.concat(fresh) : known.printed;
  const stream: StepStream = { ...known, text: known.text + text, markdown, printed, lossy };
  return put({ ...transcript, stream }, 'text', asAssistant(fresh, transcript.last, ctx));
}

/** What was said comes before what it led to: the end of the text is final once a call of the Step is at work. */
function saidSoFar(transcript: TranscriptView, ctx: ViewContext): Folded<TranscriptView> {
  const { stream } = transcript;
  if (!stream || stream.lossy) return keep(transcript);
  const { finished } = endMarkdown(stream.markdown.state);
  const markdown = pushMarkdown(createMarkdownStream(ctx.width, drawing(ctx)), '');
  const said = { ...stream, markdown, printed: stream.printed.concat(finished) };
  return put({ ...transcript, stream: said }, 'text', asAssistant(finished, transcript.last, ctx));
}

function applyStepDone(transcript: TranscriptView, event: StepDone, facts: TranscriptFacts): Folded<TranscriptView> {
  const [message, ...results] = event.messages;
  const stream = transcript.stream?.stepId === event.stepId ? transcript.stream : undefined;
  const text = textOf(message);
  const answer = text.trim() === '' ? transcript.answer : text;
  const base: TranscriptView = { ...transcript, stream: undefined, ...(answer !== undefined && { answer }) };
  const said = restOfStep(base, message, stream, facts.ctx);
  const cards = printedCards(message, results, facts.turn?.cards ?? []);
  if (cards.length === 0) return said;
  const lines = cards.flatMap((card) => cardLines(card, facts.ctx));
  const called = put({ ...said.state, cards }, 'card', lines);
  return { state: called.state, print: [...said.print, ...called.print] };
}

function restOfStep(
  transcript: TranscriptView,
  message: AssistantMessage,
  stream: StepStream | undefined,
  ctx: ViewContext,
): Folded<TranscriptView> {
  const text = textOf(message);
  const print: Line[] = [];
  let state = transcript;
  const add = (kind: Kind, lines: Line[]): void => {
    const folded = put(state, kind, kind === 'text' ? asAssistant(lines, state.last, ctx) : lines);
    state = folded.state;
    print.push(...folded.print);
  };
  const printed = stream?.printed ?? [];
  if (stream && !stream.lossy && text.startsWith(stream.text)) {
    const more = pushMarkdown(resizeMarkdown(stream.markdown.state, ctx.width), text.slice(stream.text.length));
    add('text', more.finished.concat(endMarkdown(more.state).finished));
  } else {
    const whole = renderMarkdown(text, ctx.width, drawing(ctx));
    const isPrefix = printed.every((line, i) => lineText(line) === lineText(whole[i] ?? []));
    if (!isPrefix)
      add('note', [[muted(`${ctx.signs.returned} what was kept differs from what streamed: here is all of it`)]]);
    add('text', isPrefix ? whole.slice(printed.length) : whole);
  }
  for (const block of message.blocks)
    if (block.type === 'refusal')
      add(
        'text',
        hanging(span('refused: ', { color: 'warning' }), [span(sanitizeText(block.text, ctx))], ctx.width, 2),
      );
  if (message.truncated) add('note', [[span('the output limit cut this answer', { color: 'warning' })]]);
  if (message.blocks.every((block) => block.type === 'thinking'))
    add('note', [[muted('the model thought and said nothing')]]);
  return { state, print };
}

/** The end of a Turn whose last Step never committed: its text stays, marked. */
function discard(transcript: TranscriptView, { ctx, turn }: TranscriptFacts): Folded<TranscriptView> {
  const { stream } = transcript;
  const state: TranscriptView = { ...transcript, stream: undefined };
  const cards = (turn?.cards ?? []).map((card) => stoppedCard(card, ctx));
  if (!stream && cards.length === 0) return keep(state);
  const tail = stream ? endMarkdown(stream.markdown.state).finished : [];
  const refused = stream?.refusal
    ? hanging(span('refused: ', { color: 'warning' }), [span(sanitizeText(stream.refusal, ctx))], ctx.width, 2)
    : [];
  const broken = [...(stream ? brokenThought(stream, ctx) : []), ...tail, ...refused];
  const text = put(state, 'text', asAssistant(broken, transcript.last, ctx));
  const called = put(
    text.state,
    'card',
    cards.flatMap((card) => cardLines(card, ctx)),
  );
  if (text.print.length + called.print.length + (stream?.printed.length ?? 0) === 0) return keep(state);
  const words = 'the lines above are discarded: they are not part of the conversation';
  const mark = hanging(muted(ctx.spoken ? 'Note: ' : `${ctx.signs.rule}${ctx.signs.rule} `), [muted(words)], ctx.width);
  return { state: { ...called.state, last: 'note' }, print: [...text.print, ...called.print, ...mark] };
}
