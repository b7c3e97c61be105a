import { expect, test } from 'vitest';
import type { Access } from '../../src/domain/tool.ts';
import { judge, UNATTENDED } from '../../src/loop/permission.ts';

const access = (words: string): Access => {
  const [kind, outside] = words.split(' ');
  return { kind: kind as Access['kind'], outside: outside === 'outside', detail: '', grants: [] };
};

/** What comes of a call under each mode; with a grant; with nobody there to answer (mode ask, mode auto). */
test.each([
  ['free', 'free', 'free', 'free', 'free', 'free', 'free'],
  ['free outside', 'ask', 'ask', 'deny', 'approve', 'deny', 'deny'],
  ['change', 'ask', 'approve', 'deny', 'approve', 'deny', 'approve'],
  ['change outside', 'ask', 'ask', 'deny', 'approve', 'deny', 'deny'],
  ['run', 'ask', 'approve', 'deny', 'approve', 'deny', 'approve'],
  ['reach outside', 'ask', 'ask', 'deny', 'approve', 'deny', 'deny'],
  // a question to the person is its own gate, whatever the mode and the grants say
  ['ask', 'ask', 'ask', 'ask', 'ask', 'deny', 'deny'],
])('%s: ask %s, auto %s, deny %s, granted %s, unattended %s and auto %s', (words, ...expected) => {
  const there = { granted: false, attended: true };
  const alone = { granted: false, attended: false };
  const situations = [
    { mode: 'ask', ...there },
    { mode: 'auto', ...there },
    { mode: 'deny', ...there },
    { mode: 'ask', granted: true, attended: true },
    { mode: 'ask', ...alone },
    { mode: 'auto', ...alone },
  ] as const;
  expect(situations.map((situation) => judge(access(words), situation).verdict)).toEqual(expected);
});

test('the reason says who decided', () => {
  const there = { granted: false, attended: true };
  expect(judge(access('run'), { mode: 'deny', ...there, granted: true })).toEqual({
    verdict: 'deny',
    reason: 'the approval mode is deny',
  });
  expect(judge(access('run'), { mode: 'auto', ...there })).toEqual({
    verdict: 'approve',
    reason: 'the approval mode is auto',
  });
  expect(judge(access('run'), { mode: 'auto', ...there, granted: true })).toEqual({
    verdict: 'approve',
    reason: 'granted before',
  });
  expect(judge(access('run'), { mode: 'ask', granted: false, attended: false })).toEqual({
    verdict: 'deny',
    reason: UNATTENDED,
  });
  expect(UNATTENDED).toBe('nobody is there to answer');
});
