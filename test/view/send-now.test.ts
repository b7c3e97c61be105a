/** A queued input that is sent now, as the person sees it: marked by the key, gone with its event. */
import { expect, test } from 'vitest';
import { ChatDriver, said, TURN } from '../support/chat-driver.ts';

function withQueue() {
  const chat = ChatDriver.busy();
  const ids = chat.queued('first', 'second');
  chat.takeCommands();
  return { chat, ids };
}
const ask = (how: string, chat: ChatDriver) => {
  chat.keys(how);
  return chat.takeCommands();
};

test('the key in the queue and the command say the same: the row is marked and the turn stops when the session says so', () => {
  for (const how of ['<Up><Up><Ctrl+S>', '/send-now 1<Enter>']) {
    const { chat, ids } = withQueue();
    const [command, ...more] = ask(how, chat);
    expect([command, more]).toMatchObject([{ type: 'SendQueuedInput', targetCommandId: ids[0], agency: 'user' }, []]);
    expect(chat.picture).toContain('1 goes first first');
    expect([chat.chat.focus.kind, chat.picture.includes('stopping')]).toEqual(['composer', false]);
    chat.keys('<Up><Up><Ctrl+S>');
    expect(chat.takeCommands()).toEqual([]);
    if (command) chat.answer(command, { ok: true, ack: { sent: true } });
    expect(chat.picture).toContain('stopping');
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    expect(chat.printed.join('\n')).toMatch(/interrupted · after .* · the chosen input goes first/);
    chat.turnStarted(ids[0] ?? '', 'first', 'turn-2', 2);
    expect(chat.rows.map(({ commandId }) => commandId)).toEqual([ids[1]]);
    expect(chat.picture).not.toMatch(/stopping|paused/);
  }
});

test('without a number it is the last one; with nothing queued it says so', () => {
  const { chat, ids } = withQueue();
  expect(ask('/send-now<Enter>', chat)).toMatchObject([{ targetCommandId: ids[1] }]);
  const empty = ChatDriver.busy();
  expect(ask('/send-now<Enter>', empty)).toEqual([]);
  expect(empty.picture).toContain('nothing is queued');
  expect(ask('/send-now 3<Enter>', empty)).toEqual([]);
  expect(empty.picture).toContain('nothing is queued at 3');
});

test('too late, or refused: the row stays as it was, and why is said', () => {
  for (const answer of [
    { ok: true, ack: { sent: false, reason: 'that turn was over already: it goes next' } },
    { ok: false, message: 'that turn was over already: it goes next' },
  ]) {
    const { chat, ids } = withQueue();
    const [command] = ask('<Up><Ctrl+S>', chat);
    if (command) chat.answer(command, answer);
    expect(chat.rows.map(({ commandId, state }) => [commandId, state])).toEqual(ids.map((id) => [id, 'queued']));
    expect(chat.picture).toContain('it goes next');
    expect(chat.picture).not.toContain('stopping');
  }
});

test('the turn ended before the answer came: the one that runs now is not said to stop', () => {
  const { chat, ids } = withQueue();
  const [command] = ask('<Up><Ctrl+S>', chat);
  chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
  chat.turnStarted(ids[1] ?? '', 'second', 'turn-2', 2);
  if (command) chat.answer(command, { ok: true, ack: { sent: true } });
  expect(chat.picture).not.toContain('stopping');
  expect(chat.rows.map(({ blocks }) => blocks)).toEqual([said('first').blocks]);
});
