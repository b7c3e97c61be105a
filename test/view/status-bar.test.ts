/** The line below the composer: what it tells, in which order, and what gives way where there is no room. */
import { describe, expect, test } from 'vitest';
import { ZERO_USAGE } from '../../src/domain/content.ts';
import type { ChatSettings } from '../../src/view/chat-state.ts';
import { costOf, type ModelFacts, money, spentOn } from '../../src/view/spending.ts';
import type { StatusPart } from '../../src/view/status-bar.ts';
import { ChatDriver, LOOP, STEP, TURN } from '../support/chat-driver.ts';

const FACTS: Record<string, ModelFacts> = {
  'fake/fake-model': { window: 10_000, price: { input: 2, output: 10, cacheRead: 0.5 } },
  'fake/free': {},
};
const factsOf = (provider: string, model: string) => FACTS[`${provider}/${model}`] ?? {};
const USED = { ...ZERO_USAGE, inputTokens: 1000, cacheReadTokens: 2000, cacheCreationTokens: 500, outputTokens: 250 };
const lastLine = (chat: ChatDriver) => chat.screen().find((line) => /model|asks|keys|auto|very-/.test(line)) ?? '';

/** One Turn of a Step is over. */
function told(columns: number, settings: Partial<ChatSettings> = {}): ChatDriver {
  const chat = ChatDriver.started({ columns, rows: 24 }, { factsOf, ...settings });
  chat.snapshot([]);
  turn(chat, 1);
  return chat;
}
function turn(chat: ChatDriver, n: number, usage = USED): void {
  chat.turnStarted(`c${n}`, 'go', `turn-${n}`, n);
  const message = { role: 'assistant' as const, blocks: [{ type: 'text' as const, text: 'said' }], usage };
  chat.event({ ...STEP, type: 'StepDone', turnId: `turn-${n}`, stepId: `step-${n}`, messages: [message] });
  chat.event({ ...TURN, type: 'TurnDone', turnId: `turn-${n}`, turnIndex: n, message, usage });
}

describe('what it tells', () => {
  test('nothing of tokens before the first answer', () => {
    expect(lastLine(ChatDriver.started(undefined, { factsOf })).trimEnd()).toBe(
      '  fake-model · asks before changes · ? keys',
    );
  });

  test('model, approval, context, tokens with the cached ones, cost', () => {
    // 1,500 at 2 and 2,000 at 0.5 and 250 at 10 for a million
    expect(lastLine(told(120))).toBe(
      '  fake-model · asks before changes · context 38 % · 3.5k in, 250 out · cost 0.0065 · ? keys',
    );
  });

  test.each([
    [120, '  acme/a-very-long-model-name-with-many-parts · asks before changes · ? keys'],
    [80, '  a-very-long-model-name-with-m… · asks before changes · ? keys'],
    [40, '  a-very-long-mo… · asks before changes'],
    [20, '  a-very-long…'],
  ])('a long name of a model leaves room, at %i columns', (columns, line) => {
    const chat = ChatDriver.started({ columns, rows: 24 });
    chat.event({
      type: 'ModelChanged',
      ...LOOP,
      model: 'acme/a-very-long-model-name-with-many-parts',
      provider: 'fake',
    });
    expect(lastLine(chat)).toBe(line);
  });

  test('summed over turns; the context is that of the last request', () => {
    const chat = told(120);
    turn(chat, 2, { ...ZERO_USAGE, inputTokens: 500, outputTokens: 500 });
    expect(lastLine(chat)).toContain('context 10 % · 4.0k in, 750 out · cost 0.013');
    expect(chat.chat.view.loops[0]?.spent).toHaveLength(1);
  });

  test('a model that has no price is told by a plus; the running turn is that of the model that it asks', () => {
    const chat = told(120);
    chat.turnStarted('c2', 'go', 'turn-2', 2);
    chat.event({ type: 'ModelChanged', ...LOOP, model: 'free', provider: 'fake' });
    const message = { role: 'assistant' as const, blocks: [{ type: 'text' as const, text: 'said' }], usage: USED };
    chat.event({ ...STEP, type: 'StepDone', turnId: 'turn-2', stepId: 'step-2', messages: [message] });
    expect(lastLine(chat)).toContain('cost 0.013 ');
    chat.event({ ...TURN, type: 'TurnDone', turnId: 'turn-2', turnIndex: 2, message, usage: USED });
    turn(chat, 3);
    expect(lastLine(chat)).toContain('cost 0.013+');
    expect(lastLine(chat)).not.toContain('context');
  });

  test('a summary costs as well, and the context behind it is not known until the next answer', () => {
    const chat = told(120);
    chat.event({ type: 'HistoryCompacted', ...LOOP, summary: 's', usage: { ...ZERO_USAGE, outputTokens: 1000 } });
    expect(lastLine(chat)).toContain('3.5k in, 250 out · cost 0.017');
    expect(lastLine(chat)).not.toContain('context');
  });

  test('the name of the loop where there are several', () => {
    const chat = told(120);
    chat.event({ type: 'LoopStarted', loopId: 'loop-2', agentName: 'helper', model: 'fake-model' });
    expect(lastLine(chat)).toContain('main: loop 1 of 2');
    expect(chat.chat.view.loops[1]?.provider).toBe('fake');
  });
});

