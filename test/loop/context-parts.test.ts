/** What the next request holds, by part: the sums, what is measured and what is estimated, through folds, cuts and summaries. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, UserMessage } from '../../src/domain/content.ts';
import { toolMessage, userMessage, ZERO_USAGE } from '../../src/domain/content.ts';
import type { EventBody } from '../../src/domain/event.ts';
import type { Window } from '../../src/loop/compaction.ts';
import { limitsWithin } from '../../src/loop/compaction.ts';
import { type ContextReport, contextReport, frameOf } from '../../src/loop/context-parts.ts';
import { evolve } from '../../src/loop/evolve.ts';
import { fitInto } from '../../src/loop/fit.ts';
import { messagesOf } from '../../src/loop/history.ts';
import { type LoopState, newSession, type SessionState } from '../../src/loop/state.ts';
import { tokensOfMessage } from '../../src/loop/tokens.ts';

const tool = (name: string, server?: string) => ({
  name,
  description: 'd'.repeat(100),
  parameters: {},
  ...(server && { server }),
});
const FRAME = frameOf('s'.repeat(400), [tool('own'), tool('theirs', 'files'), tool('other', 'files')]);
const BESIDE = FRAME.system.tokens + FRAME.tools.tokens + FRAME.mcpTools.tokens;
const OPEN: Window = { limit: Number.POSITIVE_INFINITY, thinking: false, beside: BESIDE };

/** A loop that events build. */
class Life {
  state: SessionState;
  #n = 0;
  #turn = '';
  constructor() {
    this.state = newSession('session');
    const start = { model: 'm', provider: 'p', cwd: '/', appVersion: '0' };
    this.event({ type: 'SessionStarted', ...start });
    this.event({ type: 'LoopStarted', loopId: 'loop', agentName: 'main', model: 'm' });
  }
  get loop(): LoopState {
    return this.state.loops.get('loop') as LoopState;
  }
  event(event: EventBody): void {
    this.state = evolve(this.state, { event });
  }
  queue(text: string): string {
    const commandId = `c${++this.#n}`;
    const command = {
      type: 'UserInput',
      commandId,
      agency: 'user',
      loopId: 'loop',
      blocks: user(text).blocks,
    } as const;
    this.state = evolve(this.state, { command });
    return commandId;
  }
  begin(text: string): void {
    const cause = { commandId: this.queue(text), agency: 'user' as const };
    this.#turn = `t${++this.#n}`;
    const turnIndex = this.loop.turnIndex + 1;
    this.event({ type: 'TurnStarted', loopId: 'loop', turnId: this.#turn, turnIndex, cause, message: user(text) });
  }
  fold(text: string): void {
    const cause = { commandId: this.queue(text), agency: 'user' as const };
    const at = { loopId: 'loop', turnId: this.#turn, turnIndex: this.loop.turnIndex };
    this.event({ type: 'TurnFoldedInto', ...at, cause, message: user(text) });
  }
  /** With a result of that size: a tool Step. `tokens`: as the server counted them; 0 where it says nothing. */
  step(said: { text?: string; thought?: string; result?: number; tokens: number; reasoning?: number }): string {
    const stepId = `s${++this.#n}`;
    const blocks = [
      ...(said.thought ? [{ type: 'thinking' as const, text: said.thought }] : []),
      ...(said.text ? [{ type: 'text' as const, text: said.text }] : []),
      ...(said.result === undefined ? [] : [{ type: 'tool_use' as const, id: stepId, name: 'look', input: { a: 1 } }]),
    ];
    const reasoningTokens = said.reasoning ?? 0;
    const usage = { ...ZERO_USAGE, inputTokens: said.tokens, outputTokens: reasoningTokens, reasoningTokens };
    const answer = { role: 'assistant' as const, blocks, usage };
    const results = said.result === undefined ? [] : [toolMessage(stepId, 'x'.repeat(said.result))];
    this.event({ type: 'StepDone', loopId: 'loop', turnId: this.#turn, stepId, messages: [answer, ...results] });
    return stepId;
  }
  done(tokens: number): string {
    const stepId = this.step({ text: 'done', tokens });
    const message = { role: 'assistant' as const, blocks: [] };
    const at = { loopId: 'loop', turnId: this.#turn, turnIndex: this.loop.turnIndex };
    this.event({ type: 'TurnDone', ...at, message, usage: this.loop.turn?.usage ?? ZERO_USAGE });
    return stepId;
  }
  compacted(keptFromStepId?: string): void {
    const kept = keptFromStepId ? { keptFromStepId } : {};
    this.event({ type: 'HistoryCompacted', loopId: 'loop', summary: 'in short', ...kept, usage: ZERO_USAGE });
  }
  report(window: Window = OPEN): ContextReport {
    return contextReport(this.loop, window, FRAME, FRAME);
  }
}
const user = (text: string): UserMessage => userMessage([{ type: 'text', text }]);
const weigh = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
const rows = ({ parts }: ContextReport) => parts.map(({ kind, count, tokens }) => `${kind} ${count}: ${tokens}`);

test('before the first request: what stands beside the history, estimated', () => {
  const life = new Life();
  const report = life.report();
  expect(report.parts.map(({ kind, count }) => [kind, count])).toEqual([
    ['system', 1],
    ['tools', 1],
    ['mcpTools', 2],
  ]);
  expect([report.total, report.estimated, report.leftOut]).toEqual([BESIDE, BESIDE, 0]);
  expect([report.window, report.compactAt]).toEqual([undefined, undefined]);
});

test('the last usage is shared out by size; what came after it is estimated', () => {
  const life = new Life();
  life.begin('u'.repeat(400));
  life.step({ text: 'a'.repeat(40), result: 4000, tokens: 1000 });
  const report = life.report();
  const results = report.parts.find(({ kind }) => kind === 'toolResults');
  expect(results).toEqual({ kind: 'toolResults', count: 1, tokens: 1004, estimated: 1004 });
  expect([report.total, report.estimated]).toEqual([2004, 1004]);
  life.fold('f'.repeat(40));
  expect(life.report().parts.find(({ kind }) => kind === 'folded')).toMatchObject({ count: 1, tokens: 14 });
  life.done(5000);
  const after = life.report();
  expect([after.total, after.estimated]).toEqual([5000, 0]);
  expect(after.parts.map(({ kind }) => kind)).toEqual([
    'system',
    'tools',
    'mcpTools',
    'user',
    'folded',
    'answers',
    'toolCalls',
    'toolResults',
  ]);
});

test('a server that reports no usage: all of it is estimated', () => {
  const life = new Life();
  life.begin('one');
  life.done(0);
  const report = life.report();
  expect(report.estimated).toBe(report.total);
  expect(report.total).toBe(BESIDE + weigh(messagesOf(life.loop.history)));
});

test('thinking counts where it is sent back; where it is not, neither does what the usage says of it', () => {
  const life = new Life();
  life.begin('one');
  life.step({ text: 'so', thought: 'h'.repeat(2000), result: 0, tokens: 300, reasoning: 500 });
  life.done(0);
  expect(life.report().parts.some(({ kind }) => kind === 'thinking')).toBe(false);
  const measured = ({ total, estimated }: ContextReport) => total - estimated;
  expect(measured(life.report())).toBe(300);
  const back = life.report({ ...OPEN, thinking: true });
  expect(measured(back)).toBe(800);
  expect(back.parts.find(({ kind }) => kind === 'thinking')).toMatchObject({ count: 1, estimated: 0 });
});

test('against a window: old tool output is counted as it will be sent, and what is left out is told', () => {
  const life = new Life();
  const window = { ...OPEN, limit: 4000 };
  life.begin('one');
  life.step({ result: 8000, tokens: BESIDE + 20 });
  life.done(BESIDE + 2040);
  const now = life.report(window);
  expect([now.leftOut, now.window]).toEqual([0, 4000]);
  expect([now.shortenAt, now.compactAt]).toEqual([2400, 3200]);
  life.begin('two');
  life.step({ result: 4000, tokens: BESIDE + 2060 });
  const cut = life.report(window);
  expect(cut.leftOut).toBeGreaterThan(1500);
  expect(cut.total).toBeLessThan(2400);
  // the request was sent cut, and measured so
  life.done(cut.total + 10);
  const after = life.report(window);
  expect(after.compactAt).toBeGreaterThan(3000);
  expect(after.compactAt).toBeLessThan(3400);
});

test('after a summary all is estimated, until the next usage', () => {
  const life = new Life();
  life.begin('one');
  life.step({ result: 4000, tokens: BESIDE });
  life.done(1500 + BESIDE);
  life.begin('two');
  const kept = life.done(1600 + BESIDE);
  life.compacted(kept);
  const report = life.report();
  expect(report.estimated).toBe(report.total);
  expect(rows(report).slice(3)).toEqual([`summary 1: ${tokensOfMessage(user('in short'))}`, 'answers 1: 5']);
  life.begin('three');
  life.done(300);
  expect([life.report().total, life.report().estimated]).toEqual([300, 0]);
});

test('queued inputs are told beside the total', () => {
  const life = new Life();
  life.begin('one');
  const before = life.report().total;
  life.queue('q'.repeat(40));
  life.queue('q'.repeat(40));
  expect(life.report()).toMatchObject({ total: before, queued: { inputs: 2, tokens: 28 } });
});

const happening = fc.oneof(
  fc.record({ do: fc.constantFrom('begin', 'fold', 'queue'), size: fc.nat({ max: 3000 }) }),
  fc.record({
    do: fc.constant('step'),
    size: fc.nat({ max: 20_000 }),
    real: fc.double({ min: 0, max: 3, noNaN: true }),
  }),
  fc.record({ do: fc.constantFrom('done', 'compact'), real: fc.double({ min: 0, max: 3, noNaN: true }) }),
);

test('the parts are whole, never negative, and sum to the total', () => {
  fc.assert(
    fc.property(
      fc.array(happening, { maxLength: 40 }),
      fc.option(fc.integer({ min: 1, max: 20_000 })),
      fc.boolean(),
      (happenings, limit, thinking) => {
        const life = new Life();
        const window = { limit: limit ?? Number.POSITIVE_INFINITY, thinking, beside: BESIDE };
        let kept: string | undefined;
        for (const one of happenings) {
          const { turn } = life.loop;
          const text = 'w'.repeat('size' in one ? one.size : 0);
          const sent = weigh(fitInto(life.loop.history, limitsWithin(life.loop, window)));
          const tokens = 'real' in one ? Math.round((BESIDE + sent) * one.real) : 0;
          if (one.do === 'queue') life.queue(text);
          else if (one.do === 'begin' && !turn && life.loop.inbox.length === 0) life.begin(text);
          else if (one.do === 'fold' && turn?.lastCommit === 'tool') life.fold(text);
          else if (one.do === 'step' && turn) life.step({ text: 'I look', thought: 'hm', result: text.length, tokens });
          else if (one.do === 'done' && turn) kept = life.done(tokens);
          else if (one.do === 'compact' && !turn && life.loop.history) life.compacted(kept);
          const report = contextReport(life.loop, window, FRAME, FRAME);
          const sum = (field: 'tokens' | 'estimated') => report.parts.reduce((all, part) => all + part[field], 0);
          expect([sum('tokens'), sum('estimated')]).toEqual([report.total, report.estimated]);
          for (const { tokens: held, estimated, count } of report.parts) {
            expect([Number.isSafeInteger(held), held >= estimated, estimated >= 0, count > 0]).toEqual(
              Array(4).fill(true),
            );
          }
          expect(report.leftOut).toBeGreaterThanOrEqual(0);
          if (life.loop.measured.upTo === 0) expect(report.estimated).toBe(report.total);
          const summaries = report.parts.filter(({ kind }) => kind === 'summary');
          expect(summaries.every(({ count }) => count === 1)).toBe(true);
        }
      },
    ),
    { numRuns: 200, seed: 20261130 },
  );
});
