/** Follows inputs by their command ids until each has its one resolution. */
import type { CommandId, Subscription } from '../index.ts';
import { isReply, replyTo } from '../index.ts';

/** `subscription` was made before the inputs were submitted. Prints a line for each reply, under the input's name. */
export async function consumeResolutions(
  subscription: Subscription,
  inputs: ReadonlyMap<CommandId, string>,
  print: (line: string) => void,
): Promise<void> {
  const open = new Map(inputs);
  for await (const { event } of subscription) {
    if (!isReply(event)) continue;
    const name = open.get(replyTo(event));
    if (name === undefined) continue;
    switch (event.type) {
      case 'InputQueued':
        // a hint only: it may be dropped, and it is no resolution
        print(`${name}: queued`);
        continue;
      case 'TurnStarted':
        print(`${name}: began turn ${event.turnIndex}`);
        break;
      case 'TurnFoldedInto':
        print(`${name}: joined turn ${event.turnIndex}`);
        break;
      case 'InputCancelled':
        print(`${name}: returned (${event.reason}${event.turnId ? ` of turn ${event.turnIndex}` : ''})`);
        break;
      case 'TurnRejected':
        print(`${name}: refused (${event.reason})`);
        break;
    }
    open.delete(replyTo(event));
    if (open.size === 0) return;
  }
  throw subscription.err ?? new Error('the session is over');
}
