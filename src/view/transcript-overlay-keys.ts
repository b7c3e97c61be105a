/** Keys of the transcript: moving, searching, copying. */
import type { KeyInput } from '../domain/terminal-input.ts';
import { type Chat, contextOf, type Moment, noticed, only, type Step } from './chat.ts';
import { plural } from './context.ts';
import type { KeyAction } from './keymap.ts';
import {
  drawContext,
  firstLine,
  pageHeight,
  pageOf,
  type Search,
  type TranscriptOverlay,
  turnAt,
} from './transcript-overlay.ts';
import { answerOnPage, codeOnPage, copyable } from './transcript-overlay-copy.ts';
import { isAfter, lastTop, moved, type Place } from './transcript-overlay-place.ts';
import { findFrom } from './transcript-overlay-search.ts';

/** Terminals take no longer text into the clipboard. */
const LONGEST_COPY = 100_000;

/** What a key does in the transcript; undefined where it closes it. */
export function transcriptKey(
  chat: Chat,
  overlay: TranscriptOverlay,
  action: KeyAction | undefined,
  input: KeyInput,
  moment: Moment,
): Step | undefined {
  const { search } = overlay;
  if (search?.typing) return only(typedKey(chat, overlay, search, action, input, moment));
  const to = target(chat, overlay, action, moment);
  if (to) return only(at(chat, overlay, { top: to.top, copied: 0 }));
  switch (action) {
    case 'overlay-search': {
      const from = pageOf(chat, overlay, contextOf(chat, moment.now))[0];
      return only(at(chat, overlay, { search: { query: '', typing: true, from, at: undefined } }));
    }
    case 'overlay-next':
      return only(nextMatch(chat, overlay, 1, moment));
    case 'overlay-earlier':
      return only(nextMatch(chat, overlay, -1, moment));
    case 'overlay-raw':
      return only(at(chat, overlay, { raw: !overlay.raw, copied: 0 }));
    case 'overlay-copy':
      return copyAnswer(chat, overlay, moment);
    case 'overlay-copy-code':
      return copyCode(chat, overlay, moment);
    case 'redraw':
      return only(chat, { type: 'Redraw' });
    case 'overlay-close':
    case 'interrupt':
    case 'cancel':
    case 'transcript':
      return undefined;
    default:
      return input.text === 'q' ? undefined : only(chat);
  }
}

const at = (chat: Chat, overlay: TranscriptOverlay, change: Partial<TranscriptOverlay>): Chat => ({
  ...chat,
  overlay: { ...overlay, ...change },
});

/** Where a key of movement leads: `top` is undefined at the end. */
function target(
  chat: Chat,
  overlay: TranscriptOverlay,
  action: KeyAction | undefined,
  { now }: Moment,
): { top: Place | undefined } | undefined {
  const height = pageHeight(chat);
  const page = Math.max(1, height - 1);
  switch (action) {
    case 'overlay-up':
      return scrolled(chat, overlay, -1, now);
    case 'overlay-down':
      return scrolled(chat, overlay, 1, now);
    case 'overlay-page-up':
      return scrolled(chat, overlay, -page, now);
    case 'overlay-page-down':
      return scrolled(chat, overlay, page, now);
    case 'overlay-start':
      return { top: { entry: 0, line: 0 } };
    case 'overlay-end':
      return { top: undefined };
    case 'overlay-turn-back':
      return turn(chat, overlay, -1, now);
    case 'overlay-turn-next':
      return turn(chat, overlay, 1, now);
    default:
      return undefined;
  }
}

function scrolled(chat: Chat, overlay: TranscriptOverlay, lines: number, now: number): { top: Place | undefined } {
  const ctx = contextOf(chat, now);
  const draw = drawContext(overlay, ctx);
  const top = pageOf(chat, overlay, ctx)[0] ?? { entry: 0, line: 0 };
  const next = moved(overlay.entries, top, lines, draw);
  const last = lastTop(overlay.entries, pageHeight(chat), draw);
  return { top: isAfter(last, next) ? next : undefined };
}

/** The beginning of the Turn at the top, or of the one before where the page begins with it; or of the one after. */
function turn(chat: Chat, overlay: TranscriptOverlay, step: 1 | -1, now: number): { top: Place | undefined } {
  const ctx = contextOf(chat, now);
  const top = pageOf(chat, overlay, ctx)[0] ?? { entry: 0, line: 0 };
  const number = turnAt(overlay, top.entry);
  const start = overlay.turns[number - 1] ?? 0;
  const inside = isAfter(top, firstLine(overlay, start, ctx));
  const entry = overlay.turns[step > 0 ? number : inside ? number - 1 : number - 2];
  if (entry === undefined) return { top: step > 0 ? undefined : { entry: 0, line: 0 } };
  const next = firstLine(overlay, entry, ctx);
  return {
    top: isAfter(lastTop(overlay.entries, pageHeight(chat), drawContext(overlay, ctx)), next) ? next : undefined,
  };
}

