import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournaledCommand, UserInput } from '../../../src/domain/command.ts';
import { toolMessage, ZERO_USAGE } from '../../../src/domain/content.ts';
import type { EventBody } from '../../../src/domain/event.ts';
import { TurnPanicError } from '../../../src/domain/failure.ts';
import type { CancelReason } from '../../../src/domain/turn-event.ts';
import { audit, auditFile } from '../../../src/edge/journal/audit.ts';
import { SessionAudit } from '../../../src/edge/journal/audit-session.ts';
import { decodeRecord, encodeRecord } from '../../../src/edge/wire/record-codec.ts';
import { forkOf } from '../../../src/runtime/fork.ts';
import type { JournalRecord } from '../../../src/runtime/ports.ts';
import { holds, holdsLater } from '../wire/samples.ts';
import { Journaling, makeFolder, user } from './records.ts';
import { Run } from './runs.ts';

const renumbered = (records: readonly JournalRecord[]): JournalRecord[] =>
  records.map((record, i) => ({ ...record, seq: i + 1 }));
const typeOf = (record: JournalRecord): string => ('event' in record ? record.event.type : record.command.type);
const shown = (record: JournalRecord): string =>
  `${record.seq} ${JSON.stringify('event' in record ? record.event : record.command).slice(0, 200)}`;
const tape = fc.array(fc.nat(1000), { minLength: 60, maxLength: 500, size: 'max' });
const anyRun = fc
  .tuple(tape, fc.constantFrom('pause' as const, 'start' as const))
  .map(([numbers, after]) => new Run(numbers, after));

