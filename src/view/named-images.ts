/** Images that the draft names: looked at as it is written, shown above it, taken for what was dropped as a path. */
import { mention, mentionsIn } from './attachment.ts';
import type { Chat, Step } from './chat.ts';
import { NO_IMAGES } from './chat-state.ts';
import { editComposer } from './composer.ts';
import { lineAt } from './composer-state.ts';
import { muted, type ViewContext } from './context.ts';
import { type Dropped, droppedPaths } from './dropped-path.ts';
import type { Errand } from './errand.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Line } from './style.ts';
import { truncate } from './width.ts';

/** Where an edit has changed what the draft names, that is looked at. */
export function lookedAt(before: Chat, step: Step): Step {
  const { chat } = step;
  if (chat.composer.lines === before.composer.lines) return step;
  const { lines } = chat.composer;
  const names = lines.some((line) => line.includes('@')) ? mentionsIn(lines.join('\n')) : [];
  if (names.join('\n') === chat.images.names.join('\n')) return step;
  const kept = names.length === 0 ? NO_IMAGES : { names, shown: chat.images.shown };
  const looking: Chat = { ...chat, images: kept };
  if (names.length === 0) return { ...step, chat: looking };
  const errand: Errand = { type: 'LookAtImages', names };
  return { ...step, chat: looking, intents: [...step.intents, { type: 'Errand', errand }] };
}

/** What was found; older news than the draft says nothing. */
export const foundImages = (chat: Chat, names: readonly string[], shown: readonly string[]): Chat =>
  chat.images.names.join('\n') === names.join('\n') ? { ...chat, images: { names, shown } } : chat;

/** A paste that may be files which were dropped onto the terminal: whether they are images only the disk can say. */
export function droppedErrand(text: string): Errand | undefined {
  const dropped = droppedPaths(text);
  return dropped && { type: 'LookAtDropped', dropped };
}

/** They are images: named instead of written out, unless somebody has typed on. Undo brings the paths back. */
export function nameDropped(chat: Chat, { text }: Dropped, paths: readonly string[]): Chat {
  const { line, offset } = chat.composer.cursor;
  const from = offset - text.length;
  if (paths.length === 0 || lineAt(chat.composer, line).slice(Math.max(0, from), offset) !== text) return chat;
  const named = paths.map((path) => `${mention(path)} `).join('');
  const apart = from > 0 && !/\s/.test(lineAt(chat.composer, line)[from - 1] ?? '') ? ' ' : '';
  return { ...chat, composer: editComposer(chat.composer, { type: 'complete', from, text: apart + named }) };
}

/** One line above the draft. */
export function imageLines({ images }: Chat, ctx: ViewContext): Line[] {
  if (images.shown.length === 0) return [];
  const chips = images.shown.map((words) => `[${sanitizeLine(words, ctx)}]`).join(' ');
  return [[muted(truncate(`  ${chips}`, ctx.width, ctx.signs.ellipsis))]];
}