function typedKey(
  chat: Chat,
  overlay: TranscriptOverlay,
  search: Search,
  action: KeyAction | undefined,
  input: KeyInput,
  moment: Moment,
): Chat {
  if (action === 'overlay-choose')
    return at(chat, overlay, { search: search.query === '' ? undefined : { ...search, typing: false } });
  if (action === 'overlay-close' || action === 'interrupt' || action === 'cancel')
    return at(chat, overlay, { search: undefined, top: search.from ?? overlay.top });
  if (input.name === 'backspace') {
    if (search.query === '') return at(chat, overlay, { search: undefined });
    return searched(chat, overlay, search, Array.from(search.query).slice(0, -1).join(''), moment);
  }
  if (input.text === undefined) return chat;
  return searched(chat, overlay, search, search.query + input.text, moment);
}

/** What is pasted into a search that is being typed. */
export function pasteIntoSearch(chat: Chat, overlay: TranscriptOverlay, text: string, moment: Moment): Chat {
  const { search } = overlay;
  if (!search?.typing) return chat;
  return searched(chat, overlay, search, search.query + text.replace(/\s+/g, ' '), moment);
}

/** The nearest match from where the search began: on the page or below it, else above. */
function searched(chat: Chat, overlay: TranscriptOverlay, search: Search, query: string, { now }: Moment): Chat {
  const draw = drawContext(overlay, contextOf(chat, now));
  const from = search.from ?? { entry: 0, line: 0 };
  const before = { ...from, line: from.line - 1 };
  const found = findFrom(overlay.entries, query, before, 1, draw) ?? findFrom(overlay.entries, query, from, -1, draw);
  const next = { ...search, query, at: found };
  return found ? shown(chat, overlay, next, found, now) : at(chat, overlay, { search: next, top: from });
}

function nextMatch(chat: Chat, overlay: TranscriptOverlay, step: 1 | -1, { now }: Moment): Chat {
  const { search, entries } = overlay;
  if (!search) return noticed(chat, '/ searches', now);
  const draw = drawContext(overlay, contextOf(chat, now));
  const from = search.at ?? pageOf(chat, overlay, contextOf(chat, now))[0] ?? { entry: 0, line: 0 };
  const beyond: Place =
    step > 0 ? { entry: 0, line: -1 } : { entry: entries.length - 1, line: Number.POSITIVE_INFINITY };
  const near = findFrom(entries, search.query, from, step, draw);
  const found = near ?? findFrom(entries, search.query, beyond, step, draw);
  if (!found) return noticed(chat, 'nothing found', now, 'warning');
  const next = shown(chat, overlay, { ...search, at: found }, found, now);
  return near ? next : noticed(next, step > 0 ? 'from the start again' : 'from the end again', now);
}

/** A match stands a third of the page down. */
function shown(chat: Chat, overlay: TranscriptOverlay, search: Search, found: Place, now: number): Chat {
  const draw = drawContext(overlay, contextOf(chat, now));
  return at(chat, overlay, {
    search,
    copied: 0,
    top: moved(overlay.entries, found, -Math.floor(pageHeight(chat) / 3), draw),
  });
}

function copyAnswer(chat: Chat, overlay: TranscriptOverlay, moment: Moment): Step {
  const found = overlay.search?.at && overlay.entries[overlay.search.at.entry];
  const page = pageOf(chat, overlay, contextOf(chat, moment.now));
  const answer = found?.kind === 'answer' ? found : answerOnPage(overlay.entries, page);
  return answer
    ? copy(chat, 'the answer', answer.text, moment)
    : only(noticed(chat, 'there is no answer here', moment.now));
}

/** The first code block of the page, and with each further press the next one. */
function copyCode(chat: Chat, overlay: TranscriptOverlay, moment: Moment): Step {
  const ctx = contextOf(chat, moment.now);
  const blocks = codeOnPage(overlay.entries, pageOf(chat, overlay, ctx), drawContext(overlay, ctx));
  const index = overlay.copied % Math.max(1, blocks.length);
  const block = blocks[index];
  if (block === undefined) return only(noticed(chat, 'there is no code on this page', moment.now));
  const which = blocks.length > 1 ? `code block ${index + 1} of ${blocks.length}` : 'the code block';
  return copy(at(chat, overlay, { copied: index + 1 }), which, block, moment);
}

export function copy(chat: Chat, what: string, text: string, { now }: Moment): Step {
  const safe = copyable(text);
  if (safe.length > LONGEST_COPY)
    return only(noticed(chat, `${what} is too long for the terminal's clipboard`, now, 'warning'));
  const words = `${what} is in the clipboard, if the terminal allows it (${plural(safe.length, 'character')})`;
  return only(noticed(chat, words, now), { type: 'Errand', errand: { type: 'Copy', text: safe } });
}
