/** A summary that the session makes between Turns: no event says that it begins, or that it came to nothing. */
import { type EventBody, isTerminal } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import { type Chat, noticed } from './chat.ts';
import type { Intent } from './intent.ts';
import type { LoopView } from './loop-view.ts';

/** After these the session may be making one: it is asked. */
export function followSummary(before: Chat, event: EventBody): Intent[] {
  const waits = event.type === 'InputQueued' && !loopIn(before, event.loopId)?.turn;
  if (!waits && !isTerminal(event)) return [];
  return [{ type: 'Errand', errand: { type: 'FollowSummary', loopId: event.loopId } }];
}

const loopIn = ({ view }: Chat, loopId: LoopId): LoopView | undefined =>
  view.loops.find((loop) => loop.loopId === loopId);

const changed = (chat: Chat, loopId: LoopId, change: (loop: LoopView) => LoopView): Chat => {
  const loops = chat.view.loops.map((loop) => (loop.loopId === loopId ? change(loop) : loop));
  return { ...chat, view: { ...chat.view, loops } };
};

export const summarising = (chat: Chat, loopId: LoopId, now: number): Chat =>
  changed(chat, loopId, (loop) =>
    loop.turn ? loop : { ...loop, settling: { since: now, ...loop.settling, asked: true } },
  );

/** `why` there is none. */
export function summarised(chat: Chat, loopId: LoopId, why: string | undefined, now: number): Chat {
  const over = changed(chat, loopId, (loop) => ({ ...loop, settling: undefined }));
  return why === undefined ? over : noticed(over, `not summarised: ${why}`, now, 'warning');
}
