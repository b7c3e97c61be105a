/** How far one Turn may go with tools (contract: Tools). */

import type { ToolUseBlock } from '../domain/content.ts';
import { type Message, toolUsesOf } from '../domain/content.ts';
import type { TurnState } from './state.ts';

/** What a Turn may take before it fails with a ToolLimitError. */
export interface TurnLimits {
  /** Tool Steps a Turn may commit. */
  maxSteps: number;
  /** Tool calls a Turn may make. */
  maxToolCalls: number;
}

/** So many refused or failed calls in a row with the same name and arguments count as the limit. */
export const MAX_REPEATS = 3;

/** Why another batch is over the limit, or undefined where it may run. The message says what to do. */
export function overLimit(turn: TurnState, calls: readonly ToolUseBlock[], limits: TurnLimits): string | undefined {
  if (turn.repeat.count >= MAX_REPEATS) {
    return `The model made the same call ${turn.repeat.count} times and it was refused or failed each time. Say how to go on.`;
  }
  if (turn.toolSteps >= limits.maxSteps) {
    return `The turn used its ${limits.maxSteps} tool steps. Send a message to go on, or raise the limit (maxSteps).`;
  }
  if (turn.toolCalls + calls.length > limits.maxToolCalls) {
    return `The turn would make more than ${limits.maxToolCalls} tool calls. Send a message to go on, or raise the limit (maxToolCalls).`;
  }
  return undefined;
}

/** The count of equal bad calls in a row after a Step: a good call, or another one, begins anew. */
export function repeatAfter(repeat: TurnState['repeat'], messages: readonly Message[]): TurnState['repeat'] {
  const [answer, ...results] = messages;
  if (answer?.role !== 'assistant') return repeat;
  let { key, count } = repeat;
  for (const [i, use] of toolUsesOf(answer).entries()) {
    const result = results[i];
    if (result?.role !== 'tool' || !result.blocks[0].isError) {
      [key, count] = ['', 0];
      continue;
    }
    const own = JSON.stringify([use.name, use.input]);
    [key, count] = own === key ? [key, count + 1] : [own, 1];
  }
  return { key, count };
}
