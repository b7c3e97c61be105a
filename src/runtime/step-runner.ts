/** One Step: a model request, its stream, and where the model asks for tools, the whole batch of their results. */
import type { Message, ToolMessage, Usage } from '../domain/content.ts';
import { usageFault } from '../domain/content.ts';
import { EmptyResponseError, failureOf, ProviderError, ToolLimitError } from '../domain/failure.ts';
import { attach, type Draft, extend, type FinishedDraft, finish } from '../loop/draft.ts';
import { fitInto } from '../loop/fit.ts';
import { overLimit } from '../loop/limits.ts';
import type { LoopState } from '../loop/state.ts';
import { tokensOfMessage } from '../loop/tokens.ts';
import { type Coordinates, outcomeOf } from './hook-runner.ts';
import type { FinishReason, ModelEvent, ModelRequest } from './ports.ts';
import { isTooLong, MAX_TRIES } from './too-long.ts';
import { runBatch } from './tool-batch.ts';
import {
  ModelThrew,
  runningTurn,
  type StepScope,
  StoppedError,
  type TurnScope,
  type TurnSetting,
} from './turn-scope.ts';

/** Runs one Step to its commit and says whether the Turn goes on. Throws what ends the Turn. */
export async function runStep(turn: TurnScope, setting: TurnSetting, index: number): Promise<'more' | 'final'> {
  const scope: StepScope = { ...turn, stepId: turn.newId(), index, told: turn.notices.forStep() };
  const at = { sessionId: scope.sessionId, loopId: scope.loopId, turnId: scope.turnId, stepId: scope.stepId };
  const end = scope.hooks.begin('Step', at, { index });
  try {
    await scope.hooks.guard('Step', at, { index }, scope.signal);
    const { draft, cut } = await infer(scope, setting, at);
    const results = await answerCalls(scope, setting, draft, cut);
    await commit(scope, draft, results);
    scope.budget.answered(scope.loop(), setting.frame);
    scope.told.settle(true);
    end('completed');
    return draft.calls.length > 0 ? 'more' : 'final';
  } catch (error) {
    scope.told.settle(false);
    end(outcomeOf(error, scope.signal));
    throw error;
  }
}

interface Inferred {
  draft: FinishedDraft;
  /** The output limit cut it. */
  cut: boolean;
}

/** What does not fit into the model's context is asked again with less of the old tool output. */
async function infer(scope: StepScope, setting: TurnSetting, at: Coordinates): Promise<Inferred> {
  // what happened beside the Turn is told with one request; no word of a person is changed for it
  const notices = scope.told.take();
  const told = { ...setting, system: [setting.system, ...notices].join('\n\n') };
  for (let tries = 1; ; tries += 1) {
    const messages = fitInto(scope.loop().history, scope.budget.limits(asked(scope)));
    try {
      return await inferOnce(scope, told, messages, at);
    } catch (error) {
      if (!isTooLong(error) || tries === MAX_TRIES || scope.signal.aborted) throw error;
      const tokens = messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
      scope.budget.refused(asked(scope), tokens);
      const shorter = fitInto(scope.loop().history, scope.budget.limits(asked(scope)));
      // where nothing can be left out any more, the failure stands
      if (JSON.stringify(shorter) === JSON.stringify(messages)) throw error;
      sayShorter(scope, tries, error);
    }
  }
}

/** The loop with the model that this Turn asks: a change of it holds for the next one. */
function asked(scope: StepScope): LoopState {
  const { model, provider } = runningTurn(scope);
  return { ...scope.loop(), model, provider };
}

function sayShorter(scope: StepScope, attempt: number, error: unknown): void {
  const { loopId, turnId, stepId } = scope;
  const err = failureOf(error instanceof ModelThrew ? error.cause : error);
  scope.publish({ type: 'InferenceRetrying', loopId, turnId, stepId, attempt, maxAttempts: MAX_TRIES, waitMs: 0, err });
}

async function inferOnce(
  scope: StepScope,
  setting: TurnSetting,
  messages: Message[],
  at: Coordinates,
): Promise<Inferred> {
  const data = { model: setting.modelName, messageCount: messages.length };
  const end = scope.hooks.begin('Inference', at, data);
  try {
    await scope.hooks.guard('Inference', at, data, scope.signal);
    if (scope.signal.aborted) throw new StoppedError();
    const { modelName: model, system, specs: tools } = setting;
    const streamed = await readStream(scope, opened(scope, setting, { model, system, messages, tools }));
    const inferred = concluded(streamed);
    end('completed');
    return inferred;
  } catch (error) {
    end(outcomeOf(error, scope.signal));
    throw error;
  }
}

