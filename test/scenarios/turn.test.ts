/** A Turn and its Steps, as an event log that a reviewer can read (S: Turn, Step, Empty, Tools). */
import { expect, test } from 'vitest';
import { EmptyResponseError, findError, ProviderError, ToolLimitError } from '../../src/domain/failure.ts';
import { fail, finish, hold, refusal, text, thinking, toolCall, usage } from '../../src/edge/models/scripted.ts';
import { type RigOptions, startRig } from '../support/rig.ts';
import { broken, change, look, waiting } from '../support/tools.ts';

/** One input from a person to the end of all that it leads to. */
async function played(options: RigOptions, ...inputs: string[]) {
  const rig = await startRig(options);
  for (const input of inputs) await rig.say(input);
  await rig.until('LoopIdle');
  return rig;
}
const golden = (name: string) => `golden/turn-${name}.txt`;

test('a text answer: TurnStarted, deltas, one StepDone, TurnDone', async () => {
  const rig = await played({ replies: [[text('Hello, world', 6), usage({ inputTokens: 12, outputTokens: 4 })]] }, 'hi');
  await expect(rig.log()).toMatchFileSnapshot(golden('text'));
});

test('several Steps: each commits its batch, the next request carries it, usage is summed once', async () => {
  const replies = [
    [
      text('looking '),
      toolCall('look', { n: 1 }),
      toolCall('change', { n: 2 }),
      usage({ inputTokens: 10, outputTokens: 3 }),
    ],
    [toolCall('look', { n: 3 }), usage({ inputTokens: 20, outputTokens: 4 })],
    [text('both ran'), usage({ inputTokens: 30, outputTokens: 5 })],
  ];
  const rig = await played({ replies, tools: [look, change] }, 'go');
  expect(rig.model.requests.map((request) => request.messages.map(({ role }) => role).join())).toEqual([
    'user',
    'user,assistant,tool,tool',
    'user,assistant,tool,tool,assistant,tool',
  ]);
  await expect(rig.log()).toMatchFileSnapshot(golden('steps'));
});

test('an empty answer, and one of white space alone, commit nothing', async () => {
  const rig = await played({ replies: [[finish('stop')]] }, 'hi');
  expect(findError(rig.events('TurnFailed')[0]?.err, EmptyResponseError)).toBeDefined();
  await rig.say('again');
  await expect(rig.log()).toMatchFileSnapshot(golden('empty'));
  const blank = await played({ replies: [[text(' \n')]] }, 'hi');
  expect(blank.events('TurnFailed')[0]?.failure.kind).toBe('empty_response');
});

test('a refusal and thinking alone are answers', async () => {
  for (const reply of [refusal('I would rather not'), thinking('hm')]) {
    const rig = await played({ replies: [[reply]] }, 'hi');
    expect(rig.events('TurnDone')).toHaveLength(1);
  }
});

test('a model that throws: the very error, earlier Steps stay, the failed one commits nothing', async () => {
  const error = new ProviderError('provider_unavailable', 'The server went away.');
  const rig = await played(
    { replies: [[toolCall('look', {})], [text('half'), fail(error)], [text('fresh')]], tools: [look] },
    'go',
  );
  expect(rig.events('TurnFailed')[0]?.err).toBe(error);
  await rig.say('again');
  await rig.until((event) => event.type === 'TurnDone');
  expect(JSON.stringify(rig.model.requests.at(-1)?.messages)).not.toContain('half');
  await expect(rig.log()).toMatchFileSnapshot(golden('failed'));
});

test('an error of no kind is unknown, and its words are kept out of the event', async () => {
  const rig = await played({ replies: [[fail(new Error('secret detail'))]] }, 'go');
  expect(rig.events('TurnFailed')[0]?.failure).toEqual({
    kind: 'unknown',
    message: 'An unexpected error ended the turn.',
  });
});

test('the tool limit: the Step over it is not committed and its tools do not run', async () => {
  const ran: unknown[] = [];
  const counted = {
    ...look,
    run: async (input: unknown) => look.run(input, {} as never).finally(() => ran.push(input)),
  };
  const replies = [1, 2, 3].map((n) => [toolCall('look', { n })]);
  const rig = await played({ replies, tools: [counted], limits: { maxSteps: 2 } }, 'for ever');
  expect(ran).toHaveLength(2);
  expect(findError(rig.events('TurnFailed')[0]?.err, ToolLimitError)).toBeDefined();
  await expect(rig.log()).toMatchFileSnapshot(golden('limit'));
});

