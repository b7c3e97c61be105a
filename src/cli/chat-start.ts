/** The chat before its first picture: keys, what was said before, which model answers. */
import { type Chat, newChat } from '../view/chat.ts';
import { contextOf } from '../view/chat-state.ts';
import { hanging, muted } from '../view/context.ts';
import { foldDelivery, foldSnapshot } from '../view/fold.ts';
import { buildKeymap } from '../view/keymap.ts';
import type { Line } from '../view/style.ts';
import type { ChatParts, ChatStreams } from './chat.ts';
import { ChatTerminal, EVENTS } from './chat-terminal.ts';
import { UsageError } from './usage-error.ts';

/** Lines of an earlier conversation that are printed at the start. */
const EARLIER_LINES = 400;

export async function startChat(parts: ChatParts, streams: ChatStreams): Promise<number> {
  const { keymap, error } = buildKeymap(parts.keys);
  if (!keymap) throw new UsageError(error);
  const { session } = parts;
  const subscription = session.subscribeEvents(EVENTS);
  void session.begin();
  const size = { rows: streams.stdout.rows || 24, columns: streams.stdout.columns || 80 };
  let chat = newChat({ ...parts.settings, keymap }, size, parts.history.texts);
  const earlier: Line[] = [];
  let lastSeq = 0;
  if (parts.resumed) {
    for await (const delivery of session.readEvents()) {
      const step = foldDelivery(chat, delivery, Date.parse(delivery.event.createdAt));
      chat = step.chat;
      lastSeq = delivery.journalSeq;
      for (const line of step.print) earlier.push(line);
    }
  }
  chat = foldSnapshot(chat, session.snapshot());
  return new ChatTerminal(parts, streams).run(
    chat,
    lastSeq,
    [...earlier.slice(-EARLIER_LINES), ...bannerLines(parts.banner, chat)],
    subscription,
  );
}

const bannerLines = (banner: readonly string[], chat: Chat): Line[] =>
  banner.flatMap((line) => hanging(muted('  '), [muted(line)], contextOf(chat, 0).width));
