/** What is offered for what stands before the cursor: commands behind a `/`, files behind an `@`. */
import fuzzysort from 'fuzzysort';
import { mention } from './attachment.ts';
import type { Chat } from './chat.ts';
import { openGate } from './chat-state.ts';
import { lineAt } from './composer-state.ts';
import { completeSlash } from './slash-commands.ts';

export interface Offer {
  kind: 'command' | 'file';
  label: string;
  help: string;
  /** In place of the line's text from `from` to the cursor. */
  text: string;
  from: number;
}

const MOST_FILES = 30;

/** None where the list was closed, or the composer asks for a word. */
export function completions(chat: Chat): readonly Offer[] {
  if (chat.focus.kind !== 'composer' || openGate(chat.view)) return [];
  const line = completionLine(chat);
  if (chat.completion.closedFor === line) return [];
  if (chat.composer.lines.length === 1 && line.startsWith('/')) {
    return completeSlash(line).map(({ name, help, argument }) => ({
      kind: 'command',
      label: `/${name}`,
      help,
      text: `/${name}${argument ? ' ' : ''}`,
      from: 0,
    }));
  }
  const query = fileQuery(chat);
  return query ? fileOffers(query, chat.files.paths) : [];
}

/** The line of the cursor. */
export const completionLine = (chat: Chat): string => lineAt(chat.composer, chat.composer.cursor.line);

export interface FileQuery {
  text: string;
  /** Where its `@` stands in the line. */
  from: number;
}

/** The word with an `@` that ends at the cursor. */
export function fileQuery(chat: Chat): FileQuery | undefined {
  if (chat.focus.kind !== 'composer') return undefined;
  const before = completionLine(chat).slice(0, chat.composer.cursor.offset);
  const found = /(?:^|\s)@([^\s@"]*)$/.exec(before);
  return found ? { text: found[1] ?? '', from: before.length - (found[1]?.length ?? 0) - 1 } : undefined;
}

function fileOffers({ text, from }: FileQuery, paths: readonly string[]): Offer[] {
  const found =
    text === ''
      ? paths.slice(0, MOST_FILES)
      : fuzzysort.go(text, paths, { limit: MOST_FILES }).map(({ target }) => target);
  return found.map((path) => ({ kind: 'file', label: path, help: '', text: `${mention(path)} `, from }));
}
