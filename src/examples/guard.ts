/** A guard that refuses tool calls, and an observer that sees how each one went. */
import type { Model } from '../index.ts';
import { createSession, defineTool } from '../index.ts';
import { observeInput } from './observe-input.ts';

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  parameters: { path: { type: 'string' } },
  changes: true,
  run: ({ path }) => `removed ${path}`,
});

/** Files under `keep/` stay, whatever model and approval mode say. */
export async function removeUnderGuard(model: Model, wish: string, print: (line: string) => void): Promise<void> {
  const session = await createSession({
    model,
    tools: [remove],
    approval: 'auto',
    hooks: {
      guards: {
        ToolCall: [
          ({ data }) => {
            const { path } = data.input as { path?: string };
            // a reason denies, nothing lets it go, a throw would deny as well
            return path?.startsWith('keep/') ? { deny: `${path} is kept` } : undefined;
          },
        ],
      },
      around: {
        ToolCall: [
          ({ data }) =>
            (outcome) =>
              print(`${data.toolName} ${JSON.stringify(data.input)}: ${outcome}`),
        ],
      },
    },
  });
  try {
    await observeInput(session, [{ type: 'text', text: wish }]);
  } finally {
    await session.shutdown();
  }
}
