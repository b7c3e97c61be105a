/** Prints what a Turn committed, from enduring events alone: the same lines from a live session and from its journal. */
import type { Session } from '../index.ts';

/** A Turn has as many Steps as it needs: only its terminal says that there are no more. The loop must be idle. */
export async function printSteps(session: Session, print: (line: string) => void): Promise<void> {
  const subscription = session.subscribeEvents({ enduring: 'all' });
  await session.submit([]);
  for await (const { event } of subscription) {
    switch (event.type) {
      case 'StepDone':
        print(`step: ${event.messages.map(({ role }) => role).join(', ')}`);
        break;
      case 'TurnDone': {
        // the sum of the Steps above: never added to them
        const { inputTokens, outputTokens } = event.usage;
        print(`turn ${event.turnIndex} done: ${inputTokens} tokens in, ${outputTokens} out`);
        return;
      }
      case 'TurnFailed':
        throw new Error('the turn failed', { cause: event.err });
      case 'TurnInterrupted':
        throw new Error('the turn was interrupted');
    }
  }
  throw subscription.err ?? new Error('the session is over');
}
