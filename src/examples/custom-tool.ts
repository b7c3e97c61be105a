/** A session with a tool of one's own: what the model calls, and what it is told. */
import type { Model } from '../index.ts';
import { createSession, defineTool, textOf } from '../index.ts';
import { observeInput } from './observe-input.ts';

const STOCK: Record<string, number> = { apples: 12, pears: 0 };

const stock = defineTool({
  name: 'stock',
  description: 'How many of a fruit there are.',
  parameters: { fruit: { type: 'string', description: 'In plural, such as apples' } },
  summary: ({ fruit }) => `looks for ${fruit}`,
  run({ fruit }) {
    const count = STOCK[fruit];
    // the model reads it as an error result, and the Turn goes on
    if (count === undefined)
      throw new Error(`There are no ${fruit} on the list. There are: ${Object.keys(STOCK).join(', ')}.`);
    return `${count} ${fruit}`;
  },
});

/** The model's last words on the question. */
export async function askAboutStock(model: Model, question: string): Promise<string> {
  const session = await createSession({ model, tools: [stock], system: 'You answer questions about a fruit stall.' });
  try {
    const { message } = await observeInput(session, [{ type: 'text', text: question }]);
    return textOf(message);
  } finally {
    await session.shutdown();
  }
}
