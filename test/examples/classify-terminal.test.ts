import { expect, test } from 'vitest';
import { classifyTerminal } from '../../src/examples/classify-terminal.ts';
import {
  createScriptedModel,
  createSession,
  defineTool,
  openMemoryJournal,
  ProviderError,
  type ScriptReply,
  type Session,
  script,
} from '../../src/index.ts';

const look = defineTool({ name: 'look', description: 'Looks.', parameters: {}, run: () => 'seen' });
const providerFails = [script.fail(new ProviderError('provider_rate_limit', 'Too many requests.'))];

async function classified(session: Session): Promise<string[]> {
  const lines = [];
  for await (const { event } of session.readEvents()) {
    const line = classifyTerminal(event);
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

async function live(reply: ScriptReply): Promise<string | undefined> {
  const model = createScriptedModel([reply], [script.toolCall('look', {})]);
  const session = await createSession({ model, tools: [look], limits: { maxSteps: 2 } });
  const subscription = session.subscribeEvents({ enduring: 'all' });
  await session.submit([]);
  for await (const { event } of subscription) {
    if (event.type.startsWith('Turn') && event.type !== 'TurnStarted') return classifyTerminal(event);
  }
  return 'no terminal';
}

test.each<[string | undefined, ScriptReply]>([
  [undefined, [script.text('An answer.')]],
  ['the model said nothing of use', [script.text(' \n')]],
  ['the turn used up its tools', [script.toolCall('look', {})]],
  ["the model's server: provider_rate_limit", providerFails],
  ['failed: unknown', [script.fail(new Error('a secret of somebody else'))]],
])('live: %s', async (expected, reply) => {
  expect(await live(reply)).toBe(expected);
});

test('an interrupt, and a failure that was read back', async () => {
  const journal = openMemoryJournal();
  const model = createScriptedModel([providerFails, [script.hold('for ever')]]);
  const session = await createSession({ model, journal });
  const idle = session.subscribeEvents({ enduring: 'all' });
  await session.submit([]);
  for await (const { event } of idle) if (event.type === 'LoopIdle') break;
  await session.submit([]);
  await model.reached('for ever');
  await session.shutdown();
  expect(await classified(session)).toEqual(['failed before the restart: provider_rate_limit', 'interrupted']);
});
