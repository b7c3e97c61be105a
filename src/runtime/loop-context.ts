/** What the next request of a loop will hold, with the system prompt and the tools that a Turn would start with now. */
import type { LoopId } from '../domain/identity.ts';
import type { Tool, ToolSpec } from '../domain/tool.ts';
import { frameOf } from '../loop/context-parts.ts';
import type { SessionState } from '../loop/state.ts';
import type { ContextBudget } from './context-budget.ts';
import type { LoopContext } from './session.ts';
import type { TurnParts } from './turn-scope.ts';

/** Throws a RangeError where there is no such loop. */
export async function loopContext(
  { system, tools }: Pick<TurnParts, 'system' | 'tools'>,
  budget: ContextBudget,
  state: () => SessionState,
  loopId: LoopId | undefined,
): Promise<LoopContext> {
  const prompt = await system();
  const { loops, activeLoopId } = state();
  const loop = loops.get(loopId ?? activeLoopId);
  if (!loop) throw new RangeError(`there is no loop ${loopId}`);
  const { id, model, provider } = loop;
  return { loopId: id, model, provider, ...budget.report(loop, frameOf(prompt, specsOf(tools()))) };
}

/** What the model is told of the tools, and of which server they are. */
export const specsOf = (tools: readonly Tool[]): (ToolSpec & Pick<Tool, 'server'>)[] =>
  tools.map(({ name, description, parameters, server }) => ({
    name,
    description,
    parameters: parameters.jsonSchema,
    ...(server !== undefined && { server }),
  }));
