/** What a session says of its next request: by part, the same after a restart, and true of what the model is then asked. */
import { expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/failure.ts';
import { fail, hold, text, thinking, toolCall, usage } from '../../src/edge/models/scripted.ts';
import type { LoopContext } from '../../src/runtime/session.ts';
import { type Rig, startRig } from '../support/rig.ts';
import { look } from '../support/tools.ts';

const big = { ...look, run: async () => ({ content: [{ type: 'text' as const, text: 'x'.repeat(8000) }] }) };
const theirs = { ...look, name: 'mcp__files__look', server: 'files' };
const tools = [big, theirs];
const kinds = ({ parts }: LoopContext) => parts.map(({ kind, count }) => `${kind} ${count}`);
const known = ({ total, estimated }: LoopContext) => total - estimated;

/** A Turn with a tool Step and a folded input. */
async function foldedTurn(options: Parameters<typeof startRig>[0] = {}): Promise<Rig> {
  const rig = await startRig({
    tools,
    replies: [
      [thinking('hm'), toolCall('look', {}), hold('h'), usage({ inputTokens: 900, outputTokens: 20 })],
      [text('read'), usage({ inputTokens: 2800, cacheReadTokens: 100, outputTokens: 40 })],
    ],
    ...options,
  });
  void rig.say('first');
  await rig.model.reached('h');
  await rig.say('second');
  rig.model.release('h');
  await rig.until('LoopIdle');
  return rig;
}

test('before the first request, and after a tool turn with a folded input', async () => {
  const fresh = await startRig({ tools });
  const before = await fresh.session.context();
  expect(kinds(before)).toEqual(['system 1', 'tools 1', 'mcpTools 1']);
  expect([known(before), before.total > 0, before.window]).toEqual([0, true, undefined]);
  const rig = await foldedTurn();
  const after = await rig.session.context();
  expect(kinds(after)).toEqual([
    ...['system 1', 'tools 1', 'mcpTools 1', 'user 1', 'folded 1', 'answers 1', 'toolCalls 1', 'toolResults 1'],
  ]);
  expect([after.total, after.estimated, after.model, after.provider]).toEqual([2940, 0, 'scripted', 'test']);
  expect(kinds(await (await foldedTurn({ thinking: true })).session.context())).toContain('thinking 1');
});

test('while a turn runs: what was measured, and what came since', async () => {
  const rig = await startRig({
    tools,
    replies: [
      [toolCall('look', {}), usage({ inputTokens: 900, outputTokens: 20 })],
      [hold('h'), text('read')],
    ],
  });
  void rig.say('first');
  await rig.model.reached('h');
  await rig.say('second', { noFold: true });
  const report = await rig.session.context();
  expect([known(report), report.estimated > 2000]).toEqual([920, true]);
  expect(report.queued.inputs).toBe(1);
  expect(kinds(report)).not.toContain('folded 1');
});

test('a restart and a summary: the same is said, and all of it is estimated until the next usage', async () => {
  const rig = await foldedTurn({ window: 3500 });
  const report = await rig.session.context();
  const again = await startRig({ tools, window: 3500, lines: [...rig.journal.lines], replies: [[text('in short')]] });
  expect({ ...(await again.session.context()) }).toEqual(report);
  await again.say('third');
  await again.until('LoopIdle');
  expect(await again.send({ type: 'Compact' })).toEqual({ ok: true });
  const compacted = await again.session.context();
  expect(kinds(compacted)).toContain('summary 1');
  expect([known(compacted), compacted.total < report.total]).toEqual([0, true]);
});

test('what is said to be left out is left out of the next request', async () => {
  const rig = await foldedTurn({ window: 4000 });
  const report = await rig.session.context();
  expect(report.leftOut).toBeGreaterThan(1000);
  expect(report.total).toBeLessThan(1200);
  const before = rig.deliveries.length;
  await rig.say('third');
  await rig.until('LoopIdle', before);
  const asked = JSON.stringify(rig.model.requests.at(-1)?.messages);
  expect(asked).toContain('left out to save room');
  expect(asked.length).toBeLessThan(4000);
});

test('a refusal teaches what fits', async () => {
  const tooLong = new ProviderError('provider_context_length', 'too long');
  const rig = await foldedTurn({
    replies: [[toolCall('look', {}), hold('h')], [fail(tooLong)], [text('read')]],
  });
  const report = await rig.session.context();
  expect([report.learned, (report.window ?? 0) > 0]).toEqual([true, true]);
  await expect(rig.session.context('no such loop')).rejects.toThrow(RangeError);
});
