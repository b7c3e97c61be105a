/** What the program says to the person beside the conversation. */
import { type Chat, contextOf, type Moment, noticed, only, type Step } from './chat.ts';
import { muted } from './context.ts';
import { SLASH_COMMANDS, type SlashName } from './slash-commands.ts';
import type { Line } from './style.ts';
import type { TranscriptView } from './transcript.ts';
import { note } from './view-model.ts';

/** What a slash command does. */
export type Run = (chat: Chat, argument: string, moment: Moment) => Step;

/** In the transcript, where it stays. */
export function told(chat: Chat, lines: readonly (string | Line)[], now: number): Step {
  const print: Line[] = [];
  let { view } = chat;
  for (const line of lines) {
    const noted = note(view, typeof line === 'string' ? [muted(line)] : line, contextOf(chat, now));
    view = noted.state;
    print.push(...noted.print);
  }
  return { chat: { ...chat, view }, intents: [], print };
}

export const refused = (chat: Chat, text: string, { now }: Pick<Moment, 'now'>): Step =>
  only(noticed(chat, text, now, 'warning'));

export const usage = (chat: Chat, name: SlashName, moment: Moment): Step => {
  const entry = SLASH_COMMANDS.find((one) => one.name === name) as { name: string; argument?: string } | undefined;
  return refused(chat, `usage: /${name}${entry?.argument ? ` ${entry.argument}` : ''}`, moment);
};

/** What is told next answers a command: it is set apart from what was told before. Of text that streams nothing is parted. */
export const answering = (transcript: TranscriptView): TranscriptView =>
  transcript.last === 'note' || transcript.last === 'status' ? { ...transcript, last: 'command' } : transcript;
