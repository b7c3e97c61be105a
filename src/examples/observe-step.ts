/** Watches Steps live: every chunk as it comes, and the commit that alone makes it history. */
import type { Chunk, Session } from '../index.ts';
import { isTerminal } from '../index.ts';

/** Submits an input without blocks, which is legal, and prints until its Turn ends. The loop must be idle. */
export async function observeSteps(session: Session, print: (line: string) => void): Promise<void> {
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  await session.submit([]);
  // no event has a Step's number; its id says which chunks and which commit are one Step
  const steps: string[] = [];
  const numberOf = (stepId: string): number => {
    if (!steps.includes(stepId)) steps.push(stepId);
    return steps.indexOf(stepId) + 1;
  };
  for await (const { event } of subscription) {
    if (event.type === 'TokenDelta') {
      print(`turn ${event.turnIndex}, step ${numberOf(event.stepId)}: ${said(event.chunk)}`);
    } else if (event.type === 'StepDone') {
      print(`step ${numberOf(event.stepId)} committed, ${event.messages.length} message(s)`);
    } else if (isTerminal(event)) return;
  }
  throw subscription.err ?? new Error('the session is over');
}

const said = (chunk: Chunk): string =>
  chunk.type === 'tool_use' ? `calls ${chunk.name} ${chunk.inputJson}` : `${chunk.type} ${JSON.stringify(chunk.text)}`;
