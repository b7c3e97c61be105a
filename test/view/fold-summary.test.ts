/** A summary that is made between Turns: when it is asked for, how it is shown, what stops it, and how it ends. */
import { expect, test } from 'vitest';
import { summarised, summarising } from '../../src/view/fold-summary.ts';
import { ChatDriver, LOOP, STEP, TURN } from '../support/chat-driver.ts';

const follow = { type: 'Errand', errand: { type: 'FollowSummary', ...LOOP } };
const made = (chat: ChatDriver): void => {
  chat.chat = summarising(chat.chat, LOOP.loopId, chat.now);
};

test('is asked for after a turn, and where an input waits without one', () => {
  const chat = ChatDriver.busy();
  chat.queued('more');
  expect(chat.intents).not.toContainEqual(follow);
  chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
  expect(chat.intents).toContainEqual(follow);
  const idle = ChatDriver.started();
  idle.queued('more');
  expect(idle.intents).toContainEqual(follow);
  const resumed = ChatDriver.started();
  const { commandId, agency } = { commandId: 'r', agency: 'user' } as const;
  resumed.answer({ type: 'ResumeQueue', commandId, agency, ...LOOP }, { ok: true });
  expect(resumed.intents).toContainEqual(follow);
});

test('is shown, takes inputs into the queue, and says why it came to nothing', () => {
  const chat = ChatDriver.started();
  made(chat);
  expect(chat.picture).toContain('summarising the conversation');
  chat.keys('wait for a turn<Tab>');
  expect(chat.takeCommands()).toMatchObject([{ type: 'UserInput', noFold: true }]);
  chat.chat = summarised(chat.chat, LOOP.loopId, 'the server is gone', chat.now);
  expect(chat.picture).not.toContain('summarising');
  expect(chat.chat.notice?.text).toBe('not summarised: the server is gone');
});

test.each(['<Esc>', '<Ctrl+C>', '/interrupt<Enter>'])('ends by %s, also while it waits to try again', (keys) => {
  const chat = ChatDriver.started();
  made(chat);
  const err = { kind: 'provider_unavailable', message: 'busy' } as const;
  chat.event({ type: 'InferenceRetrying', ...LOOP, attempt: 1, maxAttempts: 5, waitMs: 8000, err });
  expect(chat.picture).toContain('summary again in 8s');
  chat.keys(keys);
  expect(chat.takeCommands()).toMatchObject([{ type: 'Interrupt', ...LOOP }]);
});

test('a retry of a turn that is over begins none', () => {
  const chat = ChatDriver.started();
  const err = { kind: 'provider_unavailable', message: 'busy' } as const;
  chat.event({ type: 'InferenceRetrying', ...STEP, attempt: 1, maxAttempts: 5, waitMs: 8000, err });
  expect(chat.picture).not.toContain('again in');
});
