/** Gates: asked before the tool runs, answered once, abandoned by an interrupt (contract: Gates). */
import { expect, test } from 'vitest';
import { text, toolCall } from '../../src/edge/models/scripted.ts';
import { type Rig, startRig } from '../support/rig.ts';
import { asking, change } from '../support/tools.ts';

const golden = (name: string) => `golden/gate-${name}.txt`;
const start = (calls = [toolCall('change', { a: 1 })], approval: 'ask' | 'auto' | 'deny' = 'ask') =>
  startRig({ replies: [calls, [text('understood')]], tools: [change, asking], approval });
const openGate = async (rig: Rig, n = 1) => {
  const event = await rig.until(
    (event) => (event.type === 'PermissionRequested' || event.type === 'UserInputRequested') && count(rig) === n,
  );
  return (event as { toolExecutionId: string }).toolExecutionId;
};
const count = (rig: Rig) => rig.events('PermissionRequested').length + rig.events('UserInputRequested').length;

test('refused with a reason that the model gets', async () => {
  const rig = await start();
  void rig.say('make it');
  const toolExecutionId = await openGate(rig);
  expect(rig.events('ToolCallStarted')).toHaveLength(0);
  await rig.send({ type: 'DenyToolCall', toolExecutionId, reason: 'not here' });
  await rig.until('LoopIdle');
  expect(JSON.stringify(rig.model.requests[1]?.messages.at(-1))).toContain('not here');
  await expect(rig.log()).toMatchFileSnapshot(golden('denied'));
});

test('granted for the session: the same call is not asked again, another one is', async () => {
  const calls = [toolCall('change', { a: 1 }), toolCall('change', { a: 1 }), toolCall('change', { a: 2 })];
  const rig = await start(calls);
  void rig.say('make it');
  const first = await openGate(rig);
  await rig.send({ type: 'ApproveToolCall', toolExecutionId: first, scope: 'session' });
  const third = await rig.until((event) => event.type === 'PermissionRequested' && event.toolExecutionId !== first);
  await rig.send({ type: 'ApproveToolCall', toolExecutionId: first, scope: 'once' });
  await rig.send({
    type: 'ApproveToolCall',
    toolExecutionId: (third as { toolExecutionId: string }).toolExecutionId,
    scope: 'once',
  });
  await rig.until('LoopIdle');
  await expect(rig.log()).toMatchFileSnapshot(golden('granted'));
});

test('an interrupt abandons the gate; a late answer does nothing', async () => {
  const rig = await start();
  void rig.say('make it');
  const toolExecutionId = await openGate(rig);
  await rig.send({ type: 'Interrupt' });
  await rig.send({ type: 'ApproveToolCall', toolExecutionId, scope: 'once' });
  await rig.until('LoopIdle');
  await expect(rig.log()).toMatchFileSnapshot(golden('abandoned'));
});

test('a question is asked in every mode and its answer is the result', async () => {
  for (const approval of ['ask', 'auto', 'deny'] as const) {
    const rig = await start([toolCall('ask_user', {})], approval);
    void rig.say('make it');
    const toolExecutionId = await openGate(rig);
    await rig.send({ type: 'ApproveToolCall', toolExecutionId, scope: 'once' });
    await rig.send({ type: 'ProvideUserInput', toolExecutionId, answer: 'b' });
    await rig.until('LoopIdle');
    expect(JSON.stringify(rig.model.requests[1]?.messages.at(-1))).toContain('the person said b');
    if (approval === 'ask') await expect(rig.log()).toMatchFileSnapshot(golden('question'));
  }
});

test('with nobody there gates are denied by policy, new ones and open ones', async () => {
  const rig = await startRig({
    replies: [[toolCall('change', {})], [text('ok')]],
    tools: [change],
    approval: 'ask',
    attended: false,
  });
  await rig.say('make it');
  await rig.until('LoopIdle');
  expect(rig.events('PermissionDecided')).toMatchObject([{ effect: 'deny', source: 'policy' }]);
  expect(rig.events('PermissionRequested')).toHaveLength(0);
  const draining = await start([toolCall('ask_user', {}), toolCall('change', {})]);
  void draining.say('make it');
  await openGate(draining);
  await draining.drain();
  expect(draining.events('PermissionDecided').map(({ effect, source }) => [effect, source])).toEqual([
    ['deny', 'policy'],
    ['deny', 'policy'],
  ]);
});

test('an always that comes after a no, or to a turn that stops, writes no rule; while a rule is written the answer is given', async () => {
  const written: unknown[] = [];
  const add = async (rule: unknown) => {
    written.push(rule);
  };
  const tools = [
    {
      ...change,
      access: async () => ({
        kind: 'change' as const,
        detail: 'x',
        grants: [{ scope: 'always' as const, covers: 'x' }],
      }),
    },
  ];
  const begin = async () => {
    const rig = await startRig({
      replies: [[toolCall('change', {})], [text('ok')]],
      tools,
      approval: 'ask',
      ruleBook: { rules: () => [], add },
    });
    void rig.say('go');
    const { toolExecutionId } = (await rig.until('PermissionRequested')) as { toolExecutionId: string };
    return { rig, toolExecutionId };
  };
  const denied = await begin();
  await denied.rig.send({ type: 'DenyToolCall', toolExecutionId: denied.toolExecutionId });
  await denied.rig.send({ type: 'ApproveToolCall', toolExecutionId: denied.toolExecutionId, scope: 'always' });
  expect(written).toEqual([]);
  const approved = await begin();
  void approved.rig.send({ type: 'ApproveToolCall', toolExecutionId: approved.toolExecutionId, scope: 'always' });
  void approved.rig.send({ type: 'DenyToolCall', toolExecutionId: approved.toolExecutionId });
  await approved.rig.until('LoopIdle');
  expect(written).toEqual([{ toolName: 'change', covers: 'x' }]);
  expect(approved.rig.events('PermissionDecided').map(({ effect }) => effect)).toEqual(['approve']);
});
