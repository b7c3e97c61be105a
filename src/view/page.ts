/**
 * A session as one HTML page that asks nothing of anybody: no remote loads, one script and one style that the page's own
 * policy names by their hashes, all foreign text escaped. Written piece by piece, so that a session of any length is
 * exported without being held: `pageHead`, `addToPage` for each record in order, `pageFoot`.
 */
import type { JournaledCommand, UserInput } from '../domain/command.ts';
import { addUsage, type Usage, ZERO_USAGE } from '../domain/content.ts';
import type { Event } from '../domain/event.ts';
import type { TurnRejected } from '../domain/turn-event.ts';
import { count, duration, plural } from './context.ts';
import { markdownHtml } from './page-markdown.ts';
import { type Decision, messageHtml, said } from './page-message.ts';
import { PAGE_STYLE } from './page-style.ts';
import { folded, pageLine } from './page-text.ts';
import { CANCELLED } from './queue.ts';
import { readTokens } from './spending.ts';

export type PageRecord = { event: Event } | { command: JournaledCommand };

/** What the pieces to come must know of those before. */
export interface Page {
  turns: number;
  steps: number;
  usage: Usage;
  /** Names of loops by id; the first has no need of one. */
  loops: ReadonlyMap<string, string>;
  /** Open Turns: when they began (ms since the epoch) and their Steps so far. */
  open: ReadonlyMap<string, { began: number; steps: number }>;
  /** What was decided about calls of the Step that is not committed yet, by tool use. */
  decisions: ReadonlyMap<string, Decision>;
  /** Accepted inputs that are not resolved yet. */
  waiting: ReadonlyMap<string, UserInput>;
  lastTime: string;
}
export const EMPTY_PAGE: Page = {
  turns: 0,
  steps: 0,
  usage: ZERO_USAGE,
  loops: new Map(),
  open: new Map(),
  decisions: new Map(),
  waiting: new Map(),
  lastTime: '',
};

export interface Added {
  page: Page;
  html: string;
}

/** `hashes`: base64 SHA-256 of PAGE_STYLE and of the script that pageFoot is given. `started`: the session's first event. */
export function pageHead(started: Event, title: string, hashes: { style: string; script: string }): string {
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${hashes.style}'`,
    `script-src 'sha256-${hashes.script}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const facts: [string, string | undefined][] = [
    ['session', started.sessionId],
    ['started', timeWords(started.createdAt)],
  ];
  if (started.type === 'SessionStarted') {
    const { model, provider, cwd, forkedFrom, forkedAtSeq, appVersion } = started;
    const fork = forkedFrom && `${forkedFrom}${forkedAtSeq === undefined ? '' : ` up to record ${forkedAtSeq}`}`;
    facts.push(['model', provider ? `${model} of ${provider}` : model], ['folder', cwd], ['forked from', fork]);
    facts.push(['written by', `harness-chat ${appVersion}`]);
  }
  const rows = facts.flatMap(([name, value]) => (value ? `<dt>${name}</dt><dd>${pageLine(value)}</dd>` : []));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageLine(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${pageLine(title)}</h1>
<dl>${rows.join('\n')}</dl>
</header>
<form id="search" role="search" hidden>
<input type="search" placeholder="Search this session" aria-label="Search this session">
<button type="button">Unfold all</button>
<output></output>
</form>
<main>
`;
}

export function pageFoot({ turns, steps, usage, lastTime }: Page, script: string): string {
  const words = [plural(turns, 'turn'), plural(steps, 'step'), usageWords(usage)];
  if (lastTime !== '') words.push(`last written ${timeWords(lastTime)}`);
  return `</main>
<footer>${pageLine(words.filter(Boolean).join(' · '))}</footer>
<script>${script}</script>
</body>
</html>
`;
}

export function addToPage(page: Page, record: PageRecord): Added {
  if ('event' in record) return addEvent({ ...page, lastTime: record.event.createdAt }, record.event);
  const { command } = record;
  if (command.type !== 'UserInput') return { page, html: '' };
  return { page: { ...page, waiting: new Map(page.waiting).set(command.commandId, command) }, html: '' };
}