test('a text answer at the limit is an answer; too many calls in one batch are over it', async () => {
  const rig = await played(
    { replies: [[toolCall('look', {})], [text('enough')]], tools: [look], limits: { maxSteps: 1 } },
    'go',
  );
  expect(rig.events('TurnDone')).toHaveLength(1);
  const many = [toolCall('look', { n: 1 }), toolCall('look', { n: 2 }), toolCall('look', { n: 3 })];
  const over = await played({ replies: [many], tools: [look], limits: { maxToolCalls: 2 } }, 'go');
  expect(over.events('TurnFailed')[0]?.failure.kind).toBe('tool_limit');
  expect(over.events('ToolCallStarted')).toHaveLength(0);
});

test('three equal failing calls in a row count as the limit; their Steps commit', async () => {
  const replies = Array.from({ length: 4 }, () => [toolCall('broken', { same: true })]);
  const rig = await played({ replies, tools: [broken] }, 'go');
  expect(rig.events('StepDone')).toHaveLength(3);
  expect(rig.events('TurnFailed')[0]?.failure.kind).toBe('tool_limit');
});

test('unknown tools, broken arguments and throwing tools are error results', async () => {
  const calls = [
    toolCall('nothing', {}),
    toolCall('look', '{"cut": '),
    toolCall('look', '[1]'),
    toolCall('broken', {}),
    toolCall('look', ''),
  ];
  const rig = await played({ replies: [calls, [text('I see')]], tools: [look, broken] }, 'go');
  const [, ...results] = rig.events('StepDone')[0]?.messages ?? [];
  expect(results.map((message) => message.role === 'tool' && message.blocks[0].isError === true)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  await expect(rig.log()).toMatchFileSnapshot(golden('bad-calls'));
});

test('an answer that the output limit cut: its calls are not run, its text is an answer', async () => {
  const rig = await played(
    {
      replies: [
        [toolCall('change', { a: 1 }), finish('length')],
        [text('half'), finish('length')],
      ],
      tools: [change],
    },
    'go',
  );
  expect(rig.events('PermissionDecided')).toHaveLength(0);
  expect(rig.events('TurnDone')[0]?.message.truncated).toBe(true);
  await expect(rig.log()).toMatchFileSnapshot(golden('cut'));
});

test('tool call ids are unique within a loop, also where the model repeats or leaves them out', async () => {
  const call = () => [
    toolCall('look', { a: 1 }, { id: 'same' }),
    toolCall('look', { a: 2 }, { id: 'same' }),
    toolCall('look', { a: 3 }, { id: '' }),
  ];
  const rig = await played({ replies: [call(), call(), [text('done')]], tools: [look] }, 'go');
  const ids = rig
    .events('StepDone')
    .flatMap(({ messages: [answer] }) =>
      answer.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
  expect(new Set(ids).size).toBe(6);
  expect(ids.every((id) => id !== '')).toBe(true);
  const shown = rig.events('TokenDelta').flatMap(({ chunk }) => (chunk.type === 'tool_use' ? [chunk.id] : []));
  expect(shown).toEqual(ids);
});

test('results stand in call order; a changing call waits for those before it and holds those behind it', async () => {
  const slow = waiting('slow');
  const quick = waiting('quick');
  const replies = [
    [toolCall('slow', {}), toolCall('quick', {}), toolCall('change', {}), toolCall('look', {})],
    [text('done')],
  ];
  const rig = await startRig({ replies, tools: [slow.tool, quick.tool, change, look] });
  void rig.say('go');
  await Promise.all([slow.begun, quick.begun]);
  quick.release();
  await rig.until('ToolCallCompleted');
  expect(rig.events('ToolCallCompleted').map(({ toolName }) => toolName)).toEqual(['quick']);
  slow.release();
  await rig.until('LoopIdle');
  await expect(rig.log()).toMatchFileSnapshot(golden('batch-order'));
});

test('a call over its time is an error result, also where it does not hear its signal', async () => {
  const deaf = waiting('deaf', { deaf: true });
  const rig = await startRig({ replies: [[toolCall('deaf', {})], [text('done')]], tools: [deaf.tool] });
  void rig.say('go');
  await deaf.begun;
  rig.clock.advance(120_000);
  rig.clock.advance(3_000);
  await rig.until('TurnDone');
  expect(rig.events('ToolCallCompleted')[0]).toMatchObject({ isError: true });
});

test('a usage whose sum leaves the safe integers ends the turn and commits nothing', async () => {
  const big = usage({ inputTokens: Number.MAX_SAFE_INTEGER });
  const rig = await played(
    {
      replies: [
        [toolCall('look', {}), big],
        [text('more'), big],
      ],
      tools: [look],
    },
    'go',
  );
  expect(rig.events('StepDone')).toHaveLength(1);
  expect(rig.events('TurnFailed')[0]?.failure.kind).toBe('provider_protocol');
});

test('an input without blocks is legal and starts a turn', async () => {
  const rig = await startRig();
  await rig.send({ type: 'UserInput', commandId: 'nothing', blocks: [] });
  await rig.until('TurnDone');
  expect(rig.resolutionOf('nothing')).toEqual(['TurnStarted']);
});

test('the answer is delivered as it streams', async () => {
  const rig = await startRig({ replies: [[text('first half '), hold('rest'), text('second half')]] });
  void rig.say('go');
  await rig.until('TokenDelta');
  expect(rig.events('StepDone')).toHaveLength(0);
  rig.model.release('rest');
  await rig.until('TurnDone');
});

test('what happened beside the turn is told once: behind the last result, else with the next request', async () => {
  const notices: string[] = [];
  const replies = [[hold('a'), toolCall('look', {})], [text('one')], [text('two')], [text('three')]];
  const rig = await startRig({ replies, tools: [look], notices });
  void rig.say('go');
  await rig.model.reached('a');
  notices.push('p1 ended');
  rig.model.release('a');
  await rig.until('LoopIdle');
  expect(JSON.stringify(rig.model.requests[1]?.messages.at(-1))).toContain('p1 ended');
  notices.push('p2 ended');
  for (const name of ['again', 'and again']) {
    const before = rig.deliveries.length;
    await rig.say(name);
    await rig.until('LoopIdle', before);
  }
  expect(rig.model.requests.slice(2).map(({ system }) => system.includes('p2 ended'))).toEqual([true, false]);
  expect(JSON.stringify(rig.events('TurnStarted'))).not.toContain('p2 ended');
});

test('a tool of sloppy make never fails a turn: no result, a limit or a schema that throws', async () => {
  const sloppy = [
    { ...look, name: 'nothing', run: async () => undefined as never },
    { ...look, name: 'unchecked', parameters: { ...look.parameters, check: () => JSON.parse('{') } },
    { ...look, name: 'throwing', timeoutMs: (): number => JSON.parse('{') },
  ];
  const calls = sloppy.map(({ name }) => toolCall(name, {}));
  const rig = await played({ replies: [calls, [text('I see')]], tools: sloppy }, 'go');
  const [, ...results] = rig.events('StepDone')[0]?.messages ?? [];
  expect(results.map((message) => message.role === 'tool' && message.blocks[0].isError === true)).toEqual([
    true,
    true,
    false,
  ]);
  expect(rig.events('TurnDone')).toHaveLength(1);
});

test('a notice that was told in vain is told again', async () => {
  const error = new ProviderError('provider_unavailable', 'gone');
  const rig = await startRig({ replies: [[fail(error)], [text('fine')]], notices: ['p1 ended'] });
  await rig.say('first');
  await rig.until('LoopIdle');
  const before = rig.deliveries.length;
  await rig.say('again');
  await rig.until('LoopIdle', before);
  expect(rig.model.requests.map(({ system }) => system.includes('p1 ended'))).toEqual([true, true]);
});

test('an id that no command may have is refused, and the session goes on', async () => {
  const rig = await startRig();
  for (const commandId of ['', 'x'.repeat(129)]) {
    expect(await rig.send({ type: 'UserInput', commandId, blocks: [] })).toMatchObject({
      ok: false,
      kind: 'invalid_command',
    });
  }
  await rig.say('x'.repeat(128));
  await rig.until('TurnDone');
});

test('arguments that a server put into a text once more are those of the call; a text that holds none is an error result', async () => {
  const twice = JSON.stringify(JSON.stringify({ n: 1 }));
  const replies = [[toolCall('look', twice), toolCall('look', '"{"'), toolCall('look', '""')], [text('done')]];
  const rig = await played({ replies, tools: [look] }, 'go');
  const [assistant, ...results] = rig.events('StepDone')[0]?.messages ?? [];
  expect(assistant?.blocks.map((block) => 'input' in block && block.input)).toEqual([{ n: 1 }, {}, {}]);
  expect(
    results.map(({ blocks: [result] }) => 'isError' in (result ?? {}) && (result as { isError?: boolean }).isError),
  ).toEqual([false, true, false]);
});