describe('which parts', () => {
  test.each<[StatusPart[], string]>([
    [['cost', 'model'], '  cost 0.0065 · fake-model · ? keys'],
    [['tokens'], '  3.5k in, 250 out · ? keys'],
    [[], '  ? keys'],
  ])('%j', (statusBar, line) => {
    expect(lastLine(told(120, { statusBar }))).toBe(line);
  });
});

describe('what gives way', () => {
  test.each([
    [80, '  fake-model · asks before changes · context 38 % · cost 0.0065 · ? keys'],
    [100, '  fake-model · asks before changes · context 38 % · 3.5k in, 250 out · cost 0.0065 · ? keys'],
    [70, '  fake-model · asks before changes · context 38 % · ? keys'],
    [50, '  fake-model · asks before changes · ? keys'],
    [40, '  fake-model · asks before changes'],
    [30, '  fake-model · ? keys'],
    [20, '  fake-model'],
  ])('%i columns: whole words, the least telling go first', (columns, line) => {
    expect(lastLine(told(columns))).toBe(line);
  });

  test('every width: one line, within it, of whole words', () => {
    const words = ['fake-model', 'asks before changes', 'context 38 %', '3.5k in, 250 out', 'cost 0.0065', '? keys'];
    for (let columns = 20; columns <= 130; columns += 1) {
      const line = lastLine(told(columns));
      expect(line.length).toBeLessThan(columns);
      for (const word of line.trim().split(' · ')) expect(words).toContain(word);
    }
  });
});

test('what a million tokens cost is summed by the kind of tokens', () => {
  const spent = spentOn([], { provider: 'fake', model: 'fake-model' }, USED);
  expect(costOf(spent, factsOf)).toEqual({ amount: 0.0065, whole: true });
  expect(costOf(spent, () => ({}))).toBeUndefined();
  expect(costOf(spent, () => ({ price: { input: 1 } }))).toEqual({ amount: 0.0035, whole: false });
  expect(costOf([], factsOf)).toBeUndefined();
  const broken = { ...USED, inputTokens: -1 };
  expect(spentOn(spent, { provider: 'fake', model: 'fake-model' }, broken)).toBe(spent);
});

test.each([
  [0, '0.00'],
  [0.000_042, '0.000042'],
  [0.012_34, '0.012'],
  [0.5, '0.50'],
  [0.999, '1.00'],
  [1.234, '1.23'],
  [45.6, '45.60'],
])('%d is %s', (amount, text) => {
  expect(money(amount)).toBe(text);
});