function addEvent(page: Page, event: Event): Added {
  switch (event.type) {
    case 'TurnStarted': {
      const turns = page.turns + 1;
      const open = new Map(page.open).set(event.turnId, { began: Date.parse(event.createdAt), steps: 0 });
      const next = { ...resolved(page, event.cause.commandId), turns, open };
      const from = event.cause.agency === 'machine' ? 'sent by a program' : '';
      const about = {
        time: event.createdAt,
        id: `turn-${turns}`,
        words: [`turn ${event.turnIndex}`, from, loop(page, event)],
      };
      return { page: next, html: said('You', messageHtml(event.message), about) };
    }
    case 'TurnFoldedInto': {
      const steps = page.open.get(event.turnId)?.steps ?? 0;
      const about = { time: event.createdAt, words: [`folded at step ${steps}`, loop(page, event)] };
      return { page: resolved(page, event.cause.commandId), html: said('You', messageHtml(event.message), about) };
    }
    case 'InputCancelled': {
      const about = { time: event.createdAt, words: [CANCELLED[event.reason], loop(page, event)] };
      return { page: resolved(page, event.cause.commandId), html: said('You', messageHtml(event.message), about) };
    }
    case 'TurnRejected':
      return rejected(page, event);
    case 'StepDone': {
      const [answer] = event.messages;
      const turn = page.open.get(event.turnId);
      const open = turn ? new Map(page.open).set(event.turnId, { ...turn, steps: turn.steps + 1 }) : page.open;
      const usage = answer.usage ? addUsage(page.usage, answer.usage) : page.usage;
      const about = { time: event.createdAt, words: [loop(page, event)] };
      const html = said(
        'Assistant',
        event.messages.map((one) => messageHtml(one, page.decisions, event.messages)).join(''),
        about,
      );
      return { page: { ...page, open, usage, steps: page.steps + 1, decisions: new Map() }, html };
    }
    case 'PermissionDecided':
      return { page: { ...page, decisions: new Map(page.decisions).set(event.toolUseId, event) }, html: '' };
    case 'TurnDone':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return ended(page, event);
    default:
      return aside(page, event);
  }
}

function resolved(page: Page, commandId: string): Page {
  if (!page.waiting.has(commandId)) return page;
  const waiting = new Map(page.waiting);
  waiting.delete(commandId);
  return { ...page, waiting };
}

function rejected(page: Page, event: Event<TurnRejected>): Added {
  const input = page.waiting.get(event.cause.commandId);
  const message = { role: 'user' as const, blocks: input?.blocks ?? [] };
  const about = { time: event.createdAt, words: [`rejected: ${event.reason}`, loop(page, event)] };
  return { page: resolved(page, event.cause.commandId), html: said('You', messageHtml(message), about) };
}

type End = Extract<Event, { type: 'TurnDone' | 'TurnFailed' | 'TurnInterrupted' }>;

function ended(page: Page, event: End): Added {
  const turn = page.open.get(event.turnId);
  const open = new Map(page.open);
  open.delete(event.turnId);
  const next = { ...page, open, decisions: new Map() };
  const time = turn ? [plural(turn.steps, 'step'), duration(Date.parse(event.createdAt) - turn.began)] : [];
  if (event.type === 'TurnDone')
    return { page: next, html: note(['done', ...time, usageWords(event.usage), loop(page, event)], 'done') };
  if (event.type === 'TurnInterrupted')
    return { page: next, html: note(['interrupted', ...time, loop(page, event)], 'failed') };
  const { kind, message } = event.failure;
  return { page: next, html: note([`failed: ${kind}: ${message}`, ...time, loop(page, event)], 'failed') };
}

/** What happened beside the Turns. */
function aside(page: Page, event: Event): Added {
  const same = (html: string): Added => ({ page, html });
  switch (event.type) {
    case 'LoopStarted': {
      const name = `${event.agentName || 'agent'} ${page.loops.size + 1}`;
      const loops = new Map(page.loops).set(event.loopId, page.loops.size === 0 ? '' : name);
      return { page: { ...page, loops }, html: page.loops.size === 0 ? '' : note([`loop ${name} started`]) };
    }
    case 'ModelChanged':
      return same(note([`model: ${event.model}${event.provider ? ` of ${event.provider}` : ''}`, loop(page, event)]));
    case 'SessionRenamed':
      return same(note([`named "${event.name}"`]));
    case 'RestoreStarted':
      return same(note([`opened again ${timeWords(event.createdAt)}`]));
    case 'HistoryCompacted': {
      const words = ['the history above was summarised for the model', loop(page, event)].filter(Boolean).join(' · ');
      const usage = addUsage(page.usage, event.usage);
      return { page: { ...page, usage }, html: folded(words, markdownHtml(event.summary), 'summary') };
    }
    default:
      return same('');
  }
}

const note = (words: readonly string[], kind = ''): string =>
  `<p class="note${kind && ` ${kind}`}">${pageLine(words.filter(Boolean).join(' · '))}</p>\n`;

const loop = (page: Page, event: { loopId: string }): string => page.loops.get(event.loopId) ?? '';

/** '' where the server told none. */
function usageWords(usage: Usage): string {
  const [read, written] = [readTokens(usage), usage.outputTokens];
  return read + written === 0 ? '' : `${count(read)} tokens in, ${count(written)} out`;
}

/** `2026-11-30T10:00:00.000Z` → `2026-11-30 10:00:00 UTC`. */
const timeWords = (time: string): string => time.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
