/** The status line of each terminal: what ended, why, what it cost, what to do next. */
import type { FailureKind } from '../domain/failure.ts';
import type { Terminal, TurnDone, TurnInterrupted } from '../domain/turn-event.ts';
import { count, duration, hanging, muted, plural, span, type ViewContext } from './context.ts';
import type { TurnView } from './live.ts';
import type { QueueView } from './queue.ts';
import { sanitizeText } from './sanitize.ts';
import { spokenStatus } from './spoken.ts';
import type { Line, Span } from './style.ts';

/** What a person can do about a failure beside reading its message. */
const REMEDY: Partial<Record<FailureKind, string>> = {
  empty_response: '/retry asks again, /model chooses another',
  tool_limit: '/retry goes on with a fresh limit (--max-steps raises it)',
  turn_panic: '/retry goes on from what was committed',
  provider_auth: '/doctor says which key is used; set it, start again with -c, then /retry',
  provider_not_found: '/doctor checks the address and the name; /retry asks again',
  provider_rate_limit: 'wait a little, then /retry',
  provider_context_length: '/compact shortens the conversation, then /retry',
  provider_unavailable: 'check the server, then /retry',
  provider_stalled: '/retry asks again',
  provider_protocol: '/retry asks again',
  provider_refused: '/retry asks again, /model chooses another',
  output_limit: '/retry asks again',
  journal: 'free some space: what is not on disk is not kept',
  unknown: '/retry asks again',
};

export interface StatusFacts {
  /** What remains once the terminal is folded. */
  queue: QueueView;
  /** The session is being shut down: what remains comes back. */
  leaving: boolean;
}

export function statusLines(event: Terminal, turn: TurnView | undefined, facts: StatusFacts, ctx: ViewContext): Line[] {
  switch (event.type) {
    case 'TurnDone':
      return doneLines(event, turn, ctx);
    case 'TurnFailed': {
      const { kind, message } = event.failure;
      const remedy = message.includes('/retry') ? undefined : REMEDY[kind];
      if (ctx.spoken) return spokenStatus(event, [], remedy ?? '', ctx);
      const lead = span(`${ctx.signs.failed} `, { color: 'error' });
      const what: Span[] = [span('failed', { color: 'error', bold: true }), muted(` ${ctx.signs.dot} ${kind}: `)];
      const lines = hanging(lead, [...what, span(sanitizeText(message, ctx).trim())], ctx.width);
      return remedy ? [...lines, ...hanging(span('  '), [muted(remedy)], ctx.width)] : lines;
    }
    case 'TurnInterrupted':
      return interruptedLines(event, turn, facts, ctx);
  }
}

function doneLines(event: TurnDone, turn: TurnView | undefined, ctx: ViewContext): Line[] {
  const { usage } = event;
  const cached = usage.cacheReadTokens + usage.cacheCreationTokens;
  const facts = [
    turn ? plural(turn.steps, 'step') : undefined,
    turn ? duration(ctx.now - turn.since) : undefined,
    tokens(usage.inputTokens + cached, usage.outputTokens),
    cached > 0 ? `${count(cached)} cached` : undefined,
  ];
  const known = facts.filter((fact) => fact !== undefined);
  if (ctx.spoken) return spokenStatus(event, known, '', ctx);
  const rest = known.map((fact) => muted(` ${ctx.signs.dot} ${fact}`));
  return hanging(
    span(`${ctx.signs.done} `, { color: 'success' }),
    [span('done', { color: 'success' }), ...rest],
    ctx.width,
  );
}

const tokens = (input: number, output: number): string | undefined =>
  input + output === 0 ? undefined : `${count(input)} in, ${count(output)} out`;

function interruptedLines(
  event: TurnInterrupted,
  turn: TurnView | undefined,
  { queue, leaving }: StatusFacts,
  ctx: ViewContext,
): Line[] {
  const kept = queue.rows.filter((row) => row.agency === 'user').length;
  const given = queue.rows.length - kept;
  const sent = queue.rows.some((row) => row.state === 'first');
  const facts = [
    turn ? `after ${duration(ctx.now - turn.since)}` : undefined,
    kept > 0 ? (sent && !leaving ? 'the chosen input goes first' : keptWords(kept, leaving)) : undefined,
    given > 0 ? `${plural(given, 'machine input')} returned` : undefined,
  ];
  const known = facts.filter((fact) => fact !== undefined);
  if (ctx.spoken) return spokenStatus(event, known, '', ctx);
  const rest = known.map((fact) => muted(` ${ctx.signs.dot} ${fact}`));
  const word = span('interrupted', { color: 'warning', bold: true });
  return hanging(span(`${ctx.signs.stopped} `, { color: 'warning' }), [word, ...rest], ctx.width);
}

const keptWords = (kept: number, leaving: boolean): string =>
  leaving
    ? `${plural(kept, 'queued input is', 'queued inputs are')} offered again by -c`
    : `the queue is paused, ${plural(kept, 'input waits', 'inputs wait')}: Enter goes on`;
