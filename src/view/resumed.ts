/** A session that was there before, as the chat takes it up: its last turns are folded between these two. */
import type { Usage } from '../domain/content.ts';
import type { LoopId } from '../domain/identity.ts';
import type { Chat } from './chat.ts';
import { foldSnapshot } from './fold.ts';
import { addReturned, EMPTY_QUEUE, type QueueView, type ReturnedRow } from './queue.ts';
import type { Spent } from './spending.ts';
import type { SnapshotView } from './view-model.ts';

/** The loops are there, their queues are not: what the last turns say of queues is over. */
export const withLoops = (chat: Chat, snapshot: SnapshotView): Chat =>
  foldSnapshot(chat, { ...snapshot, loops: snapshot.loops.map((loop) => ({ ...loop, queue: [], paused: false })) });

export interface Recovered {
  returned: readonly (ReturnedRow & { loopId: LoopId })[];
  usage: ReadonlyMap<LoopId, Usage>;
  spent: ReadonlyMap<LoopId, readonly Spent[]>;
}

/** The queues as the session has them now, told as recovered; what came back without a Turn is offered again. */
export function withQueues(chat: Chat, snapshot: SnapshotView, { returned, usage, spent }: Recovered): Chat {
  const bare = chat.view.loops.map((loop) => ({ ...loop, queue: EMPTY_QUEUE }));
  const next = foldSnapshot({ ...chat, view: { ...chat.view, loops: bare } }, snapshot);
  const loops = next.view.loops.map((loop) => {
    const own = returned.filter(({ loopId }) => loopId === loop.loopId);
    const queue: QueueView = { ...loop.queue, recovered: loop.queue.rows.length > 0 };
    return {
      ...loop,
      // no key that is pressed now was meant for a Turn of then
      endedAt: 0,
      settling: undefined,
      queue: own.reduce<QueueView>((sum, row) => addReturned(sum, row, row.reason), queue),
      usage: usage.get(loop.loopId) ?? loop.usage,
      spent: spent.get(loop.loopId) ?? loop.spent,
    };
  });
  return { ...next, view: { ...next.view, loops } };
}