describe('what a session writes', () => {
  it('is sound, also where it breaks off at any record, and after the wire', () => {
    holds(
      fc.property(anyRun, (run) => {
        const session = new SessionAudit();
        for (const record of run.records) {
          const fault = session.take(record);
          if (fault)
            throw new Error(
              `${fault.seq}: ${fault.why}\n${run.records
                .slice(0, fault.seq + 2)
                .map(shown)
                .join('\n')}`,
            );
          expect(session.finish()).toHaveProperty('ok');
        }
        expect(audit(run.records.map((record) => decodeRecord(JSON.parse(encodeRecord(record)))))).toEqual(
          audit(run.records),
        );
      }),
      150,
    );
  });

  it('is sound as the beginning of a fork, from wherever it is taken', async () => {
    await holdsLater(
      fc.asyncProperty(anyRun, fc.nat(), async ({ records }, pick) => {
        const points = records.filter((record) => /StepDone|Turn(Done|Failed|Interrupted)/.test(typeOf(record)));
        if (points.length === 0) return;
        const { seq: at } = points[pick % points.length]!;
        let ids = 0;
        const options = {
          sessionId: 'fork',
          source: 'session',
          cwd: '/w',
          appVersion: '0',
          newId: () => `fork-${++ids}`,
          now: () => '2026-01-02T03:04:05.678Z',
        };
        const fork = await forkOf(
          (async function* () {
            yield* records;
          })(),
          { ...options, at },
        );
        const result = audit(fork.records);
        if ('fault' in result)
          throw new Error(`at ${at}: ${result.fault.seq} ${result.fault.why}\n${fork.records.map(shown).join('\n')}`);
        expect(result.ok.open).toEqual([]);
      }),
      150,
    );
  });

  it('is proved: the walks see every kind of record that the rules speak of', () => {
    const seen = new Set<string>();
    for (const run of fc.sample(anyRun, { numRuns: 60, seed: 3 }))
      for (const record of run.records) seen.add(typeOf(record));
    expect([...seen].sort()).toEqual([
      'ActiveLoopChanged',
      'InputCancelled',
      'LoopIdle',
      'LoopStarted',
      'ModelChanged',
      'MoveQueuedInput',
      'PermissionDecided',
      'PermissionRequested',
      'RestoreDone',
      'RestoreStarted',
      'SessionActive',
      'SessionIdle',
      'SessionRenamed',
      'SessionStarted',
      'SessionStopped',
      'SetQueuedInput',
      'StepDone',
      'TurnDone',
      'TurnFailed',
      'TurnFoldedInto',
      'TurnInterrupted',
      'TurnRejected',
      'TurnStarted',
      'UserInput',
    ]);
  });

  /** Without one of these, and numbered anew, no journal that goes on is sound. */
  const needed = new Set([
    'InputCancelled',
    'SessionStarted',
    'UserInput',
    'TurnStarted',
    'TurnDone',
    'TurnFailed',
    'TurnInterrupted',
    'RestoreStarted',
    'RestoreDone',
    'SessionActive',
    'TurnFoldedInto',
  ]);
  /** Without this mark the records are what a crash in the middle of a restore leaves. */
  const isLikeACrash = (types: string[], i: number): boolean => {
    const marks = (from: number, to?: number) => types.slice(from, to).filter((type) => type.startsWith('Restore'));
    if (types[i] === 'RestoreStarted')
      return marks(0, i).at(-1) === 'RestoreStarted' || marks(i + 1)[0] === 'RestoreStarted';
    return types[i] === 'RestoreDone' && !['UserInput', 'SessionStopped'].includes(types[i + 1]!);
  };
  it('is no longer sound without one of its records, numbered anew', () => {
    let tried = 0;
    holds(
      fc.property(anyRun, fc.nat(), (run, pick) => {
        // to the end of the session, so that nothing can be open
        const end = run.records.findLastIndex((record) => typeOf(record) === 'SessionStopped');
        const records = run.records.slice(0, end + 1);
        const at = records
          .map((record, i) => ({ i, type: typeOf(record) }))
          .filter(({ i, type }) => needed.has(type) && !isLikeACrash(records.map(typeOf), i));
        if (at.length === 0) return;
        const { i } = at[pick % at.length]!;
        tried += 1;
        expect(audit(renumbered(records.toSpliced(i, 1))), `without ${typeOf(records[i]!)} ${i + 1}`).toHaveProperty(
          'fault',
        );
      }),
      600,
    );
    expect(tried).toBeGreaterThan(100);
  });

  it('is no longer sound with a record twice, with a gap, or with an event id twice', () => {
    holds(
      fc.property(anyRun, fc.nat(), ({ records }, pick) => {
        const i = pick % records.length;
        const twice = records.toSpliced(i, 0, records[i]!);
        expect(audit(twice)).toMatchObject({ fault: { seq: i + 2 } });
        expect(audit(renumbered(twice))).toHaveProperty('fault');
        if (i + 1 < records.length)
          expect(audit(records.toSpliced(i, 1))).toMatchObject({
            fault: { seq: i + 1, why: expect.stringContaining('is missing') },
          });
      }),
      150,
    );
  });
});

