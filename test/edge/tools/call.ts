/** Calls a tool as the runtime does: check, access, run, with the very same arguments. */
import type { Access, Tool, ToolResult } from '../../../src/domain/tool.ts';

export interface Call {
  access: Access;
  run(options?: { signal?: AbortSignal; answer?: string }): Promise<ToolResult>;
}

let count = 0;

export async function judged<Input>(tool: Tool<Input>, input: unknown, cwd: string): Promise<Call> {
  const checked = tool.parameters.check(input);
  if (!checked.ok) throw new Error(checked.message);
  tool.summary(checked.value);
  const access = await tool.access(checked.value, { cwd });
  const toolExecutionId = `call-${++count}`;
  return {
    access,
    run: ({ signal = new AbortController().signal, ...rest } = {}) =>
      tool.run(checked.value, { cwd, signal, toolExecutionId, ...rest }),
  };
}

export const called = async <Input>(tool: Tool<Input>, input: unknown, cwd: string): Promise<ToolResult> =>
  (await judged(tool, input, cwd)).run();

export const textOf = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `<${block.mediaType}>`)).join('\n');

export const said = async <Input>(tool: Tool<Input>, input: unknown, cwd: string): Promise<string> =>
  textOf(await called(tool, input, cwd));
