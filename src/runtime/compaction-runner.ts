/** The request of a summary, between Turns (contract: HistoryCompacted). */
import { type Message, type Usage, usageFault, userMessage, ZERO_USAGE } from '../domain/content.ts';
import { failureOf, ProviderError } from '../domain/failure.ts';
import type { InferenceRetrying } from '../domain/runtime-event.ts';
import { compactionPlan } from '../loop/compaction.ts';
import type { CompactionResult } from '../loop/decide.ts';
import { type Draft, extend, finish } from '../loop/draft.ts';
import { fitInto } from '../loop/fit.ts';
import type { LoopState } from '../loop/state.ts';
import { tokensOfMessage } from '../loop/tokens.ts';
import type { ContextBudget } from './context-budget.ts';
import type { FinishReason, Model, ModelRegistry } from './ports.ts';
import { isTooLong, MAX_TRIES } from './too-long.ts';

const SYSTEM = `You condense conversations. What you write takes the place of the conversation for the assistant that goes on with it.
Keep: what the person wants, decisions and their reasons, facts, names, paths and numbers that may be needed, what was done and with which result, what is open.
Leave out politeness and dead ends. Write in the conversation's language, as plain text, no longer than it must be.`;
const ASK = 'Condense the conversation above now. Answer with the summary alone.';
export const SUMMARY_MARK = 'Summary of the conversation so far:';

/** What the request of a summary is given. */
export interface SummaryScope {
  loop: LoopState;
  models: ModelRegistry;
  budget: ContextBudget;
  signal: AbortSignal;
  /** Another attempt will be made, after a wait or with less. */
  retrying(attempt: Retry): void;
}
type Retry = Omit<InferenceRetrying, 'type' | 'loopId'>;

/** Never rejects: a failure is one line that says why. */
export async function summarise(scope: SummaryScope): Promise<CompactionResult | { failed: string }> {
  const { loop, models, signal } = scope;
  const plan = compactionPlan(loop.history);
  if (!plan) return { failed: 'there is nothing to compact' };
  try {
    const model = await models.resolve(loop.provider, loop.model);
    const { text, usage } = await request(scope, model, plan.summarised.at(-1));
    if (text.trim() === '') return { failed: 'the model gave no summary' };
    const { keptFromStepId } = plan;
    return {
      summary: `${SUMMARY_MARK}\n\n${text.trim()}`,
      ...(keptFromStepId !== undefined && { keptFromStepId }),
      usage,
    };
  } catch (error) {
    return { failed: signal.aborted ? 'it was interrupted' : failureOf(error).message };
  }
}

/** Asks for the summary of what fits, and of less where the server says that it was too much. */
async function request(
  scope: SummaryScope,
  model: Model,
  last: LoopState['history'],
): Promise<{ text: string; usage: Usage }> {
  const { loop, budget, signal } = scope;
  for (let tries = 1; ; tries += 1) {
    const messages: Message[] = fitInto(last, budget.limits(loop));
    try {
      return await read(scope, model, [...messages, userMessage([{ type: 'text', text: ASK }])]);
    } catch (error) {
      if (!isTooLong(error) || tries === MAX_TRIES || signal.aborted) throw error;
      budget.refused(
        loop,
        messages.reduce((sum, message) => sum + tokensOfMessage(message), 0),
      );
      scope.retrying({ attempt: tries, maxAttempts: MAX_TRIES, waitMs: 0, err: failureOf(error) });
    }
  }
}

async function read(
  { loop, signal, retrying }: SummaryScope,
  model: Model,
  messages: Message[],
): Promise<{ text: string; usage: Usage }> {
  const blocks: Draft = [];
  let usage = ZERO_USAGE;
  let end: FinishReason | undefined;
  for await (const event of model.stream({ model: loop.model, system: SYSTEM, messages, tools: [] }, signal)) {
    if (event.type === 'chunk') extend(blocks, event.chunk);
    else if (event.type === 'usage') usage = event.usage;
    else if (event.type === 'retrying') {
      const { attempt, maxAttempts, waitMs, err } = event;
      retrying({ attempt, maxAttempts, waitMs, err });
    } else if (event.type === 'end') {
      end = event.finish;
      break;
    }
  }
  // half a summary would take the place of the whole history, for good
  if (end === 'length') throw new ProviderError('output_limit', 'The summary was cut by the output limit.');
  if (end === undefined) throw new ProviderError('provider_protocol', 'The summary ended without its end.');
  const fault = usageFault(usage);
  if (fault) throw new ProviderError('provider_protocol', `The server reported a usage that cannot be: ${fault}.`);
  const { message } = finish(blocks, usage, false);
  return { text: message.blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''), usage };
}
