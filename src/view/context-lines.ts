/** What the next request will hold, as the person reads it: a total, a row for each part, and what is to be known of it. */
import type { Usage } from '../domain/content.ts';
import type { LoopId } from '../domain/identity.ts';
import { type Chat, contextOf, type Step } from './chat.ts';
import { count, muted, plural, span, type ViewContext } from './context.ts';
import type { Line } from './style.ts';
import { told } from './told.ts';

/** As the session tells it; in tokens. */
export interface ContextView {
  loopId: LoopId;
  model: string;
  provider: string;
  parts: readonly { kind: keyof typeof LABELS; count: number; tokens: number; estimated: number }[];
  total: number;
  estimated: number;
  leftOut: number;
  window?: number;
  /** The window is what a refused request has taught. */
  learned: boolean;
  shortenAt?: number;
  compactAt?: number;
  queued: { inputs: number; tokens: number };
}

/** `counted` parts say how many there are. */
const LABELS = {
  system: { label: 'system prompt', counted: false },
  tools: { label: 'tools', counted: true },
  mcpTools: { label: 'MCP tools', counted: true },
  summary: { label: 'summary', counted: false },
  note: { label: 'note of what is cut', counted: false },
  user: { label: 'your messages', counted: true },
  folded: { label: 'folded inputs', counted: true },
  answers: { label: 'answers', counted: true },
  thinking: { label: 'thinking', counted: true },
  toolCalls: { label: 'tool calls', counted: true },
  toolResults: { label: 'tool results', counted: true },
} as const;

export function tellContext(chat: Chat, report: ContextView, now: number): Step {
  const last = chat.view.loops.find(({ loopId }) => loopId === report.loopId)?.lastUsage;
  return told(chat, contextLines(report, last, contextOf(chat, now)), now);
}

/** Each within the width less the indent of a note, or wrapped by it. */
export function contextLines(report: ContextView, last: Usage | undefined, ctx: ViewContext): (string | Line)[] {
  const { total, estimated } = report;
  const held: Line = [span('the next request holds '), span(`${about(total, estimated, ctx)} tokens`, { bold: true })];
  return [held, ...windowLines(report, ctx), ...partLines(report, ctx), ...remarks(report, last, ctx)];
}

/** A number that no usage has confirmed is marked. */
const about = (tokens: number, estimated: number, ctx: ViewContext): string =>
  `${estimated > 0 ? aboutSign(ctx) : ''}${count(tokens)}`;
const aboutSign = ({ ascii, spoken }: ViewContext): string => (spoken ? 'about ' : ascii ? '~' : '≈');
const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((100 * part) / whole) : 0);
const INDENT = 2;
const LONGEST_BAR = 40;

function bar(part: number, whole: number, cells: number, { ascii }: ViewContext): string {
  const [full, empty] = ascii ? ['#', '.'] : ['█', '░'];
  const filled = Math.min(cells, whole > 0 ? Math.round((cells * part) / whole) : 0);
  return full.repeat(filled) + empty.repeat(cells - filled);
}

function windowLines({ total, estimated, window, learned, model, provider }: ContextView, ctx: ViewContext): Line[] {
  if (window === undefined) {
    const how = provider === 'demo' ? '' : `: providers.${provider}.window in the config sets it`;
    return [[muted(`the window of ${model} is not known${how}`)]];
  }
  const whole = about(window, learned ? window : 0, ctx);
  const why = learned ? ', which a refused request has taught' : '';
  const left = window > total ? `${about(window - total, estimated, ctx)} left` : 'nothing left';
  const cells = Math.min(LONGEST_BAR, ctx.width - INDENT);
  const share: Line = [muted(`${percent(total, window)} % of ${whole}${why}: ${left}`)];
  return ctx.spoken ? [share] : [[muted(bar(total, window, cells, ctx))], share];
}

/** Name, tokens, share of the total; and where there is room, the share as a bar. */
function partLines({ parts, total }: ContextView, ctx: ViewContext): Line[] {
  const rows = parts.map(({ kind, count: n, tokens, estimated }) => ({
    name: `${LABELS[kind].label}${LABELS[kind].counted ? ` (${n})` : ''}`,
    tokens,
    size: about(tokens, estimated, ctx),
    share: `${percent(tokens, total)} %`,
  }));
  if (ctx.spoken) return rows.map((row) => [span(`${row.name}: ${row.size}, ${row.share}`)]);
  const longest = (field: 'name' | 'size' | 'share'): number => Math.max(0, ...rows.map((row) => row[field].length));
  const [name, size, share] = [longest('name'), longest('size'), longest('share')];
  const cells = Math.min(20, ctx.width - INDENT - name - size - share - 6);
  return rows.map((row) => {
    const line = `${row.name.padEnd(name)}  ${row.size.padStart(size)}  ${row.share.padStart(share)}`;
    return cells < 8 ? [span(line)] : [span(line), muted(`  ${bar(row.tokens, total, cells, ctx)}`)];
  });
}

function remarks(report: ContextView, last: Usage | undefined, ctx: ViewContext): string[] {
  const { total, estimated, leftOut, queued, window, shortenAt, compactAt, parts } = report;
  const lines = [measuredWords(total, estimated, ctx)];
  if (last && estimated < total) {
    const cached = last.cacheReadTokens + last.cacheCreationTokens;
    const read = `${count(last.inputTokens + cached)} read${cached > 0 ? ` (${count(cached)} cached)` : ''}`;
    lines.push(`the last request: ${read}, ${count(last.outputTokens)} written`);
  }
  if (leftOut > 0) {
    const what = parts.some(({ kind }) => kind === 'note') ? 'old tool output and the beginning' : 'old tool output';
    lines.push(`${about(leftOut, leftOut, ctx)} of ${what} left out to save room`);
  }
  if (window !== undefined && shortenAt !== undefined && compactAt !== undefined) {
    const share = `${percent(compactAt, window)} %`;
    const when = `a summary is made at ${count(compactAt)} (${share})`;
    lines.push(leftOut > 0 ? when : `old tool output is cut from ${count(shortenAt)} on; ${when}`);
  }
  if (queued.inputs > 0) {
    const tokens = about(queued.tokens, queued.tokens, ctx);
    lines.push(`not counted: ${plural(queued.inputs, 'queued input')}, ${tokens} when started or folded`);
  }
  return lines;
}

function measuredWords(total: number, estimated: number, ctx: ViewContext): string {
  if (estimated >= total)
    return `${ctx.spoken ? 'all of it' : aboutSign(ctx)} is estimated: no usage was reported for this yet`;
  const measured = `${count(total - estimated)} measured by the last usage, shared out by size`;
  return estimated > 0 ? `${measured}; ${about(estimated, estimated, ctx)} estimated since` : measured;
}
