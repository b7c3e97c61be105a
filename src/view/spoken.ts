/**
 * The transcript for a screen reader: the same facts, each as one line that begins with what it is. Signs are words, and
 * nothing is told by where it stands.
 */
import type { Terminal } from '../domain/turn-event.ts';
import { duration, plural, span, type ViewContext } from './context.ts';
import { sanitizeText } from './sanitize.ts';
import type { Line } from './style.ts';

/** Columns of a line that the terminal wraps by itself. */
export const SPOKEN_WIDTH = 10_000;

/** `text` as lines; the first begins with its label. */
export function labelled(label: string, text: string, ctx: ViewContext): Line[] {
  const [first = '', ...rest] = sanitizeText(text, ctx).trimEnd().split('\n');
  return [`${label}: ${first}`, ...rest].map((line) => [span(line.trimEnd())]);
}

/** The words of the model: said to be so where something else was said before. */
export function asAssistant(lines: Line[], last: string | undefined, ctx: ViewContext): Line[] {
  const [first, ...rest] = lines;
  if (!ctx.spoken || last === 'text' || !first) return lines;
  const begin = [span('Assistant: '), ...first];
  return [begin, ...rest];
}

export const spokenInput = (text: string, note: string, ctx: ViewContext): Line[] =>
  labelled('You', note === '' ? text : `${text} (${note})`, ctx);

/** `said`: what became of the input. */
export const spokenReceipt = (said: string, label: string, ctx: ViewContext): Line[] =>
  labelled(`${said.charAt(0).toUpperCase()}${said.slice(1)}`, label, ctx);

/** `facts`: as they stand on the status line. */
export function spokenStatus(event: Terminal, facts: readonly string[], remedy: string, ctx: ViewContext): Line[] {
  if (event.type === 'TurnDone') return labelled('Done', facts.join(', '), ctx);
  if (event.type === 'TurnInterrupted') return labelled('Interrupted', facts.join(', '), ctx);
  const { kind, message } = event.failure;
  const said = labelled('Failed', `${kind.replaceAll('_', ' ')}: ${message.trim()}`, ctx);
  return remedy === '' ? said : [...said, ...labelled('What to do', remedy, ctx)];
}

interface SpokenCard {
  toolName: string;
  summary: string;
  state: 'done' | 'error' | 'stopped';
  durationMs: number | undefined;
  refused?: boolean;
}

/** `output`: the lines that are shown, `more` says what is left out. */
export function spokenCard(card: SpokenCard, output: readonly string[], more: string, ctx: ViewContext): Line[] {
  const ended = card.refused
    ? 'failed, you said no'
    : { done: 'done', error: 'failed', stopped: 'stopped' }[card.state];
  const time = card.durationMs === undefined || card.refused ? '' : ` after ${duration(card.durationMs)}`;
  const what = card.summary === '' ? '' : `: ${card.summary.replaceAll('\n', ' ')}`;
  const head = labelled(`Tool ${card.toolName}`, `${ended}${time}${what}`, ctx);
  const lines = more === '' ? output : [...output, more];
  return lines.length === 0 ? head : [...head, ...labelled('Output', lines.join('\n'), ctx)];
}

/** 'unknown': the beginning is all that is here. */
export const moreLines = (n: number | 'unknown'): string =>
  n === 'unknown' ? 'and more: Ctrl+T has all of it' : `and ${plural(n, 'more line')}: Ctrl+O reads them`;
