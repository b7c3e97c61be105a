/** Takes a queued input back. The loop decides who was first; its event says so, and there is no other answer. */
import type { CommandId, Resolution, Session } from '../index.ts';
import { isReply, replyTo } from '../index.ts';

/**
 * What became of the input: InputCancelled{client_retracted} where the retract won; else what was faster. `commandId`
 * must be that of an input that still waits: nothing tells anything about one that was resolved before.
 */
export async function retractInput(session: Session, commandId: CommandId): Promise<Resolution> {
  const subscription = session.subscribeEvents({ enduring: 'all' });
  session.cancelQueuedInput(commandId);
  // leaving the loop closes the subscription
  for await (const { event } of subscription) {
    if (isReply(event) && replyTo(event) === commandId && event.type !== 'InputQueued') return event;
  }
  throw subscription.err ?? new Error('the session is over');
}