/** Sound beginnings for the tables below. */
const at = { loopId: 'loop' };
const cause = (commandId: string, agency: 'user' | 'machine' = 'user') => ({ commandId, agency });
const start = (id: string, turn: number, agency: 'user' | 'machine' = 'user'): EventBody => ({
  type: 'TurnStarted',
  ...at,
  turnId: `t${turn}`,
  turnIndex: turn,
  cause: cause(id, agency),
  message: user(id),
});
const fold = (id: string, turn: number): EventBody => ({
  type: 'TurnFoldedInto',
  ...at,
  turnId: `t${turn}`,
  turnIndex: turn,
  cause: cause(id),
  message: user(id),
});
const usage = { ...ZERO_USAGE, inputTokens: 3, outputTokens: 2 };
const answer = { role: 'assistant' as const, blocks: [{ type: 'text' as const, text: 'a' }], usage };
const step = (turn: number, stepId: string): EventBody => ({
  type: 'StepDone',
  ...at,
  turnId: `t${turn}`,
  stepId,
  messages: [answer],
});
const toolStep = (turn: number, stepId: string): EventBody => ({
  type: 'StepDone',
  ...at,
  turnId: `t${turn}`,
  stepId,
  messages: [{ ...answer, blocks: [{ type: 'tool_use', id: 'u', name: 'n', input: {} }] }, toolMessage('u', 'r')],
});
const done = (turn: number, more: object = {}): EventBody => ({
  type: 'TurnDone',
  ...at,
  turnId: `t${turn}`,
  turnIndex: turn,
  message: answer,
  usage,
  ...more,
});
const err = new TurnPanicError(undefined);
const failed = (turn: number): EventBody => ({
  type: 'TurnFailed',
  ...at,
  turnId: `t${turn}`,
  turnIndex: turn,
  err,
  failure: { kind: 'unknown', message: 'm' },
});
const interrupted = (turn: number): EventBody => ({
  type: 'TurnInterrupted',
  ...at,
  turnId: `t${turn}`,
  turnIndex: turn,
});
const returned = (id: string, reason: CancelReason, turn?: number, agency: 'user' | 'machine' = 'user'): EventBody => ({
  type: 'InputCancelled',
  ...at,
  ...(turn && { turnId: `t${turn}`, turnIndex: turn }),
  cause: cause(id, agency),
  reason,
  message: user(id),
});
const call = { ...at, turnId: 't1', stepId: 's1', toolExecutionId: 'x', toolUseId: 'u' };
const asked: EventBody = {
  type: 'PermissionRequested',
  ...call,
  request: { toolName: 'n', summary: 's', detail: 'd', scopes: [{ scope: 'session', covers: 'c' }] },
};
const decided = (source: 'user' | 'policy' | 'abandoned', more: object = {}): EventBody => ({
  type: 'PermissionDecided',
  ...call,
  effect: 'deny',
  source,
  ...more,
});
const active: EventBody = { type: 'SessionActive' };
const rest: EventBody[] = [{ type: 'LoopIdle', ...at }, { type: 'SessionIdle' }];
const stop: EventBody = { type: 'SessionStopped' };
const restore: EventBody = { type: 'RestoreStarted' };
const restored: EventBody = { type: 'RestoreDone' };
const input = (commandId: string, more: Partial<UserInput> = {}): JournaledCommand => ({
  type: 'UserInput',
  commandId,
  agency: 'user',
  blocks: user(commandId).blocks,
  ...more,
});
const machine = { agency: 'machine' as const };
const held = { noFold: true };
const move = (target: string, before?: string): JournaledCommand => ({
  type: 'MoveQueuedInput',
  commandId: `move-${target}`,
  agency: 'user',
  targetCommandId: target,
  beforeCommandId: before,
});
const mark = (target: string, noFold: boolean): JournaledCommand => ({
  type: 'SetQueuedInput',
  commandId: `mark-${target}`,
  agency: 'user',
  targetCommandId: target,
  noFold,
});

type Part = EventBody | JournaledCommand;
const isCommand = (part: Part): part is JournaledCommand => 'commandId' in part && !('cause' in part);
function journal(parts: readonly Part[]): JournalRecord[] {
  const records = new Journaling().start();
  for (const part of parts) {
    if (isCommand(part)) records.command(part);
    else records.event(part);
  }
  return records.records;
}
/** A turn that runs, with the inputs that wait meanwhile. */
const running = (...waiting: JournaledCommand[]): Part[] => [input('a'), active, start('a', 1), ...waiting];