/** The model's stream; what it throws, here and later, is known as the model's. */
function opened(scope: StepScope, { model }: TurnSetting, request: ModelRequest): AsyncIterator<ModelEvent> {
  try {
    return model.stream(request, scope.signal)[Symbol.asyncIterator]();
  } catch (error) {
    throw new ModelThrew(error);
  }
}

interface Streamed {
  blocks: Draft;
  usage: Usage | undefined;
  finish: FinishReason;
}

/** Reads the stream to its end, and lets go of it where it is left before that. Chunks come by the thousand a second. */
async function readStream(scope: StepScope, stream: AsyncIterator<ModelEvent>): Promise<Streamed> {
  const streamed: Streamed = { blocks: [], usage: undefined, finish: 'other' };
  const ids = new Map<number, string>();
  let exhausted = false;
  try {
    for (;;) {
      let next: IteratorResult<ModelEvent>;
      try {
        next = await stream.next();
      } catch (error) {
        exhausted = true;
        throw new ModelThrew(error);
      }
      if (scope.signal.aborted) throw new StoppedError();
      if (next.done) {
        exhausted = true;
        throw new ProviderError('provider_protocol', 'The model’s stream ended without its end. Try again.');
      }
      if (take(scope, streamed, ids, next.value)) return streamed;
    }
  } finally {
    if (!exhausted) await leave(stream);
  }
}

/** What a stream has to say about being left changes nothing any more. */
async function leave(stream: AsyncIterator<ModelEvent>): Promise<void> {
  try {
    await stream.return?.();
  } catch {}
}

/** Every chunk goes to the screen as it comes and into the draft; ids of calls are made unique on the way. True: the end. */
function take(scope: StepScope, streamed: Streamed, ids: Map<number, string>, event: ModelEvent): boolean {
  const { loopId, turnId, turnIndex, stepId } = scope;
  if (event.type === 'chunk') {
    let { chunk } = event;
    if (chunk.type === 'tool_use') {
      const id = ids.get(chunk.index) ?? scope.uniqueId(chunk.id);
      ids.set(chunk.index, id);
      chunk = { ...chunk, id };
    }
    extend(streamed.blocks, chunk);
    scope.publish({ type: 'TokenDelta', loopId, turnId, turnIndex, stepId, chunk });
  } else if (event.type === 'extra') {
    attach(streamed.blocks, event.index, event.fields);
  } else if (event.type === 'usage') {
    streamed.usage = event.usage;
  } else if (event.type === 'retrying') {
    const { attempt, maxAttempts, waitMs, err } = event;
    scope.publish({ type: 'InferenceRetrying', loopId, turnId, stepId, attempt, maxAttempts, waitMs, err });
  } else {
    streamed.finish = event.finish;
    return true;
  }
  return false;
}

/** What came is worth committing, or the failure that it is. */
function concluded({ blocks, usage, finish: reason }: Streamed): Inferred {
  const fault = usage && usageFault(usage);
  if (fault) throw new ProviderError('provider_protocol', `The server reported a usage that cannot be: ${fault}.`);
  const cut = reason === 'length';
  const draft = finish(blocks, usage, cut);
  if (!draft.usable) {
    if (!cut) throw new EmptyResponseError();
    throw new ProviderError(
      'output_limit',
      'The output limit was reached before the model said anything. Raise it, or ask for less.',
    );
  }
  return { draft, cut };
}

/** Over the limit, the Step is not committed and its tools do not run (S). */
async function answerCalls(
  scope: StepScope,
  { limits }: TurnSetting,
  draft: FinishedDraft,
  cut: boolean,
): Promise<ToolMessage[]> {
  if (draft.calls.length === 0) return [];
  if (scope.signal.aborted) throw new StoppedError();
  const over = overLimit(
    runningTurn(scope),
    draft.calls.map(({ use }) => use),
    limits,
  );
  if (over) throw new ToolLimitError(over);
  return runBatch(scope, draft.calls, cut);
}

/** Resolves when the Step is on disk and was delivered. */
async function commit(scope: StepScope, { message }: FinishedDraft, results: ToolMessage[]): Promise<void> {
  const { loopId, turnId, stepId } = scope;
  const reply = await scope.post({ type: 'commitStep', loopId, turnId, stepId, messages: [message, ...results] });
  if (reply.type === 'overflow')
    throw new ProviderError('provider_protocol', `The token usage cannot be summed: ${reply.message}.`);
  if (reply.type !== 'committed') throw new StoppedError();
}
