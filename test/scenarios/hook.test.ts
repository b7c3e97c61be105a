/** Hooks: what is observed in which order, and who may refuse (S: Hooks). */
import { expect, test } from 'vitest';
import { findError, GuardError } from '../../src/domain/failure.ts';
import type { Hooks, Operation, Snapshot } from '../../src/domain/hook.ts';
import { fail, hold, text, toolCall } from '../../src/edge/models/scripted.ts';
import { startRig } from '../support/rig.ts';
import { broken, change, look } from '../support/tools.ts';

const OPERATIONS: Operation[] = ['Turn', 'Step', 'Inference', 'ToolCall', 'ToolExecution', 'GateWait', 'JournalAppend'];

/** Observers that write down what they see; two a operation, so that the order of their ends shows. */
function watching(
  seen: string[],
  operations = OPERATIONS.filter((name) => name !== 'JournalAppend'),
  snapshots: Snapshot[] = [],
): Hooks {
  const observer = (mark: string) => (snapshot: Snapshot) => {
    snapshots.push(snapshot);
    const index = snapshot.operation === 'Step' ? ` ${(snapshot.data as { index: number }).index}` : '';
    seen.push(`${mark} > ${snapshot.operation}${index}`);
    return (outcome: string) => {
      seen.push(`${mark} < ${snapshot.operation}${index} ${outcome}`);
    };
  };
  return { around: Object.fromEntries(operations.map((name) => [name, [observer('1'), observer('2')]])) };
}

async function watched(
  replies: Parameters<typeof startRig>[0] extends { replies?: infer R } | undefined ? R : never,
  more: Hooks = {},
) {
  const seen: string[] = [];
  const snapshots: Snapshot[] = [];
  const hooks = { ...watching(seen, undefined, snapshots), ...more };
  const rig = await startRig({ replies, tools: [look, change, broken], approval: 'ask', hooks });
  void rig.say('go');
  return { rig, seen, snapshots };
}

test('nesting and order: begin in order, finish in reverse, Turn > Step > Inference, then ToolCall > GateWait, ToolExecution', async () => {
  const { rig, seen, snapshots } = await watched([[toolCall('change', {}), toolCall('broken', {})], [text('done')]]);
  const gate = (await rig.until('PermissionRequested')) as { toolExecutionId: string };
  await rig.send({ type: 'ApproveToolCall', toolExecutionId: gate.toolExecutionId, scope: 'once' });
  await rig.until('LoopIdle');
  await rig.shutdown();
  await expect(`${seen.join('\n')}\n`).toMatchFileSnapshot('golden/hook-order.txt');
  expect(snapshots.every((snapshot) => Object.isFrozen(snapshot) && Object.isFrozen(snapshot.data))).toBe(true);
});

test('a failure and an interrupt are outcomes: failed, canceled', async () => {
  const failed = await watched([[fail(new Error('no'))]]);
  await failed.rig.until('LoopIdle');
  await failed.rig.shutdown();
  expect(failed.seen.filter((line) => line.includes('<')).map((line) => line.split(' ').at(-1))).toEqual(
    Array(6).fill('failed'),
  );
  const stopped = await watched([[hold('a')]]);
  await stopped.rig.model.reached('a');
  await stopped.rig.send({ type: 'Interrupt' });
  await stopped.rig.until('LoopIdle');
  await stopped.rig.shutdown();
  expect(stopped.seen.filter((line) => line.includes('<')).map((line) => line.split(' ').at(-1))).toEqual(
    Array(6).fill('canceled'),
  );
});

test('a refusing guard of Turn, Step or Inference: TurnFailed{hook_denied}, nothing committed', async () => {
  for (const operation of ['Turn', 'Step', 'Inference'] as const) {
    const { rig, seen } = await watched([[text('never')]], {
      guards: { [operation]: [() => ({ deny: 'not today' })] },
    });
    await rig.until('LoopIdle');
    expect(rig.events('TurnFailed')[0]?.failure).toEqual({ kind: 'hook_denied', message: 'not today' });
    expect(rig.events('StepDone')).toHaveLength(0);
    expect(rig.model.requests).toHaveLength(0);
    const ends = seen.filter((line) => line.includes('<'));
    expect(ends.length).toBeGreaterThan(0);
    expect(ends.every((line) => line.endsWith('denied'))).toBe(true);
  }
});

test('a guard that throws, rejects, or gives anything else fails closed with a safe message', async () => {
  const bad = [
    () => {
      throw new Error('secret');
    },
    async () => Promise.reject(new Error('secret')),
    () => 'yes' as never,
    () => true as never,
  ];
  for (const guard of bad) {
    const { rig } = await watched([[text('never')]], { guards: { Turn: [guard] } });
    await rig.until('LoopIdle');
    const [failed] = rig.events('TurnFailed');
    expect(failed?.failure.kind).toBe('hook_failed');
    expect(failed?.failure.message).not.toContain('secret');
    expect(findError(failed?.err, GuardError)).toBeDefined();
  }
});

test('a refusing guard of ToolCall is an error result that says why; the tool never runs and no gate is asked', async () => {
  const { rig } = await watched([[toolCall('change', {})], [text('I see')]], {
    guards: { ToolCall: [() => ({ deny: 'not this tool' })] },
  });
  await rig.until('LoopIdle');
  expect(rig.events('PermissionRequested')).toHaveLength(0);
  expect(JSON.stringify(rig.model.requests[1]?.messages.at(-1))).toContain('not this tool');
  expect(rig.events('TurnDone')).toHaveLength(1);
});

test('an observer that throws changes nothing', async () => {
  const bad = () => {
    throw new Error('no');
  };
  const worse = () => async () => Promise.reject(new Error('no'));
  const { rig } = await watched([[text('fine')]], { around: { Turn: [bad, worse], JournalAppend: [bad] } });
  await rig.until('LoopIdle');
  expect(rig.events('TurnDone')).toHaveLength(1);
});

test('JournalAppend tells what is appended and whether it was', async () => {
  const seen: string[] = [];
  const around: Hooks['around'] = {
    JournalAppend: [
      ({ data }) =>
        (outcome) => {
          seen.push(`${data.types.join(' ')}: ${outcome}`);
        },
    ],
  };
  const rig = await startRig({ replies: [[text('hi'), hold('a')]], hooks: { around } });
  void rig.say('go');
  await rig.model.reached('a');
  rig.journal.failNext(1);
  rig.model.release('a');
  await rig.until('LoopIdle');
  await expect(`${seen.join('\n')}\n`).toMatchFileSnapshot('golden/hook-journal.txt');
});