describe('sound', () => {
  it.each<[string, Part[]]>([
    ['nothing but a start', []],
    ['a turn', [...running(), step(1, 's1'), done(1), ...rest, stop]],
    [
      'the next input starts without LoopIdle',
      [...running(input('b')), step(1, 's1'), done(1), start('b', 2), interrupted(2), ...rest, stop],
    ],
    [
      'folds in order, a hold stops them',
      [...running(input('b'), input('c'), input('d', held), input('e')), toolStep(1, 's1'), fold('b', 1), fold('c', 1)],
    ],
    [
      'a fold after a hold was taken away',
      [...running(input('b', held)), mark('b', false), toolStep(1, 's1'), fold('b', 1)],
    ],
    ['the order of moves', [...running(input('b'), input('c')), move('c', 'b'), step(1, 's1'), done(1), start('c', 2)]],
    [
      'a failed turn returns all',
      [
        ...running(input('b'), input('c', machine)),
        failed(1),
        returned('b', 'turn_failed', 1),
        returned('c', 'turn_failed', 1, 'machine'),
        ...rest,
        stop,
      ],
    ],
    [
      'an interrupted turn returns machines',
      [
        ...running(input('b'), input('c', machine)),
        interrupted(1),
        returned('c', 'turn_interrupted', 1, 'machine'),
        ...rest,
      ],
    ],
    ['a retract', [...running(input('b')), returned('b', 'client_retracted'), step(1, 's1'), done(1), ...rest, stop]],
    [
      'a stop returns people too',
      [...running(input('b')), interrupted(1), returned('b', 'turn_interrupted', 1), ...rest, stop],
    ],
    [
      'a paused queue is returned at the end',
      [...running(input('b')), interrupted(1), ...rest, returned('b', 'turn_interrupted'), stop],
    ],
    [
      'a gate that is asked and answered',
      [...running(), asked, decided('user', { effect: 'approve', scope: 'session' }), toolStep(1, 's1')],
    ],
    ['a decision of a mode', [...running(), decided('policy'), toolStep(1, 's1')]],
    ['a gate that an interrupt closes', [...running(), asked, decided('abandoned'), interrupted(1), ...rest]],
    [
      'a crash in a turn',
      [
        ...running(input('b'), input('c', machine)),
        asked,
        restore,
        decided('abandoned'),
        interrupted(1),
        returned('c', 'turn_interrupted', 1, 'machine'),
        ...rest,
        restored,
        input('d'),
        active,
        start('b', 2),
      ],
    ],
    [
      'a crash before the folds',
      [...running(input('b')), toolStep(1, 's1'), restore, interrupted(1), ...rest, restored],
    ],
    ['a crash before TurnDone', [...running(), step(1, 's1'), restore, interrupted(1), ...rest, restored]],
    [
      'a crash in the returns',
      [
        ...running(input('b'), input('c')),
        failed(1),
        returned('b', 'turn_failed', 1),
        restore,
        returned('c', 'turn_failed', 1),
        ...rest,
        restored,
      ],
    ],
    ['a crash before the start', [input('a'), restore, restored, input('b'), active, start('a', 1)]],
    ['a crash in a restore', [...running(), restore, restore, interrupted(1), ...rest, restored]],
    ['a restore after a stop', [stop, restore, restored, ...running()]],
    [
      'an input that could not be started',
      [input('a'), returned('a', 'turn_failed'), input('b'), active, start('b', 1)],
    ],
    ['a refused input', [...running(), { type: 'TurnRejected', ...at, cause: cause('z'), reason: 'queue_full' }]],
    [
      'an input of the active loop that does not name it',
      [
        { type: 'LoopStarted', loopId: 'two', agentName: 'x', model: 'm' },
        { type: 'ActiveLoopChanged', loopId: 'two', previousLoopId: 'loop', activeLoopId: 'two' },
        input('a'),
        active,
        { ...start('a', 1), loopId: 'two' } as EventBody,
      ],
    ],
  ])('%s', (_, parts) => {
    const result = audit(journal(parts));
    expect(result, JSON.stringify(result)).toHaveProperty('ok');
  });

  it('reports what stands open', () => {
    const result = audit(journal([...running(input('b')), asked]));
    expect(result).toMatchObject({
      ok: {
        turns: 1,
        inputs: 2,
        stopped: false,
        open: ['turn 1 has no terminal', 'a gate of turn 1 is open', 'input b of record 6 is queued'],
      },
    });
    expect(audit(journal([...running(), restore]))).toMatchObject({
      ok: { open: ['a restore was begun and not finished', 'turn 1 has no terminal'] },
    });
  });
});

