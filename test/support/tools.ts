/** Tools for scenarios: one that answers, one that changes things, one that waits, one that fails, one that asks. */
import type { Tool, ToolResult } from '../../src/domain/tool.ts';

const anything = {
  jsonSchema: { type: 'object' },
  check: (value: unknown) => ({ ok: true as const, value }),
};
const said = (text: string, isError = false): ToolResult => ({
  content: [{ type: 'text', text }],
  ...(isError && { isError }),
});

const tool = (name: string, more: Partial<Tool>): Tool => ({
  name,
  description: name,
  parameters: anything,
  changes: false,
  summary: () => name,
  access: async () => ({ kind: 'free', detail: name, grants: [] }),
  run: async () => said(`${name} ran`),
  ...more,
});

export const look = tool('look', {});
export const change = tool('change', {
  changes: true,
  access: async (input) => ({
    kind: 'change',
    detail: JSON.stringify(input),
    grants: [{ scope: 'session', covers: JSON.stringify(input) }],
  }),
});
export const broken = tool('broken', { run: async () => Promise.reject(new Error('no luck')) });
export const asking = tool('ask_user', {
  access: async () => ({
    kind: 'ask',
    detail: 'Which?',
    grants: [],
    question: { question: 'Which?', choices: ['a', 'b'] },
  }),
  run: async (_input, { answer }) => said(`the person said ${answer}`),
});

/** Runs until it is released or stopped; with `deaf` it does not hear its signal. */
export function waiting(name = 'wait', { deaf = false, changes = false } = {}) {
  let release = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const made = tool(name, {
    changes,
    run: (_input, { signal }) =>
      new Promise<ToolResult>((resolve) => {
        begin();
        release = () => resolve(said(`${name} ran`));
        if (!deaf) signal.addEventListener('abort', () => resolve(said(`${name} stopped`, true)));
      }),
  });
  return { tool: made, begun, release: () => release() };
}
