/** One Turn: Steps until one has no tool uses, then its end. What it says of its end is decided by the loop. */
import { findError, HarnessError, ProviderError, TurnPanicError } from '../domain/failure.ts';
import { frameOf } from '../loop/context-parts.ts';
import { outcomeOf } from './hook-runner.ts';
import { specsOf } from './loop-context.ts';
import { runStep } from './step-runner.ts';
import { ModelThrew, runningTurn, StoppedError, type TurnScope, type TurnSetting } from './turn-scope.ts';

/** Never rejects. When it resolves, the Turn's end was posted, or the Turn was over before. */
export async function runTurn(scope: TurnScope): Promise<void> {
  const { sessionId, loopId, turnId, turnIndex } = scope;
  const at = { sessionId, loopId, turnId };
  const first = scope.loop().history?.message;
  const data = { turnIndex, message: first?.role === 'user' ? first : { role: 'user' as const, blocks: [] } };
  const end = scope.hooks.begin('Turn', at, data);
  try {
    await scope.hooks.guard('Turn', at, data, scope.signal);
    const setting = await settingOf(scope);
    for (let index = 0; (await runStep(scope, setting, index)) === 'more'; index += 1) runningTurn(scope);
    end('completed');
  } catch (error) {
    const stopped = error instanceof StoppedError || scope.signal.aborted;
    end(stopped ? 'canceled' : outcomeOf(error));
    const outcome = stopped ? ({ type: 'interrupted' } as const) : ({ type: 'failed', err: failure(error) } as const);
    await scope.post({ type: 'endTurn', loopId, turnId, outcome });
  }
}

/** Model, system prompt, tools and limits are those of the Turn's start. */
async function settingOf(scope: TurnScope): Promise<TurnSetting> {
  const { provider, model: modelName } = runningTurn(scope);
  const [model, system] = await Promise.all([scope.models.resolve(provider, modelName), scope.system()]).catch(
    (error) => {
      throw new ModelThrew(error);
    },
  );
  const described = specsOf(scope.tools);
  const frame = frameOf(system, described);
  const specs = described.map(({ server: _, ...spec }) => spec);
  return { model, modelName, system, specs, frame, limits: scope.limits() };
}

/** What a model threw stays the very error; anything else that is not named is a fault of the runtime's own. */
function failure(error: unknown): Error {
  if (error instanceof ModelThrew) {
    const { cause } = error;
    return cause instanceof Error
      ? cause
      : new ProviderError('unknown', 'The model threw something that is no error.', { cause });
  }
  return findError(error, HarnessError) ?? new TurnPanicError(error);
}