describe('broken', () => {
  const two = [input('b'), input('c')];
  it.each<[string, Part[], RegExp]>([
    ['a turn without terminal', [...running(), step(1, 's1'), input('b'), start('b', 2)], /turn 1 has no terminal/],
    ['two terminals', [...running(), step(1, 's1'), done(1), interrupted(1)], /outside a turn/],
    ['a step after the terminal', [...running(), interrupted(1), step(1, 's1')], /StepDone outside a turn/],
    ['a step of another turn', [...running(), step(2, 's1')], /another turn/],
    ['a step twice', [...running(), toolStep(1, 's1'), toolStep(1, 's1')], /id of an earlier step/],
    ['a step after the final one', [...running(), step(1, 's1'), step(1, 's2')], /after the final step/],
    [
      'TurnDone without a final step',
      [...running(), toolStep(1, 's1'), done(1)],
      /not after the commit of a final answer/,
    ],
    ['TurnDone after nothing', [...running(), done(1)], /TurnDone after a start/],
    ['TurnDone of a wrong usage', [...running(), step(1, 's1'), done(1, { usage: ZERO_USAGE })], /another usage/],
    [
      'TurnDone of a wrong message',
      [...running(), step(1, 's1'), done(1, { message: { ...answer, blocks: [{ type: 'text', text: 'b' }] } })],
      /another message/,
    ],
    ['TurnFailed after the final step', [...running(), step(1, 's1'), failed(1)], /after the final step/],
    ['a wrong turn_index', [input('a'), active, start('a', 2)], /turn_index 2, expected 1/],
    [
      'a terminal of another turn_index',
      [...running(), { ...interrupted(1), turnIndex: 2 } as EventBody],
      /turn_index 2, its turn 1/,
    ],
    ['an input that was never accepted', [active, start('a', 1)], /never accepted/],
    ['an input that was resolved before', [...running(), step(1, 's1'), done(1), start('a', 2)], /resolved before/],
    ['an input accepted twice', [...running(input('b'), input('b'))], /used before/],
    [
      'the id of a refused input used again',
      [...running(), { type: 'TurnRejected', ...at, cause: cause('z'), reason: 'queue_full' }, input('z')],
      /used before/,
    ],
    [
      'an accepted input that is refused',
      [...running(input('b')), { type: 'TurnRejected', ...at, cause: cause('b'), reason: 'internal' }],
      /used before/,
    ],
    [
      'another message than the accepted',
      [input('a'), active, { ...start('a', 1), message: user('b') } as EventBody],
      /another message/,
    ],
    [
      'another agency than the accepted',
      [input('a'), active, start('a', 1, 'machine')],
      /agency machine, its input user/,
    ],
    [
      'a later input first',
      [...running(...two), step(1, 's1'), done(1), start('c', 2)],
      /before input b, which is in front/,
    ],
    ['a later input folded first', [...running(...two), toolStep(1, 's1'), fold('c', 1)], /before input b/],
    [
      'the order before a move',
      [...running(...two), move('c', 'b'), step(1, 's1'), done(1), start('b', 2)],
      /before input c/,
    ],
    ['a move of what is not queued', [...running(), move('z')], /not queued/],
    ['a move before what is not queued', [...running(input('b')), move('b', 'z')], /not queued/],
    ['a change of what is not queued', [...running(), mark('z', true)], /not queued/],
    ['a fold before any step', [...running(input('b')), fold('b', 1)], /TurnFoldedInto after a start/],
    ['a fold after the final step', [...running(input('b')), step(1, 's1'), fold('b', 1)], /after a final step/],
    [
      'a fold while the next step asks',
      [...running(), toolStep(1, 's0'), input('b'), decided('policy'), fold('b', 1)],
      /after a gate/,
    ],
    ['a fold of a held input', [...running(input('b', held)), toolStep(1, 's1'), fold('b', 1)], /held \(no_fold\)/],
    [
      'a fold of an input held later',
      [...running(input('b')), mark('b', true), toolStep(1, 's1'), fold('b', 1)],
      /held/,
    ],
    [
      'an input that was not folded',
      [...running(input('b')), toolStep(1, 's1'), step(1, 's2')],
      /before input b was folded/,
    ],
    [
      'a failed turn that keeps its queue',
      [...running(input('b')), failed(1), ...rest],
      /LoopIdle before input b was returned/,
    ],
    [
      'an interrupted turn that keeps a machine',
      [...running(input('b', machine)), interrupted(1), ...rest],
      /before input b was returned/,
    ],
    ['a start before the returns', [...running(...two), failed(1), start('b', 2)], /before input b was returned/],
    [
      'returns out of order',
      [...running(...two), failed(1), returned('c', 'turn_failed', 1)],
      /before b, which is in front/,
    ],
    [
      'a return that names no turn',
      [...running(input('b')), failed(1), returned('b', 'turn_failed')],
      /does not name the TurnFailed/,
    ],
    [
      'a return of the wrong reason',
      [...running(input('b')), failed(1), returned('b', 'turn_interrupted', 1)],
      /does not name the TurnFailed/,
    ],
    [
      'a return in a running turn',
      [...running(input('b')), returned('b', 'turn_interrupted')],
      /while a turn of its loop is open/,
    ],
    [
      'a return by a turn that was done',
      [...running(), step(1, 's1'), done(1), ...rest, input('b'), returned('b', 'turn_failed', 1)],
      /not the last one that ended so/,
    ],
    [
      'a start after the queue was returned for the end',
      [...running(...two), interrupted(1), returned('b', 'turn_interrupted', 1), start('c', 2)],
      /session's end/,
    ],
    [
      'a stop with a queued input',
      [...running(input('b')), interrupted(1), ...rest, stop],
      /input b of record 6 is unresolved/,
    ],
    ['a stop in a turn', [...running(), stop], /turn 1 has no terminal/],
    ['a stop without LoopIdle', [...running(), interrupted(1), { type: 'SessionIdle' }, stop], /LoopIdle is missing/],
    ['a stop without SessionIdle', [...running(), interrupted(1), rest[0]!, stop], /SessionIdle is missing/],
    ['anything after a stop', [stop, { type: 'SessionRenamed', name: 'n' }], /after SessionStopped/],
    ['an input after a stop', [stop, input('a')], /stopped/],
    ['LoopIdle twice', [...running(), interrupted(1), rest[0]!, rest[0]!], /without a turn/],
    ['LoopIdle in a turn', [...running(), rest[0]!], /while turn 1 is open/],
    [
      'LoopIdle with a queue, then a start',
      [...running(input('b')), step(1, 's1'), done(1), rest[0]!, start('b', 2)],
      /LoopIdle came after TurnDone although input b/,
    ],
    ['a start without SessionActive', [input('a'), start('a', 1)], /SessionActive is missing/],
    ['SessionActive twice', [active, active], /stands there again/],
    ['SessionIdle in a turn', [...running(), rest[1]!], /while a turn is open/],
    ['SessionIdle twice', [rest[1]!], /stands there again/],
    ['an input to an idle loop that starts nothing', [input('a'), input('b')], /before input a was started/],
    [
      'an input without LoopIdle before it',
      [...running(), step(1, 's1'), done(1), rest[1]!, input('b')],
      /LoopIdle is missing/,
    ],
    ['a start after a failure without LoopIdle', [...running(), failed(1), input('b')], /missing/],
    ['a gate that is never decided', [...running(), asked, toolStep(1, 's1')], /while a gate is open/],
    ['a terminal with an open gate', [...running(), asked, interrupted(1)], /while a gate is open/],
    ['a decision without a request', [...running(), decided('user')], /without a request/],
    ['a call decided twice', [...running(), decided('policy'), decided('policy')], /decided before/],
    ['a decision of another call', [...running(), asked, decided('user', { toolExecutionId: 'y' })], /another call/],
    [
      'a grant that was not offered',
      [...running(), asked, decided('user', { effect: 'approve', scope: 'always' })],
      /not offered/,
    ],
    [
      'two gates at once',
      [...running(), asked, { ...asked, toolExecutionId: 'y' } as EventBody],
      /another gate is open/,
    ],
    ['a gate of a committed step', [...running(), toolStep(1, 's1'), asked], /committed already/],
    ['a restore that leaves the turn open', [...running(), restore, restored], /turn 1 has no terminal/],
    [
      'a restore that keeps a machine',
      [...running(input('b', machine)), interrupted(1), restore, ...rest, restored],
      /before input b was returned/,
    ],
    [
      'a restore that returns a person',
      [...running(input('b')), restore, interrupted(1), returned('b', 'turn_interrupted', 1)],
      /returned by a restore/,
    ],
    [
      'a start in a restore',
      [...running(input('b')), restore, interrupted(1), start('b', 2)],
      /between RestoreStarted and RestoreDone/,
    ],
    ['a command in a restore', [restore, input('a')], /restoring/],
    ['RestoreDone alone', [restored], /without RestoreStarted/],
    ['a decision of a person in a restore', [...running(), asked, restore, decided('user')], /in a restore/],
    ['a loop that is not there', [input('a', { loopId: 'two' })], /never started/],
    ['a loop twice', [{ type: 'LoopStarted', ...at, agentName: 'x', model: 'm' }], /started before/],
    [
      'a change from another active loop',
      [{ type: 'ActiveLoopChanged', ...at, previousLoopId: 'two', activeLoopId: 'loop' }],
      /not the active one/,
    ],
    [
      'a session twice',
      [{ type: 'SessionStarted', model: '', provider: '', cwd: '', appVersion: '' }],
      /stands there again/,
    ],
    [
      'a summary in a turn',
      [...running(), { type: 'HistoryCompacted', ...at, summary: 's', usage }],
      /while a turn is open/,
    ],
    [
      'a summary that keeps what is not there',
      [{ type: 'HistoryCompacted', ...at, summary: 's', keptFromStepId: 'z', usage }],
      /never committed/,
    ],
  ])('%s', (_, parts, why) => {
    const records = journal(parts);
    const result = audit(records);
    expect(result).toMatchObject({ fault: { why: expect.stringMatching(why) } });
    if ('fault' in result) expect(audit(records.slice(0, result.fault.seq - 1))).toHaveProperty('ok');
  });

  it.each<[string, object, RegExp]>([
    ['another session', { sessionId: 'other' }, /of another session/],
    ['the id of an earlier event', { eventId: 'event-1' }, /repeats the event id/],
    ['a time that is none', { createdAt: 'yesterday' }, /has the time "yesterday"/],
    ['no event id', { eventId: '' }, /no eventId/],
  ])('an event of %s', (_, stamp, why) => {
    const { records } = new Journaling().start().event({ type: 'SessionActive' }, stamp);
    expect(audit(records)).toMatchObject({ fault: { seq: 3, why: expect.stringMatching(why) } });
  });

  it('an empty journal, and one without a beginning', () => {
    expect(audit([])).toEqual({ fault: { seq: 1, why: 'the journal holds no record' } });
    expect(audit(renumbered(journal([]).slice(1)))).toMatchObject({
      fault: { seq: 1, why: expect.stringMatching(/begins with LoopStarted/) },
    });
  });
});

