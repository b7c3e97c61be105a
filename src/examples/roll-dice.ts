/** A whole program: a model, a tool of one's own, a session in a file. Run it again, and the conversation goes on. */
import { createOpenAiModel, createSession, defineTool, openSessionFile } from '../index.ts';

const model = createOpenAiModel({
  baseUrl: process.env.OPENAI_BASE_URL ?? 'http://127.0.0.1:11434/v1',
  apiKey: process.env.OPENAI_API_KEY,
});
const dice = defineTool({
  name: 'dice',
  description: 'Rolls a die.',
  parameters: { sides: { type: 'integer' } },
  run: ({ sides }) => `${1 + Math.floor(Math.random() * sides)}`,
});
const session = await createSession({
  model,
  modelName: process.env.OPENAI_MODEL ?? 'llama3.2',
  tools: [dice],
  journal: await openSessionFile('dice.jsonl'),
});

const events = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
await session.submit([{ type: 'text', text: 'Roll a die with 20 sides.' }]);
for await (const { event } of events) {
  if (event.type === 'TokenDelta' && event.chunk.type === 'text') process.stdout.write(event.chunk.text);
  if (event.type === 'ToolCallCompleted') process.stdout.write(`[${event.summary}: ${event.resultPreview}]\n`);
  if (event.type === 'InferenceRetrying') process.stderr.write(`${event.err.message} Again in ${event.waitMs} ms.\n`);
  if (event.type === 'TurnFailed') process.stdout.write(`${event.failure.kind}: ${event.failure.message}`);
  if (event.type === 'LoopIdle') break;
}
process.stdout.write('\n');
await session.shutdown();
