/** Takes a queued input back. The loop decides who was first, and the one resolution of the input says who it was. */
import { randomUUID } from 'node:crypto';
import type { CommandId, Resolution, Session } from '../index.ts';
import { isReply, replyTo } from '../index.ts';

/**
 * InputCancelled{client_retracted} where the retract won; what was faster where it came too late; undefined for an
 * input that the session does not know. `session.cancelQueuedInput(id)` does the same and waits for nothing.
 */
export async function retractInput(session: Session, target: CommandId): Promise<Resolution | undefined> {
  await session.execute({
    type: 'CancelQueuedInput',
    commandId: randomUUID(),
    agency: 'user',
    targetCommandId: target,
  });
  // the command was handled: by now the input has its resolution, and it is on disk
  for await (const { event } of session.readEvents()) {
    if (isReply(event) && event.type !== 'InputQueued' && replyTo(event) === target) return event;
  }
  return undefined;
}