describe('a file', () => {
  const write = (records: readonly JournalRecord[]) => {
    const path = join(makeFolder(), 's.jsonl');
    writeFileSync(path, records.map((record) => `${encodeRecord(record)}\n`).join(''));
    return path;
  };
  const whole = journal([...running(), step(1, 's1'), done(1), ...rest]);

  it('with a torn line is sound, and says so', async () => {
    const path = write(whole);
    appendFileSync(path, '{"seq":');
    expect(await auditFile(path)).toMatchObject({
      ok: { records: whole.length, open: ['the last line is torn (7 bytes)'] },
    });
  });

  it('with a damaged, missing or unknown record is broken at its number', async () => {
    const path = write(whole.toSpliced(3, 1));
    expect(await auditFile(path)).toMatchObject({ fault: { seq: 4, why: expect.stringMatching(/4 is missing/) } });
    writeFileSync(path, `${encodeRecord(whole[0]!)}\n{"seq":2\n${encodeRecord(whole[2]!)}\n`);
    expect(await auditFile(path)).toMatchObject({ fault: { seq: 2, why: expect.stringMatching(/no JSON/) } });
    writeFileSync(path, `${encodeRecord(whole[0]!).replace('SessionStarted', 'SessionBegun')}\n`);
    expect(await auditFile(path)).toMatchObject({ fault: { seq: 1, why: expect.stringMatching(/SessionBegun/) } });
  });

  it('that is not there is an error of its own', async () => {
    await expect(auditFile(join(makeFolder(), 'none.jsonl'))).rejects.toThrow(/ENOENT/);
  });
});
