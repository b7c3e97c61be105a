/** What a fold of the view may know beside the event: time and width come in as values, never read. */
import type { Highlighter } from './highlight.ts';
import type { Line, Span, Style } from './style.ts';
import { wrapSpans } from './wrap.ts';

/** The program's own signs; `--ascii` concerns these alone. */
export interface Signs {
  prompt: string;
  more: string;
  done: string;
  failed: string;
  stopped: string;
  running: string;
  waiting: string;
  queued: string;
  selected: string;
  returned: string;
  dot: string;
  rule: string;
  up: string;
  down: string;
  /** Both of them. */
  arrows: string;
  ellipsis: string;
}

const UNICODE: Signs = {
  prompt: '›',
  more: '·',
  done: '✔',
  failed: '✖',
  stopped: '■',
  running: '●',
  waiting: '○',
  queued: '≡',
  selected: '❯',
  returned: '↩',
  dot: '·',
  rule: '┄',
  up: '↑',
  down: '↓',
  arrows: '↑↓',
  ellipsis: '…',
};

const ASCII: Signs = {
  prompt: '>',
  more: '.',
  done: '+',
  failed: 'x',
  stopped: '#',
  running: '*',
  waiting: 'o',
  queued: '=',
  selected: '>',
  returned: '<',
  dot: '-',
  rule: '-',
  up: 'Up',
  down: 'Down',
  arrows: 'Up/Down',
  ellipsis: '...',
};

/** Nothing that a screen reader would spell. */
const SPOKEN: Signs = {
  ...ASCII,
  dot: ',',
  arrows: 'Up, Down',
  rule: '',
  returned: 'Note:',
  running: '',
  waiting: '',
  done: '',
  failed: '',
  stopped: '',
};

export const signsFor = (ascii: boolean, spoken = false): Signs => (spoken ? SPOKEN : ascii ? ASCII : UNICODE);

/** What stands before a line of the program's own. */
export const gutter = (ctx: ViewContext): string => (ctx.spoken ? '' : '  ');

export interface ViewContext {
  /** Milliseconds since the epoch. */
  now: number;
  /** Columns a line may take: the terminal's less one. */
  width: number;
  signs: Signs;
  ascii: boolean;
  /** For a screen reader: labels in place of signs, and lines that the terminal wraps. */
  spoken?: boolean;
  /** A sign turns while the model is waited for. */
  spinner?: boolean;
  /** Colours for code, once they are loaded. */
  highlight?: Highlighter;
}

/** A value and the lines that became final with it: they are printed once, above the live region. */
export interface Folded<T> {
  state: T;
  print: Line[];
}

export const span = (text: string, style?: Style): Span => (style ? { text, style } : { text });
export const muted = (text: string): Span => ({ text, style: { color: 'muted' } });

/** Wrapped under a lead such as `✔ `; what follows hangs under the text. */
export function hanging(lead: Span, rest: readonly Span[], width: number, indent = lead.text.length): Line[] {
  return wrapSpans([lead, ...rest], width, { indent });
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** 850 ms → `0.9s`, 65,000 ms → `1m05s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  return wholeSeconds(ms);
}

export function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}

/** 1234 → `1.2k`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** 34,816 → `34 kB`. */
export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  return size < 1024 * 1024 ? `${Math.round(size / 1024)} kB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}
