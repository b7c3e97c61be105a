/** Random lives of a running session, with appends that fail: the journal passes the audit and no input is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audit } from '../../src/edge/journal/audit.ts';
import { fail, hold, type ScriptReply, text, toolCall, usage } from '../../src/edge/models/scripted.ts';
import type { JournalRecord } from '../../src/runtime/ports.ts';
import { type Rig, startRig } from '../support/rig.ts';
import { broken, change, look } from '../support/tools.ts';

type Act =
  | { do: 'say'; agency: 'user' | 'machine'; noFold: boolean }
  | { do: 'retract' | 'hold' | 'move' | 'sendNow'; pick: number }
  | { do: 'interrupt' | 'resume' | 'release' | 'answer' | 'loseNext' | 'compact' | 'setModel' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      agency: fc.constantFrom('user' as const, 'machine' as const),
      noFold: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('retract' as const, 'hold' as const, 'move' as const, 'sendNow' as const),
      pick: fc.nat({ max: 9 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'interrupt' as const,
        'resume' as const,
        'release' as const,
        'release' as const,
        'answer' as const,
        'loseNext' as const,
        'compact' as const,
        'setModel' as const,
      ),
    }),
  },
);
const reply: fc.Arbitrary<string> = fc.constantFrom('text', 'tool', 'gate', 'broken', 'fail', 'empty');

function scriptOf(kind: string, n: number): ScriptReply {
  const stop = hold(`hold-${n}`);
  const counts = usage({ inputTokens: 3, outputTokens: 1 });
  switch (kind) {
    case 'tool':
      return [text('a'), stop, toolCall('look', { n }), toolCall('look', { n: -n }), counts];
    case 'gate':
      return [stop, toolCall('change', { n }), counts];
    case 'broken':
      return [toolCall('broken', {}), stop, counts];
    case 'fail':
      return [text('half'), stop, fail(new Error('no'))];
    case 'empty':
      return [stop];
    default:
      return [text('b'), stop, text('c'), counts];
  }
}

class Life {
  readonly rig: Rig;
  readonly said: string[] = [];
  readonly answered = new Set<string>();
  #held = 0;

  constructor(rig: Rig) {
    this.rig = rig;
  }

  async perform(one: Act): Promise<void> {
    const { rig, said } = this;
    switch (one.do) {
      case 'say': {
        const id = `input-${said.length}`;
        said.push(id);
        const answer = await rig.say(id, one);
        if (!answer.ok) this.answered.add(id);
        return;
      }
      case 'retract':
        await rig.send({ type: 'CancelQueuedInput', targetCommandId: said[one.pick] ?? 'nobody' });
        return;
      case 'hold':
        await rig.send({ type: 'SetQueuedInput', targetCommandId: said[one.pick] ?? 'nobody', noFold: true });
        return;
      case 'move':
        await rig.send({ type: 'MoveQueuedInput', targetCommandId: said[one.pick] ?? 'nobody' });
        return;
      case 'sendNow':
        await rig.send({ type: 'SendQueuedInput', targetCommandId: said[one.pick] ?? 'nobody' });
        return;
      case 'interrupt':
        await rig.send({ type: 'Interrupt' });
        return;
      case 'resume':
        await rig.send({ type: 'ResumeQueue' });
        return;
      case 'release':
        rig.model.release(`hold-${this.#held++}`);
        return;
      case 'answer': {
        const gate = rig.events('PermissionRequested').at(-1);
        if (gate) await rig.send({ type: 'ApproveToolCall', toolExecutionId: gate.toolExecutionId, scope: 'session' });
        return;
      }
      case 'compact':
        void rig.send({ type: 'Compact' });
        return;
      case 'setModel':
        await rig.send({ type: 'SetModel', model: 'another' });
        return;
      case 'loseNext':
        rig.journal.failNext(1);
    }
  }
}

test('each input is resolved or refused, and the journal is sound', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 5, maxLength: 40 }),
      fc.array(reply, { minLength: 3, maxLength: 12 }),
      async (acts, kinds) => {
        const rig = await startRig({
          replies: kinds.map(scriptOf),
          tools: [look, change, broken],
          approval: 'ask',
          inboxLimit: 4,
        });
        const life = new Life(rig);
        for (const one of acts) await life.perform(one);
        rig.journal.failNext(0);
        for (let n = 0; n < kinds.length; n += 1) rig.model.release(`hold-${n}`);
        await rig.drain();
        const faulted = (await rig.session.ended) !== undefined;
        const records: JournalRecord[] = [];
        for await (const record of rig.journal.read()) records.push(record);
        const result = audit(records);
        expect('fault' in result ? result.fault : undefined).toBeUndefined();
        if (faulted) return;
        for (const id of life.said) {
          const times = rig.resolutionOf(id).filter((type) => type !== 'PermissionDecided').length;
          expect([id, times]).toEqual([id, life.answered.has(id) ? 0 : 1]);
        }
      },
    ),
    { numRuns: 60, seed: 20261130 },
  );
});
