/**
 * The batch of one Step: prepared and permitted in call order, announced, run, answered in call order (contract: Tools).
 * A call never fails a Turn: whatever goes wrong is an error result that tells the model what to do.
 */
import { type ToolMessage, toolMessage } from '../domain/content.ts';
import type { Tool, ToolResult } from '../domain/tool.ts';
import type { DraftCall } from '../loop/draft.ts';
import { cutText, preview } from './cut.ts';
import { type PreparedCall, prepare } from './tool-permission.ts';
import { type StepScope, StoppedError } from './turn-scope.ts';

/** Calls that run side by side. */
const MAX_PARALLEL = 8;
/** What a result may hold of text; more is cut in the middle, visibly. */
const MAX_RESULT_CHARS = 100_000;
/** After its time limit a call has this long to settle before it is abandoned. */
const SETTLE_MS = 3000;

/** Runs the calls and gives their results, in call order. Throws a StoppedError where the Turn was told to stop. */
export async function runBatch(scope: StepScope, calls: readonly DraftCall[], cut: boolean): Promise<ToolMessage[]> {
  const prepared: PreparedCall[] = [];
  try {
    for (const call of calls) prepared.push(await prepare(scope, call, cut));
    stopped(scope);
    for (const call of prepared) {
      scope.publish({ type: 'ToolCallStarted', ...call.at, toolName: call.use.name, summary: call.summary });
    }
    const results = await schedule(prepared, (call) => execute(scope, call));
    stopped(scope);
    return withNotices(scope, results);
  } finally {
    // a call that was not ended by itself was canceled; ending one twice does nothing
    for (const call of prepared) call.end('canceled');
  }
}

/** What a background process left to say stands behind the last result, and so in the history. */
function withNotices(scope: StepScope, results: ToolMessage[]): ToolMessage[] {
  const content = results.at(-1)?.blocks[0].content;
  for (const text of content ? scope.told.take() : []) content?.push({ type: 'text', text });
  return results;
}

const stopped = (scope: StepScope): void => {
  if (scope.signal.aborted) throw new StoppedError();
};

/** At most eight at once; a call that changes things waits for all before it and holds all behind it. */
async function schedule(
  calls: readonly PreparedCall[],
  run: (call: PreparedCall) => Promise<ToolMessage>,
): Promise<ToolMessage[]> {
  const results: Promise<ToolMessage>[] = [];
  const running = new Set<Promise<unknown>>();
  for (const call of calls) {
    const alone = call.ready?.tool.changes ?? false;
    while (running.size > 0 && (alone || running.size >= MAX_PARALLEL))
      await (alone ? Promise.all(running) : Promise.race(running));
    const result = run(call);
    results.push(result);
    running.add(result);
    void result.finally(() => running.delete(result)).catch(() => undefined);
    if (alone) await result;
  }
  return Promise.all(results);
}

async function execute(scope: StepScope, call: PreparedCall): Promise<ToolMessage> {
  const began = scope.clock.now();
  const { toolName, toolUseId } = { toolName: call.use.name, toolUseId: call.use.id };
  let result: ToolResult;
  if (scope.signal.aborted) result = failed('The call was not run: the turn was interrupted.');
  else if (call.ready) {
    const end = scope.hooks.begin('ToolExecution', call.coordinates, { toolName, toolUseId, input: call.use.input });
    result = await perform(scope, call, call.ready);
    end(scope.signal.aborted ? 'canceled' : result.isError ? 'failed' : 'completed');
  } else result = { content: [{ type: 'text', text: call.refusal }], isError: true };
  const isError = result.isError ?? false;
  call.end(scope.signal.aborted ? 'canceled' : call.ready ? (isError ? 'failed' : 'completed') : 'denied');
  const text = result.content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n');
  scope.publish({
    type: 'ToolCallCompleted',
    ...call.at,
    toolName,
    summary: call.summary,
    isError,
    resultPreview: preview(result.preview ?? text),
    durationMs: Math.max(0, scope.clock.now() - began),
  });
  const content = result.content.map((block) =>
    block.type === 'text' ? { ...block, text: cutText(block.text, MAX_RESULT_CHARS) } : block,
  );
  const message = toolMessage(toolUseId, '', isError);
  message.blocks[0].content = content;
  return message;
}

/** One call, within its time and under the Turn's signal; what does not settle in time is abandoned. */
async function perform(
  scope: StepScope,
  call: PreparedCall,
  ready: NonNullable<PreparedCall['ready']>,
): Promise<ToolResult> {
  const { tool, input, answer } = ready;
  const limit = limitOf(scope, tool, input);
  const timer = new AbortController();
  const signal = AbortSignal.any([scope.signal, timer.signal]);
  const { promise: overdue, cancel } = deadline(scope, limit, timer);
  try {
    const { toolExecutionId } = call.at;
    const context = { cwd: scope.cwd, signal, toolExecutionId, ...(answer !== undefined && { answer }) };
    const result = await Promise.race([tool.run(input, context), overdue]);
    return Array.isArray(result?.content) ? result : failed(`${tool.name} gave no result.`);
  } catch (error) {
    scope.log('a tool failed', { tool: tool.name });
    const why = error instanceof Error && error.message ? error.message : 'it gave no reason';
    return failed(timer.signal.aborted ? late(limit) : `${tool.name} failed: ${why}`);
  } finally {
    cancel();
  }
}

/** A tool that cannot name its limit has the session's. */
function limitOf(scope: StepScope, tool: Tool, input: unknown): number {
  try {
    return tool.timeoutMs?.(input) ?? scope.toolTimeoutMs();
  } catch {
    return scope.toolTimeoutMs();
  }
}

function deadline(scope: StepScope, limit: number, timer: AbortController) {
  let cancel = (): void => undefined;
  const promise = new Promise<ToolResult>((resolve) => {
    const cancelLimit = scope.clock.after(limit, () => {
      timer.abort();
      cancel = scope.clock.after(SETTLE_MS, () => resolve(failed(late(limit))));
    });
    cancel = cancelLimit;
  });
  return { promise, cancel: () => cancel() };
}

const late = (limit: number): string =>
  `The call was stopped after ${Math.round(limit / 1000)} s. Try something quicker, or in parts.`;
const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });
