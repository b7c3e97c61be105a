/** Tells the ends of a Turn apart: by the class of the error while it is live, by its stable kind ever after. */
import type { Event } from '../index.ts';
import { EmptyResponseError, findError, ProviderError, RestoredError, ToolLimitError } from '../index.ts';

/** One line for a Turn that did not end well; undefined for any other event. */
export function classifyTerminal(event: Event): string | undefined {
  if (event.type === 'TurnInterrupted') return 'interrupted';
  if (event.type !== 'TurnFailed') return undefined;
  const { err, failure } = event;
  if (findError(err, EmptyResponseError)) return 'the model said nothing of use';
  if (findError(err, ToolLimitError)) return 'the turn used up its tools';
  if (findError(err, ProviderError)) return `the model's server: ${failure.kind}`;
  if (findError(err, RestoredError)) return `failed before the restart: ${failure.kind}`;
  return `failed: ${failure.kind}`;
}
